export { AgentKeys, type KeyFilter, type ListedKey } from './agent-keys.js';
export {
  McpAgentsModule,
  type McpAgentsAsyncOptions,
  type McpAgentsFactoryOptions,
  type McpAgentsOptionsFactory,
} from './agents.module.js';
export type { McpAgentsOptions } from './agents.options.js';
export type {
  AgentCatalogDocument,
  AgentDocument,
  AgentKeyRecord,
  BindingDocument,
  OperationDocument,
  OperationVersionDocument,
  PublicationStatus,
  WorkspaceDocument,
} from './catalog-document.js';
export type { RefreshResult } from './catalog-refresher.js';
export { AGENT_CATALOG_SCHEMA } from './catalog-schema.js';
export { McpCatalogSource } from './catalog-source.js';
export { JsonFileCatalogSource } from './json-file.source.js';
export type { KeyGrant, NewAgentKey } from './key.js';
export { McpAgents, type ServedAgent } from './mcp-agents.js';
export { PostgresCatalogSource, type PostgresCatalogOptions } from './postgres.source.js';
export { McpRestOperation } from './operation-tool.js';
export type { AgentUsage } from './usage.js';
export type {
  CredentialRequest,
  CredentialSource,
  UpstreamCredential,
} from '../upstream/credential-source.js';
export { REST_OPERATION_SCHEMA } from '../upstream/operation-schema.js';
export type { Mapping, RestOperation } from '../upstream/operation.js';
export type { UpstreamPolicy } from '../upstream/policy.js';
