import { Redis } from 'ioredis';
import { McpToolCatalog, type McpModuleOptions } from '../../src/index.js';
import { McpRedisEventBus, McpRedisSessionStore } from '../../src/redis/index.js';
import { RecordingLogger } from '../module/recording-logger.js';
import { as, Gate, TOOLS, UserGuard } from '../protocol/tools.fixture.js';
import {
  DATED,
  envelope,
  eventually,
  message,
  modernHeaders,
  rpc,
  Session,
  Stream,
  verdict,
} from '../protocol/wire.js';
import { FixtureApp } from '../support/fixture-app.js';
import { PLATFORMS } from '../support/platforms.js';
import { hasRedis, RedisServer } from '../support/redis-server.js';
import { until } from './session-store.contract.js';

(hasRedis() ? describe : describe.skip).each(PLATFORMS)(
  'redis on $name: instances that share nothing else',
  (platform) => {
    let server: RedisServer;
    let apps: FixtureApp[];
    const open: (() => void)[] = [];

    const start = async (more: Partial<McpModuleOptions> = {}): Promise<FixtureApp> => {
      const redis = new Redis(server.url, { maxRetriesPerRequest: null });
      redis.on('error', () => undefined);
      const store = new McpRedisSessionStore(redis);
      const bus = new McpRedisEventBus(redis);
      const app = await FixtureApp.start({
        ...TOOLS,
        platform,
        logger: new RecordingLogger(),
        mcp: {
          sessions: { store, bus },
          guards: [UserGuard],
          secret: 'the same for every instance',
          pageSize: 3,
          ...more,
        },
      });
      apps.push(app);
      open.push(() => {
        store.close();
        bus.close();
        redis.disconnect();
      });
      return app;
    };
    const pair = async (): Promise<[FixtureApp, FixtureApp]> => [await start(), await start()];
    /** The same session, by way of another instance. */
    const at = (app: FixtureApp, session: Session): Session =>
      Object.assign(Object.create(session) as Session, { app });
    const listing = async (app: FixtureApp): Promise<Stream> => {
      const params = { notifications: { toolsListChanged: true }, _meta: envelope() };
      const stream = await Stream.open(
        app,
        'POST',
        modernHeaders('subscriptions/listen'),
        message('subscriptions/listen', params),
      );
      await stream.message(1);
      return stream;
    };

    beforeEach(async () => {
      server = await RedisServer.start();
      apps = [];
    });
    afterEach(async () => {
      server.resume();
      for (const { app } of apps) app.get(Gate).releaseAll();
      await Promise.all(apps.map((app) => app.close()));
      for (const close of open.splice(0)) close();
      await server.stop();
    });

    it.each(DATED)('a session of %s that one opened is served by another', async (revision) => {
      const [a, b] = await pair();
      const session = await Session.begin(a, as('ann'), revision);
      const there = at(b, session);
      expect(verdict(await there.request('tools/list'))).toEqual([400, -32600]);
      expect((await there.notify('notifications/initialized')).status).toBe(202);
      expect(verdict(await session.request('tools/list'))).toEqual([200, undefined]);
      const bare = { 'mcp-session-id': session.id, ...as('ann') };
      const tools = rpc(await b.post(message('tools/list'), bare)).result?.['tools'] as object[];
      expect(Object.hasOwn(tools[0] ?? {}, 'title')).toBe(revision !== '2025-03-26');
      for (const who of [as('bob'), { authorization: '' }])
        expect((await b.post(message('ping'), { ...bare, ...who })).status).toBe(404);
    });

    it('a cancellation reaches the instance that runs the call, and DELETE ends all everywhere', async () => {
      const [a, b] = await pair();
      const session = await Session.open(a);
      const stream = await at(b, session).stream();
      const calls = [session.call('slow', {}, 1), session.call('slow', {}, 2)];
      await eventually(() => a.app.get(Gate).started === 2);
      expect((await at(b, session).cancel(1)).status).toBe(202);
      expect(rpc(await (calls[0] as Promise<never>)).result?.['isError']).toBe(true);
      expect((await at(b, session).end()).status).toBe(204);
      expect(rpc(await (calls[1] as Promise<never>)).result?.['isError']).toBe(true);
      await stream.ended();
      for (const one of [session, at(b, session)])
        expect((await one.request('ping')).status).toBe(404);
    });

    it('a tool that one switches off is off everywhere, and streams of both eras are told', async () => {
      const [a, b] = await pair();
      const session = await Session.open(a);
      const streams = [await listing(a), await listing(b), await at(b, session).stream()];
      a.app.get(McpToolCatalog).disable('echo');
      await streams[1]?.message(2);
      await streams[2]?.message(1);
      await streams[0]?.message(2);
      const call = { name: 'echo', arguments: { path: { text: 'x' } } };
      for (const app of [a, b]) {
        expect(rpc(await app.request('tools/call', call)).error?.code).toBe(-32602);
      }
      // One that starts later knows it, too.
      const late = await start();
      expect(rpc(await late.request('tools/call', call)).error?.code).toBe(-32602);
      late.app.get(McpToolCatalog).enable('echo');
      await streams[1]?.message(3);
      for (const app of [a, b, late])
        await until(async () => rpc(await app.request('tools/call', call)).error === undefined);
      const told = streams.map(({ messages }) => messages.map(({ method }) => method));
      expect(
        new Set(told.flat().filter((method) => !method?.startsWith('notifications/sub'))),
      ).toEqual(new Set(['notifications/tools/list_changed']));
      for (const stream of streams) stream.close();
    });

    it('pages of a list may come from any instance', async () => {
      const [a, b] = await pair();
      const names: unknown[] = [];
      let cursor: unknown;
      for (let i = 0; i === 0 || cursor !== undefined; i++) {
        const params = cursor === undefined ? {} : { cursor };
        const { result } = rpc(await [a, b][i % 2]!.request('tools/list', params));
        names.push(...(result?.['tools'] as { name: string }[]).map(({ name }) => name));
        cursor = result?.['nextCursor'];
      }
      expect(names).toEqual(a.app.get(McpToolCatalog).tools.map(({ name }) => name));
    });

    it('while Redis does not answer: sessions are 503 within the time, other requests go on; then all is well', async () => {
      const [a] = await pair();
      const session = await Session.open(a, as('ann'));
      server.pause();
      const open = message('initialize', { protocolVersion: '2025-11-25', capabilities: {} });
      const begun = performance.now();
      const refused = [session.request('ping'), session.end(), a.post(open)];
      expect(verdict(await a.request('tools/list'))).toEqual([200, undefined]);
      expect((await a.call('echo', { path: { text: 'x' } })).isError).toBeUndefined();
      // A session that is claimed is never taken for none.
      const foreign = { ...session.headers, 'mcp-protocol-version': '2025-11-25' };
      refused.push(a.post(message('tools/list'), foreign));
      for (const answer of await Promise.all(refused)) {
        expect(verdict(answer)).toEqual([503, -32603]);
        expect(answer.headers.get('retry-after')).toMatch(/^\d+$/);
      }
      // Far less than for ever: the bound is 5 s, on whatever machine.
      expect(performance.now() - begun).toBeLessThan(60_000);
      server.resume();
      await until(async () => (await session.request('ping')).status !== 503);
    });

    it('what was switched and ended while Redis was away is made up for', async () => {
      const [a, b] = await pair();
      const kept = await Session.open(a);
      const stream = await kept.stream();
      await server.kill();
      a.app.get(McpToolCatalog).disable('echo');
      await server.start();
      // This Redis kept nothing: the session is unknown, and its stream ends.
      await stream.ended();
      expect((await kept.request('ping')).status).toBe(404);
      const call = { name: 'echo', arguments: { path: { text: 'x' } } };
      await until(async () => rpc(await b.request('tools/call', call)).error?.code === -32602);
      const again = await Session.open(b);
      expect((await at(a, again).request('ping')).status).toBe(200);
    });
  },
);
