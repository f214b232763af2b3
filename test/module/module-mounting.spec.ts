import {
  Body,
  Controller,
  Get,
  Injectable,
  Module,
  Post,
  Req,
  SetMetadata,
  VersioningType,
  type CanActivate,
  type ExecutionContext,
  type INestApplication,
  type NestInterceptor,
  type RawBodyRequest,
} from '@nestjs/common';
import { APP_GUARD, APP_INTERCEPTOR, Reflector } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import type { IncomingMessage } from 'node:http';
import { map } from 'rxjs';
import { McpModule, McpTool } from '../../src/index.js';
import { FixtureApp, textOf } from '../support/fixture-app.js';
import { EXPRESS, FASTIFY, PLATFORMS, type Platform } from '../support/platforms.js';

const Public = (): MethodDecorator & ClassDecorator => SetMetadata('public', true);

@Injectable()
class Keys {
  isKey(header: string | undefined): boolean {
    return header === 'right';
  }
}
@Module({ providers: [Keys], exports: [Keys] })
class KeysModule {}

const headersOf = (context: ExecutionContext): Record<string, string | undefined> =>
  context.switchToHttp().getRequest<{ headers: Record<string, string | undefined> }>().headers;

@Injectable()
class KeyGuard implements CanActivate {
  constructor(private readonly keys: Keys) {}
  canActivate(context: ExecutionContext): boolean {
    return this.keys.isKey(headersOf(context)['x-key']);
  }
}

/** Refuses everything that is not marked as public. */
@Injectable()
class PublicGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}
  canActivate(context: ExecutionContext): boolean {
    const targets = [context.getHandler(), context.getClass()];
    return (
      this.reflector.getAllAndOverride<boolean>('public', targets) === true ||
      headersOf(context)['authorization'] !== undefined
    );
  }
}

@Injectable()
class WrapInterceptor implements NestInterceptor {
  intercept: NestInterceptor['intercept'] = (_context, next) =>
    next.handle().pipe(map((data: unknown) => ({ data })));
}

@Controller('items')
class ItemsController {
  @McpTool('list_items') @Get() list(): object {
    return { items: [] };
  }
  @McpTool('create_item') @Post() create(@Body() body: object): object {
    return { body };
  }
  @McpTool('raw_item') @Post('raw') raw(
    @Req() request: RawBodyRequest<IncomingMessage>,
    @Body() body: object,
  ): object {
    return { raw: request.rawBody?.toString() ?? null, body: body ?? null };
  }
}
const controllers = [ItemsController];
const PING = { jsonrpc: '2.0', id: 1, method: 'ping' };
const PONG = { jsonrpc: '2.0', id: 1, result: {} };

async function withApp(
  fixture: Parameters<typeof FixtureApp.start>[0],
  use: (app: FixtureApp) => Promise<void>,
): Promise<void> {
  const app = await FixtureApp.start(fixture);
  try {
    await use(app);
  } finally {
    await app.close();
  }
}

