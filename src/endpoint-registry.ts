import { Injectable, type Type } from '@nestjs/common';
import type { McpToolCatalog } from './catalog/mcp-tool-catalog.js';
import type { ModuleRef } from '@nestjs/core';
import type { McpEndpoint } from './endpoint/endpoint.js';
import type { McpMountOptions } from './mcp.options.js';

/** `root` serves what `@McpTool()` marks, `feature` only what its own options choose. */
export type EndpointKind = 'root' | 'feature';

/** An endpoint of the application, before its tools are known. */
export interface RegisteredEndpoint {
  readonly kind: EndpointKind;
  readonly endpoint: McpEndpoint;
  readonly catalog: McpToolCatalog;
  /** What is wrong with its options. */
  readonly problems: readonly string[];
  /** Its generated controller. */
  readonly controller: Type;
  /** Its own guards. */
  readonly guards: McpMountOptions['guards'];
  readonly moduleRef: ModuleRef;
}

/** Every endpoint of the application, so that all of them are started together and report their problems at once. */
@Injectable()
export class EndpointRegistry {
  readonly endpoints: RegisteredEndpoint[] = [];

  add(endpoint: RegisteredEndpoint): void {
    this.endpoints.push(endpoint);
  }
}
