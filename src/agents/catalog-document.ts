import type { McpToolAnnotations } from '../decorators/mcp-tool.decorator.js';
import type { RestOperation } from '../upstream/operation.js';
import type { UpstreamPolicy } from '../upstream/policy.js';

/** What is a draft is never served. */
export type PublicationStatus = 'draft' | 'published';

/** A whole catalog, as a source loads it: plain JSON. `AGENT_CATALOG_SCHEMA` is its JSON Schema. */
export interface AgentCatalogDocument {
  readonly workspaces: readonly WorkspaceDocument[];
  readonly keys?: readonly AgentKeyRecord[];
}

/** Agents and operations that belong together, and what those operations may reach. */
export interface WorkspaceDocument {
  /** Lower-case letters, digits and `-`, 64 at most. */
  readonly slug: string;
  /** What operations may reach. Without it they reach nothing. */
  readonly policy?: UpstreamPolicy;
  readonly operations?: readonly OperationDocument[];
  readonly agents?: readonly AgentDocument[];
}

/** A REST operation under its name, which is the tool's name where a binding gives none. */
export interface OperationDocument {
  readonly name: string;
  readonly versions: readonly OperationVersionDocument[];
}

export interface OperationVersionDocument {
  /** From 1. */
  readonly version: number;
  readonly status: PublicationStatus;
  readonly title?: string;
  readonly description?: string;
  readonly annotations?: McpToolAnnotations;
  readonly rest: RestOperation;
}

/** An agent: an endpoint with tools of its own. */
export interface AgentDocument {
  readonly slug: string;
  readonly status: PublicationStatus;
  readonly title?: string;
  /** Advice for the model. */
  readonly instructions?: string;
  readonly tools?: readonly BindingDocument[];
}

/** One tool of an agent: an operation of its workspace, or a tool of the application's routes. */
export type BindingDocument = ToolOverrides &
  (
    | {
        readonly operation: string;
        /** The newest published one when left out. A draft makes no tool. */
        readonly version?: number;
        readonly route?: undefined;
      }
    | { readonly route: string; readonly operation?: undefined; readonly version?: undefined }
  );

/** What a binding says in place of what it binds. */
export interface ToolOverrides {
  readonly name?: string;
  readonly title?: string;
  readonly description?: string;
  readonly annotations?: McpToolAnnotations;
}

/** An API key as it is stored: never the key itself. Times are ISO 8601, in UTC. */
export interface AgentKeyRecord {
  /** The public part of the key, by which it is named. */
  readonly prefix: string;
  /** SHA-256 of the whole key, in hexadecimal. */
  readonly hash: string;
  readonly workspace: string;
  readonly agent: string;
  readonly createdAt: string;
  /** From then on the key is refused. It never expires when left out. */
  readonly expiresAt?: string;
  /** From then on the key is refused. */
  readonly revokedAt?: string;
  /** For people. */
  readonly label?: string;
}
