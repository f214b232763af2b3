export { McpToolCatalog } from './catalog/mcp-tool-catalog.js';
export type { Tool } from './catalog/tool.js';
export { McpCall } from './decorators/mcp-call.decorator.js';
export { McpHidden } from './decorators/mcp-hidden.decorator.js';
export {
  McpTool,
  type McpToolAnnotations,
  type McpToolOptions,
} from './decorators/mcp-tool.decorator.js';
export { McpToolOnly } from './decorators/mcp-tool-only.decorator.js';
export type { Route } from './discovery/route.js';
export type { McpCallContext } from './dispatch/call.js';
export { McpError, McpNotReadyError, McpSetupError, McpUnknownToolError } from './mcp.errors.js';
export { McpHealthIndicator, type McpHealth } from './mcp.health.js';
export { McpModule } from './mcp.module.js';
export type { McpIcon, McpModuleOptions, McpMountOptions } from './mcp.options.js';
export type { McpResourceOptions } from './mcp.options.resource.js';
export type { McpSessionsOptions } from './mcp.options.sessions.js';
export type { McpModuleAsyncOptions, McpOptionsFactory } from './mcp.providers.js';
export type { JsonSchema, JsonSchemaObject } from './schema/json-schema.js';
export type { ArgumentLayout } from './schema/route-input.js';
export { McpEventBus, type McpEvent, type McpToolSwitched } from './sessions/event-bus.js';
export {
  McpSessionStore,
  type McpSession,
  type McpSessionBounds,
  type McpSessionChange,
  type McpSessionClaim,
} from './sessions/session-store.js';
export {
  McpResponseGuard,
  type ContentBlock,
  type OutgoingAnswer,
  type OutgoingResult,
} from './policy/response-guard.js';
export { McpObserver, type McpAuditEvent, type ObserveArguments } from './policy/observer.js';
export {
  McpInputPending,
  McpInputUnavailable,
  type McpInputRequest,
  type McpInputRequests,
  type McpInputResponses,
} from './protocol/input-port.js';
