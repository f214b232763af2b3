import { Controller, Get, Inject, Injectable, Module, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import {
  McpHidden,
  McpModule,
  McpNotReadyError,
  McpTool,
  McpToolCatalog,
  McpUnknownToolError,
  type McpModuleOptions,
  type McpOptionsFactory,
} from '../../src/index.js';
import { FixtureApp } from '../support/fixture-app.js';
import { EXPRESS, PLATFORMS } from '../support/platforms.js';

@Controller('orders')
@ApiTags('orders')
class OrdersController {
  @McpTool('get_order') @Get() get(): object {
    return { order: 1 };
  }
  @Post() create(): object {
    return { created: true };
  }
  @McpHidden() @ApiTags('reports') @Get('secret') secret(): object {
    return {};
  }
}

@Controller('reports')
class ReportsController {
  @McpTool('marked_report') @Get('marked') marked(): object {
    return { report: 'marked' };
  }
  @ApiTags('reports')
  @ApiOperation({ operationId: 'tagged.report' })
  @Get('tagged')
  tagged(): object {
    return { report: 'tagged' };
  }
  @Get('plain') plain(): object {
    return { report: 'plain' };
  }
}
const controllers = [OrdersController, ReportsController];

interface ServerInfo {
  readonly name: string;
  readonly version: string;
}

async function serverInfo(app: FixtureApp, path = app.path): Promise<ServerInfo> {
  const params = {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'a', version: '1' },
  };
  const answer = await app.post({ jsonrpc: '2.0', id: 1, method: 'initialize', params }, {}, path);
  return (answer.json() as { result: { serverInfo: ServerInfo } }).result.serverInfo;
}

async function toolsAt(app: FixtureApp, path: string): Promise<string[]> {
  const answer = await app.post({ jsonrpc: '2.0', id: 1, method: 'tools/list' }, {}, path);
  const { result } = answer.json() as { result: { tools: { name: string }[] } };
  return result.tools.map(({ name }) => name);
}

async function withApp<T>(
  fixture: Parameters<typeof FixtureApp.start>[0],
  use: (app: FixtureApp) => Promise<T>,
): Promise<T> {
  const app = await FixtureApp.start(fixture);
  try {
    return await use(app);
  } finally {
    await app.close();
  }
}

const SETTINGS = 'settings';
@Module({
  providers: [{ provide: SETTINGS, useValue: { name: 'injected', version: '9.9.9' } }],
  exports: [SETTINGS],
})
class SettingsModule {}

@Injectable()
class OptionsService implements McpOptionsFactory {
  static made = 0;
  constructor(@Inject(SETTINGS) private readonly settings: ServerInfo) {
    OptionsService.made += 1;
  }
  createMcpOptions(): Promise<McpModuleOptions> {
    return Promise.resolve({ ...this.settings, name: 'from-class' });
  }
}
@Module({ imports: [SettingsModule], providers: [OptionsService], exports: [OptionsService] })
class OptionsModule {}

