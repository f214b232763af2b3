import { setTimeout as sleep } from 'node:timers/promises';
import { ByteBuffer } from './byte-buffer.js';
import type { ResolvedClientOptions, ResolvedServer } from './client-options.js';
import { EventStreamParser } from './event-stream.js';
import { ExchangeError } from './exchange-error.js';
import { openAnswer, type OpenedAnswer } from './open-answer.js';
import { deadline, readBody, untilAborted } from './read-body.js';
import {
  readServerMessage,
  type ServerAnswer,
  type ServerMessage,
  type ServerRequest,
} from './server-message.js';

/** An answer, and what belongs to the exchange that brought it. */
export type WireAnswer = ServerAnswer & {
  readonly status: number;
  header(name: string): string | null;
  /** What authorized the request, to be cut out of what the server echoes. */
  readonly authorization: string | undefined;
};

/** What the client says to a request of the server's. */
export type Reply =
  | { readonly result: Readonly<Record<string, unknown>> }
  | { readonly error: { readonly code: number; readonly message: string } };

/** Answers one request of the server's. */
export type ServerReply = (request: ServerRequest, signal: AbortSignal) => Promise<Reply>;

export interface WireRequest {
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Answers the server's own requests. Without it there must be none (2026-07-28). */
  readonly reply?: ServerReply;
  /** A stream that ends early is asked for again, which submits nothing (2025 revisions). Default `false`. */
  readonly resumable?: boolean;
}

const DEFAULT_RETRY_MS = 1_000;
const MAX_RESUMPTIONS = 100;
const MAX_SERVER_REQUESTS = 100;

/** The messages of one operation to one server. Each request is sent once, in the time and size that the options allow. */
export class Wire {
  /** Sent with every request: the revision, and the session once there is one. */
  readonly headers: Record<string, string> = {};
  /** The id of the latest request. */
  lastId = 0;

  constructor(
    readonly server: ResolvedServer,
    readonly options: ResolvedClientOptions,
    private readonly signal: AbortSignal | undefined,
  ) {}

  /**
   * Sends a request and reads until its answer.
   *
   * @throws ExchangeError for everything that is none
   */
  async request(request: WireRequest): Promise<WireAnswer> {
    const id = ++this.lastId;
    const time = deadline(this.options.requestTimeoutMs, this.signal);
    try {
      const { method, params, headers = {} } = request;
      const body = JSON.stringify({ jsonrpc: '2.0', id, method, params });
      const accept = 'application/json, text/event-stream';
      const opened = await this.open('POST', { ...headers, accept }, body, time.signal);
      return await this.answerTo(id, request, opened, time.signal).catch(wasSent);
    } finally {
      time.clear();
    }
  }

  /**
   * Sends a message that has no answer: a notification, or the answer to a request of the server's.
   *
   * @param signal ends it early; the time of a request otherwise
   * @throws ExchangeError when the server does not accept it
   */
  async send(message: Readonly<Record<string, unknown>>, signal?: AbortSignal): Promise<void> {
    await this.only('POST', JSON.stringify({ jsonrpc: '2.0', ...message }), signal ?? this.signal);
  }

  /**
   * Opens the stream on which a server may ask beside any request (2025-11-25, basic/transports, section Listening for
   * Messages). A server without one, and a stream that ends, are none of the operation's failures.
   *
   * @returns what ends it
   */
  async listen(reply: ServerReply): Promise<() => void> {
    const time = deadline(this.options.requestTimeoutMs, this.signal);
    try {
      const headers = { accept: 'text/event-stream' };
      const opened = await this.open('GET', headers, undefined, time.signal);
      const isStream = opened.status === 200 && opened.mediaType === 'text/event-stream';
      if (isStream) this.answerRequests(opened, reply, time.signal).catch(() => {});
    } catch {
      // The call itself will show whether the server can be reached.
    }
    return time.clear;
  }

  private async answerRequests(
    opened: OpenedAnswer,
    reply: ServerReply,
    signal: AbortSignal,
  ): Promise<void> {
    const parser = new EventStreamParser(this.options.maxEventBytes);
    let requests = 0;
    for await (const message of this.messagesIn(opened, parser, signal)) {
      if (message.kind !== 'request') continue;
      if (++requests > MAX_SERVER_REQUESTS) return;
      await this.answerServer(message, reply, signal);
    }
  }

  private async answerServer(
    request: ServerRequest,
    reply: ServerReply,
    signal: AbortSignal,
  ): Promise<void> {
    const replied = await untilAborted(reply(request, signal), signal);
    await this.send({ id: request.id, ...replied }, signal);
  }

  /** Ends the session, where there is one (2025-11-25, basic/transports, section Session Management). */
  async endSession(signal: AbortSignal): Promise<void> {
    if (this.headers['mcp-session-id'] !== undefined) await this.only('DELETE', undefined, signal);
  }

  private async only(
    method: 'POST' | 'DELETE',
    body: string | undefined,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const time = deadline(this.options.requestTimeoutMs, signal);
    try {
      const accept = 'application/json, text/event-stream';
      const { status } = await this.open(method, { accept }, body, time.signal);
      if (status >= 400) throw new ExchangeError(`the server answered HTTP ${status}`, { status });
    } finally {
      time.clear();
    }
  }

