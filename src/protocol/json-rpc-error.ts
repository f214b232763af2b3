/**
 * Every error code that the endpoint puts on the wire, and the only place of them.
 *
 * The specification keeps -32020 to -32099 for itself (2026-07-28, basic/index, section Error Codes): the three of them
 * here are all that it defines, and they are sent to 2026-07-28 clients only. -32002 and -32042 are never sent.
 */
export const JsonRpcErrorCode = {
  /** JSON-RPC 2.0, section 5.1: the body is not JSON, not UTF-8, begins with a byte order mark or is empty. HTTP 400. */
  ParseError: -32700,
  /** JSON-RPC 2.0, section 5.1: JSON, but no message that is served: a batch, an id of 1.5, a member twice. HTTP 400. */
  InvalidRequest: -32600,
  /** JSON-RPC 2.0, section 5.1: unknown method. HTTP 404 in 2026-07-28 (schema, MethodNotFoundError), else 200. */
  MethodNotFound: -32601,
  /** JSON-RPC 2.0, section 5.1: unknown tool, bad cursor, or (2026-07-28, basic/index, section _meta) no `_meta` fields. */
  InvalidParams: -32602,
  /** JSON-RPC 2.0, section 5.1: a fault of the server itself. What a route answers is a tool result, never this. */
  InternalError: -32603,
  /** 2026-07-28, streamable-http, section Server Validation: a header is missing or is not what the body says. HTTP 400. */
  HeaderMismatch: -32020,
  /** 2026-07-28, basic/index, section _meta: the client did not declare a capability that the request needs. HTTP 400. */
  MissingClientCapability: -32021,
  /** 2026-07-28, versioning, section Protocol Version Negotiation: `data` has `supported` and `requested`. HTTP 400. */
  UnsupportedProtocolVersion: -32022,
} as const;

export type JsonRpcErrorCode = (typeof JsonRpcErrorCode)[keyof typeof JsonRpcErrorCode];

/** What a request can be told apart by (MCP schema, `RequestId`). */
export type JsonRpcId = string | number;

/** The `error` member of a response (JSON-RPC 2.0, section 5.1). */
export interface JsonRpcError {
  readonly code: JsonRpcErrorCode;
  /** One sentence that may be shown to anybody: no stack, no path of the server, no text of an exception. */
  readonly message: string;
  readonly data?: unknown;
}

/**
 * The JSON text of an error response. Without an id that could be read the member is left out: the schema of 2025-11-25
 * and 2026-07-28 makes it optional, and `null`, which JSON-RPC would have here, is no id in any revision of MCP.
 */
export function errorResponse(id: JsonRpcId | undefined, error: JsonRpcError): string {
  const { code, message, data } = error;
  return JSON.stringify({ jsonrpc: '2.0', id, error: { code, message, data } });
}
