import { AsyncResource } from 'node:async_hooks';
import type { IncomingMessage } from 'node:http';

/** How long a client may take to send a message, in milliseconds. */
export const INTAKE_TIMEOUT_MS = 30_000;

/** A message as it was sent, or why it was not taken. */
export type Intake =
  | { readonly ok: true; readonly bytes: Buffer }
  | { readonly ok: false; readonly status: 408 | 413; readonly message: string };

const BYTES = Symbol('mcp:bytes');
const TAKING = Symbol('mcp:taking');
type Taken = IncomingMessage & { [BYTES]?: Buffer; [TAKING]?: Taking };

/** @returns the bytes that `takeBody` took for this request, `undefined` when it took none */
export function takenBytes(request: IncomingMessage): Buffer | undefined {
  return (request as Taken)[BYTES];
}

/**
 * Reads the body of a request before any body parser does: parsed JSON hides members that come twice, and its depth cannot be
 * bounded any more.
 *
 * @param done called once, in the async context of the caller; not at all when the client goes away
 */
export function takeBody(
  request: IncomingMessage,
  maxBytes: number,
  done: (intake: Intake) => void,
): void {
  const taking = new Taking(request, maxBytes, done);
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) taking.refuseTooLarge();
  else taking.begin();
}

/** One body on its way in. The listeners are shared, and find it on their request. */
class Taking {
  private readonly chunks: Buffer[] = [];
  private length = 0;
  private over = false;
  private timer: NodeJS.Timeout | undefined;
  // `AsyncResource.bind` would take as long as the rest of the intake.
  private readonly context = new AsyncResource('McpIntake');

  constructor(
    private readonly request: IncomingMessage,
    private readonly maxBytes: number,
    private readonly done: (intake: Intake) => void,
  ) {}

  begin(): void {
    const { request } = this;
    (request as Taken)[TAKING] = this;
    this.timer = setTimeout(onTimeout, INTAKE_TIMEOUT_MS, this);
    request.on('data', onData).on('end', onEnd).on('close', onClose).on('error', onClose);
  }

  add(chunk: Buffer): void {
    if (this.over) return;
    this.length += chunk.length;
    if (this.length > this.maxBytes) this.refuseTooLarge();
    else this.chunks.push(chunk);
  }

  end(): void {
    if (this.over) return;
    const { chunks } = this;
    const bytes =
      chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks);
    (this.request as Taken)[BYTES] = bytes;
    this.finish({ ok: true, bytes });
  }

  /** The client went away. */
  forget(): void {
    this.over = true;
    clearTimeout(this.timer);
  }

  refuseTooLarge(): void {
    const message = `The message is larger than ${this.maxBytes} bytes.`;
    this.finish({ ok: false, status: 413, message });
  }

  refuseTooSlow(): void {
    const message = `The message took more than ${INTAKE_TIMEOUT_MS} ms.`;
    this.finish({ ok: false, status: 408, message });
  }

  private finish(intake: Intake): void {
    this.over = true;
    clearTimeout(this.timer);
    this.context.runInAsyncScope(this.done, undefined, intake);
  }
}

function onData(this: Taken, chunk: Buffer): void {
  this[TAKING]?.add(chunk);
}

function onEnd(this: Taken): void {
  this[TAKING]?.end();
}

function onClose(this: Taken): void {
  this[TAKING]?.forget();
}

function onTimeout(taking: Taking): void {
  taking.refuseTooSlow();
}
