import type { Tool } from '../catalog/tool.js';
import type { Watched } from '../policy/watch.js';
import type { CallOutcome } from '../result/call-outcome.js';
import type { Codec } from './codec.js';
import type { RequestExchange } from './exchange.js';
import type { InputPort } from './input-port.js';

/** A call that may run: its message, and what it calls. */
export interface ToolCall {
  readonly exchange: RequestExchange;
  readonly codec: Codec;
  readonly tool: Tool;
  /** As sent, and once a route has them, as that got them. */
  args: Record<string, unknown>;
  /** The tool guards let it go on: the route may have run. */
  admitted: boolean;
  readonly principal: string | null;
  /** The tool's scopes that the caller lacks: the call will be refused, and runs only to learn by whom. */
  readonly missingScopes: readonly string[];
  readonly watched: Watched | undefined;
  readonly input: InputPort;
}

/** The outcomes that speak of a tool's arguments before its guards could be asked. */
export const BEFORE_ANY_REQUEST: ReadonlySet<CallOutcome['kind']> = new Set([
  'unwritable',
  'request-too-large',
]);
