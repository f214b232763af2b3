import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher, Pool } from 'undici';
import { AddressRefusedError, NotConnectedError } from './connections.js';
import { cancelledOrLate, failure, internalFailure, type CallClock } from './failures.js';
import type { UpstreamAnswer } from './map-answer.js';
import type { RestMethod } from './operation.js';
import type { UpstreamFailure } from './outcome.js';
import {
  ACCEPTED_ENCODINGS,
  AnswerEncodingError,
  AnswerTooLargeError,
  readAnswer,
} from './read-answer.js';
import type { WrittenRequest } from './write-request.js';

export interface SendContext {
  readonly pool: Pool;
  readonly method: RestMethod;
  readonly maxResponseBytes: number;
  readonly clock: CallClock;
}

/** The longest error body that is read: no more of it is shown anyway. */
const MAX_ERROR_BYTES = 64 * 1024;
const MAY_HAVE_COMPLETED = 'The operation may have completed: check before you repeat it.';

/** Sends a request and reads the whole answer. */
export async function sendRequest(
  request: WrittenRequest,
  context: SendContext,
): Promise<UpstreamAnswer | UpstreamFailure> {
  const mayRetry = context.method === 'GET' || context.method === 'HEAD';
  let sent = false;
  for (let attempt = 0; ; attempt++) {
    let response: Dispatcher.ResponseData;
    try {
      response = await context.pool.request(requestOptions(request, context));
    } catch (error) {
      sent ||= !(error instanceof AddressRefusedError || error instanceof NotConnectedError);
      const isFinal = !mayRetry || attempt > 0 || context.clock.signal.aborted;
      if (isFinal || error instanceof AddressRefusedError) {
        return connectionFailure(error, sent, context);
      }
      continue;
    }
    return await answerOf(response, context);
  }
}

function requestOptions(
  { path, query, headers, cookies, body }: WrittenRequest,
  { method, clock }: SendContext,
): Dispatcher.RequestOptions {
  return {
    method,
    path: query.length === 0 ? path : `${path}?${query.join('&')}`,
    headers: {
      accept: 'application/json, text/*;q=0.5, */*;q=0.1',
      'user-agent': 'nestjs-mcp-routes',
      ...headers,
      'accept-encoding': ACCEPTED_ENCODINGS,
      ...(cookies.length > 0 && { cookie: cookies.join('; ') }),
    },
    body: body ?? null,
    signal: clock.signal,
  };
}

async function answerOf(
  { statusCode, headers, body }: Dispatcher.ResponseData,
  { maxResponseBytes, clock }: SendContext,
): Promise<UpstreamAnswer | UpstreamFailure> {
  const isSuccess = statusCode >= 200 && statusCode < 300;
  const bound = isSuccess ? maxResponseBytes : Math.min(maxResponseBytes, MAX_ERROR_BYTES);
  const flat = flatHeaders(headers);
  try {
    const bytes = await readAnswer(body, flat['content-encoding'], bound);
    return { status: statusCode, headers: flat, body: bytes };
  } catch (error) {
    body.on('error', () => undefined).destroy();
    const late = cancelledOrLate(clock, true);
    if (late !== undefined) return late;
    // Of an error the status says enough.
    if (!isSuccess) return { status: statusCode, headers: flat, body: Buffer.alloc(0) };
    return {
      ...failure('upstream', bodyMessage(error, bound), true),
      status: statusCode,
      cause: error,
    };
  }
}

function bodyMessage(error: unknown, bound: number): string {
  if (error instanceof AnswerTooLargeError) {
    return `The upstream's answer is larger than ${bound} bytes and was cut off. The operation was done. Ask for less.`;
  }
  if (error instanceof AnswerEncodingError) {
    return "The upstream's answer is in an encoding that was not asked for. The operation was done.";
  }
  return `The upstream's answer broke off. ${MAY_HAVE_COMPLETED}`;
}

/** @param sent whether it may have been, now or with an earlier attempt */
function connectionFailure(error: unknown, sent: boolean, { clock }: SendContext): UpstreamFailure {
  const late = cancelledOrLate(clock, sent);
  if (late !== undefined) return late;
  if ((error as { code?: unknown } | null)?.code === 'UND_ERR_INVALID_ARG') {
    return internalFailure(error, false);
  }
  const outcome = sent ? MAY_HAVE_COMPLETED : 'Nothing was sent.';
  return { ...failure('upstream', `${brokenMessage(error)} ${outcome}`, sent), cause: error };
}

function brokenMessage(error: unknown): string {
  if (error instanceof AddressRefusedError) {
    return 'The upstream is at an address that may not be reached.';
  }
  if (error instanceof NotConnectedError) return 'The upstream cannot be reached.';
  return 'The connection to the upstream broke before it answered.';
}

function flatHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]],
    ),
  );
}
