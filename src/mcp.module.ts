import { Module, type DynamicModule, type Provider, type Type } from '@nestjs/common';
import { McpToolCatalog } from './catalog/mcp-tool-catalog.js';
import { createEndpointController } from './endpoint/endpoint.controller.js';
import { McpCoreModule } from './mcp-core.module.js';
import { isPlainPath } from './mcp.options.check.js';
import { DEFAULTS, type McpModuleOptions } from './mcp.options.js';
import {
  asyncOptionsProviders,
  endpointProviders,
  type McpModuleAsyncOptions,
} from './mcp.providers.js';

/**
 * Serves routes of the application as MCP tools.
 *
 * @example
 * @Module({ imports: [McpModule.forRoot({ name: 'shop', version: '1.0.0' })] })
 * export class AppModule {}
 */
@Module({})
export class McpModule {
  /**
   * The application's endpoint: its tools are the routes with `@McpTool()`, and those that `tags` and `include` choose.
   *
   * @throws McpSetupError at start-up, for all that is wrong with options and routes together
   */
  static forRoot(options: McpModuleOptions = {}): DynamicModule {
    return assemble(options, (controller) => endpointProviders('root', options, controller));
  }

  /** `forRoot` with options that a factory or a class makes. What mounts the endpoint is given beside them. */
  static forRootAsync(options: McpModuleAsyncOptions): DynamicModule {
    return assemble(options, (controller) => asyncOptionsProviders('root', options, controller));
  }

  /**
   * A further endpoint with its own choice of tools: what its `tags` and `include` choose, and nothing else. `@McpTool()` on
   * those routes still names and describes them.
   */
  static forFeature(options: McpModuleOptions & { readonly path: string }): DynamicModule {
    return assemble(options, (controller) => endpointProviders('feature', options, controller));
  }
}

function assemble(
  options: McpModuleOptions | McpModuleAsyncOptions,
  providersOf: (controller: Type) => Provider[],
): DynamicModule {
  // A path that is none must not reach the router, whose error would come before our own.
  const path = isPlainPath(options.path) ? options.path : DEFAULTS.path;
  const controller = createEndpointController(path, options);
  return {
    module: McpModule,
    global: options.isGlobal ?? false,
    imports: [McpCoreModule, ...(options.imports ?? [])],
    controllers: [controller],
    providers: providersOf(controller),
    // What they share is exported for McpHealthIndicator.
    exports: [McpToolCatalog, McpCoreModule],
  };
}
