import { Redis } from 'ioredis';
import { Redis as Redis5 } from 'ioredis5';
import type { McpEvent, McpEventBus } from '../../src/index.js';
import { McpRedisEventBus } from '../../src/redis/index.js';
import { MemoryEventBus } from '../../src/sessions/event-bus.js';
import { hasRedis, RedisServer } from '../support/redis-server.js';
import { until } from './session-store.contract.js';

const switched = (tool: string, enabled: boolean, endpoint = 'mcp'): McpEvent => ({
  type: 'tool-switched',
  endpoint,
  tool,
  enabled,
});
const ended = (session: string): McpEvent => ({ type: 'session-ended', session });

/** A bus as several instances hold it. */
interface BusUnderTest {
  readonly buses: readonly McpEventBus[];
  close(): Promise<void>;
}

async function listen(bus: McpEventBus): Promise<{ heard: McpEvent[]; leave: () => void }> {
  const heard: McpEvent[] = [];
  const leave = await bus.subscribe((event) => heard.push(event));
  return { heard, leave };
}

function describeEventBus(name: string, begin: () => Promise<BusUnderTest>): void {
  describe(`${name}: what every event bus does`, () => {
    let under: BusUnderTest;
    beforeEach(async () => {
      under = await begin();
    });
    afterEach(() => under.close());
    const first = (): McpEventBus => under.buses[0] as McpEventBus;
    const last = (): McpEventBus => under.buses.at(-1) as McpEventBus;

    it('brings every event to everybody, in order, the publisher included', async () => {
      const listeners = await Promise.all([first(), first(), last()].map(listen));
      const events: McpEvent[] = [
        { type: 'list-changed', endpoint: 'mcp' },
        { type: 'cancelled', session: 's', requestId: 'ä\n"' },
        { type: 'cancelled', session: 's', requestId: 7 },
        { type: 'answered', session: 's', requestId: 1, result: { a: [null, { b: '\u2028' }] } },
        switched('x', false),
        ended('s'),
      ];
      for (const event of events) await first().publish(event);
      for (const { heard } of listeners) {
        await until(() => heard.length === events.length);
        expect(heard).toEqual(events);
      }
    });

    it('brings the last switch of each tool to whoever comes later, and nothing else', async () => {
      await first().publish(switched('x', false));
      await first().publish(switched('y', false));
      await first().publish(switched('x', false, 'other'));
      await first().publish(ended('s'));
      await first().publish(switched('y', true));
      const { heard } = await listen(last());
      const expected = [switched('x', false), switched('y', true), switched('x', false, 'other')];
      expect(heard).toHaveLength(3);
      expect(heard).toEqual(expect.arrayContaining(expected));
    });

    it('brings nothing to who has left', async () => {
      const gone = await listen(last());
      const stays = await listen(last());
      gone.leave();
      await first().publish(ended('s'));
      await until(() => stays.heard.length === 1);
      expect(gone.heard).toEqual([]);
    });
  });
}

describeEventBus('memory', () => {
  const bus = new MemoryEventBus();
  return Promise.resolve({
    buses: [bus],
    close: () => {
      bus.close();
      return Promise.resolve();
    },
  });
});

const CLIENTS = [
  ['ioredis 6', (url: string, options: object = {}) => new Redis(url, options)],
  ['ioredis 5', (url: string, options: object = {}) => new Redis5(url, options)],
] as const;

(hasRedis() ? describe : describe.skip)('redis event bus', () => {
  let server: RedisServer;
  beforeAll(async () => {
    server = await RedisServer.start();
  });
  afterAll(() => server.stop());

  describe.each(CLIENTS)('%s', (_, connect) => {
    const open: { close(): unknown }[] = [];
    const made = (options: object = {}): McpRedisEventBus => {
      const client = connect(server.url, options);
      client.on('error', () => undefined);
      const bus = new McpRedisEventBus(client);
      open.push(bus, { close: () => client.disconnect() });
      return bus;
    };
    const closeAll = async (): Promise<void> => {
      for (const one of open.splice(0)) await one.close();
    };
    let admin: Redis;
    beforeEach(async () => {
      admin = new Redis(server.url);
      admin.on('error', () => undefined);
      await admin.flushall();
    });
    afterEach(async () => {
      await closeAll();
      admin.disconnect();
    });

    describeEventBus('redis', async () => {
      await admin.flushall();
      return { buses: [made(), made({ keyPrefix: '' })], close: closeAll };
    });

    it('keeps databases and key prefixes apart, which channels do not', async () => {
      const buses = [made(), made({ db: 1 }), made({ keyPrefix: 'a:' })];
      const listeners = await Promise.all(buses.map(listen));
      for (const [i, bus] of buses.entries()) await bus.publish(switched(`tool-${i}`, false));
      for (const [i, { heard }] of listeners.entries()) {
        await until(() => heard.length > 0);
        expect(heard).toEqual([switched(`tool-${i}`, false)]);
      }
      // Nothing comes late, either.
      for (const [i, bus] of buses.entries()) await bus.publish(ended(`s-${i}`));
      for (const [i, { heard }] of listeners.entries()) {
        await until(() => heard.length > 1);
        expect(heard.slice(1)).toEqual([ended(`s-${i}`)]);
      }
    });

    it('passes over what no instance has written', async () => {
      const bus = made();
      const { heard } = await listen(bus);
      for (const text of ['', '{', 'null', '7', '{"type":"resumed"}', '{"type":"x"}', '[]'])
        await admin.publish('mcp:events:0', text);
      await bus.publish(ended('s'));
      await until(() => heard.length > 0);
      expect(heard).toEqual([ended('s')]);
    });

    it('says that it resumed once its connection was lost, after what was switched meanwhile', async () => {
      const { heard } = await listen(made());
      await admin.call('CLIENT', 'KILL', 'TYPE', 'pubsub');
      await made().publish(switched('x', false));
      await until(() => heard.some(({ type }) => type === 'resumed'));
      expect(heard).toContainEqual(switched('x', false));
      expect(heard.at(-1)).toEqual({ type: 'resumed' });
      await made().publish(ended('s'));
      await until(() => heard.some(({ type }) => type === 'session-ended'));
    });

    it('notices that Redis restarted, and goes on', async () => {
      const bus = made();
      const { heard } = await listen(bus);
      await server.kill();
      await server.start();
      await until(() => heard.some(({ type }) => type === 'resumed'));
      await bus.publish(ended('s'));
      await until(() => heard.some(({ type }) => type === 'session-ended'));
    });

    it('waits for a Redis that is not there yet', async () => {
      await server.kill();
      const bus = made();
      const listening = listen(bus);
      await server.start();
      const { heard } = await listening;
      await bus.publish(ended('s'));
      await until(() => heard.some(({ type }) => type === 'session-ended'));
    });
  });
});
