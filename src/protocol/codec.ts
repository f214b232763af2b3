import type { IncomingHttpHeaders } from 'node:http';
import type { Tool } from '../catalog/tool.js';
import type { McpIcon } from '../mcp.options.js';
import type { ToolResult } from '../result/tool-result.js';
import type { JsonRpcError } from './json-rpc-error.js';
import type { Revision } from './revision.js';

/** Who the server says it is. */
export interface ServerIdentity {
  readonly name: string;
  readonly version: string;
  readonly title: string | undefined;
  readonly icons: readonly McpIcon[] | undefined;
  readonly instructions: string;
}

/** How the results of one revision are written. Everything is JSON text, since most of it is made once. */
export interface Codec {
  readonly revision: Revision;
  /** What stands before and after the tools, separated by commas, in the result of `tools/list`. */
  list(nextCursor: string | undefined): readonly [before: string, after: string];
  /** What is wrong with the headers of a call, where the revision has any that speak of its arguments. */
  checkHeaders?(
    tool: Tool,
    args: Record<string, unknown>,
    headers: IncomingHttpHeaders,
  ): JsonRpcError | undefined;
  /** The result of `tools/call`. */
  call(tool: Tool, result: ToolResult): string;
}

/** The members of a call's result that every revision writes alike. */
export function resultMembers(result: ToolResult, withStructure: boolean): string {
  const { content, structured, isError } = result;
  const structure =
    withStructure && structured !== undefined ? `,"structuredContent":${structured.text}` : '';
  return `"content":${content}${structure}${isError ? ',"isError":true' : ''}`;
}

/** `,"nextCursor":"…"`, nothing on the last page. */
export function nextCursorMember(nextCursor: string | undefined): string {
  return nextCursor === undefined ? '' : `,"nextCursor":${JSON.stringify(nextCursor)}`;
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
