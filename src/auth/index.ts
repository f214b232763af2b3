export {
  hashApiKey,
  McpApiKeyGuard,
  type McpApiKey,
  type McpApiKeyAuth,
  type McpApiKeyOptions,
} from './api-key.guard.js';
export type { McpJwtIssuer, McpJwtOptions } from './jwt-options.js';
export type { McpJwtAuth } from './jwt-verifier.js';
export { McpJwtGuard } from './jwt.guard.js';
