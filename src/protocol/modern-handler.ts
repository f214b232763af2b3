import type { CursorCodec } from '../catalog/cursor.js';
import type { ResolvedOptions } from '../mcp.options.js';
import type { Codec, ServerIdentity } from './codec.js';
import { accept, fail, isRequest, succeed, unknownMethod, type Exchange } from './exchange.js';
import { ModernInput } from './modern-input.js';
import { checkModernRequest, discoverResult, modernCodec, serverInfoMember } from './modern.js';
import { Subscriptions } from './subscriptions.js';
import type { ToolCalls } from './tool-calls.js';
import type { ToolLists } from './tool-lists.js';

/** What results say of the server, made once. */
interface Said {
  readonly codec: Codec;
  readonly discovered: string;
  readonly serverInfo: string;
}

/** Answers the messages of 2026-07-28. Each says all of itself; nothing is kept between them but open streams. */
export class ModernHandler {
  readonly subscriptions: Subscriptions;
  private said: Said;

  constructor(
    identity: ServerIdentity,
    private readonly options: ResolvedOptions,
    private readonly cursors: CursorCodec,
    private readonly lists: ToolLists,
    private readonly calls: ToolCalls,
  ) {
    this.said = said(identity, options);
    this.subscriptions = new Subscriptions(() => this.said.serverInfo);
  }

  /** Says from now on that somebody else answers. */
  identify(identity: ServerIdentity): void {
    this.said = said(identity, this.options);
  }

  handle(exchange: Exchange): void | Promise<void> {
    if (!isRequest(exchange)) return accept(exchange);
    const { message, request, channel } = exchange;
    const refusal = checkModernRequest(message, request.raw.headers);
    if (refusal !== undefined) return fail(exchange, refusal, 400);
    switch (message.method) {
      case 'server/discover':
        return succeed(exchange, [this.said.discovered]);
      case 'tools/list':
        return this.lists.answer(exchange, this.said.codec);
      case 'tools/call': {
        const { codec, serverInfo } = this.said;
        const input = ModernInput.open(exchange, this.options.path, this.cursors, serverInfo);
        if (input === undefined) return;
        const running = this.calls.start(exchange, codec, input);
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

function said(identity: ServerIdentity, { listTtlMs, listScope }: ResolvedOptions): Said {
  const caching = { ttlMs: listTtlMs, cacheScope: listScope };
  return {
    codec: modernCodec(identity, caching),
    discovered: discoverResult(identity, caching),
    serverInfo: serverInfoMember(identity),
  };
}