  private open(
    method: 'POST' | 'GET' | 'DELETE',
    headers: Readonly<Record<string, string>>,
    body: string | undefined,
    signal: AbortSignal,
  ): Promise<OpenedAnswer> {
    const all = { ...this.headers, ...headers };
    return openAnswer(this.server, this.options, { method, headers: all, body }, signal);
  }

  private async answerTo(
    id: number,
    request: WireRequest,
    first: OpenedAnswer,
    signal: AbortSignal,
  ): Promise<WireAnswer> {
    if (first.status >= 400) return this.refusal(id, first, signal);
    if (first.mediaType !== 'text/event-stream') {
      return withExchange(await this.readJsonAnswer(id, first, signal), first);
    }
    let opened = first;
    let before: EventStreamParser | undefined;
    for (let resumed = 0; resumed <= MAX_RESUMPTIONS; resumed++) {
      const parser = new EventStreamParser(this.options.maxEventBytes, before);
      const answer = await this.readStream(id, request, { opened, parser }, signal);
      if (answer !== undefined) return withExchange(answer, opened);
      before = parser;
      opened = await this.resume(parser, signal);
    }
    throw new ExchangeError('the stream ended too often');
  }

  /** The JSON-RPC error of an answer with a status of 400 or above. */
  private async refusal(
    id: number,
    opened: OpenedAnswer,
    signal: AbortSignal,
  ): Promise<WireAnswer> {
    const { status, mediaType } = opened;
    if (mediaType === 'application/json') {
      const answer = await this.readJsonAnswer(id, opened, signal).catch(() => undefined);
      if (answer?.kind === 'fault') return withExchange(answer, opened);
    }
    throw new ExchangeError(`the server answered HTTP ${status}`, { status });
  }

  private async readJsonAnswer(
    id: number,
    { status, mediaType, body }: OpenedAnswer,
    signal: AbortSignal,
  ): Promise<ServerAnswer> {
    if (mediaType !== 'application/json') {
      throw new ExchangeError(`the answer (HTTP ${status}) is neither JSON nor an event stream`);
    }
    const bytes = new ByteBuffer();
    for await (const chunk of readBody(body, this.options.maxResultBytes, signal))
      bytes.append(chunk);
    const message = readServerMessage(bytes.take());
    if (message.kind !== 'result' && message.kind !== 'fault') {
      throw new ExchangeError('the answer is a request or a notification');
    }
    // An error that belongs to no id is about the only request there is.
    const isForNone = status >= 400 && message.kind === 'fault' && message.id == null;
    return isForNone ? message : ownAnswer(message, id);
  }

  /** @returns `undefined` when the stream ended without the answer and may be asked for again */
  private async readStream(
    id: number,
    { reply, resumable = false }: WireRequest,
    { opened, parser }: { readonly opened: OpenedAnswer; readonly parser: EventStreamParser },
    signal: AbortSignal,
  ): Promise<ServerAnswer | undefined> {
    let requests = 0;
    try {
      for await (const message of this.messagesIn(opened, parser, signal)) {
        if (message.kind === 'notification') continue;
        if (message.kind !== 'request') return ownAnswer(message, id);
        if (reply === undefined || ++requests > MAX_SERVER_REQUESTS) {
          throw new ExchangeError('the stream carries requests of the server');
        }
        await this.answerServer(message, reply, signal);
      }
    } catch (error) {
      const isBroken = error instanceof ExchangeError && error.details.broken === true;
      if (!isBroken || !resumable || parser.lastEventId === undefined) throw error;
    }
    if (resumable && parser.lastEventId !== undefined) return undefined;
    throw new ExchangeError('the stream ended without the answer');
  }

  private async *messagesIn(
    { body }: OpenedAnswer,
    parser: EventStreamParser,
    signal: AbortSignal,
  ): AsyncGenerator<ServerMessage, void, undefined> {
    for await (const chunk of readBody(body, this.options.maxResultBytes, signal)) {
      for (const data of parser.push(chunk)) yield readServerMessage(data);
    }
  }

  /** Asks for the rest of a stream (2025-11-25, basic/transports, section Resumability and Redelivery). */
  private async resume(
    { retryMs = DEFAULT_RETRY_MS, lastEventId = '' }: EventStreamParser,
    signal: AbortSignal,
  ): Promise<OpenedAnswer> {
    await sleep(retryMs, undefined, { signal }).catch(() => {});
    const headers = { accept: 'text/event-stream', 'last-event-id': lastEventId };
    const opened = await this.open('GET', headers, undefined, signal);
    if (opened.status === 200 && opened.mediaType === 'text/event-stream') return opened;
    throw new ExchangeError('the stream ended without the answer, and its rest was not given');
  }
}

function withExchange(answer: ServerAnswer, opened: OpenedAnswer): WireAnswer {
  const { status, authorization } = opened;
  return { ...answer, status, authorization, header: (name) => opened.header(name) };
}

function ownAnswer(answer: ServerAnswer, id: number): ServerAnswer {
  if (answer.id === id) return answer;
  throw new ExchangeError('the answer has the id of another request');
}

/** What fails once there is an answer did not keep the request from being sent, be it a later request of the exchange. */
function wasSent(error: unknown): never {
  if (!(error instanceof ExchangeError)) throw error;
  throw new ExchangeError(error.reason, { ...error.details, unsent: false });
}
