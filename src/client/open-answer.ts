import type { ResolvedClientOptions, ResolvedServer } from './client-options.js';
import { McpClientError } from './errors.js';
import { ExchangeError } from './exchange-error.js';
import type { McpFetchInit, McpFetchResponse } from './http-fetch.js';
import { reasonOf, untilAborted } from './read-body.js';

/** An answer whose head was read. */
export interface OpenedAnswer {
  readonly status: number;
  /** In lower case, without parameters; `''` without one. */
  readonly mediaType: string;
  header(name: string): string | null;
  readonly body: AsyncIterable<Uint8Array> | null;
  readonly authorization: string | undefined;
}

interface Sent {
  readonly method: McpFetchInit['method'];
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

/** RFC 9110, section 5.5: visible characters, inside also spaces and tabs. */
const FIELD_VALUE = /^[\x21-\x7e](?:[\x20-\x7e\t]{0,16382}[\x21-\x7e])?$/;

/**
 * Sends one HTTP request to a server's endpoint with a credential that is asked for now, and reads the head of its answer.
 *
 * @throws ExchangeError when no head came, or one that is refused: a redirect, another URL, too many bytes
 */
export async function openAnswer(
  server: ResolvedServer,
  { fetch, maxHeaderBytes }: ResolvedClientOptions,
  { method, headers, body }: Sent,
  signal: AbortSignal,
): Promise<OpenedAnswer> {
  const authorization = await askCredential(server, signal);
  // A fetch of the application's may know no signal.
  if (signal.aborted) throw new ExchangeError(reasonOf(signal), { unsent: true });
  const init: McpFetchInit = {
    method,
    headers: {
      ...headers,
      'accept-encoding': 'identity',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(authorization === undefined ? {} : { authorization }),
    },
    ...(body === undefined ? {} : { body }),
    signal,
    maxHeaderBytes,
    redirect: 'manual',
  };
  const send = async (): Promise<McpFetchResponse> => fetch(server.endpoint, init);
  const response = await untilAborted(send().catch(fetchFailed), signal);
  return { ...readHead(response, maxHeaderBytes), authorization };
}

async function askCredential(
  { id, credentials }: ResolvedServer,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (credentials === undefined) return undefined;
  const ask = async (): Promise<unknown> => credentials.authorization({ serverId: id, signal });
  const failed = (): never => {
    throw new ExchangeError('the credential source failed', { unsent: true });
  };
  let value: unknown;
  try {
    value = await untilAborted(ask().catch(failed), signal);
  } catch (error) {
    const reason = error instanceof ExchangeError ? error.reason : 'the credential source failed';
    throw new ExchangeError(reason, { unsent: true });
  }
  if (typeof value === 'string' && FIELD_VALUE.test(value)) return value;
  throw new ExchangeError('the credential source gave what is no header value', { unsent: true });
}

function fetchFailed(error: unknown): never {
  if (error instanceof ExchangeError) throw error;
  const unsent = error instanceof McpClientError;
  throw new ExchangeError('the request failed', { unsent });
}

function readHead(
  response: McpFetchResponse,
  maxHeaderBytes: number,
): Omit<OpenedAnswer, 'authorization'> {
  const { status, headers, body, redirected = false } = response;
  if (redirected) throw new ExchangeError('another URL answered');
  if (!Number.isInteger(status) || status < 200 || status > 599) {
    throw new ExchangeError('the status of the answer is none');
  }
  if (status >= 300 && status < 400) {
    throw new ExchangeError(`the server redirects (HTTP ${status}), which is not followed`, {
      status,
    });
  }
  let bytes = 0;
  for (const [name, value] of headers) bytes += name.length + value.length + 4;
  if (bytes > maxHeaderBytes)
    throw new ExchangeError(`the head of the answer has over ${maxHeaderBytes} bytes`);
  const [mediaType = ''] = (headers.get('content-type') ?? '').split(';');
  const header = (name: string): string | null => headers.get(name);
  return { status, mediaType: mediaType.trim().toLowerCase(), header, body };
}
