export { McpTestClient, type McpTestClientOptions, type ToolError } from './mcp-test-client.js';
