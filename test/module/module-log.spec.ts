import {
  Controller,
  Get,
  Injectable,
  Module,
  Param,
  Post,
  Scope,
  VersioningType,
  type CanActivate,
} from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { McpModule, McpTool, McpToolCatalog } from '../../src/index.js';
import { FixtureApp, type Fixture } from '../support/fixture-app.js';
import { PLATFORMS } from '../support/platforms.js';
import { RecordingLogger } from './recording-logger.js';

@Controller({ path: 'orders', version: '1' })
class OrdersController {
  @McpTool('get_order') @Get(':id') get(@Param('id') id: string): object {
    return { id };
  }
  @McpTool('create_order') @Post() create(): object {
    return { created: true };
  }
  @Get() list(): object[] {
    return [];
  }
}
@Module({ controllers: [OrdersController] })
class OrdersModule {}
@Module({ imports: [OrdersModule], controllers: [OrdersController] })
class ShopModule {}

@Injectable()
class AnyGuard implements CanActivate {
  canActivate(): boolean {
    return true;
  }
}
@Injectable({ scope: Scope.REQUEST })
class ScopedGuard extends AnyGuard {}

async function logged(fixture: Fixture): Promise<{ logger: RecordingLogger; app: FixtureApp }> {
  const logger = new RecordingLogger();
  const app = await FixtureApp.start({ controllers: [OrdersController], ...fixture, logger });
  return { logger, app };
}

const unguarded = (path: string): string =>
  `The MCP endpoint "${path}" has no guard: whoever reaches it sees all its tools. Each call still meets the guards of its route. Give the option guards, or a global guard.`;

describe.each(PLATFORMS)('module on $name: what start-up logs', (platform) => {
  it('one line a tool, with its final path', async () => {
    const { logger, app } = await logged({
      platform,
      configure: (nest) => void nest.enableVersioning({ type: VersioningType.URI }),
    });
    await app.close();
    expect(logger.of('log', 'McpModule')).toEqual([
      'Mapped {create_order} tool → POST /v1/orders',
      'Mapped {get_order} tool → GET /v1/orders/:id',
    ]);
  });

  it('no line for a controller that a second module lists, and no second tool', async () => {
    const { logger, app } = await logged({
      platform: PLATFORMS[0] ?? platform,
      controllers: [],
      imports: [ShopModule],
    });
    const { tools } = app.app.get(McpToolCatalog, { strict: false });
    await app.close();
    expect(tools.map(({ name }) => name)).toEqual(['create_order', 'get_order']);
    expect(logger.of('log', 'McpModule')).toHaveLength(2);
  });

  it('a warning for an endpoint that nothing guards', async () => {
    const { logger, app } = await logged({ platform, mcp: { path: 'agents/mcp' } });
    await app.close();
    expect(logger.of('warn', 'McpModule')).toEqual([unguarded('agents/mcp')]);
  });

  it.each<[string, Fixture]>([
    ['the option guards', { mcp: { guards: [AnyGuard] } }],
    ['the option toolGuards', { mcp: { toolGuards: [AnyGuard] } }],
    ['a guard among the option decorators', { mcp: { decorators: [guardedBy(AnyGuard)] } }],
    ['a global guard', { configure: (nest) => void nest.useGlobalGuards(new AnyGuard()) }],
    ['APP_GUARD', { providers: [{ provide: APP_GUARD, useClass: AnyGuard }] }],
    ['a request-scoped APP_GUARD', { providers: [{ provide: APP_GUARD, useClass: ScopedGuard }] }],
  ])('and none with %s', async (_, fixture) => {
    const { logger, app } = await logged({ platform, ...fixture });
    await app.close();
    expect(logger.of('warn', 'McpModule')).toEqual([]);
  });

  it('a warning for the one of two endpoints that nothing guards', async () => {
    const { logger, app } = await logged({
      platform,
      imports: [McpModule.forFeature({ path: 'open', include: () => true })],
      mcp: { guards: [AnyGuard] },
    });
    await app.close();
    expect(logger.of('warn', 'McpModule')).toEqual([unguarded('open')]);
    expect(logger.of('log', 'McpModule')).toHaveLength(5);
  });

  it('nothing else at the level of warnings and errors', async () => {
    const { logger, app } = await logged({ platform, mcp: { guards: [AnyGuard] } });
    await app.close();
    expect(logger.all('warn')).toEqual([]);
    expect(logger.all('error')).toEqual([]);
  });
});

function guardedBy(guard: typeof AnyGuard): ClassDecorator {
  return (target) => Reflect.defineMetadata('__guards__', [guard], target);
}
