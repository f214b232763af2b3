import {
  Controller,
  Get,
  Injectable,
  type CallHandler,
  type CanActivate,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { APP_INTERCEPTOR } from '@nestjs/core';
import { of, type Observable } from 'rxjs';
import { McpTool, type McpModuleOptions } from '../../src/index.js';
import { FixtureApp, textOf, type Fixture } from '../support/fixture-app.js';
import { PLATFORMS } from '../support/platforms.js';
import { bearer, METADATA, OrdersController, protectedBy } from './challenge.fixture.js';

const SESSIONLESS = { 'mcp-protocol-version': '2025-11-25' };

/** Refuses one tool, and allows the others. */
class RefusingGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    return context.getHandler().name !== 'write';
  }
}

/** Answers from a cache, as those of a user might. */
@Injectable()
class CachingInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    return context.getHandler().name === 'read'
      ? of({ cached: 'orders of another' })
      : next.handle();
  }
}

describe.each(PLATFORMS)('auth: the scopes of a tool on $name', (platform) => {
  let fixture: FixtureApp | undefined;
  const start = async (
    options: McpModuleOptions = {},
    given: Fixture = {},
  ): Promise<FixtureApp> => {
    OrdersController.ran = [];
    const mcp = protectedBy({ scopes: ['orders:use'] }, options);
    fixture = await FixtureApp.start({ controllers: [OrdersController], platform, mcp, ...given });
    return fixture;
  };
  const namesFor = async (app: FixtureApp, ...scopes: string[]): Promise<string[]> => {
    const answer = await app.request('tools/list', {}, bearer('ann', 'orders:use', ...scopes));
    const { result } = answer.json() as { result: { tools: { name: string }[] } };
    return result.tools.map(({ name }) => name);
  };
  const FEW = bearer('ann', 'orders:use', 'orders:read');
  afterEach(async () => {
    await fixture?.close();
    fixture = undefined;
  });

  it('decide what a list shows', async () => {
    const app = await start();
    expect(await namesFor(app)).toEqual(['open', 'unauthorized']);
    expect(await namesFor(app, 'orders:read')).toEqual(['open', 'read', 'unauthorized']);
    const all = ['never', 'open', 'read', 'unauthorized', 'write'];
    expect(await namesFor(app, 'orders:write', 'orders:read', 'orders:admin')).toEqual(all);
  });

  it('decide each page of a list', async () => {
    const app = await start({ pageSize: 1 });
    const headers = bearer('ann', 'orders:use', 'orders:read');
    const names: string[] = [];
    for (let cursor: string | undefined, more = true; more; more = cursor !== undefined) {
      const params = cursor === undefined ? {} : { cursor };
      const answer = await app.request('tools/list', params, headers);
      const { result } = answer.json() as {
        result: { tools: { name: string }[]; nextCursor?: string };
      };
      names.push(...result.tools.map(({ name }) => name));
      cursor = result.nextCursor;
    }
    expect(names).toEqual(['open', 'read', 'unauthorized']);
  });

  it('refuse a call with an error result that names what is missing, and run nothing', async () => {
    const app = await start();
    const result = await app.call('write', {}, FEW);
    expect(result.isError).toBe(true);
    expect(JSON.parse(textOf(result))).toEqual({
      statusCode: 403,
      error: 'Forbidden',
      message: 'This needs the scope orders:write',
    });
    expect(OrdersController.ran).toEqual([]);
    const allowed = await app.call(
      'write',
      {},
      bearer('ann', 'orders:use', 'orders:read', 'orders:write'),
    );
    expect(textOf(allowed)).toBe('{"written":true}');
  });

  it.each(['modern', '2025-11-25'])(
    'step up with a challenge that holds all the call needs (%s)',
    async (era) => {
      const app = await start({ stepUp: true });
      const params = { name: 'write', arguments: {} };
      const answer =
        era === 'modern'
          ? await app.request('tools/call', params, FEW)
          : await app.post(
              { jsonrpc: '2.0', id: 1, method: 'tools/call', params },
              { ...FEW, ...SESSIONLESS },
            );
      expect(answer.status).toBe(403);
      expect(answer.headers.get('www-authenticate')).toBe(
        `Bearer error="insufficient_scope", resource_metadata="${METADATA}", scope="orders:use orders:read orders:write"`,
      );
      expect(answer.json()).toEqual({
        jsonrpc: '2.0',
        id: 1,
        error: { code: -32600, message: 'This needs the scope orders:write' },
      });
      expect(OrdersController.ran).toEqual([]);
    },
  );

  it('step up even where the client takes only streams, or the call is slow to be refused', async () => {
    const app = await start({ stepUp: true, streamAfterMs: 0 });
    const headers = { ...FEW, accept: 'text/event-stream' };
    const answer = await app.request('tools/call', { name: 'write' }, headers);
    expect(answer.status).toBe(403);
    expect(answer.headers.get('www-authenticate')).toContain('insufficient_scope');
  });

  it('show a tool that a client can step up to', async () => {
    const app = await start({ stepUp: true });
    expect(await namesFor(app)).toContain('write');
  });

  it('tell nothing of what hides behind a guard of the route', async () => {
    const app = await start({ stepUp: true });
    const result = await app.call('never', {}, FEW);
    expect(JSON.parse(textOf(result))).toMatchObject({
      statusCode: 403,
      message: 'Forbidden resource',
    });
  });

  it('tell nothing of what hides behind a tool guard', async () => {
    const app = await start({ stepUp: true, toolGuards: [new RefusingGuard()] });
    for (const args of [{}, { path: { unwritable: '\ud800' } }]) {
      const result = await app.call('write', args, FEW);
      expect(result.isError).toBe(true);
      expect(textOf(result)).not.toContain('scope');
    }
  });

  it('are judged before the arguments are', async () => {
    @Controller('things')
    class ThingsController {
      @McpTool({
        name: 'one',
        scopes: ['things:read'],
        input: {
          type: 'object',
          properties: {
            path: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] },
          },
          required: ['path'],
        },
      })
      @Get(':id')
      one(): object {
        return {};
      }
    }
    const app = await start({}, { controllers: [ThingsController] });
    for (const args of [{ path: { id: 'a', more: 1 } }, { path: { id: '..' } }, {}]) {
      const text = textOf(await app.call('one', args, FEW));
      expect(text).toContain('This needs the scope things:read');
    }
  });

  it('hold against an interceptor that answers in place of the route', async () => {
    const caching = { provide: APP_INTERCEPTOR, useClass: CachingInterceptor };
    for (const stepUp of [false, true]) {
      const app = await start({ stepUp }, { providers: [caching] });
      const answer = await app.request('tools/call', { name: 'read' }, bearer('ann', 'orders:use'));
      expect(answer.status).toBe(stepUp ? 403 : 200);
      expect(answer.text).toContain('This needs the scope orders:read');
      expect(answer.text).not.toContain('cached');
      await app.close();
    }
  });

  it('say nothing over HTTP, where the route has its own rules', async () => {
    const app = await start();
    expect((await app.http('GET', '/orders')).status).toBe(200);
  });
});
