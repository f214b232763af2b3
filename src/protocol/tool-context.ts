import type { IncomingMessage } from 'node:http';
import type { CursorCodec } from '../catalog/cursor.js';
import type { McpToolCatalog } from '../catalog/mcp-tool-catalog.js';
import type { Tool } from '../catalog/tool.js';
import type { RunCall } from '../dispatch/dispatcher.js';
import type { ResolvedOptions } from '../mcp.options.js';
import type { Policy } from '../policy/policy.js';
import type { Started, Watched, Watcher } from '../policy/watch.js';
import type { ResultContext } from '../result/to-tool-result.js';
import type { Codec } from './codec.js';
import type { RequestExchange } from './exchange.js';
import type { RequestMessage } from './message.js';
import type { Revision } from './revision.js';

/** A tool with what runs it. */
export interface ServedTool {
  readonly run: RunCall;
  readonly result: ResultContext;
}

/** The HTTP answer that makes a client ask its authorization server for more. */
export interface StepUp {
  readonly status: number;
  /** The value of `WWW-Authenticate`. */
  readonly challenge: string;
}

/** What the tools of an endpoint are served from. */
export interface ToolContext {
  readonly options: ResolvedOptions;
  readonly catalog: McpToolCatalog;
  readonly cursors: CursorCodec;
  readonly serve: (tool: Tool) => ServedTool;
  readonly toolJson: (tool: Tool, revision: Revision) => string;
  /** @param tool `null` for what concerns the endpoint as a whole */
  readonly log: (tool: Tool | null, message: string, error?: unknown) => void;
  /** `undefined` when nothing but the routes' own guards decides. */
  readonly policy: Policy | undefined;
  /** Tools whose scopes the caller lacks are left out of lists. */
  readonly hidesByScope: boolean;
  /** How a call for which the caller lacks scopes is challenged; `undefined` where it is an error result. */
  readonly stepUp: ((request: IncomingMessage, needed: readonly string[]) => StepUp) | undefined;
  /** `undefined` when nobody watches. */
  readonly watcher: Watcher | undefined;
}

/** Stands for the cause of a failure that was thrown as nothing. */
export const NO_REASON = 'no reason given';

/** Who asked, and by which id: what the record of an internal failure has beside its cause and reference. */
export function askedBy(principal: string | null, { id }: RequestMessage): string {
  // Both come from outside: a line break in them must not begin a record of its own.
  const who = principal === null ? 'nobody' : oneLine(principal);
  return `; principal ${who}, request ${oneLine(String(id))}`;
}

function oneLine(text: string): string {
  return /^[\x20-\x7e]+$/.test(text) ? text : JSON.stringify(text);
}

/** Begins to watch a call or a list, where somebody does. */
export function watch(
  { watcher }: ToolContext,
  { message, request }: RequestExchange,
  { revision }: Codec,
  subject: Pick<Started, 'method' | 'tool' | 'arguments'>,
): Watched | undefined {
  if (watcher === undefined || watcher.isWatching?.() === false) return undefined;
  return watcher.begin({
    ...subject,
    principal: request.principal(),
    requestId: message.id,
    revision,
    bytesIn: request.bytesIn,
    outer: request.raw,
  });
}