describe.each(PLATFORMS)('module on $name: what stands before the endpoint', (platform) => {
  it('guards of the option, with providers of the option imports', async () => {
    const mcp = { guards: [KeyGuard], imports: [KeysModule] };
    await withApp({ platform, controllers, mcp }, async (app) => {
      const refused = await app.post(PING);
      expect(refused).toMatchObject({ status: 403 });
      expect(refused.json()).toMatchObject({ statusCode: 403, message: 'Forbidden resource' });
      expect((await app.post(PING, { 'x-key': 'wrong' })).status).toBe(403);
      expect((await app.post(PING, { 'x-key': 'right' })).json()).toEqual(PONG);
    });
  });

  it('the same beside useFactory', async () => {
    const module = McpModule.forRootAsync({
      guards: [KeyGuard],
      imports: [KeysModule],
      useFactory: () => ({}),
    });
    await withApp({ platform, controllers, mcp: { module } }, async (app) => {
      expect((await app.post(PING)).status).toBe(403);
      expect((await app.post(PING, { 'x-key': 'right' })).json()).toEqual(PONG);
    });
  });

  it('a guard that is an instance', async () => {
    const mcp = { guards: [{ canActivate: () => false }] };
    await withApp({ platform, controllers, mcp }, async (app) => {
      expect((await app.post(PING)).status).toBe(403);
    });
  });

  it('the guards of one endpoint do not stand before the other, nor before the routes', async () => {
    const imports = [McpModule.forFeature({ path: 'open', include: () => true })];
    const mcp = { guards: [KeyGuard], imports: [KeysModule] };
    await withApp({ platform, controllers, imports, mcp }, async (app) => {
      expect((await app.post(PING, {}, '/open')).json()).toEqual(PONG);
      expect((await app.post(PING, {}, '/mcp')).status).toBe(403);
      expect((await app.http('GET', '/items')).status).toBe(200);
    });
  });

  it('global guards, which a decorator of the option can speak to', async () => {
    const providers = [{ provide: APP_GUARD, useClass: PublicGuard }];
    await withApp({ platform, controllers, providers }, async (app) => {
      expect((await app.post(PING)).status).toBe(403);
    });
    await withApp(
      { platform, controllers, providers, mcp: { decorators: [Public()] } },
      async (app) => {
        expect((await app.post(PING)).json()).toEqual(PONG);
        const refused = await app.call('list_items');
        expect(refused.isError).toBe(true);
        expect(JSON.parse(textOf(refused))).toMatchObject({ statusCode: 403 });
        const allowed = await app.call('list_items', {}, { authorization: 'Bearer x' });
        expect(allowed.structuredContent).toEqual({ items: [] });
      },
    );
  });

  it('a global interceptor does not wrap what the endpoint answers', async () => {
    const providers = [{ provide: APP_INTERCEPTOR, useClass: WrapInterceptor }];
    await withApp({ platform, controllers, providers }, async (app) => {
      expect((await app.post(PING)).json()).toEqual(PONG);
      expect((await app.call('list_items')).structuredContent).toEqual({ data: { items: [] } });
    });
  });
});

type Mount = readonly [title: string, configure: (app: INestApplication) => void, path: string];
const MOUNTS: readonly Mount[] = [
  ['a global prefix', (app) => void app.setGlobalPrefix('api'), '/api/mcp'],
  [
    'a global prefix that leaves it out',
    (app) => void app.setGlobalPrefix('api', { exclude: ['mcp'] }),
    '/mcp',
  ],
  [
    'URI versioning with a default version',
    (app) => void app.enableVersioning({ type: VersioningType.URI, defaultVersion: '1' }),
    '/mcp',
  ],
  [
    'prefix and header versioning',
    (app) => {
      app.setGlobalPrefix('api');
      app.enableVersioning({
        type: VersioningType.HEADER,
        header: 'x-version',
        defaultVersion: '1',
      });
    },
    '/api/mcp',
  ],
  [
    'media type versioning',
    (app) => void app.enableVersioning({ type: VersioningType.MEDIA_TYPE, key: 'v=' }),
    '/mcp',
  ],
];

describe.each(PLATFORMS)('module on $name: where the endpoint is', (platform) => {
  it.each(MOUNTS)('follows %s', async (_, configure, path) => {
    await withApp({ platform, controllers, configure }, async (app) => {
      expect(app.path).toBe(path);
      expect((await app.post(PING)).json()).toEqual(PONG);
      expect((await app.call('create_item', { body: { a: 1 } })).structuredContent).toEqual({
        body: { a: 1 },
      });
    });
  });

  it('a prefix that is set last, after everything else of main.ts', async () => {
    const configure = (app: INestApplication): void => {
      app.use((_request: unknown, _response: unknown, next: () => void) => next());
      app.enableCors();
      app.enableVersioning({ type: VersioningType.URI });
      app.setGlobalPrefix('late');
    };
    await withApp({ platform, controllers, configure }, async (app) => {
      expect(app.path).toBe('/late/mcp');
      expect((await app.post(PING)).json()).toEqual(PONG);
      expect((await app.post(PING, {}, '/mcp')).status).toBe(404);
    });
  });

  it('is not in the swagger document, while the routes are', async () => {
    const app = await FixtureApp.create({ platform, controllers });
    const document = SwaggerModule.createDocument(app, new DocumentBuilder().build());
    expect(Object.keys(document.paths).sort()).toEqual(['/items', '/items/raw']);
    await app.close();
  });

  it('answers HTTP methods other than POST with 405', async () => {
    await withApp({ platform, controllers }, async (app) => {
      for (const method of ['GET', 'DELETE', 'PUT', 'PATCH']) {
        const answer = await app.http(method, '/mcp');
        expect([method, answer.status, answer.headers.get('allow')]).toEqual([method, 405, 'POST']);
      }
    });
  });
});

