import { jest } from '@jest/globals';
import { McpEventBus, McpSessionStore } from '../../src/index.js';
import { MemoryEventBus, type McpEvent } from '../../src/sessions/event-bus.js';
import { MemorySessionStore } from '../../src/sessions/memory-session-store.js';
import type { McpSession } from '../../src/sessions/session-store.js';
import { RecordingLogger } from '../module/recording-logger.js';
import { FixtureApp } from '../support/fixture-app.js';
import { PLATFORMS } from '../support/platforms.js';
import { Gate, TOOLS } from './tools.fixture.js';
import { eventually, message, Session, verdict } from './wire.js';

/** What sockets and promises run on. */
const REAL = ['nextTick', 'setImmediate', 'clearImmediate', 'queueMicrotask'] as const;
const initialize = message('initialize', { protocolVersion: '2025-11-25', capabilities: {} });

/** A store whose behaviour a test decides. */
class MoodyStore extends McpSessionStore {
  mood: 'well' | 'rejects' | 'throws' | 'hangs' = 'well';
  asked = 0;
  private readonly kept = new MemorySessionStore(100, 60_000);

  open(session: McpSession): Promise<void> {
    return this.answer(() => this.kept.open(session));
  }
  touch(...asked: Parameters<McpSessionStore['touch']>): Promise<McpSession | undefined> {
    return this.answer(() => this.kept.touch(...asked));
  }
  onForgotten(): void {}
  close(): void {
    this.kept.close();
  }
  private answer<T>(work: () => T): Promise<T> {
    this.asked += 1;
    if (this.mood === 'throws') throw new Error('secret: redis://10.0.0.1');
    if (this.mood === 'rejects') return Promise.reject(new Error('secret: redis://10.0.0.1'));
    return this.mood === 'hangs' ? new Promise(() => undefined) : Promise.resolve(work());
  }
}

/** A bus that loses everything. */
class BrokenBus extends McpEventBus {
  constructor(private readonly way: 'throws' | 'rejects') {
    super();
  }
  publish(): Promise<void> {
    if (this.way === 'throws') throw new Error('secret bus');
    return Promise.reject(new Error('secret bus'));
  }
  subscribe(): () => void {
    return () => undefined;
  }
  close(): void {}
}

