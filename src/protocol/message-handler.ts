import type { IncomingMessage } from 'node:http';
import type { CursorCodec } from '../catalog/cursor.js';
import { listPage } from '../catalog/list-pages.js';
import type { McpToolCatalog } from '../catalog/mcp-tool-catalog.js';
import type { Tool } from '../catalog/tool.js';
import type { RunCall, RunningCall } from '../dispatch/dispatcher.js';
import type { ResolvedOptions } from '../mcp.options.js';
import { toToolResult, type ResultContext } from '../result/to-tool-result.js';
import { isObject, type Codec, type ServerIdentity } from './codec.js';
import { datedCodec, initializeResult } from './dated.js';
import {
  errorResponse,
  JsonRpcErrorCode,
  type JsonRpcError,
  type JsonRpcId,
} from './json-rpc-error.js';
import { describePath, readMessage, type Message, type RequestMessage } from './message.js';
import { checkModernRequest, discoverResult, modernCodec, modernVersionOf } from './modern.js';
import {
  ASSUMED_REVISION,
  DATED_REVISIONS,
  isDatedRevision,
  MODERN_REVISION,
  type DatedRevision,
  type Revision,
} from './revision.js';

/** The answer to one message. */
export interface Answer {
  readonly status: number;
  /** The body in pieces, so that what was made once is not copied; empty for no body. */
  readonly body: readonly (string | Buffer)[];
}

/** A tool with what runs it. */
export interface ServedTool {
  readonly run: RunCall;
  readonly result: ResultContext;
}

/** What messages are answered from. */
export interface ProtocolContext {
  readonly identity: ServerIdentity;
  readonly options: ResolvedOptions;
  readonly catalog: McpToolCatalog;
  readonly cursors: CursorCodec;
  /** Tells this endpoint's lists from those of other endpoints. */
  readonly scope: string;
  readonly serve: (tool: Tool) => ServedTool;
  readonly toolJson: (tool: Tool, revision: Revision) => string;
  readonly log: (tool: Tool, message: string, error?: unknown) => void;
}

const NOTHING_RUNNING: RunningCall = { cancel: () => undefined };

/** Reads one message of any revision, and answers it. Keeps nothing between messages. */
export class MessageHandler {
  private readonly modern: Codec;
  private readonly dated: ReadonlyMap<DatedRevision, Codec>;
  private readonly discovered: string;
  private readonly pages = new Map<string, Buffer>();

  constructor(private readonly context: ProtocolContext) {
    const { identity, options } = context;
    const caching = { ttlMs: options.listTtlMs, cacheScope: options.listScope };
    this.modern = modernCodec(identity, caching);
    this.dated = new Map(DATED_REVISIONS.map((revision) => [revision, datedCodec(revision)]));
    this.discovered = discoverResult(identity, caching);
  }

  /**
   * @param bytes the body of the POST, as received
   * @param outer the request that it came in
   * @param reply called once
   * @returns what is running, for a caller that goes away
   */
  handle(bytes: Uint8Array, outer: IncomingMessage, reply: (answer: Answer) => void): RunningCall {
    const read = readMessage(bytes, { maxDepth: this.context.options.maxDepth });
    if (!read.ok) {
      reply({ status: read.status, body: [errorResponse(read.id, read.error)] });
      return NOTHING_RUNNING;
    }
    const exchange: Exchange = { message: read.message, outer, reply };
    return isModern(read.message, outer) ? this.handleModern(exchange) : this.handleDated(exchange);
  }

  private handleModern(exchange: Exchange): RunningCall {
    const { message, outer } = exchange;
    if (!isRequest(message)) return accept(exchange);
    const refusal = checkModernRequest(message, outer.headers);
    if (refusal !== undefined) return fail(exchange, refusal, 400);
    switch (message.method) {
      case 'server/discover':
        return succeed(exchange, this.discovered);
      case 'tools/list':
        return this.list(exchange, message, this.modern);
      case 'tools/call':
        return this.call(exchange, message, this.modern);
      default:
        return fail(exchange, unknownMethod(message.method), 404);
    }
  }

  private handleDated(exchange: Exchange): RunningCall {
    const { message, outer } = exchange;
    const header = outer.headers['mcp-protocol-version'] ?? ASSUMED_REVISION;
    const codec = isDatedRevision(header) ? this.dated.get(header) : undefined;
    if (codec === undefined) return fail(exchange, unsupportedHeader(), 400);
    if (!isRequest(message)) return accept(exchange);
    switch (message.method) {
      case 'initialize':
        return this.initialize(exchange, message);
      case 'ping':
        return succeed(exchange, '{}');
      case 'tools/list':
        return this.list(exchange, message, codec);
      case 'tools/call':
        return this.call(exchange, message, codec);
      default:
        return fail(exchange, unknownMethod(message.method), 200);
    }
  }

