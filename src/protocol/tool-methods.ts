import type { CursorCodec } from '../catalog/cursor.js';
import { listPage, type ListPage } from '../catalog/list-pages.js';
import type { McpToolCatalog } from '../catalog/mcp-tool-catalog.js';
import type { Tool } from '../catalog/tool.js';
import type { RunCall, RunningCall } from '../dispatch/dispatcher.js';
import type { ResolvedOptions } from '../mcp.options.js';
import type { CallOutcome } from '../result/call-outcome.js';
import { toToolResult, type MadeResult, type ResultContext } from '../result/to-tool-result.js';
import type { Codec } from './codec.js';
import { isObject } from './codec.js';
import { fail, failInternally, invalidParams, succeed, type RequestExchange } from './exchange.js';
import type { Policy } from '../policy/policy.js';
import { describePath } from './message.js';
import { progressReporter } from './progress.js';
import type { Revision } from './revision.js';

/** A tool with what runs it. */
export interface ServedTool {
  readonly run: RunCall;
  readonly result: ResultContext;
}

/** What the tools of an endpoint are served from. */
export interface ToolContext {
  readonly options: ResolvedOptions;
  readonly catalog: McpToolCatalog;
  readonly cursors: CursorCodec;
  readonly serve: (tool: Tool) => ServedTool;
  readonly toolJson: (tool: Tool, revision: Revision) => string;
  readonly log: (tool: Tool | null, message: string, error?: unknown) => void;
  /** `undefined` when nothing but the routes' own guards decides. */
  readonly policy: Policy | undefined;
}

/** `tools/list` and `tools/call`, which every revision has and each codec writes in its own way. */
export class ToolMethods {
  /** The tools of each page, as bytes made once. */
  private readonly pages = new Map<string, Buffer>();

  constructor(private readonly context: ToolContext) {
    context.catalog.onChange(() => this.pages.clear());
  }

  list(exchange: RequestExchange, codec: Codec): void | Promise<void> {
    const { policy, catalog } = this.context;
    if (policy !== undefined) return this.listFor(exchange, codec, policy);
    const page = this.page(exchange, catalog.tools);
    if (page === undefined) return undefined;
    const key = `${codec.revision} ${page.tools[0]?.name ?? ''}`;
    let tools = this.pages.get(key);
    if (tools === undefined) {
      tools = Buffer.from(this.join(page.tools, codec));
      this.pages.set(key, tools);
    }
    const [before, after] = codec.list(page.nextCursor);
    return succeed(exchange, [before, tools, after]);
  }

  /** A list that depends on the caller: pages are made of what is left after hiding. */
  private async listFor(exchange: RequestExchange, codec: Codec, policy: Policy): Promise<void> {
    const { http } = exchange.request;
    try {
      const page = this.page(exchange, await policy.visible(this.context.catalog.tools, http));
      if (page === undefined) return;
      const tools = await policy.releaseList(page.tools, http);
      const [before, after] = codec.list(page.nextCursor);
      succeed(exchange, [`${before}${this.join(tools, codec)}${after}`]);
    } catch (error) {
      const ref = failInternally(exchange);
      this.context.log(null, `tools/list failed (ref ${ref})`, error);
    }
  }

  /** Answers with an error where the cursor is none of this list's. */
  private page(exchange: RequestExchange, tools: readonly Tool[]): ListPage | undefined {
    const { options, cursors } = this.context;
    const { message, request } = exchange;
    const scope = JSON.stringify([options.path, request.principal()]);
    const cut = { pageSize: options.pageSize, cursors, scope };
    const page = listPage(tools, message.params?.['cursor'], cut);
    if (page === undefined) {
      fail(exchange, invalidParams('params.cursor is not a cursor of this list'), 200);
    }
    return page;
  }

  private join(tools: readonly Tool[], { revision }: Codec): string {
    return tools.map((tool) => this.context.toolJson(tool, revision)).join(',');
  }

  /** @returns the call that runs, `undefined` when none does (any more) */
  call(exchange: RequestExchange, codec: Codec): RunningCall | undefined {
    const { message, request, channel } = exchange;
    const { params } = message;
    const name = params?.['name'];
    const args = params !== undefined && 'arguments' in params ? params['arguments'] : {};
    const tool = typeof name === 'string' ? this.context.catalog.find(name) : undefined;
    if (tool === undefined || !isObject(args)) {
      fail(exchange, invalidParams(malformed(name, args)), 200);
      return undefined;
    }
    const { policy } = this.context;
    const { run } = this.context.serve(tool);
    let over = false;
    const timer = channel.canStream
      ? setTimeout(() => channel.open(), this.context.options.streamAfterMs)
      : undefined;
    const running = run(
      {
        args,
        problems: message.unfaithfulNumbers.map(
          ({ path, token }) =>
            `${describePath(path)}: the number ${token} cannot be kept exactly. Send it as a string.`,
        ),
        requestId: message.id,
        principal: request.principal(),
        progress: progressReporter(params, channel),
        outer: request.raw,
        ...(policy?.guardsCalls === true
          ? { authorize: () => policy.mayCall(tool, request.http, args) }
          : {}),
      },
      (outcome) => {
        over = true;
        clearTimeout(timer);
        const made = this.make(tool, outcome);
        if (policy?.judgesResults !== true) return this.answer(exchange, codec, tool, made);
        const { result: context } = this.context.serve(tool);
        void policy
          .release(tool, request.http, args, made, context)
          .then((released) => this.answer(exchange, codec, tool, released));
      },
    );
    return over ? undefined : running;
  }

  private make(tool: Tool, outcome: CallOutcome): MadeResult {
    const { result: context } = this.context.serve(tool);
    try {
      return toToolResult(outcome, context);
    } catch (error) {
      return toToolResult({ kind: 'failed', error }, context);
    }
  }

  private answer(exchange: RequestExchange, codec: Codec, tool: Tool, made: MadeResult): void {
    if (made.log !== undefined) this.context.log(tool, made.log.message, made.log.error);
    succeed(exchange, [codec.call(tool, made.result)]);
  }
}

function malformed(name: unknown, args: unknown): string {
  if (typeof name !== 'string') return 'params.name must be a string';
  return isObject(args) ? `Unknown tool: ${name}` : 'params.arguments must be an object';
}