describe.each(PLATFORMS)('protocol on $name: what bounds sessions', (platform) => {
  let app: FixtureApp | undefined;
  const start = async (sessions: object): Promise<FixtureApp> => {
    const logger = new RecordingLogger();
    app = await FixtureApp.start({ ...TOOLS, platform, logger, mcp: { sessions } });
    return app;
  };
  afterEach(async () => {
    jest.useRealTimers();
    app?.app.get(Gate).releaseAll();
    await app?.close();
    app = undefined;
  });

  it('a session that is idle longer than idleTimeoutMs is unknown, and its streams are closed', async () => {
    jest.useFakeTimers({ doNotFake: [...REAL] });
    // The store takes the time 0 for none.
    jest.advanceTimersByTime(1);
    const on = await start({ idleTimeoutMs: 60_000 });
    const [used, idle] = [await Session.open(on), await Session.open(on)];
    const stream = await idle.stream();
    for (let i = 0; i < 3; i++) {
      jest.advanceTimersByTime(40_000);
      expect((await used.request('ping')).status).toBe(200);
    }
    await stream.ended();
    expect((await idle.request('ping')).status).toBe(404);
    expect((await used.request('ping')).status).toBe(200);
  });

  it('at max the session that was idle longest goes, with what it runs', async () => {
    const on = await start({ max: 3 });
    const [first, second, third] = [
      await Session.open(on),
      await Session.open(on),
      await Session.open(on),
    ];
    const stream = await second.stream();
    const call = second.call('slow');
    await eventually(() => on.app.get(Gate).started === 1);
    for (const session of [first, third]) await session.request('ping');
    const fourth = await Session.open(on);
    await stream.ended();
    expect((await call).text).toContain('"isError":true');
    expect((await second.request('ping')).status).toBe(404);
    for (const session of [first, third, fourth])
      expect((await session.request('ping')).status).toBe(200);
  });

  it('what a client says of itself is bounded', async () => {
    const on = await start({});
    const open = (length: number): ReturnType<FixtureApp['post']> => {
      const capabilities = { experimental: { x: { text: 'x'.repeat(length) } } };
      return on.post(message('initialize', { protocolVersion: '2025-11-25', capabilities }));
    };
    expect(verdict(await open(16_000))).toEqual([200, undefined]);
    const refused = await open(16_384);
    expect(verdict(refused)).toEqual([200, -32602]);
    expect(refused.headers.has('mcp-session-id')).toBe(false);
  });

  it('streams of a session are bounded', async () => {
    const on = await start({});
    const session = await Session.open(on);
    const streams = [];
    for (let i = 0; i < 17; i++) streams.push(await session.stream());
    expect(streams.map(({ status }) => status)).toEqual([...Array<number>(16).fill(200), 429]);
    streams.pop();
    streams.pop()?.close();
    let again = await session.stream();
    // The server learns of the closed connection a moment later.
    for (let i = 0; i < 1000 && again.status === 429; i++) again = await session.stream();
    expect(again.status).toBe(200);
    for (const stream of [...streams, again]) stream.close();
  });

  it.each(['rejects', 'throws', 'hangs'] as const)(
    'a store that %s: 503 with Retry-After, nothing told, and well again later',
    async (mood) => {
      const store = new MoodyStore();
      const on = await start({ store });
      const session = await Session.open(on);
      store.mood = mood;
      jest.useFakeTimers({ doNotFake: [...REAL] });
      const { asked } = store;
      const pending = [
        on.post(initialize),
        session.request('tools/list'),
        session.notify('notifications/initialized'),
        session.end(),
        on.http('GET', on.path, { headers: { ...session.headers, accept: 'text/event-stream' } }),
      ];
      await eventually(() => store.asked === asked + pending.length);
      jest.advanceTimersByTime(5_000);
      const answers = await Promise.all(pending);
      jest.useRealTimers();
      for (const answer of answers) {
        expect(verdict(answer)).toEqual([503, -32603]);
        expect(answer.headers.get('retry-after')).toMatch(/^\d+$/);
        expect(answer.text).not.toContain('secret');
      }
      store.mood = 'well';
      expect((await session.request('tools/list')).status).toBe(200);
      expect((await on.request('tools/list')).status).toBe(200);
    },
  );

  it.each(['throws', 'rejects'] as const)(
    'a bus that %s: this instance still cancels, ends and tells',
    async (way) => {
      const on = await start({ bus: new BrokenBus(way) });
      const gate = on.app.get(Gate);
      const session = await Session.open(on);
      const stream = await session.stream();
      const calls = [session.call('slow', {}, 1), session.call('slow', {}, 2)];
      await eventually(() => gate.started === 2);
      expect((await session.cancel(1)).status).toBe(202);
      expect((await calls[0])?.text).toContain('"isError":true');
      expect((await session.end()).status).toBe(204);
      expect((await calls[1])?.text).toContain('"isError":true');
      await stream.ended();
    },
  );

  it('instances that share store and bus cancel and end each other’s work', async () => {
    const store = new MemorySessionStore(10, 60_000);
    const bus = new MemoryEventBus();
    const events: McpEvent[] = [];
    bus.subscribe((event) => events.push(event));
    const [a, b] = [await start({ store, bus }), await start({ store, bus })];
    const session = await Session.open(a);
    const calls = [session.call('slow', {}, 1), session.call('slow', {}, 2)];
    await eventually(() => a.app.get(Gate).started === 2);
    const cancelled = {
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: { requestId: 1 },
    };
    expect((await b.post(cancelled, session.headers)).status).toBe(202);
    expect((await calls[0])?.text).toContain('"isError":true');
    expect((await b.http('DELETE', b.path, { headers: session.headers })).status).toBe(204);
    expect((await calls[1])?.text).toContain('"isError":true');
    expect(events.map(({ type }) => type)).toEqual(['cancelled', 'session-ended']);
    await a.close();
    expect((await Session.open(b)).id).toBeTruthy();
  });
});
