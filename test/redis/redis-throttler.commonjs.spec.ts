import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ThrottlerStorageRedisService } from '@nest-lab/throttler-storage-redis';
import { Controller, Get } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { SkipThrottle, Throttle, ThrottlerGuard, ThrottlerModule } from '@nestjs/throttler';
import { Redis } from 'ioredis';
import { McpTool } from '../../src/index.js';
import { FixtureApp, textOf } from '../support/fixture-app.js';
import { PLATFORMS } from '../support/platforms.js';
import { hasRedis, RedisServer } from '../support/redis-server.js';

@Controller('items')
class ItemsController {
  @McpTool('list_items')
  @Throttle({ default: { limit: 3, ttl: 3_600_000 } })
  @Get()
  list(): object {
    return { items: [] };
  }
}

(hasRedis() ? describe : describe.skip).each(PLATFORMS)(
  'redis on $name: limits of @nestjs/throttler across instances',
  (platform) => {
    let server: RedisServer;
    const apps: FixtureApp[] = [];
    const clients: Redis[] = [];
    beforeAll(async () => {
      server = await RedisServer.start();
      for (let i = 0; i < 2; i++) {
        const redis = new Redis(server.url);
        clients.push(redis);
        apps.push(
          await FixtureApp.start({
            platform,
            imports: [
              ThrottlerModule.forRoot({
                throttlers: [{ ttl: 3_600_000, limit: 1000 }],
                storage: new ThrottlerStorageRedisService(redis),
              }),
            ],
            controllers: [ItemsController],
            providers: [{ provide: APP_GUARD, useClass: ThrottlerGuard }],
            mcp: { decorators: [SkipThrottle()] },
          }),
        );
      }
    });
    afterAll(async () => {
      await Promise.all(apps.map((app) => app.close()));
      for (const client of clients) client.disconnect();
      await server.stop();
    });

    it('a call counts on every instance, like a request over HTTP', async () => {
      const [a, b] = apps as [FixtureApp, FixtureApp];
      expect((await a.call('list_items')).structuredContent).toEqual({ items: [] });
      expect((await b.call('list_items')).structuredContent).toEqual({ items: [] });
      expect((await a.http('GET', '/items')).status).toBe(200);
      for (const app of [a, b]) {
        const refused = await app.call('list_items');
        expect(refused.isError).toBe(true);
        expect(textOf(refused)).toContain('429');
        expect((await app.http('GET', '/items')).status).toBe(429);
      }
    });
  },
);
