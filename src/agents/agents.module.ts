import {
  Module,
  type DynamicModule,
  type FactoryProvider,
  type InjectionToken,
  type OptionalFactoryDependency,
  type Provider,
  type Type,
} from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { McpToolCatalog } from '../catalog/mcp-tool-catalog.js';
import { policyProblems } from '../endpoint-policy.js';
import { EndpointRegistry } from '../endpoint-registry.js';
import { createEndpointController } from '../endpoint/endpoint.controller.js';
import { McpCoreModule } from '../mcp-core.module.js';
import { MCP_ENDPOINT } from '../mcp.constants.js';
import { isPlainPath } from '../mcp.options.check.js';
import type { McpMountOptions } from '../mcp.options.js';
import { policyProviders, tooLate } from '../mcp.providers.js';
import { AgentsEndpoint } from './agents-endpoint.js';
import { AgentsHost } from './agents-host.js';
import { AGENTS_DEFAULTS, resolveAgentsOptions, type McpAgentsOptions } from './agents.options.js';
import { McpAgents } from './mcp-agents.js';

type Mounting = Omit<McpMountOptions, 'isGlobal'>;

/** What a factory can say: all but what mounts the endpoint, which is fixed before a factory runs. */
export type McpAgentsFactoryOptions = Omit<McpAgentsOptions, keyof McpMountOptions>;

/** The options of `forRootAsync`. */
export interface McpAgentsAsyncOptions extends Mounting {
  readonly useFactory: (
    ...args: never[]
  ) => McpAgentsFactoryOptions | Promise<McpAgentsFactoryOptions>;
  /** What `useFactory` is called with. */
  readonly inject?: readonly (InjectionToken | OptionalFactoryDependency)[];
}

/** Injection token of the options as the user gave them. */
const AGENTS_OPTIONS = 'mcp:agents-options';
const MOUNTING = ['imports', 'guards', 'decorators', 'path'] as const;

/**
 * Serves agents: endpoints with curated tools and API keys of their own, out of a catalog that may change while the
 * application runs.
 *
 * @example
 * McpAgentsModule.forRoot({ name: 'agents', source: new JsonFileCatalogSource('agents.json') })
 */
@Module({})
export class McpAgentsModule {
  /** @throws McpSetupError at start-up, for all that is wrong with options, routes and the first catalog together */
  static forRoot(options: McpAgentsOptions): DynamicModule {
    const provider = { provide: AGENTS_OPTIONS, useValue: options };
    return assemble(options, [provider, ...policyProviders(options)], []);
  }

  /** `forRoot` with options that a factory makes. What mounts the endpoint is given beside it. */
  static forRootAsync(options: McpAgentsAsyncOptions): DynamicModule {
    const { useFactory, inject = [] } = options;
    const provider = { provide: AGENTS_OPTIONS, useFactory, inject: [...inject] };
    return assemble(options, [provider as FactoryProvider<McpAgentsOptions>], MOUNTING);
  }
}

/** @param late the options that a factory would give too late */
function assemble(
  mount: Mounting,
  providers: readonly Provider[],
  late: readonly (keyof Mounting)[],
): DynamicModule {
  // A path that is none must not reach the router, whose error would come before our own.
  const path = isPlainPath(mount.path) ? mount.path : AGENTS_DEFAULTS.path;
  const controller = createEndpointController(`${path}/:workspaceSlug/:agentSlug`, mount);
  return {
    module: McpAgentsModule,
    imports: [McpCoreModule, ...(mount.imports ?? [])],
    controllers: [controller],
    providers: [
      ...providers,
      McpToolCatalog,
      { provide: MCP_ENDPOINT, useClass: AgentsEndpoint },
      hostProvider(mount, late, controller),
      {
        provide: McpAgents,
        useFactory: (host: AgentsHost) => new McpAgents(host),
        inject: [AgentsHost],
      },
    ],
    exports: [McpAgents],
  };
}

function hostProvider(
  mount: Mounting,
  late: readonly (keyof Mounting)[],
  controller: Type,
): Provider {
  return {
    provide: AgentsHost,
    useFactory: (
      given: McpAgentsOptions,
      endpoint: AgentsEndpoint,
      catalog: McpToolCatalog,
      registry: EndpointRegistry,
      moduleRef: ModuleRef,
    ): AgentsHost => {
      const early = late.filter((name) => name in given).map(tooLate);
      const { path } = mount;
      const { options, problems } = resolveAgentsOptions({
        ...given,
        ...(path === undefined ? {} : { path }),
      });
      const host = new AgentsHost(options, endpoint);
      const guards = mount.guards ?? [];
      const asked = [...guards, endpoint as never];
      registry.add({
        kind: 'agents',
        endpoint: options,
        catalog,
        problems: [...early, ...problems, ...policyProblems(options.options, asked)],
        controller,
        guards,
        moduleRef,
        open: (tools, application) => host.open(tools, application, guards, moduleRef),
      });
      return host;
    },
    inject: [AGENTS_OPTIONS, MCP_ENDPOINT, McpToolCatalog, EndpointRegistry, ModuleRef],
  };
}
