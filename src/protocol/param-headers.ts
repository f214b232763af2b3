import type { IncomingHttpHeaders } from 'node:http';
import type { ParamHeader } from '../catalog/param-headers.js';
import { isObject } from './codec.js';
import { headerValueEquals } from './header-value.js';
import { JsonRpcErrorCode, type JsonRpcError } from './json-rpc-error.js';

export type { ParamHeader };

/**
 * Compares the `Mcp-Param-*` headers of a call with its arguments (2026-07-28, basic/transports/streamable-http, "Server
 * Behavior for Custom Headers"). An argument that is absent or null has no header. One of another type than the schema wants
 * is not compared: the check of the arguments tells the model what is wrong with it.
 *
 * @returns the error that answers the call with status 400, `undefined` when the headers are in order
 */
export function checkParamHeaders(
  declared: readonly ParamHeader[],
  args: unknown,
  headers: IncomingHttpHeaders,
): JsonRpcError | undefined {
  for (const { name, path } of declared) {
    const header = headers[`mcp-param-${name.toLowerCase()}`];
    const value = valueAt(args, path);
    if (!agree(header, value)) {
      const message = `the header Mcp-Param-${name} must be the argument ${path.join('.')}`;
      return { code: JsonRpcErrorCode.HeaderMismatch, message };
    }
  }
  return undefined;
}

function agree(header: string | string[] | undefined, value: unknown): boolean {
  if (value === undefined || value === null) return header === undefined;
  if (typeof value === 'object') return true;
  return (
    typeof header === 'string' && headerValueEquals(header, value as string | number | boolean)
  );
}

/** @returns the argument at a path of member names, `undefined` where there is none */
export function valueAt(args: unknown, path: readonly string[]): unknown {
  let value = args;
  for (const step of path) {
    if (!isObject(value) || !Object.hasOwn(value, step)) return undefined;
    value = value[step];
  }
  return value;
}
