import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Controller, Get } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { Throttle, ThrottlerGuard, ThrottlerModule } from '@nestjs/throttler';
import { McpTool } from '../../src/index.js';
import { FixtureApp } from '../support/fixture-app.js';
import { PLATFORMS } from '../support/platforms.js';

@Controller('items')
class ItemsController {
  @McpTool('list_items') @Get() list(): object {
    return { items: [] };
  }
}

describe.each(PLATFORMS)('module on $name: @Throttle() among the option decorators', (platform) => {
  let app: FixtureApp;
  beforeAll(async () => {
    app = await FixtureApp.start({
      platform,
      imports: [ThrottlerModule.forRoot([{ ttl: 3_600_000, limit: 1000 }])],
      controllers: [ItemsController],
      providers: [{ provide: APP_GUARD, useClass: ThrottlerGuard }],
      mcp: { decorators: [Throttle({ default: { limit: 2, ttl: 3_600_000 } })] },
    });
  });
  afterAll(() => app.close());

  it('counts messages of the endpoint, and not the requests of its calls', async () => {
    expect((await app.call('list_items')).structuredContent).toEqual({ items: [] });
    expect((await app.call('list_items')).structuredContent).toEqual({ items: [] });
    const third = await app.request('tools/call', { name: 'list_items', arguments: {} });
    expect(third.status).toBe(429);
    expect(third.json()).toMatchObject({ statusCode: 429 });
    expect((await app.http('GET', '/items')).status).toBe(200);
  });
});
