import type { ResolvedOptions } from '../mcp.options.js';
import type { Channel, McpRequest } from './channel.js';
import type { ServerIdentity } from './codec.js';
import { DatedHandler, type Sessions } from './dated-handler.js';
import { errorResponse } from './json-rpc-error.js';
import { readMessage, type Message } from './message.js';
import { ModernHandler } from './modern-handler.js';
import { modernVersionOf } from './modern.js';
import { MODERN_REVISION } from './revision.js';
import { ToolCalls } from './tool-calls.js';
import type { ToolContext } from './tool-context.js';
import { ToolLists } from './tool-lists.js';

/** What the messages of an endpoint are answered from. */
export interface ProtocolContext extends ToolContext {
  readonly identity: ServerIdentity;
  readonly sessions: Sessions | undefined;
}

/** Reads a message, and gives it to the handler of its era. */
export class MessageHandler {
  private readonly modern: ModernHandler;
  private readonly dated: DatedHandler;
  private readonly calls: ToolCalls;
  private readonly options: ResolvedOptions;

  constructor(context: ProtocolContext) {
    this.options = context.options;
    const lists = new ToolLists(context);
    const calls = new ToolCalls(context);
    this.calls = calls;
    this.modern = new ModernHandler(
      context.identity,
      context.options,
      context.cursors,
      lists,
      calls,
    );
    this.dated = new DatedHandler(context.identity, lists, calls, context.sessions);
  }

  /**
   * @param bytes the body of the POST, as received
   * @returns a promise where a session store is asked; what it rejects with is a failure of that store
   */
  handle(bytes: Uint8Array, request: McpRequest, channel: Channel): void | Promise<void> {
    const read = readMessage(bytes, {
      maxDepth: this.options.maxDepth,
      responses: this.options.sessions !== false && !hasModernHeader(request),
    });
    if (!read.ok) {
      channel.answer({ status: read.status, body: [errorResponse(read.id, read.error)] });
      return undefined;
    }
    if ('response' in read) return this.dated.respond(read.response, request, channel);
    const exchange = { message: read.message, request, channel };
    return isModern(read.message, request)
      ? this.modern.handle(exchange)
      : this.dated.handle(exchange);
  }

  /** GET, where there are sessions. */
  listen(request: McpRequest, channel: Channel): Promise<void> {
    return this.dated.listen(request, channel);
  }

  /** DELETE, where there are sessions. */
  end(request: McpRequest, channel: Channel): Promise<void> {
    return this.dated.end(request, channel);
  }

  /** Says from now on that somebody else answers: a new title, other instructions. Sessions and streams stay. */
  identify(identity: ServerIdentity): void {
    this.modern.identify(identity);
    this.dated.identify(identity);
  }

  /** Tells every open stream that the tool list changed. */
  listChanged(): void {
    this.modern.subscriptions.listChanged();
    this.dated.listChanged();
  }

  /** Resolves once no call runs. */
  idle(): Promise<void> {
    return this.calls.running.idle();
  }

  /** Ends every call that runs: its client is told that the operation may have completed. */
  abortCalls(): void {
    for (const running of this.calls.running.all()) running.cancel('application');
  }

  /** Ends every open stream, for a server that shuts down. */
  close(): void {
    this.modern.subscriptions.close();
    this.dated.close();
  }
}

/** `_meta` and the header decide, the method never does (2026-07-28, versioning). */
function isModern({ params }: Message, request: McpRequest): boolean {
  return modernVersionOf(params) !== undefined || hasModernHeader(request);
}

function hasModernHeader({ raw }: McpRequest): boolean {
  return raw.headers['mcp-protocol-version'] === MODERN_REVISION;
}
