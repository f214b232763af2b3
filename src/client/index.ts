export type {
  McpClientModuleOptions,
  McpClientServer,
  McpCredentialSource,
  McpPinnedTool,
  McpReconcileTool,
} from './client-options.js';
export { decodeDescriptor, type McpToolDescriptor } from './descriptor.js';
export {
  InvalidDescriptorError,
  McpClientError,
  TerminalToolError,
  UnauthorizedServerToolError,
  UncertainError,
} from './errors.js';
export type { McpFetch, McpFetchInit, McpFetchResponse } from './http-fetch.js';
export type {
  McpClientInputAnswer,
  McpClientInputHandler,
  McpClientInputRequest,
} from './input-answers.js';
export {
  McpClientModule,
  type McpClientModuleAsyncOptions,
  type McpClientMountOptions,
} from './mcp-client.module.js';
export { McpToolClient } from './mcp-tool-client.js';
export type { McpContentBlock, McpToolOutput } from './tool-output.js';