  private initialize(exchange: Exchange, { params }: RequestMessage): RunningCall {
    const requested = params?.['protocolVersion'];
    if (typeof requested !== 'string') {
      return fail(exchange, invalidParams('params.protocolVersion must be a string'), 200);
    }
    return succeed(exchange, initializeResult(requested, this.context.identity));
  }

  private list(exchange: Exchange, { params }: RequestMessage, codec: Codec): RunningCall {
    const { options, catalog, cursors, scope } = this.context;
    const cursor = params?.['cursor'];
    const key = `${codec.revision} ${typeof cursor === 'string' ? `after ${cursor}` : ''}`;
    let body = cursor === undefined || typeof cursor === 'string' ? this.pages.get(key) : undefined;
    if (body === undefined) {
      const page = listPage(catalog.tools, cursor, { pageSize: options.pageSize, cursors, scope });
      if (page === undefined)
        return fail(exchange, invalidParams('params.cursor is not a cursor of this list'), 200);
      const tools = page.tools.map((tool) => this.context.toolJson(tool, codec.revision));
      body = Buffer.from(codec.list(tools, page.nextCursor));
      // Only cursors that we wrote get here, so there are no more entries than pages.
      this.pages.set(key, body);
    }
    return succeed(exchange, body);
  }

  private call(exchange: Exchange, message: RequestMessage, codec: Codec): RunningCall {
    const { params, id } = message;
    const name = params?.['name'];
    const args = params?.['arguments'] ?? {};
    if (typeof name !== 'string')
      return fail(exchange, invalidParams('params.name must be a string'), 200);
    if (!isObject(args) || params?.['arguments'] === null) {
      return fail(exchange, invalidParams('params.arguments must be an object'), 200);
    }
    const tool = this.context.catalog.find(name);
    if (tool === undefined) return fail(exchange, invalidParams(`Unknown tool: ${name}`), 200);
    const { run, result: resultContext } = this.context.serve(tool);
    const problems = (message.unfaithfulNumbers ?? []).map(
      ({ path, token }) =>
        `${describePath(path)}: the number ${token} cannot be kept exactly. Send it as a string.`,
    );
    return run({ args, problems, requestId: id, outer: exchange.outer }, (outcome) => {
      const { result, log } = toToolResult(outcome, resultContext);
      if (log !== undefined) this.context.log(tool, log.message, log.error);
      succeed(exchange, codec.call(tool, result));
    });
  }
}

interface Exchange {
  readonly message: Message;
  readonly outer: IncomingMessage;
  readonly reply: (answer: Answer) => void;
}

/** `_meta` and the header decide, the method never does (2026-07-28, versioning). */
function isModern({ params }: Message, { headers }: IncomingMessage): boolean {
  if (modernVersionOf(params) !== undefined) return true;
  const header = headers['mcp-protocol-version'];
  return header === MODERN_REVISION;
}

function isRequest(message: Message): message is RequestMessage {
  return 'id' in message && message.id !== undefined;
}

function idText(id: JsonRpcId): string {
  return typeof id === 'number' ? String(id) : JSON.stringify(id);
}

function succeed({ message, reply }: Exchange, result: string | Buffer): RunningCall {
  const head = `{"jsonrpc":"2.0","id":${idText((message as RequestMessage).id)},"result":`;
  reply({
    status: 200,
    body: typeof result === 'string' ? [`${head}${result}}`] : [head, result, '}'],
  });
  return NOTHING_RUNNING;
}

function fail({ message, reply }: Exchange, error: JsonRpcError, status: number): RunningCall {
  reply({ status, body: [errorResponse(isRequest(message) ? message.id : undefined, error)] });
  return NOTHING_RUNNING;
}

/** A notification that is understood or not: nothing answers it. */
function accept({ reply }: Exchange): RunningCall {
  reply({ status: 202, body: [] });
  return NOTHING_RUNNING;
}

function invalidParams(message: string): JsonRpcError {
  return { code: JsonRpcErrorCode.InvalidParams, message };
}

function unknownMethod(method: string): JsonRpcError {
  return { code: JsonRpcErrorCode.MethodNotFound, message: `Method not found: ${method}` };
}

function unsupportedHeader(): JsonRpcError {
  return {
    code: JsonRpcErrorCode.InvalidRequest,
    message: `The header MCP-Protocol-Version must be one of ${[...DATED_REVISIONS, MODERN_REVISION].join(', ')}.`,
  };
}
