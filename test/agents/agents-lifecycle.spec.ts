import { Controller, Get, Module } from '@nestjs/common';
import type { Server } from 'node:http';
import { McpAgents, McpAgentsModule, McpCatalogSource } from '../../src/agents/index.js';
import { AgentsHost } from '../../src/agents/agents-host.js';
import { McpEventBus, McpHealthIndicator, McpTool } from '../../src/index.js';
import { MemoryEventBus, type McpEvent } from '../../src/sessions/event-bus.js';
import { RecordingLogger } from '../module/recording-logger.js';
import { envelope, message, modernHeaders, Stream } from '../protocol/wire.js';
import { FixtureApp } from '../support/fixture-app.js';
import { PLATFORMS } from '../support/platforms.js';
import { AgentsApp, plainOperation, SUPPORT, supportCatalog, until } from './agents.fixture.js';

@Controller()
class HealthController {
  constructor(private readonly mcp: McpHealthIndicator) {}
  @Get('ready') ready(): object {
    return this.mcp.check();
  }
}

@Controller('held')
class HeldController {
  static held: Promise<void>;
  static reached: () => void;

  @McpTool({ name: 'held_route', description: 'Answers when it is told to.' })
  @Get()
  async hold(): Promise<object> {
    HeldController.reached();
    await HeldController.held;
    return { held: 'held to the end' };
  }
}

/** A bus that answers when it is told to. */
class LateBus extends McpEventBus {
  readonly kept = new MemoryEventBus();
  subscriptions = 0;
  published: McpEvent[] = [];
  fails = false;
  answer: () => void = () => undefined;
  private readonly answered = new Promise<void>((resolve) => (this.answer = resolve));

  publish(event: McpEvent): void | Promise<void> {
    this.published.push(event);
    if (this.fails) return Promise.reject(new Error('the bus is away'));
    this.kept.publish(event);
  }
  async subscribe(listener: (event: McpEvent) => void): Promise<() => void> {
    this.subscriptions += 1;
    await this.answered;
    return this.kept.subscribe(listener);
  }
  close(): void {}
}

const bearer = (key: string): Record<string, string> => ({ authorization: `Bearer ${key}` });

/** A catalog whose loads a test holds back. */
class HeldSource extends McpCatalogSource {
  loads = 0;
  afterClose = 0;
  private closed = false;
  private waiting: (() => void)[] = [];
  holds = false;

  constructor(public document: unknown) {
    super();
  }
  async load(): Promise<unknown> {
    this.loads += 1;
    if (this.closed) this.afterClose += 1;
    const { document } = this;
    if (this.holds) await new Promise<void>((resolve) => this.waiting.push(resolve));
    return document;
  }
  release(): void {
    for (const resolve of this.waiting.splice(0)) resolve();
  }
  override close(): void {
    this.closed = true;
  }
}

function many(count: number, from = 0): object {
  const agents = Array.from({ length: count }, (_, index) => ({
    slug: `agent-${from + index}`,
    status: 'published',
  }));
  return { workspaces: [{ slug: 'acme', agents }] };
}

