import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher, Pool } from 'undici';
import { AddressRefusedError } from './connections.js';
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
/** Errors of a connection that was never made, by Node's and undici's codes: nothing can have been sent. */
const NEVER_CONNECTED = new Set([
  'EAI_AGAIN',
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** Sends a request and reads the whole answer. */
export async function sendRequest(
  request: WrittenRequest,
  context: SendContext,
): Promise<UpstreamAnswer | UpstreamFailure> {
  const mayRetry = context.method === 'GET' || context.method === 'HEAD';
  for (let attempt = 0; ; attempt++) {
    let response: Dispatcher.ResponseData;
    try {
      response = await context.pool.request(requestOptions(request, context));
    } catch (error) {
      const isFinal = !mayRetry || attempt > 0 || context.clock.signal.aborted;
      if (isFinal || error instanceof AddressRefusedError) return connectionFailure(error, context);
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

function connectionFailure(error: unknown, { clock }: SendContext): UpstreamFailure {
  if (error instanceof AddressRefusedError) {
    const message = 'The upstream is at an address that may not be reached. Nothing was sent.';
    return { ...failure('upstream', message, false), cause: error };
  }
  const code = (error as { code?: unknown } | null)?.code;
  const sent = !(typeof code === 'string' && NEVER_CONNECTED.has(code));
  const late = cancelledOrLate(clock, true);
  if (late !== undefined) return late;
  if (code === 'UND_ERR_INVALID_ARG') return internalFailure(error, false);
  const message = sent
    ? `The connection to the upstream broke before it answered. ${MAY_HAVE_COMPLETED}`
    : 'The upstream cannot be reached. Nothing was sent.';
  return { ...failure('upstream', message, sent), cause: error };
}

function flatHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]],
    ),
  );
}
