import { request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { pipeline, type Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { ExchangeError } from './exchange-error.js';

export interface McpFetchInit {
  readonly method: 'POST' | 'GET' | 'DELETE';
  /** The names in lower case. */
  readonly headers: Record<string, string>;
  readonly body?: string;
  /** Aborts when the time of the request is up. */
  readonly signal: AbortSignal;
  /** The longest head of the answer that may be read. Node's own `fetch` has a limit of its own. */
  readonly maxHeaderBytes: number;
  /** A redirect is an answer like any other, and refused. */
  readonly redirect: 'manual';
}

/** The part of a `Response` that is used. */
export interface McpFetchResponse {
  readonly status: number;
  /** Whether another URL than the asked one answered; such an answer is refused. */
  readonly redirected?: boolean;
  readonly headers: Iterable<[string, string]> & { get(name: string): string | null };
  /** Decompressed. */
  readonly body: AsyncIterable<Uint8Array> | null;
}

/**
 * Sends one request, once. It has the form of `fetch`, but not every `fetch` will do: Node's own sends a `POST` a second time
 * when the server answers 421 (Fetch standard, section 4.5, HTTP-network-or-cache fetch).
 *
 * A rejection counts as "the request may have arrived". One that knows better rejects with `McpClientError`.
 */
export type McpFetch = (url: string, init: McpFetchInit) => Promise<McpFetchResponse>;

const DECODERS: Readonly<Record<string, () => NodeJS.ReadWriteStream & Readable>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/**
 * The client's own transport: each request has a connection of its own, on which Node's HTTP client writes it once, follows
 * nothing and tries nothing again. It is known whether the connection stood, so that a refused one is a request that never left.
 */
export const httpFetch: McpFetch = (url, init) =>
  new Promise((resolve, reject) => {
    const isSecure = url.startsWith('https:');
    const send = isSecure ? httpsRequest : httpRequest;
    const { method, headers, body, signal, maxHeaderBytes } = init;
    const request = send(url, {
      method,
      headers: {
        ...headers,
        ...(body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }),
      },
      agent: false,
      maxHeaderSize: maxHeaderBytes,
      signal,
    });
    const connection = watchConnection(request, isSecure);
    // Not `once`: an abort after the answer is an error, too.
    request.on('error', () => {
      const reason = connection.stood ? 'the connection broke' : 'the server could not be reached';
      reject(new ExchangeError(reason, { unsent: !connection.stood }));
    });
    request.once('response', (response) => {
      response.on('error', () => {});
      try {
        resolve(toFetchResponse(response));
      } catch {
        response.destroy();
        reject(new ExchangeError('the head of the answer cannot be read'));
      }
    });
    request.end(body);
  });

/** Nothing is written before the connection stands, with TLS before the server has proven who it is. */
function watchConnection(request: ClientRequest, isSecure: boolean): { stood: boolean } {
  const connection = { stood: false };
  request.once('socket', (socket) => {
    socket.once(isSecure ? 'secureConnect' : 'connect', () => {
      connection.stood = true;
    });
  });
  return connection;
}

function toFetchResponse(response: IncomingMessage): McpFetchResponse {
  const headers = new Headers();
  const { rawHeaders, statusCode = 0 } = response;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    headers.append(rawHeaders[i] as string, rawHeaders[i + 1] as string);
  }
  return { status: statusCode, headers, body: decoded(response, headers.get('content-encoding')) };
}

function decoded(response: IncomingMessage, encoding: string | null): Readable {
  const name = (encoding ?? 'identity').trim().toLowerCase();
  if (name === 'identity') return response;
  const createDecoder = Object.hasOwn(DECODERS, name) ? DECODERS[name] : undefined;
  if (createDecoder === undefined) throw new TypeError(`There is no decoder for ${name}.`);
  const decoder = createDecoder();
  // What goes wrong is what reading throws. An answer that nobody reads may go wrong, too.
  decoder.on('error', () => {});
  return pipeline(response, decoder, () => {});
}
