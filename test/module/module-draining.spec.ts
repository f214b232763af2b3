import { Controller, Get, Module } from '@nestjs/common';
import { HealthCheck, HealthCheckService, TerminusModule } from '@nestjs/terminus';
import { McpEventBus, McpHealthIndicator, McpModule } from '../../src/index.js';
import { Gate, ToolsController } from '../protocol/tools.fixture.js';
import {
  envelope,
  eventually,
  message,
  modernHeaders,
  rpc,
  Session,
  Stream,
} from '../protocol/wire.js';
import { FixtureApp } from '../support/fixture-app.js';
import { PLATFORMS } from '../support/platforms.js';
import { RecordingLogger } from './recording-logger.js';

@Controller()
class HealthController {
  constructor(
    private readonly health: HealthCheckService,
    private readonly mcp: McpHealthIndicator,
  ) {}

  @Get('ready')
  @HealthCheck()
  ready(): Promise<object> {
    return this.health.check([() => this.mcp.check()]);
  }
}

/** A bus that nobody can listen to. */
class DeafBus extends McpEventBus {
  publish(): void {}
  subscribe(): Promise<never> {
    return Promise.reject(new Error('no bus'));
  }
  close(): void {}
}

describe.each(PLATFORMS)('module on $name: shutting down', (platform) => {
  let app: FixtureApp;
  let gate: Gate;
  let closed: Promise<void> | undefined;
  const start = async (more: object = {}): Promise<void> => {
    @Module({
      imports: [
        TerminusModule.forRoot({ logger: false }),
        McpModule.forRoot({ sessions: {}, ...more }),
      ],
      controllers: [ToolsController, HealthController],
      providers: [Gate],
      exports: [McpModule],
    })
    class AppModule {}
    const logger = new RecordingLogger();
    app = await FixtureApp.start({
      platform,
      logger,
      mcp: { module: { module: AppModule } },
    });
    gate = app.app.get(Gate, { strict: false });
  };
  const close = (): void => {
    closed = app.close();
  };
  const slow = (): Promise<Stream> =>
    Stream.open(
      app,
      'POST',
      modernHeaders('tools/call', 'slow'),
      message('tools/call', { name: 'slow', arguments: {}, _meta: envelope() }),
    );
  const inSession = (session: Session): Promise<Stream> =>
    Stream.open(
      app,
      'POST',
      session.headers,
      message('tools/call', { name: 'slow', arguments: {} }),
    );
  afterEach(async () => {
    gate.releaseAll();
    await (closed ?? app.close());
    closed = undefined;
  });

  it('calls in flight end as always, further messages are sent elsewhere, streams end', async () => {
    await start({ streamAfterMs: 3_600_000 });
    const session = await Session.open(app);
    const streams = [
      await session.stream(),
      await Stream.open(
        app,
        'POST',
        modernHeaders('subscriptions/listen'),
        message(
          'subscriptions/listen',
          {
            notifications: { toolsListChanged: true },
            _meta: envelope(),
          },
          'sub',
        ),
      ),
    ];
    const calls = [session.call('slow', {}, 7), app.call('slow')];
    await eventually(() => gate.started === 2);
    expect((await app.http('GET', '/ready')).json()).toMatchObject({
      status: 'ok',
      info: { mcp: { status: 'up' } },
    });
    close();
    const ended = await Promise.all(streams.map((stream) => stream.ended()));
    expect(ended[0]).not.toContain('data:');
    expect(streams[1]?.messages.at(-1)).toMatchObject({
      id: 'sub',
      result: { resultType: 'complete' },
    });
    const open = message('initialize', { protocolVersion: '2025-11-25', capabilities: {} });
    for (const refused of [
      await app.request('tools/list'),
      await app.request('tools/call', { name: 'echo', arguments: { path: { text: 'x' } } }),
      await session.request('ping'),
      await app.post(open),
      await app.http('GET', app.path, {
        headers: { ...session.headers, accept: 'text/event-stream' },
      }),
    ]) {
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
      expect(refused.headers.get('connection')).toBe('close');
    }
    const readiness = await app.http('GET', '/ready');
    expect(readiness.status).toBe(503);
    expect(readiness.json()).toMatchObject({ details: { mcp: { status: 'down' } } });
    gate.releaseAll('late');
    const [first, second] = await Promise.all(calls);
    expect(rpc(first as never)).toMatchObject({
      id: 7,
      result: { structuredContent: { value: 'late' } },
    });
    expect(second).toMatchObject({ structuredContent: { value: 'late' } });
    await closed;
  });

  it('a call whose client has gone away finishes as well, where that is no cancellation', async () => {
    await start({ streamAfterMs: 0 });
    const session = await Session.open(app);
    const [stream, stays] = [await inSession(session), await inSession(session)];
    await eventually(() => gate.started === 2);
    stream.close();
    stays.close();
    let over = false;
    close();
    void closed?.then(() => (over = true));
    expect((await app.http('GET', '/ready')).status).toBe(503);
    expect([over, gate.aborted]).toEqual([false, 0]);
    gate.releaseAll();
    await closed;
    expect(gate.aborted).toBe(0);
  });

  it('after shutdownGraceMs calls that still run are ended, and told what that means', async () => {
    await start({ shutdownGraceMs: 50 });
    const running = await slow();
    const [answer] = await Promise.all([running.ended(), (close(), closed)]);
    expect(gate.aborted).toBe(1);
    expect(answer).toContain('The operation may have completed.');
    expect(answer).toContain('isError');
  });

  it('is not ready as long as it does not know what others have switched off', async () => {
    await start({ sessions: { bus: new DeafBus() } });
    const readiness = await app.http('GET', '/ready');
    expect(readiness.status).toBe(503);
    expect(readiness.text).toContain('It is not known yet');
    expect((await app.call('echo', { path: { text: 'x' } })).structuredContent).toEqual({
      text: 'x',
    });
  });
});
