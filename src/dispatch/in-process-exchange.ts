import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { ExchangeConstructors } from './exchange-constructors.js';
import type { InProcessSocket } from './in-process-socket.js';
import type { RouteAnswer } from '../result/call-outcome.js';

/** What an in-process exchange tells its owner, once. */
export interface ExchangeListener {
  /** @param contentEncoding the `Content-Encoding` header as sent */
  answered(answer: RouteAnswer, contentEncoding: string | undefined): void;
  /** The body grew past `limit` bytes. */
  overflowed(limit: number): void;
  /** The application destroyed the response or its socket before the end. */
  closed(): void;
}

/** A request and its response, both Node's own, over a socket that carries no bytes. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Cuts the exchange off, as when a client goes away. Nothing happens after an answer. */
  abort(): void;
}

/** Makes exchanges of one framework. */
export type ExchangeFactory = (
  head: { method: string; url: string; rawHeaders: string[]; socket: InProcessSocket },
  body: Buffer | undefined,
  limit: number,
  listener: ExchangeListener,
) => Exchange;

/** What the response records. Own members of the response, since frameworks replace its prototype. */
interface Recording {
  mcpChunks: Buffer[];
  mcpBytes: number;
  mcpLimit: number;
  mcpListener: ExchangeListener | undefined;
  _hasBody: boolean;
  _implicitHeader(): void;
  _closed: boolean;
  finished: boolean;
}

type DumpableRequest = IncomingMessage & { readonly _consumed: boolean; _dump(): void };
type RecordingResponse = ServerResponse & Recording;

/** Makes what makes exchanges, once for each framework. */
export function createExchangeFactory({
  Request,
  Response,
}: ExchangeConstructors): ExchangeFactory {
  return ({ method, url, rawHeaders, socket }, body, limit, listener) => {
    const request = new Request(socket);
    request.method = method;
    request.url = url;
    request.httpVersion = '1.1';
    request.httpVersionMajor = 1;
    request.httpVersionMinor = 1;
    // What Node's parser calls: `headers` is then made of the raw ones, on first use, by Node's own rules.
    request._addHeaderLines(rawHeaders, rawHeaders.length);
    request.complete = true;
    if (body !== undefined) request.push(body);
    request.push(null);
    const response = new Response(request) as RecordingResponse;
    prepare(response);
    spareDigest(request, response);
    response.mcpLimit = limit;
    response.mcpListener = listener;
    (response as { socket: Socket | null }).socket = socket as unknown as Socket;
    socket.belongTo(response, cutOff);
    return { request, response, abort: () => abort(request, response) };
  };
}

/**
 * Express makes a digest of each body for an `ETag`, unless there is one: no cache will ever see this answer, so it gets one
 * that costs nothing. Where the client's own condition is forwarded, the digest decides whether it holds, and must be true.
 *
 * Some header has to be there in any case: `writeHead(status, headers)` keeps headers where `getHeader()` finds them only if
 * some were set before.
 */
function spareDigest({ headers }: IncomingMessage, response: ServerResponse): void {
  response.setHeader('etag', 'W/"0"');
  if (headers['if-none-match'] !== undefined) response.removeHeader('etag');
}

function prepare(response: RecordingResponse): void {
  response.mcpChunks = [];
  response.mcpBytes = 0;
  response.mcpLimit = Infinity;
  response.mcpListener = undefined;
  response.sendDate = false;
  const own = response as unknown as Record<string, unknown>;
  own['write'] = write;
  own['end'] = end;
  own['flushHeaders'] = flushHeaders;
  own['destroy'] = destroy;
  own['writeContinue'] = own['writeProcessing'] = own['writeEarlyHints'] = writeInformation;
}

type Callback = (error?: Error | null) => void;

function write(
  this: RecordingResponse,
  chunk: unknown,
  encoding?: BufferEncoding | Callback | null,
  callback?: Callback,
): boolean {
  const done = typeof encoding === 'function' ? encoding : callback;
  if (this.finished || this.destroyed) {
    if (done !== undefined) process.nextTick(done, new Error('write after end'));
    return false;
  }
  if (!this.headersSent) this._implicitHeader();
  record(this, chunk, typeof encoding === 'string' ? encoding : 'utf8');
  if (done !== undefined) process.nextTick(done);
  return !this.destroyed;
}

