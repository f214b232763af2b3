import { AsyncResource } from 'node:async_hooks';
import type { IncomingMessage } from 'node:http';

/** How long a client may take to send a message, in milliseconds. */
export const INTAKE_TIMEOUT_MS = 30_000;

/** A message as it was sent, or why it was not taken. */
export type Intake =
  | { readonly ok: true; readonly bytes: Buffer }
  | { readonly ok: false; readonly status: 408 | 413; readonly message: string };

const BYTES = Symbol('mcp:bytes');
type Taken = IncomingMessage & { [BYTES]?: Buffer };

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
  const chunks: Buffer[] = [];
  let length = 0;
  const finish = AsyncResource.bind((intake: Intake) => {
    clearTimeout(timer);
    request.off('data', onData).off('end', onEnd).off('close', onClose).off('error', onClose);
    done(intake);
  });
  const tooLarge = (): void =>
    finish({ ok: false, status: 413, message: `The message is larger than ${maxBytes} bytes.` });
  const timer = setTimeout(() => {
    finish({
      ok: false,
      status: 408,
      message: `The message took more than ${INTAKE_TIMEOUT_MS} ms.`,
    });
  }, INTAKE_TIMEOUT_MS);
  const onData = (chunk: Buffer): void => {
    length += chunk.length;
    if (length > maxBytes) tooLarge();
    else chunks.push(chunk);
  };
  const onEnd = (): void => {
    const bytes =
      chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks);
    (request as Taken)[BYTES] = bytes;
    finish({ ok: true, bytes });
  };
  const onClose = (): void => clearTimeout(timer);

  if (Number(request.headers['content-length'] ?? 0) > maxBytes) {
    tooLarge();
    return;
  }
  request.on('data', onData).on('end', onEnd).on('close', onClose).on('error', onClose);
}