const withOptions = (platform: Platform, options: Record<string, unknown>): Platform =>
  platform.name === 'express'
    ? {
        ...EXPRESS,
        create: (module) => module.createNestApplication({ logger: false, ...options }),
      }
    : {
        ...FASTIFY,
        create: (module) =>
          module.createNestApplication(new FastifyAdapter({ bodyLimit: 2048 }), {
            logger: false,
            ...options,
          }),
      };

describe.each(PLATFORMS)('module on $name: body parsers of the application', (platform) => {
  it('bodyParser: false leaves the endpoint as it is', async () => {
    await withApp(
      { platform: withOptions(platform, { bodyParser: false }), controllers },
      async (app) => {
        expect((await app.post(PING)).json()).toEqual(PONG);
        expect((await app.call('list_items')).structuredContent).toEqual({ items: [] });
        const malformed = await app.post('{"jsonrpc":');
        expect(malformed).toMatchObject({ status: 400 });
        expect(malformed.json()).toMatchObject({ error: { code: -32700 } });
      },
    );
  });

  it('rawBody: true gives a call the bytes that the call sent', async () => {
    await withApp({ platform, controllers, rawBody: true }, async (app) => {
      const result = await app.call('raw_item', { body: { b: 2, a: 'ä' } });
      expect(result.structuredContent).toEqual({
        raw: '{"b":2,"a":"ä"}',
        body: { b: 2, a: 'ä' },
      });
      expect((await app.post('{"jsonrpc":')).json()).toMatchObject({ error: { code: -32700 } });
    });
  });

  it('a limit of the parser holds for the inner request, and not for the message', async () => {
    const configure = (app: INestApplication): void => {
      (app as unknown as { useBodyParser(type: string, options: object): void }).useBodyParser(
        platform.name === 'express' ? 'json' : 'application/json',
        platform.name === 'express' ? { limit: 2048 } : { bodyLimit: 2048 },
      );
    };
    await withApp(
      {
        platform: withOptions(platform, platform.name === 'express' ? { bodyParser: false } : {}),
        controllers,
        configure,
      },
      async (app) => {
        const ping = { ...PING, params: { x: 'x'.repeat(4000) } };
        expect((await app.post(ping)).json()).toEqual(PONG);
        const large = { text: 'x'.repeat(4000) };
        const http = await app.http('POST', '/items', { body: large });
        const result = await app.call('create_item', { body: large });
        expect(http.status).toBe(413);
        expect(result.isError).toBe(true);
        expect(JSON.parse(textOf(result))).toMatchObject({ statusCode: 413 });
      },
    );
  });

  it('a parser that the application registers by hand does not take the message', async () => {
    const { json } = await import('express');
    const configure = (app: INestApplication): void => {
      if (platform.name === 'express') app.use(json({ limit: 100 }));
    };
    await withApp({ platform, controllers, configure }, async (app) => {
      const ping = { ...PING, params: { x: 'x'.repeat(4000) } };
      expect((await app.post(ping)).json()).toEqual(PONG);
      expect((await app.post('{"a":1,"a":2}')).json()).toMatchObject({ error: { code: -32600 } });
    });
  });
});