function end(
  this: RecordingResponse,
  chunk?: unknown,
  encoding?: BufferEncoding | Callback | null,
  callback?: Callback,
): RecordingResponse {
  const done = [chunk, encoding, callback].find((value) => typeof value === 'function') as
    Callback | undefined;
  if (this.finished || this.destroyed) {
    if (done !== undefined)
      process.nextTick(done, this.finished ? null : new Error('response destroyed'));
    return this;
  }
  if (!this.headersSent) this._implicitHeader();
  if (chunk !== undefined && chunk !== null && typeof chunk !== 'function') {
    record(this, chunk, typeof encoding === 'string' ? encoding : 'utf8');
    if (this.destroyed) return this;
  }
  this.finished = true;
  if (done !== undefined) this.once('finish', done);
  process.nextTick(finish, this);
  return this;
}

function record(response: RecordingResponse, chunk: unknown, encoding: BufferEncoding): void {
  if (typeof chunk !== 'string' && !(chunk instanceof Uint8Array)) {
    throw new TypeError('The "chunk" argument must be of type string, Buffer or Uint8Array.');
  }
  // 204, 304 and answers to HEAD have no body, whatever is written (RFC 9110, section 6.4.1).
  if (!response._hasBody) return;
  const bytes =
    typeof chunk === 'string'
      ? Buffer.from(chunk, encoding)
      : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
  response.mcpBytes += bytes.length;
  // Checked here, since a stream that is faster than the event loop would starve a timer.
  if (response.mcpBytes > response.mcpLimit) {
    take(response)?.overflowed(response.mcpLimit);
    response.mcpChunks = [];
    abort(response.req, response);
    return;
  }
  response.mcpChunks.push(bytes);
}

function finish(response: RecordingResponse): void {
  const listener = take(response);
  // As Node does with the rest of a body that nobody read: a request closes once it has ended.
  const request = response.req as DumpableRequest;
  if (!request._consumed) request._dump();
  response.emit('prefinish');
  response.emit('finish');
  close(response);
  const { mcpChunks: chunks } = response;
  const answer = {
    status: response.statusCode,
    contentType: header(response, 'content-type'),
    location: header(response, 'location'),
    url: (response.req as { originalUrl?: string }).originalUrl ?? response.req.url ?? '',
    body: chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks),
  };
  listener?.answered(answer, header(response, 'content-encoding'));
}

function header(response: RecordingResponse, name: string): string | undefined {
  const value = response.getHeader(name);
  return value === undefined ? undefined : String(Array.isArray(value) ? value[0] : value);
}

function abort(request: IncomingMessage, response: RecordingResponse): void {
  if (response.finished || response.destroyed) return;
  response.mcpListener = undefined;
  response.destroyed = true;
  response.socket?.destroy();
  // Errors of a stream that nobody listens to end a process; on a real socket nobody hears of a client that left.
  request.on('error', ignore);
  request.destroy();
  process.nextTick(close, response);
}

/** The application destroyed the socket under the response. */
function cutOff(response: RecordingResponse): void {
  const listener = take(response);
  abort(response.req, response);
  listener?.closed();
}

function destroy(this: RecordingResponse): RecordingResponse {
  cutOff(this);
  return this;
}

function close(response: RecordingResponse): void {
  if (response._closed) return;
  response.destroyed = true;
  response._closed = true;
  response.emit('close');
}

function take(response: RecordingResponse): ExchangeListener | undefined {
  const listener = response.mcpListener;
  response.mcpListener = undefined;
  return listener;
}

function flushHeaders(this: RecordingResponse): void {
  if (!this.headersSent) this._implicitHeader();
}

/** Interim answers (1xx) have nobody to go to. */
function writeInformation(this: RecordingResponse): void {}

function ignore(): void {}
