import { Injectable, type Type } from '@nestjs/common';
import type { McpToolCatalog } from './catalog/mcp-tool-catalog.js';
import type { ModuleRef } from '@nestjs/core';
import type { Tool } from './catalog/tool.js';
import type { ProtectedResource } from './endpoint/protected-resource.js';
import type { ServedApplication } from './endpoint-runtime.js';
import type { McpMountOptions, ResolvedOptions } from './mcp.options.js';

/**
 * `root` serves what `@McpTool()` marks, `feature` only what its own options choose. The tools of `agents` are those that
 * agents may bind; none of them is served for being there.
 */
export type EndpointKind = 'root' | 'feature' | 'agents';

/** An endpoint of the application, before its tools are known. */
export interface RegisteredEndpoint {
  readonly kind: EndpointKind;
  readonly endpoint: {
    readonly options: ResolvedOptions;
    /** The protected resource that it is, once it serves. */
    readonly resource?: ProtectedResource | undefined;
  };
  readonly catalog: McpToolCatalog;
  /** What is wrong with its options. */
  readonly problems: readonly string[];
  /** Its generated controller. */
  readonly controller: Type;
  /** Its own guards. */
  readonly guards: McpMountOptions['guards'];
  readonly moduleRef: ModuleRef;
  /** Begins to serve, once the tools are known. Rejects with an error of set-up. */
  open(tools: readonly Tool[], application: ServedApplication): Promise<OpenEndpoint>;
}

/** An endpoint that serves. */
export interface OpenEndpoint {
  /** Whether it is to be sent messages, where that takes longer than to open it. */
  readonly isReady?: () => boolean;
  /** Ends its streams, lets calls finish, and releases what it holds. */
  close(): Promise<void>;
}

/** Every endpoint of the application, so that all of them are started together and report their problems at once. */
@Injectable()
export class EndpointRegistry {
  readonly endpoints: RegisteredEndpoint[] = [];

  add(endpoint: RegisteredEndpoint): void {
    this.endpoints.push(endpoint);
  }
}
