import type { LiveSessions } from '../sessions/live-sessions.js';
import type { SessionKeeper } from '../sessions/session-keeper.js';
import type { McpSession, McpSessionChange } from '../sessions/session-store.js';
import type { Channel, McpRequest } from './channel.js';
import { isObject, type Codec, type ServerIdentity } from './codec.js';
import { DatedInput, NO_INPUT } from './dated-input.js';
import { datedCodec, initializeResult, negotiate } from './dated.js';
import {
  accept,
  fail,
  invalidParams,
  invalidRequest,
  isRequest,
  succeed,
  unknownMethod,
  type Exchange,
  type RequestExchange,
} from './exchange.js';
import { errorResponse, type JsonRpcError } from './json-rpc-error.js';
import type { ResponseMessage } from './message.js';
import {
  ASSUMED_REVISION,
  DATED_REVISIONS,
  isDatedRevision,
  MODERN_REVISION,
  type DatedRevision,
} from './revision.js';
import { LIST_CHANGED } from './subscriptions.js';
import type { ToolCalls } from './tool-calls.js';
import type { ToolLists } from './tool-lists.js';

/** The largest `capabilities` of a client that are kept, as JSON text. */
const MAX_CAPABILITIES_LENGTH = 16_384;

/** How many streams one session may hold open on an instance. */
const MAX_STREAMS = 16;

/** What there is of sessions, when there are any. */
export interface Sessions {
  readonly keeper: SessionKeeper;
  readonly live: LiveSessions;
}

/** Answers the messages of the 2025 revisions, with sessions or without. */
export class DatedHandler {
  private readonly codecs: ReadonlyMap<DatedRevision, Codec> = new Map(
    DATED_REVISIONS.map((revision) => [revision, datedCodec(revision)]),
  );
  private closed = false;

  constructor(
    private identity: ServerIdentity,
    private readonly lists: ToolLists,
    private readonly calls: ToolCalls,
    private readonly sessions: Sessions | undefined,
  ) {}

  handle(exchange: Exchange): void | Promise<void> {
    const revision = headerRevision(exchange.request);
    if (revision === 'unsupported') return fail(exchange, unsupportedHeader(), 400);
    if (exchange.message.method === 'initialize' && isRequest(exchange))
      return this.initialize(exchange);
    if (this.sessions !== undefined) return this.handleInSession(exchange, revision, this.sessions);
    return this.serve(exchange, revision ?? ASSUMED_REVISION, undefined);
  }

  /** A client's answer to a request that a call sent it. */
  async respond(
    { id, result }: ResponseMessage,
    request: McpRequest,
    channel: Channel,
  ): Promise<void> {
    const found = await this.find(request, headerRevision(request));
    if ('error' in found) return refuse(channel, found.error, found.status);
    await found.keeper.answered(found.session, id, result);
    channel.answer({ status: 202, body: [] });
  }

  /** GET: the stream on which a session hears of changes (2025-11-25, basic/transports, "Listening for Messages"). */
  async listen(request: McpRequest, channel: Channel): Promise<void> {
    const found = await this.find(request, headerRevision(request));
    if ('error' in found) return refuse(channel, found.error, found.status);
    if (!channel.canStream)
      return refuse(channel, invalidRequest('Accept must allow text/event-stream'), 406);
    const { session, live } = found;
    if (live.streamsOf(session.id) >= MAX_STREAMS) {
      return refuse(channel, invalidRequest(`No more than ${MAX_STREAMS} streams`), 429);
    }
    channel.onOver(live.addStream(session, channel));
    channel.open();
    // The server began to shut down while the store was asked.
    if (this.closed) channel.end();
  }

  /** DELETE: ends a session, with what it runs and its streams. */
  async end(request: McpRequest, channel: Channel): Promise<void> {
    const found = await this.find(request, headerRevision(request), 'ended');
    if ('error' in found) return refuse(channel, found.error, found.status);
    await found.keeper.ended(found.session);
    channel.answer({ status: 204, body: [] });
  }

  /** Says from now on that somebody else answers. */
  identify(identity: ServerIdentity): void {
    this.identity = identity;
  }

  listChanged(): void {
    this.sessions?.live.tell(LIST_CHANGED);
  }

  close(): void {
    this.closed = true;
    this.sessions?.live.endStreams();
  }

