import { listPage, type ListPage } from '../catalog/list-pages.js';
import type { Tool } from '../catalog/tool.js';
import { missingScopes } from '../mcp.scopes.js';
import type { Watched } from '../policy/watch.js';
import type { Codec } from './codec.js';
import { fail, failInternally, invalidParams, succeed, type RequestExchange } from './exchange.js';
import { askedBy, NO_REASON, watch, type ToolContext } from './tool-context.js';

/** `tools/list`, which every revision has and each codec writes in its own way. */
export class ToolLists {
  /** The tools of each page, as bytes made once. */
  private readonly pages = new Map<string, Buffer>();

  constructor(private readonly context: ToolContext) {
    context.catalog.onChange(() => this.pages.clear());
  }

  answer(exchange: RequestExchange, codec: Codec): void | Promise<void> {
    const { policy, catalog, hidesByScope } = this.context;
    const watched = watch(this.context, exchange, codec, LIST);
    if (policy !== undefined || hidesByScope) return this.answerFor(exchange, codec, watched);
    const page = this.page(exchange, catalog.tools, watched);
    if (page === undefined) return undefined;
    const key = `${codec.revision} ${page.tools[0]?.name ?? ''}`;
    let tools = this.pages.get(key);
    if (tools === undefined) {
      tools = Buffer.from(this.join(page.tools, codec));
      this.pages.set(key, tools);
    }
    return send(exchange, codec, page, tools, watched);
  }

  /** A list that depends on the caller: pages are made of what is left after hiding. */
  private async answerFor(
    exchange: RequestExchange,
    codec: Codec,
    watched: Watched | undefined,
  ): Promise<void> {
    const { http } = exchange.request;
    const { policy } = this.context;
    try {
      const granted = this.granted(exchange);
      const visible = policy === undefined ? granted : await policy.visible(granted, http);
      const page = this.page(exchange, visible, watched);
      if (page === undefined) return;
      const tools = (await policy?.releaseList(page.tools, http)) ?? page.tools;
      send(exchange, codec, page, Buffer.from(this.join(tools, codec)), watched);
    } catch (error) {
      const ref = failInternally(exchange);
      const asked = askedBy(exchange.request.principal(), exchange.message);
      this.context.log(null, `tools/list failed (ref ${ref})${asked}`, error ?? NO_REASON);
      watched?.end({ outcome: 'error', status: 500, bytesOut: 0, ref });
    }
  }

  /** The tools whose scopes the caller has. */
  private granted({ request }: RequestExchange): readonly Tool[] {
    const { catalog, hidesByScope } = this.context;
    if (!hidesByScope) return catalog.tools;
    const scopes = request.scopes();
    return catalog.tools.filter((tool) => missingScopes(tool.scopes, () => scopes).length === 0);
  }

  /** Answers with an error where the cursor is none of this list's. */
  private page(
    exchange: RequestExchange,
    tools: readonly Tool[],
    watched: Watched | undefined,
  ): ListPage | undefined {
    const { options, cursors } = this.context;
    const { message, request } = exchange;
    const scope = JSON.stringify([options.path, request.principal()]);
    const cut = { pageSize: options.pageSize, cursors, scope };
    const page = listPage(tools, message.params?.['cursor'], cut);
    if (page === undefined) {
      fail(exchange, invalidParams('params.cursor is not a cursor of this list'), 200);
      watched?.end({ outcome: 'error', status: 400, bytesOut: 0, ref: undefined });
    }
    return page;
  }

  private join(tools: readonly Tool[], { revision }: Codec): string {
    return tools.map((tool) => this.context.toolJson(tool, revision)).join(',');
  }
}

const LIST = { method: 'tools/list', tool: undefined, arguments: undefined } as const;

function send(
  exchange: RequestExchange,
  codec: Codec,
  { nextCursor }: ListPage,
  tools: Buffer,
  watched: Watched | undefined,
): void {
  const [before, after] = codec.list(nextCursor);
  succeed(exchange, [before, tools, after]);
  const bytesOut = before.length + tools.length + after.length;
  watched?.end({ outcome: 'ok', status: 200, bytesOut, ref: undefined });
}
