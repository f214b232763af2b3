import type { McpToolAnnotations } from '../decorators/mcp-tool.decorator.js';
import type { Route } from '../discovery/route.js';
import type { McpIcon } from '../mcp.options.js';
import type { JsonSchemaObject } from '../schema/json-schema.js';
import type { RouteInput } from '../schema/route-input.js';
import type { ParamHeader } from './param-headers.js';

/** A route that is served as a tool, with all that a listing says of it. Frozen at start-up. */
export interface Tool {
  readonly name: string;
  readonly title: string | undefined;
  readonly description: string | undefined;
  readonly route: Route;
  readonly input: RouteInput;
  /** Arguments that a client repeats in headers; none when left out. */
  readonly headers?: readonly ParamHeader[];
  readonly outputSchema: JsonSchemaObject | undefined;
  readonly annotations: McpToolAnnotations;
  readonly icons: readonly McpIcon[] | undefined;
  readonly meta: Readonly<Record<string, unknown>> | undefined;
  /** The OAuth scopes that a call needs; none when left out. */
  readonly scopes?: readonly string[];
  /** How long a call may take, in milliseconds. */
  readonly timeoutMs: number;
}
