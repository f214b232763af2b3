import { ExchangeError } from './exchange-error.js';

/**
 * The chunks of a body, counted as they come, until the signal aborts. Leaving the loop ends the body's stream.
 *
 * @throws ExchangeError when the body is longer than `maxBytes`, breaks, or is not there in time
 */
export async function* readBody(
  body: AsyncIterable<Uint8Array> | null,
  maxBytes: number,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void, undefined> {
  if (body === null) return;
  const chunks = body[Symbol.asyncIterator]();
  let length = 0;
  try {
    for (;;) {
      const next = await untilAborted(nextOf(chunks), signal);
      if (next.done === true) return;
      const value: unknown = next.value;
      if (!(value instanceof Uint8Array)) throw new ExchangeError('the answer is not bytes');
      length += value.length;
      if (length > maxBytes) throw new ExchangeError(`the answer has over ${maxBytes} bytes`);
      yield value;
    }
  } finally {
    // Nothing waits for a stream that does not let go.
    chunks.return?.().catch(() => {});
  }
}

async function nextOf(chunks: AsyncIterator<Uint8Array>): Promise<IteratorResult<Uint8Array>> {
  try {
    return await chunks.next();
  } catch {
    throw new ExchangeError('the answer broke off', { broken: true });
  }
}

/**
 * What a promise gives, or the abort, whichever is first: also of work that knows no signal.
 *
 * @throws ExchangeError that says whether the time was up or the caller gave up; whatever the promise throws
 */
export async function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  promise.catch(() => {});
  if (signal.aborted) throw abandoned(signal);
  let stop: (() => void) | undefined;
  const aborted = new Promise<never>((_, reject) => {
    // A transport that the signal stops may still say that nothing was sent.
    stop = () => void setImmediate(() => reject(abandoned(signal)));
    signal.addEventListener('abort', stop, { once: true });
  });
  aborted.catch(() => {});
  try {
    return await Promise.race([promise, aborted]);
  } catch (error) {
    if (error instanceof ExchangeError && error.details.unsent === true) throw error;
    // A stream or a request that the signal ended says so in words of its own.
    throw signal.aborted ? abandoned(signal) : error;
  } finally {
    if (stop !== undefined) signal.removeEventListener('abort', stop);
  }
}

function abandoned(signal: AbortSignal): ExchangeError {
  return new ExchangeError(reasonOf(signal), { abandoned: true });
}

/** Why a signal aborted, in words. */
export function reasonOf(signal: AbortSignal): string {
  return signal.reason instanceof TimeUp ? 'the time was up' : 'the caller gave up';
}

/** Why a deadline aborts. */
export class TimeUp extends Error {}

/** A signal that aborts after a time or with another signal, and how to put its timer away. */
export function deadline(
  afterMs: number,
  signal: AbortSignal | undefined,
): { readonly signal: AbortSignal; readonly clear: () => void } {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(new TimeUp()), afterMs);
  const abort = (): void => controller.abort(signal?.reason);
  if (signal?.aborted === true) abort();
  else signal?.addEventListener('abort', abort, { once: true });
  return {
    signal: controller.signal,
    clear: () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
      // What still runs on, such as a stream that was not read to its end, ends here.
      controller.abort(new TimeUp());
    },
  };
}