describe.each(PLATFORMS)('module on $name: forRoot and forRootAsync', (platform) => {
  const start = (mcp: Parameters<typeof FixtureApp.start>[0]['mcp']) => ({
    platform,
    controllers,
    ...(mcp === undefined ? {} : { mcp }),
  });

  it('serves the marked routes at /mcp, with defaults for everything', async () => {
    await withApp(start(undefined), async (app) => {
      expect(app.path).toBe('/mcp');
      expect(await toolsAt(app, '/mcp')).toEqual(['get_order', 'marked_report']);
      expect(await serverInfo(app)).toEqual({ name: 'nestjs-mcp-routes', version: '0.0.0' });
    });
  });

  it('forRoot: options', async () => {
    await withApp(start({ name: 'shop', version: '1.2.3', path: '/agents/mcp' }), async (app) => {
      expect(app.path).toBe('/agents/mcp');
      expect(await serverInfo(app)).toEqual({ name: 'shop', version: '1.2.3' });
    });
  });

  it('forRootAsync: useFactory with inject', async () => {
    const module = McpModule.forRootAsync({
      imports: [SettingsModule],
      inject: [SETTINGS],
      useFactory: (settings: ServerInfo) => Promise.resolve({ ...settings, tags: ['reports'] }),
    });
    await withApp(start({ module }), async (app) => {
      expect(await serverInfo(app)).toEqual({ name: 'injected', version: '9.9.9' });
      expect(await toolsAt(app, '/mcp')).toEqual(['get_order', 'marked_report', 'tagged_report']);
    });
  });

  it('forRootAsync: an optional dependency of the factory', async () => {
    const module = McpModule.forRootAsync({
      inject: [{ token: 'absent', optional: true }],
      useFactory: (absent?: string) => ({ name: absent ?? 'without' }),
    });
    await withApp(start({ module }), async (app) => {
      expect((await serverInfo(app)).name).toBe('without');
    });
  });

  it('forRootAsync: useClass', async () => {
    OptionsService.made = 0;
    const module = McpModule.forRootAsync({ imports: [SettingsModule], useClass: OptionsService });
    await withApp(start({ module }), async (app) => {
      expect(await serverInfo(app)).toEqual({ name: 'from-class', version: '9.9.9' });
      expect(OptionsService.made).toBe(1);
    });
  });

  it('forRootAsync: useExisting takes the instance that is there', async () => {
    OptionsService.made = 0;
    const module = McpModule.forRootAsync({
      imports: [OptionsModule],
      useExisting: OptionsService,
    });
    await withApp(start({ module }), async (app) => {
      expect(await serverInfo(app)).toEqual({ name: 'from-class', version: '9.9.9' });
      expect(OptionsService.made).toBe(1);
    });
  });

  it('forRootAsync: the path stands beside the factory', async () => {
    const module = McpModule.forRootAsync({
      path: 'static',
      useFactory: () => ({ name: 'made' }),
    });
    await withApp(start({ module }), async (app) => {
      expect(app.path).toBe('/static');
      expect((await serverInfo(app)).name).toBe('made');
      expect((await app.post({}, {}, '/mcp')).status).toBe(404);
    });
  });
});

describe('module: forRootAsync without a source of options', () => {
  it('is an error that names the three', () => {
    expect(() => McpModule.forRootAsync({})).toThrow(
      'McpModule.forRootAsync() needs one of useFactory, useClass and useExisting.',
    );
  });
});

describe.each(PLATFORMS)('module on $name: forFeature and a second endpoint', (platform) => {
  const feature = (options: Omit<McpModuleOptions, 'path'>) => [
    McpModule.forFeature({ path: 'mcp/reports', ...options }),
  ];

  it('has the tools that its tags choose and no others; forRoot keeps its own', async () => {
    await withApp(
      { platform, controllers, imports: feature({ tags: ['reports'] }) },
      async (app) => {
        expect(await toolsAt(app, '/mcp')).toEqual(['get_order', 'marked_report']);
        expect(await toolsAt(app, '/mcp/reports')).toEqual(['tagged_report']);
      },
    );
  });

  it('has the tools that include chooses, named by @McpTool() where it stands', async () => {
    const include: McpModuleOptions['include'] = ({ path }) => path.startsWith('/reports');
    await withApp({ platform, controllers, imports: feature({ include }) }, async (app) => {
      expect(await toolsAt(app, '/mcp/reports')).toEqual([
        'marked_report',
        'reports_plain',
        'tagged_report',
      ]);
    });
  });

  it("takes a controller's tag for all its routes, and hides what is hidden", async () => {
    await withApp(
      { platform, controllers, imports: feature({ tags: ['orders', 'reports'] }) },
      async (app) => {
        expect(await toolsAt(app, '/mcp/reports')).toEqual([
          'get_order',
          'orders_create',
          'tagged_report',
        ]);
      },
    );
  });

  it('chooses nothing without tags and include', async () => {
    await withApp({ platform, controllers, imports: feature({}) }, async (app) => {
      expect(await toolsAt(app, '/mcp/reports')).toEqual([]);
    });
  });

  it('calls a tool at either, and at neither one that only the other has', async () => {
    await withApp(
      { platform, controllers, imports: feature({ tags: ['reports'] }) },
      async (app) => {
        const call = (name: string, path: string) =>
          app.post(
            { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: {} } },
            { 'mcp-protocol-version': '2025-11-25' },
            path,
          );
        expect((await call('get_order', '/mcp')).json()).toMatchObject({
          result: { structuredContent: { order: 1 } },
        });
        expect((await call('tagged_report', '/mcp/reports')).json()).toMatchObject({
          result: { structuredContent: { report: 'tagged' } },
        });
        expect((await call('tagged_report', '/mcp')).json()).toMatchObject({
          error: { code: -32602, message: 'Unknown tool: tagged_report' },
        });
        expect((await call('get_order', '/mcp/reports')).json()).toMatchObject({
          error: { code: -32602, message: 'Unknown tool: get_order' },
        });
      },
    );
  });

  it('keeps names, limits and layouts apart', async () => {
    const imports = feature({ tags: ['reports'], name: 'second', maxRequestBytes: 1024 });
    await withApp({ platform, controllers, imports, mcp: { name: 'first' } }, async (app) => {
      const large = { jsonrpc: '2.0', id: 1, method: 'ping', params: { x: 'x'.repeat(2000) } };
      expect((await serverInfo(app, '/mcp')).name).toBe('first');
      expect((await serverInfo(app, '/mcp/reports')).name).toBe('second');
      expect((await app.post(large, {}, '/mcp')).status).toBe(200);
      expect((await app.post(large, {}, '/mcp/reports')).status).toBe(413);
    });
  });

  it('serves forFeature alone', async () => {
    const module = McpModule.forFeature({ path: 'only', tags: ['reports'] });
    await withApp({ platform, controllers, mcp: { module } }, async (app) => {
      expect(app.path).toBe('/only');
      expect(await toolsAt(app, '/only')).toEqual(['tagged_report']);
      expect((await app.post({}, {}, '/mcp')).status).toBe(404);
    });
  });
});

