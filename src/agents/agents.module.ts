import {
  Module,
  type DynamicModule,
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
import { madeOptions, policyProviders, tooLate } from '../mcp.providers.js';
import { AgentsEndpoint } from './agents-endpoint.js';
import { AgentsHost } from './agents-host.js';
import { AGENTS_DEFAULTS, resolveAgentsOptions, type McpAgentsOptions } from './agents.options.js';
import { McpAgents } from './mcp-agents.js';

type Mounting = Omit<McpMountOptions, 'isGlobal'>;

/** What a factory can say: all but what mounts the endpoint, which is fixed before a factory runs. */
export type McpAgentsFactoryOptions = Omit<McpAgentsOptions, keyof McpMountOptions>;

/** A class that makes the options, for `useClass` and `useExisting`. */
export interface McpAgentsOptionsFactory {
  createMcpAgentsOptions(): McpAgentsFactoryOptions | Promise<McpAgentsFactoryOptions>;
}

/** The options of `forRootAsync`: one of `useFactory`, `useClass` and `useExisting`, and what mounts the endpoint. */
export interface McpAgentsAsyncOptions extends Mounting {
  readonly useFactory?: (
    ...args: never[]
  ) => McpAgentsFactoryOptions | Promise<McpAgentsFactoryOptions>;
  /** What `useFactory` is called with. */
  readonly inject?: readonly (InjectionToken | OptionalFactoryDependency)[];
  readonly useClass?: Type<McpAgentsOptionsFactory>;
  readonly useExisting?: InjectionToken<McpAgentsOptionsFactory>;
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

  /** `forRoot` with options that a factory or a class makes. What mounts the endpoint is given beside them. */
  static forRootAsync(options: McpAgentsAsyncOptions): DynamicModule {
    const providers = madeOptions(
      AGENTS_OPTIONS,
      options,
      'createMcpAgentsOptions',
      'McpAgentsModule',
    );
    return assemble(options, providers, MOUNTING);
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
    // What endpoints share is exported for McpHealthIndicator.
    exports: [McpAgents, McpCoreModule],
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
