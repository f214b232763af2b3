import {
  Module,
  type DynamicModule,
  type FactoryProvider,
  type InjectionToken,
  type ModuleMetadata,
  type OptionalFactoryDependency,
} from '@nestjs/common';
import { MCP_CLIENT_OPTIONS } from '../mcp.constants.js';
import { McpSetupError } from '../mcp.errors.js';
import { resolveClientOptions } from './check-client-options.js';
import type { McpClientModuleOptions, ResolvedClientOptions } from './client-options.js';
import { McpToolClient } from './mcp-tool-client.js';

/** How the module itself is mounted, which is fixed before a factory runs. */
export interface McpClientMountOptions {
  /** Makes `McpToolClient` injectable everywhere. Default `false`. */
  readonly isGlobal?: boolean;
}

export interface McpClientModuleAsyncOptions extends McpClientMountOptions {
  readonly useFactory: (
    ...args: never[]
  ) => McpClientModuleOptions | Promise<McpClientModuleOptions>;
  /** What `useFactory` is called with. */
  readonly inject?: readonly (InjectionToken | OptionalFactoryDependency)[];
  /** Modules that export what is injected. */
  readonly imports?: NonNullable<ModuleMetadata['imports']>;
}

/**
 * Lets the application call tools of other MCP servers: those that the options pin, and no others.
 *
 * @example
 * McpClientModule.forRootAsync({
 *   inject: [ShopCredentials],
 *   useFactory: (credentials: ShopCredentials) => ({ servers: [{ id: 'shop', credentials, … }] }),
 * })
 */
@Module({})
export class McpClientModule {
  /** @throws McpSetupError for all that is wrong with the options together */
  static forRoot({
    isGlobal = false,
    ...options
  }: McpClientModuleOptions & McpClientMountOptions): DynamicModule {
    return assemble(isGlobal, { useFactory: () => resolved(options) });
  }

  /** `forRoot` with options that a factory makes at start-up, which fails for all that is wrong with them together. */
  static forRootAsync(options: McpClientModuleAsyncOptions): DynamicModule {
    const { useFactory, inject = [], imports = [], isGlobal = false } = options;
    const make = useFactory as (...args: unknown[]) => unknown;
    return {
      ...assemble(isGlobal, {
        useFactory: async (...args: unknown[]) => resolved(await make(...args)),
        inject: [...inject],
      }),
      imports,
    };
  }
}

function assemble(
  isGlobal: boolean,
  options: Pick<FactoryProvider<ResolvedClientOptions>, 'useFactory' | 'inject'>,
): DynamicModule {
  return {
    module: McpClientModule,
    global: isGlobal,
    providers: [{ provide: MCP_CLIENT_OPTIONS, ...options }, McpToolClient],
    exports: [McpToolClient],
  };
}

function resolved(given: unknown): ResolvedClientOptions {
  const { options, problems } = resolveClientOptions(given);
  if (problems.length > 0) throw McpSetupError.create(problems, 'McpClientModule');
  return options;
}
