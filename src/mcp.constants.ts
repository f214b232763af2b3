/** Metadata key of `@McpTool()` on a controller method. */
export const MCP_TOOL_METADATA = 'mcp:tool';
/** Metadata key of `@McpHidden()` on a controller or one of its methods. */
export const MCP_HIDDEN_METADATA = 'mcp:hidden';
/** Metadata key of `@McpToolOnly()` on a controller method. */
export const MCP_TOOL_ONLY_METADATA = 'mcp:tool-only';
/** Metadata key that marks a generated endpoint controller, which is never a tool itself. */
export const MCP_ENDPOINT_METADATA = 'mcp:endpoint';
/** Metadata key under which a route method points at itself, so that a registered handler can be traced back to it. */
export const MCP_ROUTE_METHOD_METADATA = 'mcp:route-method';

/** Injection token of an endpoint's options, as the user gave them. */
export const MCP_MODULE_OPTIONS = 'mcp:module-options';
/** Injection token of the endpoint that a generated controller serves. */
export const MCP_ENDPOINT = 'mcp:endpoint';

/** Injection token of the client's options, checked. */
export const MCP_CLIENT_OPTIONS = 'mcp:client-options';

/** The member of `_meta` that carries the reference of an internal failure. */
export const REF_META_KEY = 'nestjs-mcp-routes/ref';