describe.each(PLATFORMS)('agents on $name: readiness and end', (platform) => {
  it('drains: calls end as always, streams end, further messages are 503', async () => {
    const app = await AgentsApp.start({
      platform,
      controllers: [HealthController],
      options: { sessions: {} },
      document: (origin, keys) =>
        supportCatalog(origin, keys, [plainOperation(origin, 'held', '/held')], {
          ...SUPPORT,
          tools: [{ operation: 'held' }],
        }),
    });
    let release = (): void => undefined;
    app.upstream.held = new Promise((resolve) => (release = resolve));
    expect((await app.fixture.http('GET', '/ready')).json()).toEqual({ mcp: { status: 'up' } });
    const modern = (method: string, params: object = {}, name?: string): Promise<Stream> =>
      Stream.open(
        app.fixture,
        'POST',
        { ...bearer(app.key), ...modernHeaders(method, name) },
        message(method, { ...params, _meta: envelope() }, 'it'),
        app.url().pathname,
      );
    const listening = await modern('subscriptions/listen', {
      notifications: { toolsListChanged: true },
    });
    await listening.message(1);
    const running = modern('tools/call', { name: 'held', arguments: {} }, 'held');
    await until(() => app.upstream.last?.url === '/held', 'the call reaches the upstream');
    const closed = app.fixture.close();
    await listening.ended();
    for (const path of ['acme/support', 'acme/nobody']) {
      const refused = await app.post(path, bearer(app.key));
      expect([refused.status, refused.headers.get('retry-after')]).toEqual(
        path === 'acme/support' ? [503, '1'] : [404, null],
      );
    }
    expect((await app.fixture.http('GET', '/ready')).text).toContain('shutting down');
    release();
    const call = await running;
    expect(await call.ended()).toContain('/held');
    await closed;
    await Promise.all([app.upstream.close(), app.catalog.close()]);
  });

  it('drains the calls of an agent that the catalog has no more, too', async () => {
    const app = await AgentsApp.start({
      platform,
      controllers: [HealthController, HeldController],
      document: (origin, keys) =>
        supportCatalog(origin, keys, [], { ...SUPPORT, tools: [{ route: 'held_route' }] }),
    });
    let release = (): void => undefined;
    HeldController.held = new Promise((resolve) => (release = resolve));
    const reached = new Promise<void>((resolve) => (HeldController.reached = resolve));
    const running = Stream.open(
      app.fixture,
      'POST',
      { ...bearer(app.key), ...modernHeaders('tools/call', 'held_route') },
      message('tools/call', { name: 'held_route', arguments: {}, _meta: envelope() }, 'it'),
      app.url().pathname,
    );
    await reached;
    const host = app.fixture.app.get(AgentsHost, { strict: false });
    await app.catalog.publish({ workspaces: [], keys: app.records });
    await until(() => app.agents.agents.length === 0, 'the agent is gone');
    expect(host['leaving'].size).toBe(1);
    // As with forceCloseConnections: what is not answered by then is cut off.
    const server = app.fixture.app.getHttpServer() as Server;
    const close = server.close.bind(server);
    let isClosed = false;
    server.close = (done) => {
      isClosed = true;
      server.closeAllConnections();
      return close(done);
    };
    const closed = app.fixture.close();
    // Time enough to come to its end, if it waited for nothing.
    for (let asked = 0; asked < 20; asked++) {
      expect((await app.fixture.http('GET', '/ready')).text).toContain('shutting down');
    }
    expect(isClosed).toBe(false);
    release();
    expect(await (await running).ended()).toContain('held to the end');
    await closed;
    expect(host['leaving'].size).toBe(0);
    await Promise.all([app.upstream.close(), app.catalog.close()]);
  });

  it('is ready when the bus has answered, which all agents ask once', async () => {
    const bus = new LateBus();
    const logger = new RecordingLogger();
    const source = new HeldSource(many(300));
    const module = McpAgentsModule.forRoot({ source, sessions: { bus }, refreshMs: 60_000 });
    @Module({ imports: [module], controllers: [HealthController] })
    class AppModule {}
    // 300 agents that wait for the bus one after the other would take far longer than this test may.
    const app = await FixtureApp.start({
      platform,
      logger,
      mcp: { module: { module: AppModule } },
    });
    const ready = async (): Promise<string> => (await app.http('GET', '/ready')).text;
    expect(await ready()).toContain('"down"');
    expect(bus.subscriptions).toBe(1);
    bus.answer();
    await until(async () => (await ready()).includes('"up"'), 'it is ready');
    await app.close();
    expect(bus.kept['emitter'].listenerCount('event')).toBe(0);
  }, 60_000);

  it('a bus that fails costs what other instances hear, and nothing here', async () => {
    const bus = new LateBus();
    bus.answer();
    const unhandled: unknown[] = [];
    const keep = (reason: unknown): void => void unhandled.push(reason);
    process.on('unhandledRejection', keep);
    const app = await AgentsApp.start({ platform, options: { sessions: { bus, max: 1 } } });
    bus.fails = true;
    const first = await app.connect('legacy');
    const id = (first.transport as { sessionId?: string }).sessionId ?? '';
    const stream = await Stream.open(
      app.fixture,
      'GET',
      { ...bearer(app.key), 'mcp-session-id': id },
      undefined,
      app.url().pathname,
    );
    // Beyond `max`, of another agent: the cap is one for all.
    const second = await app.connect('legacy', { key: app.rivalKey, path: 'rival/support' });
    await stream.ended();
    expect(bus.published).toContainEqual({ type: 'session-ended', session: id });
    await Promise.all([first.close(), second.close()]).catch(() => undefined);
    await app.close();
    process.off('unhandledRejection', keep);
    expect(unhandled).toEqual([]);
  });
});

