import type { Revision } from '../protocol/revision.js';
import { ExchangeError } from './exchange-error.js';
import type { ServerReply, WireAnswer, WireRequest } from './wire.js';

/** A server that is ready for requests, for one operation. */
export interface Connection {
  readonly revision: Revision;
  /** @throws ExchangeError for everything that is no answer */
  request(request: WireRequest): Promise<WireAnswer>;
  /** Answers what the server asks beside the streams of requests, until the returned function is called. Never fails. */
  listen(reply: ServerReply): Promise<() => void>;
  /** Tells the server that the latest request is not wanted any more. */
  cancel(signal: AbortSignal): Promise<void>;
}

/**
 * The result of a request.
 *
 * @throws ExchangeError for a JSON-RPC error
 */
export function resultOf(answer: WireAnswer): Readonly<Record<string, unknown>> {
  if (answer.kind === 'result') return answer.result;
  throw new ExchangeError(`the server answered with the JSON-RPC error ${answer.code}`, {
    status: answer.status,
  });
}