  private async handleInSession(
    exchange: Exchange,
    revision: DatedRevision | undefined,
    { keeper }: Sessions,
  ): Promise<void> {
    const { method, params } = exchange.message;
    const initialized = !isRequest(exchange) && method === 'notifications/initialized';
    const change = initialized ? 'initialized' : undefined;
    const found = await this.find(exchange.request, revision, change);
    if ('error' in found) return fail(exchange, found.error, found.status);
    const { session } = found;
    if (isRequest(exchange)) {
      if (!session.initialized && method !== 'ping') {
        return fail(exchange, invalidRequest('Send notifications/initialized first'), 400);
      }
      return this.serve(exchange, session.revision, session);
    }
    if (method === 'notifications/cancelled') await keeper.cancel(session, params?.['requestId']);
    return accept(exchange);
  }

  private async initialize(exchange: RequestExchange): Promise<void> {
    const requested = exchange.message.params?.['protocolVersion'];
    if (typeof requested !== 'string') {
      return fail(exchange, invalidParams('params.protocolVersion must be a string'), 200);
    }
    const revision = negotiate(requested);
    const result = initializeResult(revision, this.identity, this.sessions !== undefined);
    if (this.sessions === undefined) return succeed(exchange, [result]);
    const { keeper } = this.sessions;
    const given = exchange.message.params?.['capabilities'];
    const capabilities = isObject(given) ? given : {};
    if (JSON.stringify(capabilities).length > MAX_CAPABILITIES_LENGTH) {
      const message = `params.capabilities must not be longer than ${MAX_CAPABILITIES_LENGTH} characters`;
      return fail(exchange, invalidParams(message), 200);
    }
    const { id } = await keeper.open(revision, exchange.request.principal(), capabilities);
    return succeed(exchange, [result], { 'Mcp-Session-Id': id });
  }

  private serve(
    exchange: Exchange,
    revision: DatedRevision,
    session: McpSession | undefined,
  ): void | Promise<void> {
    if (!isRequest(exchange)) return accept(exchange);
    const codec = this.codecs.get(revision) as Codec;
    switch (exchange.message.method) {
      case 'ping':
        return succeed(exchange, ['{}']);
      case 'tools/list':
        return this.lists.answer(exchange, codec);
      case 'tools/call':
        return this.call(exchange, codec, session);
      default:
        return fail(exchange, unknownMethod(exchange.message.method), 200);
    }
  }

  /** A client that closes the connection has not cancelled: only `notifications/cancelled` and the end of the session do. */
  private call(exchange: RequestExchange, codec: Codec, session: McpSession | undefined): void {
    let remove: () => void = () => undefined;
    const { live } = this.sessions ?? {};
    const input =
      session === undefined || live === undefined
        ? NO_INPUT
        : new DatedInput(exchange, session, live);
    const running = this.calls.start(exchange, codec, input, () => remove());
    if (running === undefined || session === undefined || this.sessions === undefined) return;
    const call = { end: () => running.cancel() };
    remove = this.sessions.live.addCall(session, exchange.message.id, call);
  }

  /** Another principal's session is answered as if it did not exist. */
  private async find(
    request: McpRequest,
    revision: DatedRevision | 'unsupported' | undefined,
    change?: McpSessionChange,
  ): Promise<({ session: McpSession } & Sessions) | { error: JsonRpcError; status: number }> {
    if (revision === 'unsupported') return { error: unsupportedHeader(), status: 400 };
    const id = request.raw.headers['mcp-session-id'];
    if (this.sessions === undefined || typeof id !== 'string') {
      return { error: invalidRequest('The header Mcp-Session-Id is missing'), status: 400 };
    }
    const session = await this.sessions.keeper.find(id, request.principal(), revision, change);
    if (session === undefined)
      return { error: invalidRequest('There is no such session'), status: 404 };
    if (revision !== undefined && revision !== session.revision) {
      const message = `The header MCP-Protocol-Version must be ${session.revision}, which this session negotiated`;
      return { error: invalidRequest(message), status: 400 };
    }
    return { session, ...this.sessions };
  }
}

function headerRevision({ raw }: McpRequest): DatedRevision | 'unsupported' | undefined {
  const header = raw.headers['mcp-protocol-version'];
  if (header === undefined) return undefined;
  return isDatedRevision(header) ? header : 'unsupported';
}

function unsupportedHeader(): JsonRpcError {
  const known = [...DATED_REVISIONS, MODERN_REVISION].join(', ');
  return invalidRequest(`The header MCP-Protocol-Version must be one of ${known}`);
}

function refuse(channel: Channel, error: JsonRpcError, status: number): void {
  channel.answer({ status, body: [errorResponse(undefined, error)] });
}
