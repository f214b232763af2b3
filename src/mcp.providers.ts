import type {
  FactoryProvider,
  InjectionToken,
  OptionalFactoryDependency,
  Provider,
  Type,
} from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { McpToolCatalog } from './catalog/mcp-tool-catalog.js';
import type { Tool } from './catalog/tool.js';
import { drain } from './endpoint-drain.js';
import { createPolicy, createWatcher, policyProblems } from './endpoint-policy.js';
import {
  EndpointRegistry,
  type EndpointKind,
  type OpenEndpoint,
  type RegisteredEndpoint,
} from './endpoint-registry.js';
import { compileRoutes, createRuntime, type ServedApplication } from './endpoint-runtime.js';
import { McpEndpoint } from './endpoint/endpoint.js';
import { instructionsOf } from './endpoint/instructions.js';
import { MCP_ENDPOINT, MCP_MODULE_OPTIONS } from './mcp.constants.js';
import { resolveOptions } from './mcp.options.check.js';
import { MOUNT_OPTIONS, type McpModuleOptions, type McpMountOptions } from './mcp.options.js';
import type { ServedTool } from './protocol/tool-context.js';

/** What a factory can say: all but what mounts the endpoint, which is fixed before a factory runs. */
export type McpFactoryOptions = Omit<McpModuleOptions, keyof McpMountOptions>;

/** A class that makes the options, for `useClass` and `useExisting`. */
export interface McpOptionsFactory {
  createMcpOptions(): McpFactoryOptions | Promise<McpFactoryOptions>;
}

/** The options of `forRootAsync`: one of `useFactory`, `useClass` and `useExisting`, and what mounts the endpoint. */
export interface McpModuleAsyncOptions extends McpMountOptions {
  readonly useFactory?: (...args: never[]) => McpFactoryOptions | Promise<McpFactoryOptions>;
  /** What `useFactory` is called with. */
  readonly inject?: readonly (InjectionToken | OptionalFactoryDependency)[];
  readonly useClass?: Type<McpOptionsFactory>;
  readonly useExisting?: InjectionToken<McpOptionsFactory>;
}

/** The providers of an endpoint whose options are known. */
export function endpointProviders(
  kind: EndpointKind,
  options: McpModuleOptions,
  controller: Type,
): Provider[] {
  return [
    { provide: MCP_MODULE_OPTIONS, useValue: options },
    ...policyProviders(options),
    ...servingProviders(kind, options, controller),
  ];
}

/** The providers of an endpoint whose options are made at start-up. */
export function asyncOptionsProviders(
  kind: EndpointKind,
  options: McpModuleAsyncOptions,
  controller: Type,
): Provider[] {
  return [
    ...madeOptions(MCP_MODULE_OPTIONS, options, 'createMcpOptions', 'McpModule'),
    ...servingProviders(kind, options, controller),
  ];
}

/** Guards that the options name as classes become providers, so that they may be request-scoped and inject what they like. */
export function policyProviders({
  toolGuards = [],
  responseGuard,
  observer,
  recheck,
  guards = [],
}: McpModuleOptions): Provider[] {
  const asked = [...toolGuards, ...(recheck === true ? guards : []), responseGuard, observer];
  return [...new Set(asked.filter((guard) => typeof guard === 'function'))];
}

/** How options are made at start-up. */
export interface OptionsMaking<M extends string> {
  readonly useFactory?: (...args: never[]) => unknown;
  readonly inject?: readonly (InjectionToken | OptionalFactoryDependency)[];
  readonly useClass?: Type<Record<M, () => unknown>>;
  readonly useExisting?: InjectionToken<Record<M, () => unknown>>;
}

/**
 * The providers of options that are made at start-up.
 *
 * @param token of the options
 * @param method of the class that makes them, for `useClass` and `useExisting`
 * @param module names whose options they are in the error
 * @throws TypeError when nothing makes them
 */
export function madeOptions<M extends string>(
  token: string,
  { useFactory, inject = [], useClass, useExisting }: OptionsMaking<M>,
  method: M,
  module: string,
): Provider[] {
  if (useFactory !== undefined) {
    return [{ provide: token, useFactory, inject: [...inject] } as FactoryProvider];
  }
  const source = useExisting ?? useClass;
  if (source === undefined) {
    throw new TypeError(
      `${module}.forRootAsync() needs one of useFactory, useClass and useExisting.`,
    );
  }
  const made: FactoryProvider = {
    provide: token,
    useFactory: (factory: Record<M, () => unknown>) => factory[method](),
    inject: [source],
  };
  return useClass === undefined ? [made] : [made, { provide: useClass, useClass }];
}

function servingProviders(
  kind: EndpointKind,
  mount: McpMountOptions,
  controller: Type,
): Provider[] {
  return [
    McpToolCatalog,
    {
      provide: MCP_ENDPOINT,
      useFactory: (
        given: McpModuleOptions,
        catalog: McpToolCatalog,
        registry: EndpointRegistry,
        moduleRef: ModuleRef,
      ): McpEndpoint => {
        const late = given === mount ? [] : MOUNT_OPTIONS.filter((name) => name in given);
        const { options, problems } = resolveOptions({
          ...given,
          ...Object.fromEntries(late.map((name) => [name, undefined])),
          path: mount.path,
        });
        const endpoint = new McpEndpoint(options);
        registry.add({
          kind,
          endpoint,
          catalog,
          problems: [...late.map(tooLate), ...problems, ...policyProblems(options, mount.guards)],
          controller,
          guards: mount.guards,
          moduleRef,
          open: (tools, application) => {
            const parts = { endpoint, catalog, guards: mount.guards, moduleRef };
            return openEndpoint(tools, application, parts);
          },
        });
        return endpoint;
      },
      inject: [MCP_MODULE_OPTIONS, McpToolCatalog, EndpointRegistry, ModuleRef],
    },
  ];
}

/** Compiles the calls of an endpoint's tools, and begins to serve them. */
async function openEndpoint(
  tools: readonly Tool[],
  application: ServedApplication,
  parts: Pick<RegisteredEndpoint, 'catalog' | 'guards' | 'moduleRef'> & { endpoint: McpEndpoint },
): Promise<OpenEndpoint> {
  const { endpoint, catalog, guards, moduleRef } = parts;
  const { options } = endpoint;
  const { log, server, isClosing } = application;
  const served = compileRoutes(tools, options, application);
  const runtime = await createRuntime({
    options,
    instructions: instructionsOf(options),
    catalog,
    serve: (tool) => served.get(tool) as ServedTool,
    policy: await createPolicy(options, guards, moduleRef),
    watcher: await createWatcher(options, moduleRef, log),
    log,
  });
  endpoint.start({ ...runtime, server, isClosing });
  return {
    isReady: runtime.isReady,
    close: async () => {
      await drain(endpoint, runtime.handler, options.shutdownGraceMs);
      await runtime.close();
    },
  };
}

/** What a factory says of these comes too late, and leaving a guard out in silence would open the endpoint. */
export function tooLate(name: string): string {
  return `option ${name}: a factory makes it too late, since it shapes the module itself. Give it to forRootAsync() beside the factory.`;
}