describe('agents: refreshes that meet', () => {
  const start = async (source: HeldSource, options: object = {}): Promise<FixtureApp> => {
    const module = McpAgentsModule.forRoot({ source, refreshMs: 3_600_000, ...options });
    const app = await FixtureApp.start({ logger: new RecordingLogger(), mcp: { module } });
    await until(() => source.loads === 2, 'the load after the watch');
    return app;
  };
  const agentsOf = (app: FixtureApp): McpAgents => app.app.get(McpAgents, { strict: false });

  it('one that is asked for while one runs loads once more, after it, for all who asked', async () => {
    const source = new HeldSource(many(1));
    const app = await start(source);
    const agents = agentsOf(app);
    await agents.refresh();
    source.holds = true;
    const loads = source.loads;
    const first = agents.refresh();
    source.document = many(2);
    const later = [agents.refresh(), agents.refresh(), agents.refresh()];
    source.release();
    await first;
    expect(agents.agents).toHaveLength(1);
    source.release();
    expect(await Promise.all(later)).toEqual(Array(3).fill({ problems: [] }));
    expect(source.loads).toBe(loads + 2);
    expect(agents.agents).toHaveLength(2);
    await app.close();
  });

  it('an end while one loads and another waits: neither is taken, and nothing is loaded any more', async () => {
    const source = new HeldSource(many(1));
    const app = await start(source);
    const agents = agentsOf(app);
    await agents.refresh();
    source.holds = true;
    source.document = many(2);
    const loads = source.loads;
    const refreshes = [agents.refresh(), agents.refresh()];
    await app.close();
    const ended = { problems: ['The server has ended.'] };
    expect(await Promise.all(refreshes)).toEqual([ended, ended]);
    expect(await agents.refresh()).toEqual(ended);
    expect([source.loads, source.afterClose, agents.agents.length]).toEqual([loads + 1, 0, 1]);
  });

  it('an end while a catalog is swapped in leaves no agent of it listening', async () => {
    const bus = new LateBus();
    const source = new HeldSource({ workspaces: [] });
    const app = await start(source, { sessions: { bus } });
    const agents = agentsOf(app);
    await agents.refresh();
    source.document = many(3);
    const refresh = agents.refresh();
    await until(() => bus.subscriptions === 1, 'the new agents ask the bus');
    const closed = app.close();
    bus.answer();
    await Promise.all([refresh, closed]);
    expect(bus.kept['emitter'].listenerCount('event')).toBe(0);
  });

  it('a catalog that cannot be swapped in is tried again, and the one before is served', async () => {
    const source = new HeldSource(many(1));
    const bus = new LateBus();
    bus.answer();
    const app = await start(source, { sessions: { bus } });
    const agents = agentsOf(app);
    const compile = AgentsHost.prototype as unknown as { swap: () => Promise<void> };
    const swap = compile.swap;
    compile.swap = () => Promise.reject(new Error('out of memory'));
    source.document = many(2);
    expect(await agents.refresh()).toEqual({ problems: ['it could not be loaded: out of memory'] });
    expect(agents.agents).toHaveLength(1);
    compile.swap = swap;
    expect(await agents.refresh()).toEqual({ problems: [] });
    expect(agents.agents).toHaveLength(2);
    await app.close();
  });
});
