import { SetMetadata } from '@nestjs/common';
import { MCP_TOOL_METADATA } from '../mcp.constants.js';
import type { McpIcon } from '../mcp.options.js';
import type { JsonSchemaObject } from '../schema/json-schema.js';

/** Hints on what a tool does (specification, schema `ToolAnnotations`). A client must not rely on them. */
export interface McpToolAnnotations {
  readonly title?: string;
  readonly readOnlyHint?: boolean;
  readonly destructiveHint?: boolean;
  readonly idempotentHint?: boolean;
  readonly openWorldHint?: boolean;
}

/** What `@McpTool()` says of a route, beyond what the route's own metadata says. */
export interface McpToolOptions {
  /** 1 to 128 of `A-Z a-z 0-9 _ - .`. Default: the swagger operation id, else controller and method in snake_case. */
  readonly name?: string;
  /** A name for people (2025-06-18 and later). Default: none. */
  readonly title?: string;
  /** Default: the swagger operation's summary and description. */
  readonly description?: string;
  /** Laid over the hints that follow from the HTTP method. */
  readonly annotations?: McpToolAnnotations;
  /** Shown verbatim as the tool's `inputSchema`, in the shape that the option `arguments` says. */
  readonly input?: JsonSchemaObject;
  /** Shown verbatim as the tool's `outputSchema`. */
  readonly output?: JsonSchemaObject;
  /**
   * Arguments that a client of 2026-07-28 repeats in `Mcp-Param-*` headers, where a gateway can read them: by header name the
   * path of the argument, in the shape that the option `arguments` says. Only strings, integers and booleans; no secrets.
   *
   * @example
   * @McpTool({ headers: { Region: 'query.region' } })
   */
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * The OAuth scopes that a call of this tool needs, all of them (RFC 6749, section 3.3). What the caller lacks hides the tool
   * and refuses its call, or with the option `stepUp` asks the client to get it. They say nothing of the route over HTTP.
   */
  readonly scopes?: readonly string[];
  readonly icons?: readonly McpIcon[];
  /** Shown verbatim as the tool's `_meta`. */
  readonly meta?: Readonly<Record<string, unknown>>;
  /** How long a call of this tool may take, in milliseconds. Default: the option `callTimeoutMs`. */
  readonly timeoutMs?: number;
}

/**
 * Serves a route as an MCP tool.
 *
 * @param nameOrOptions the tool's name, or more about it
 * @example
 * @Get(':id')
 * @McpTool('get_order')
 * find(@Param('id', ParseIntPipe) id: number): Order { … }
 */
export function McpTool(nameOrOptions: string | McpToolOptions = {}): MethodDecorator {
  const options = typeof nameOrOptions === 'string' ? { name: nameOrOptions } : nameOrOptions;
  return SetMetadata(MCP_TOOL_METADATA, options);
}