describe.each(PLATFORMS)('module on $name: two endpoints at one path', (platform) => {
  it.each(['mcp', '/mcp'])('are a set-up error that names the option (%s)', async (path) => {
    const app = await FixtureApp.create({
      platform,
      controllers,
      imports: [McpModule.forFeature({ path, tags: ['reports'] })],
    });
    await expect(app.init().then(() => 'started')).rejects.toThrow(/option path: "mcp"/);
  });
});

@Injectable()
class ToolNames {
  constructor(readonly catalog: McpToolCatalog) {}
  early: unknown;
  onModuleInit(): void {
    try {
      this.early = this.catalog.tools;
    } catch (error) {
      this.early = error;
    }
  }
}

describe('module: McpToolCatalog', () => {
  @Module({ providers: [ToolNames] })
  class FarModule {}
  @Module({ imports: [McpModule], providers: [ToolNames] })
  class EmptyModule {}

  it('is injectable everywhere with isGlobal', async () => {
    await withApp(
      { controllers, imports: [FarModule], mcp: { isGlobal: true } },
      async ({ app }) => {
        const { catalog } = app.get(ToolNames, { strict: false });
        expect(catalog.tools.map(({ name }) => name)).toEqual(['get_order', 'marked_report']);
        expect(catalog.get('get_order').route.path).toBe('/orders');
      },
    );
  });

  it('is injectable where the module is imported', async () => {
    await withApp({ controllers, providers: [ToolNames] }, async ({ app }) => {
      const { catalog } = app.get(ToolNames, { strict: false });
      expect(catalog.find('get_order')?.route.handler).toBe(OrdersController.prototype.get);
      expect(catalog.find('absent')).toBeUndefined();
    });
  });

  it('is not injectable elsewhere without isGlobal', async () => {
    await expect(FixtureApp.create({ controllers, imports: [FarModule] })).rejects.toThrow(
      /ToolNames.*McpToolCatalog|McpToolCatalog/,
    );
    await expect(FixtureApp.create({ controllers, imports: [EmptyModule] })).rejects.toThrow(
      /McpToolCatalog/,
    );
  });

  it('says what it has to whoever asks for another', async () => {
    await withApp({ controllers }, async ({ app }) => {
      const catalog = app.get(McpToolCatalog, { strict: false });
      expect(() => catalog.get('absent')).toThrow(McpUnknownToolError);
      expect(() => catalog.get('absent')).toThrow(
        'There is no tool named "absent". The tools of this endpoint are: get_order, marked_report.',
      );
    });
  });

  it('is not known before the application is initialized', async () => {
    const app = await FixtureApp.create({ controllers, platform: EXPRESS });
    const catalog = app.get(McpToolCatalog, { strict: false });
    expect(() => catalog.tools).toThrow(McpNotReadyError);
    expect(() => catalog.find('get_order')).toThrow(
      'The list of tools is known once the application is initialized. Use it in or after onApplicationBootstrap(), or after app.init().',
    );
    await app.init();
    expect(catalog.tools).toHaveLength(2);
    await app.close();
  });
});
