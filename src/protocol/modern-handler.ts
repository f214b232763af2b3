import type { CursorCodec } from '../catalog/cursor.js';
import type { ResolvedOptions } from '../mcp.options.js';
import type { ServerIdentity } from './codec.js';
import { accept, fail, isRequest, succeed, unknownMethod, type Exchange } from './exchange.js';
import { ModernInput } from './modern-input.js';
import { checkModernRequest, discoverResult, modernCodec, serverInfoMember } from './modern.js';
import { Subscriptions } from './subscriptions.js';
import type { ToolCalls } from './tool-calls.js';
import type { ToolLists } from './tool-lists.js';

/** Answers the messages of 2026-07-28. Each says all of itself; nothing is kept between them but open streams. */
export class ModernHandler {
  readonly subscriptions: Subscriptions;
  private readonly codec;
  private readonly discovered: string;
  private readonly path: string;
  private readonly serverInfo: string;

  constructor(
    identity: ServerIdentity,
    options: ResolvedOptions,
    private readonly cursors: CursorCodec,
    private readonly lists: ToolLists,
    private readonly calls: ToolCalls,
  ) {
    const caching = { ttlMs: options.listTtlMs, cacheScope: options.listScope };
    this.codec = modernCodec(identity, caching);
    this.discovered = discoverResult(identity, caching);
    this.path = options.path;
    this.serverInfo = serverInfoMember(identity);
    this.subscriptions = new Subscriptions(this.serverInfo);
  }

  handle(exchange: Exchange): void | Promise<void> {
    if (!isRequest(exchange)) return accept(exchange);
    const { message, request, channel } = exchange;
    const refusal = checkModernRequest(message, request.raw.headers);
    if (refusal !== undefined) return fail(exchange, refusal, 400);
    switch (message.method) {
      case 'server/discover':
        return succeed(exchange, [this.discovered]);
      case 'tools/list':
        return this.lists.answer(exchange, this.codec);
      case 'tools/call': {
        const input = ModernInput.open(exchange, this.path, this.cursors, this.serverInfo);
        if (input === undefined) return;
        const running = this.calls.start(exchange, this.codec, input);
        // Closing the stream is how this revision cancels (basic/transports/streamable-http, "Cancellation").
        if (running !== undefined) channel.onClientClosed(() => running.cancel());
        return;
      }
      case 'subscriptions/listen':
        return this.subscriptions.listen(exchange);
      default:
        return fail(exchange, unknownMethod(message.method), 404);
    }
  }
}
