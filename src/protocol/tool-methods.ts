import type { CursorCodec } from '../catalog/cursor.js';
import { listPage } from '../catalog/list-pages.js';
import type { McpToolCatalog } from '../catalog/mcp-tool-catalog.js';
import type { Tool } from '../catalog/tool.js';
import type { RunCall, RunningCall } from '../dispatch/dispatcher.js';
import type { ResolvedOptions } from '../mcp.options.js';
import type { CallOutcome } from '../result/call-outcome.js';
import { toToolResult, type ResultContext } from '../result/to-tool-result.js';
import type { Codec } from './codec.js';
import { isObject } from './codec.js';
import { fail, invalidParams, succeed, type RequestExchange } from './exchange.js';
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
  readonly log: (tool: Tool, message: string, error?: unknown) => void;
}

/** `tools/list` and `tools/call`, which every revision has and each codec writes in its own way. */
export class ToolMethods {
  /** The tools of each page, as bytes made once. */
  private readonly pages = new Map<string, Buffer>();

  constructor(private readonly context: ToolContext) {
    context.catalog.onChange(() => this.pages.clear());
  }

  list(exchange: RequestExchange, codec: Codec): void {
    const { options, catalog, cursors } = this.context;
    const { message, request } = exchange;
    const principal = request.principal();
    const scope = JSON.stringify([options.path, principal]);
    const page = listPage(catalog.tools, message.params?.['cursor'], {
      pageSize: options.pageSize,
      cursors,
      scope,
    });
    if (page === undefined) {
      fail(exchange, invalidParams('params.cursor is not a cursor of this list'), 200);
      return;
    }
    const key = `${codec.revision} ${page.tools[0]?.name ?? ''}`;
    let tools = this.pages.get(key);
    if (tools === undefined) {
      const { toolJson } = this.context;
      tools = Buffer.from(page.tools.map((tool) => toolJson(tool, codec.revision)).join(','));
      this.pages.set(key, tools);
    }
    const [before, after] = codec.list(page.nextCursor);
    succeed(exchange, [before, tools, after]);
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
      },
      (outcome) => {
        over = true;
        clearTimeout(timer);
        succeed(exchange, [this.result(tool, outcome, codec)]);
      },
    );
    return over ? undefined : running;
  }

  private result(tool: Tool, outcome: CallOutcome, codec: Codec): string {
    const { result: context } = this.context.serve(tool);
    let made;
    try {
      made = toToolResult(outcome, context);
    } catch (error) {
      made = toToolResult({ kind: 'failed', error }, context);
    }
    if (made.log !== undefined) this.context.log(tool, made.log.message, made.log.error);
    return codec.call(tool, made.result);
  }
}

function malformed(name: unknown, args: unknown): string {
  if (typeof name !== 'string') return 'params.name must be a string';
  return isObject(args) ? `Unknown tool: ${name}` : 'params.arguments must be an object';
}
