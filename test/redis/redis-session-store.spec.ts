import { jest } from '@jest/globals';
import { Redis } from 'ioredis';
import { Redis as Redis5 } from 'ioredis5';
import { McpRedisSessionStore, type McpRedisClient } from '../../src/redis/index.js';
import { MemorySessionStore } from '../../src/sessions/memory-session-store.js';
import { hasRedis, RedisServer } from '../support/redis-server.js';
import {
  BOUNDS,
  claimOf,
  describeSessionStore,
  newSession,
  type StoreUnderTest,
} from './session-store.contract.js';

describeSessionStore('memory', () => {
  jest.useFakeTimers({
    doNotFake: ['nextTick', 'setImmediate', 'clearImmediate', 'queueMicrotask'],
  });
  // The store takes the time 0 for none.
  jest.advanceTimersByTime(1);
  const store = new MemorySessionStore(BOUNDS.max, BOUNDS.idleTimeoutMs);
  return Promise.resolve({
    stores: [store],
    age: (ms: number) => void jest.advanceTimersByTime(ms),
    close: () => {
      store.close();
      jest.useRealTimers();
      return Promise.resolve();
    },
  });
});

const CLIENTS = [
  ['ioredis 6', (url: string, options: object) => new Redis(url, options)],
  ['ioredis 5', (url: string, options: object) => new Redis5(url, options)],
] as const;

(hasRedis() ? describe : describe.skip)('redis session store', () => {
  let server: RedisServer;
  beforeAll(async () => {
    server = await RedisServer.start();
  });
  afterAll(() => server.stop());

  describe.each(CLIENTS)('%s', (_, connect) => {
    const start = async (options: object = {}): Promise<StoreUnderTest & { admin: Redis }> => {
      const admin = new Redis(server.url);
      await admin.flushall();
      const clients = [connect(server.url, options), connect(server.url, options)];
      const stores = clients.map((one) => new McpRedisSessionStore(one, { sweepMs: 10 }));
      return {
        admin,
        stores: stores as unknown as StoreUnderTest['stores'],
        age: (ms) => age(admin, ms),
        close: async () => {
          for (const store of stores) store.close();
          await Promise.all([admin, ...clients].map((one) => one.quit()));
        },
      };
    };

    describeSessionStore('redis', () => start());
    describeSessionStore('redis with a key prefix', () => start({ keyPrefix: 'app:' }));

    it('asks once a message, and writes for none within the grain', async () => {
      const under = await start();
      const sent: string[] = [];
      const client = connect(server.url, {});
      const store = new McpRedisSessionStore(counting(client, sent), { sweepMs: 3_600_000 });
      const session = newSession();
      await store.open(session, BOUNDS);
      await store.touch(claimOf(session), BOUNDS, 'initialized');
      sent.length = 0;
      await under.admin.config('RESETSTAT');
      for (let i = 0; i < 100; i++) await store.touch(claimOf(session), BOUNDS);
      expect(sent).toEqual(Array(100).fill('evalsha'));
      const written = await writes(under.admin);
      expect(written).toEqual([]);
      await under.age(10_000);
      await store.touch(claimOf(session), BOUNDS);
      expect(await writes(under.admin)).toContain('pexpire');
      expect(sent).toHaveLength(101);
      store.close();
      await client.quit();
      await under.close();
    });

    it('goes on when Redis has forgotten the scripts', async () => {
      const under = await start();
      const [store] = under.stores;
      const session = newSession();
      await store.open(session, BOUNDS);
      await under.admin.script('FLUSH');
      expect(await store.touch(claimOf(session), BOUNDS)).toEqual(session);
      await under.close();
    });

    it('leaves nothing in Redis that does not expire', async () => {
      const under = await start();
      const [store] = under.stores;
      for (let i = 0; i < 5; i++) await store.open(newSession(), BOUNDS);
      const keys = await under.admin.keys('*');
      expect(keys).toHaveLength(1 + BOUNDS.max);
      for (const key of keys) {
        const ttl = await under.admin.pttl(key);
        expect(ttl).toBeGreaterThan(BOUNDS.idleTimeoutMs - 10_000);
        expect(ttl).toBeLessThanOrEqual(BOUNDS.idleTimeoutMs * 1.1);
      }
      await under.close();
    });
  });
});

/** Makes everything in a Redis older, without waiting. */
async function age(admin: Redis, ms: number): Promise<void> {
  for (const key of await admin.keys('*')) {
    if ((await admin.type(key)) === 'zset') {
      for (const id of await admin.zrange(key, '0', '-1'))
        await admin.zincrby(key, -ms, String(id));
    }
    const left = await admin.pttl(key);
    if (left >= 0) await admin.pexpire(key, String(left - ms));
  }
}

/** A client that writes down what is sent by it. */
function counting(client: McpRedisClient, sent: string[]): McpRedisClient {
  return new Proxy(client, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]) => {
        sent.push(String(name));
        return Reflect.apply(value, target, args) as unknown;
      };
    },
  });
}

/** The writing commands that Redis has run since its statistics were reset. */
async function writes(admin: Redis): Promise<string[]> {
  const stats = await admin.info('commandstats');
  const names = [...stats.matchAll(/^cmdstat_(\w+):/gm)].map(([, name]) => name as string);
  const reads = ['evalsha', 'hmget', 'pttl', 'time', 'info', 'config', 'zrangebyscore'];
  return names.filter((name) => !reads.includes(name));
}
