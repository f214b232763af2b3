import { Controller, Get, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { Test } from '@nestjs/testing';
import { config as rxjs } from 'rxjs';
import type { INestApplication } from '@nestjs/common';
import { McpModule, McpNotReadyError, McpTool, McpToolCatalog } from '../../src/index.js';
import { inProcessFetch } from '../../src/testing/in-process-fetch.js';
import { McpTestClient } from '../../src/testing/index.js';
import { FixtureApp } from '../support/fixture-app.js';
import { PLATFORMS, type Platform } from '../support/platforms.js';

let ran = 0;
beforeEach(() => {
  ran = 0;
});

@Controller('items')
class ItemsController {
  @McpTool('list_items') @Get() list(): object {
    ran += 1;
    return { items: [] };
  }
}
@Module({ controllers: [ItemsController] })
class ItemsModule {}
@Module({ imports: [ItemsModule, McpModule.forRoot()] })
class AppModule {}

const call = (id: number): RequestInit => ({
  method: 'POST',
  headers: {
    'content-type': 'application/json',
    accept: 'application/json',
    'mcp-protocol-version': '2025-11-25',
  },
  body: JSON.stringify({
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params: { name: 'list_items', arguments: {} },
  }),
});

/** Every application that a test made, so that a failing one leaves none listening. */
const open: INestApplication[] = [];
afterEach(() => Promise.all(open.splice(0).map((app) => app.close())));

function kept(app: INestApplication): INestApplication {
  open.push(app);
  return app;
}

async function start(platform: Platform, path = 'mcp'): Promise<FixtureApp> {
  const app = await FixtureApp.start({ platform, imports: [ItemsModule], mcp: { path } });
  kept(app.app);
  return app;
}

describe.each(PLATFORMS)('module on $name: the life of an application', (platform) => {
  it('an application without the module ignores @McpTool()', async () => {
    const module = await Test.createTestingModule({ imports: [ItemsModule] }).compile();
    const app = kept(platform.create(module));
    await app.listen(0, '127.0.0.1');
    const url = await app.getUrl();
    expect(await (await fetch(`${url}/items`)).json()).toEqual({ items: [] });
    expect((await fetch(`${url}/mcp`, call(1))).status).toBe(404);
  });

  it('starts under NestFactory, too', async () => {
    const options = { logger: false, abortOnError: false } as const;
    const app = kept(
      platform.name === 'express'
        ? await NestFactory.create(AppModule, options)
        : await NestFactory.create(AppModule, new FastifyAdapter(), options),
    );
    const client = await McpTestClient.connect(app);
    expect(await client.callTool('list_items')).toEqual({ items: [] });
    await client.close();
  });

  it('after app.close() nothing runs any more, not even from within', async () => {
    const app = await start(platform);
    const within = inProcessFetch(app.app);
    const before = await within('http://localhost/mcp', call(1));
    expect(await before.json()).toMatchObject({ result: { structuredContent: { items: [] } } });
    expect(ran).toBe(1);
    await app.close();
    const after = await within('http://localhost/mcp', call(2)).catch(() => undefined);
    if (after !== undefined) {
      expect(after.status).toBe(503);
      expect(await after.text()).not.toContain('"result"');
    }
    expect(ran).toBe(1);
  });

  it('and the answer says when to come back, as long as there is one', async () => {
    const app = await start(platform);
    const within = inProcessFetch(app.app);
    let during: Response | undefined;
    // Runs between the module's own hook and the closing of the server.
    const closings = beforeClosing(app.app, async () => {
      during = await within('http://localhost/mcp', call(3));
    });
    await app.close();
    expect(closings()).toBe(1);
    expect(during?.status).toBe(503);
    expect(during?.headers.get('retry-after')).toBe('1');
    expect(await during?.json()).toEqual({
      jsonrpc: '2.0',
      error: { code: -32600, message: 'The server is not ready.' },
    });
    expect(ran).toBe(0);
  });

  it('two applications in one process do not know of each other', async () => {
    const [one, two] = [await start(platform, 'one'), await start(platform, 'two')];
    expect([one.path, two.path]).toEqual(['/one', '/two']);
    await one.close();
    expect(await two.call('list_items')).toMatchObject({ structuredContent: { items: [] } });
  });
});

describe('module: an application context, without HTTP', () => {
  /** What rxjs would throw past everybody, which ends a process. */
  const unhandled: unknown[] = [];
  beforeAll(() => {
    rxjs.onUnhandledError = (error) => unhandled.push(error);
  });
  afterAll(() => {
    rxjs.onUnhandledError = null;
  });

  it('starts and ends, and knows no tools', async () => {
    const context = await NestFactory.createApplicationContext(AppModule, {
      logger: false,
      abortOnError: false,
    });
    const catalog = context.get(McpToolCatalog, { strict: false });
    expect(() => catalog.tools).toThrow(McpNotReadyError);
    expect(context.get(ItemsController, { strict: false }).list()).toEqual({ items: [] });
    await context.close();
  });

  it('leaves nothing behind that would end the process', async () => {
    await new Promise((resolve) => setTimeout(resolve));
    expect(unhandled).toEqual([]);
  });
});

/**
 * Replaces the adapter's `close()`, which Nest calls after `beforeApplicationShutdown()`.
 *
 * @returns how often it was called
 */
function beforeClosing(app: INestApplication, action: () => Promise<void>): () => number {
  const adapter = app.getHttpAdapter() as { close: () => Promise<unknown> };
  const close = adapter.close.bind(adapter);
  let count = 0;
  adapter.close = async () => {
    count += 1;
    adapter.close = close;
    await action();
    return close();
  };
  return () => count;
}
