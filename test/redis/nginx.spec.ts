import { Client, StreamableHTTPClientTransport as TransportV2 } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { Redis } from 'ioredis';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { McpRedisEventBus, McpRedisSessionStore } from '../../src/redis/index.js';
import { BLOCKS } from '../docs/markdown.js';
import { Gate, TOOLS } from '../protocol/tools.fixture.js';
import { envelope, eventually, message, modernHeaders, Session, Stream } from '../protocol/wire.js';
import { FixtureApp } from '../support/fixture-app.js';
import { has } from '../support/needs.js';
import { PLATFORMS } from '../support/platforms.js';
import { freePort, hasRedis, RedisServer } from '../support/redis-server.js';
import { until } from './session-store.contract.js';

const NGINX = '/usr/sbin/nginx';
const isPossible = [hasRedis(), has([NGINX], 'apt-get install nginx-light')].every(Boolean);

/** The configuration that the documentation shows, for these instances. */
function configuration(directory: string, port: number, upstreams: readonly string[]): string {
  const [block] = BLOCKS.filter(({ language }) => language === 'nginx');
  let shown = block?.text ?? '';
  for (const [i, upstream] of upstreams.entries())
    shown = shown.replace(`app-${i + 1}:3000`, upstream);
  shown = shown.replace('listen 80;', `listen 127.0.0.1:${port};`);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (kind) => `${kind}_temp_path ${directory}/${kind};`,
  );
  const user = process.getuid?.() === 0 ? 'user root;' : '';
  return `daemon off; ${user} worker_processes 2; pid ${directory}/pid; error_log stderr crit;
events {} http { access_log off; ${temporary.join(' ')}\n${shown}\n}`;
}

(isPossible ? describe : describe.skip)('redis: two instances behind nginx, as documented', () => {
  let redis: RedisServer;
  let nginx: ChildProcess;
  let directory: string;
  let apps: FixtureApp[];
  /** What is behind nginx, as if it were one application. */
  let front: FixtureApp;
  const open: (() => void)[] = [];

  beforeEach(async () => {
    redis = await RedisServer.start();
    apps = [];
    for (const platform of PLATFORMS) {
      const client = new Redis(redis.url);
      const store = new McpRedisSessionStore(client);
      const bus = new McpRedisEventBus(client);
      open.push(() => {
        store.close();
        bus.close();
        client.disconnect();
      });
      apps.push(
        await FixtureApp.start({
          ...TOOLS,
          platform,
          mcp: { sessions: { store, bus }, streamAfterMs: 50 },
        }),
      );
    }
    directory = mkdtempSync(join(tmpdir(), 'mcp-nginx-'));
    const port = await freePort();
    const file = join(directory, 'nginx.conf');
    writeFileSync(
      file,
      configuration(
        directory,
        port,
        apps.map(({ url }) => new URL(url).host),
      ),
    );
    nginx = spawn(NGINX, ['-c', file, '-p', directory], { stdio: 'inherit' });
    const [first] = apps as [FixtureApp];
    front = Object.assign(Object.create(first) as FixtureApp, { url: `http://127.0.0.1:${port}` });
    await until(
      async () => (await front.request('tools/list').catch(() => undefined))?.status === 200,
    );
  });
  afterEach(async () => {
    for (const { app } of apps) app.get(Gate).releaseAll();
    nginx.kill('SIGTERM');
    if (nginx.exitCode === null) await once(nginx, 'exit');
    await Promise.all(apps.map((app) => app.close()));
    for (const close of open.splice(0)) close();
    await redis.stop();
    rmSync(directory, { recursive: true, force: true });
  });
  const started = (): number => apps.reduce((sum, { app }) => sum + app.get(Gate).started, 0);

  it('official clients of both eras are served, with sessions that belong to no instance', async () => {
    const url = new URL(front.path, front.url);
    const v1 = new ClientV1({ name: 'v1', version: '1' });
    await v1.connect(new TransportV1(url));
    const v2 = new Client(
      { name: 'v2', version: '1' },
      { versionNegotiation: { mode: { pin: '2026-07-28' } } },
    );
    await v2.connect(new TransportV2(url));
    for (let i = 0; i < 10; i++) {
      const params = { name: 'echo', arguments: { path: { text: `t${i}` } } };
      expect((await v1.callTool(params)).structuredContent).toEqual({ text: `t${i}` });
      expect((await v2.callTool(params)).structuredContent).toEqual({ text: `t${i}` });
    }
    await v1.close();
    await v2.close();
  });

  it('streams come as they are written, and a client that goes away cancels', async () => {
    const session = await Session.open(front);
    const stream = await session.stream();
    expect(stream.headers['content-type']).toContain('text/event-stream');
    const call = await Stream.open(
      front,
      'POST',
      modernHeaders('tools/call', 'slow'),
      message('tools/call', { name: 'slow', arguments: {}, _meta: envelope() }),
    );
    // Its headers are here, and the call is not over.
    expect([call.status, started()]).toEqual([200, 1]);
    call.close();
    await eventually(() => apps.some(({ app }) => app.get(Gate).aborted === 1));
    stream.close();
  });

  it('a message of the size that the endpoint takes passes, a larger one does not', async () => {
    const text = (length: number): object => ({
      jsonrpc: '2.0',
      method: 'notifications/x',
      params: { text: 'x'.repeat(length) },
    });
    const session = await Session.open(front);
    expect((await front.post(text(1_000_000), session.headers)).status).toBe(202);
    expect((await front.post(text(1_100_000), session.headers)).status).toBe(413);
  });

  it('while one instance drains, and when it is gone, nobody is refused', async () => {
    const session = await Session.open(front);
    const calls = [session.call('slow', {}, 1), session.call('slow', {}, 2)];
    await eventually(() => started() === 2);
    const [first, second] = apps as [FixtureApp, FixtureApp];
    expect([first.app.get(Gate).started, second.app.get(Gate).started]).toEqual([1, 1]);
    const closing = first.close();
    const served = async (): Promise<void> => {
      for (let i = 0; i < 10; i++) {
        expect((await session.request('ping')).status).toBe(200);
        const result = await front.call('echo', { path: { text: 'x' } });
        expect(result.structuredContent).toEqual({ text: 'x' });
      }
    };
    await served();
    for (const { app } of apps) app.get(Gate).releaseAll('done');
    for (const call of calls) expect((await call).text).toContain('done');
    await closing;
    await served();
  });
});
