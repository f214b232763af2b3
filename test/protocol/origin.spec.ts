import { RecordingLogger } from '../module/recording-logger.js';
import { FixtureApp } from '../support/fixture-app.js';
import { PLATFORMS, type Platform } from '../support/platforms.js';
import { TOOLS } from './tools.fixture.js';
import { message, rawExchange, rawRequest, Session } from './wire.js';

const BODY = JSON.stringify(message('ping'));

/** @returns the status of a ping that comes with that Host and Origin */
async function ping(
  app: FixtureApp,
  host: string,
  origin?: string,
  method = 'POST',
): Promise<number> {
  const headers = {
    host,
    ...(origin === undefined ? {} : { origin }),
    accept: 'application/json, text/event-stream',
    'content-type': 'application/json',
    'content-length': String(BODY.length),
  };
  const answer = await rawExchange(app, rawRequest(`${method} ${app.path}`, headers, BODY));
  return Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1]);
}

type Row = readonly [host: string, origin: string | undefined, status: number];
const ON_LOOPBACK: readonly Row[] = [
  ['localhost', undefined, 200],
  ['LOCALHOST:3000', undefined, 200],
  ['127.0.0.1:3000', undefined, 200],
  ['[::1]:3000', undefined, 200],
  ['192.168.1.7', undefined, 200],
  ['api.example.com', undefined, 200],
  ['API.example.com:8443', undefined, 200],
  ['evil.example', undefined, 403],
  ['localhost.evil.example', undefined, 403],
  ['api.example.com.', undefined, 403],
  ['evil.example:3000', 'http://evil.example:3000', 403],
  ['evil.example', 'https://app.example.com', 403],
  ['localhost:3000', 'http://localhost:3000', 200],
  ['localhost:3000', 'https://localhost:3000', 200],
  ['localhost:3000', 'http://localhost:3001', 403],
  ['localhost:3000', 'http://localhost', 403],
  ['localhost', 'http://localhost', 200],
  ['localhost:80', 'http://localhost', 200],
  ['127.0.0.1:3000', 'http://localhost:3000', 403],
  ['localhost:3000', 'http://evil.example', 403],
  ['localhost:3000', 'http://localhost:3000.evil.example', 403],
  ['localhost:3000', 'null', 403],
  ['localhost:3000', '', 403],
  ['localhost:3000', '*', 403],
  ['localhost:3000', 'HTTP://LOCALHOST:3000', 403],
  ['localhost:3000', 'http://localhost:3000/', 403],
  ['localhost:3000', 'http://localhost:3000, http://evil.example', 403],
  ['localhost:3000', 'file://', 403],
  ['localhost:3000', 'https://app.example.com', 200],
  ['localhost:3000', 'https://app.example.com:444', 403],
  ['localhost:3000', 'https://asked.example', 200],
  ['localhost:3000', 'https://throws.example', 403],
  ['api.example.com', 'https://api.example.com', 200],
];

const start = (platform: Platform, logger?: RecordingLogger): Promise<FixtureApp> =>
  FixtureApp.start({
    ...TOOLS,
    platform,
    ...(logger === undefined ? {} : { logger }),
    mcp: {
      sessions: {},
      allowedHosts: ['Api.example.com'],
      allowedOrigins: ['https://app.example.com'],
      allowOrigin: (request, origin) => {
        if (origin === 'https://throws.example') throw new Error('secret');
        return request.method !== undefined && origin === 'https://asked.example';
      },
    },
  });

describe.each(PLATFORMS)('protocol on $name: P5, Host and Origin', (platform) => {
  let app: FixtureApp;
  let session: Session;
  beforeAll(async () => {
    app = await start(platform);
    session = await Session.open(app);
  });
  afterAll(() => app.close());

  it.each(ON_LOOPBACK)('Host %s, Origin %s: %d', async (host, origin, status) => {
    // A ping that passes finds no session: 400.
    expect(await ping(app, host, origin)).toBe(status === 200 ? 400 : status);
  });

  it.each(['GET', 'DELETE', 'POST'])(
    'an evil Origin with %s does nothing to a session',
    async (method) => {
      const headers = { ...session.headers, origin: 'http://evil.example' };
      const answer = await app.http(method, app.path, {
        headers: { ...headers, 'content-type': 'application/json' },
        ...(method === 'POST' ? { body: BODY } : {}),
      });
      expect(answer.status).toBe(403);
      expect(answer.json()).toEqual({
        jsonrpc: '2.0',
        error: { code: -32600, message: 'Origin http://evil.example is not allowed' },
      });
      expect((await session.request('ping')).status).toBe(200);
    },
  );

  it('2026-07-28 is protected alike', async () => {
    const answer = await app.request('tools/list', {}, { origin: 'http://evil.example' });
    expect(answer.status).toBe(403);
  });
});

describe.each(PLATFORMS)('protocol on $name: the refusals of Host and Origin', (platform) => {
  it('are logged once of each kind, with the name of the option', async () => {
    const logger = new RecordingLogger();
    const app = await start(platform, logger);
    await ping(app, 'evil.example');
    await ping(app, 'localhost', 'http://evil.example');
    await ping(app, 'other.example');
    await ping(app, 'localhost', 'http://other.example');
    const warnings = logger.of('warn', 'McpModule').filter((line) => line.startsWith('Refused'));
    expect(warnings).toEqual([
      "Refused a request: Host evil.example is not one of this server's. List it in the option allowedHosts if it is right. Later refusals of this kind are not logged.",
      'Refused a request: Origin http://evil.example is not allowed. List it in the option allowedOrigins if it is right. Later refusals of this kind are not logged.',
    ]);
    await app.close();
  });

  it('a server that is bound to every address takes any Host, but no Origin of such a Host', async () => {
    const nest = await FixtureApp.create({ ...TOOLS, platform });
    await nest.listen(0, '0.0.0.0');
    const { port } = (nest.getHttpServer() as { address(): { port: number } }).address();
    const app = Object.assign(Object.create(FixtureApp.prototype) as FixtureApp, {
      app: nest,
      url: `http://127.0.0.1:${port}`,
      path: '/mcp',
    });
    expect(await ping(app, 'public.example')).toBe(200);
    expect(await ping(app, 'public.example', 'https://public.example')).toBe(403);
    expect(await ping(app, 'localhost', 'http://localhost')).toBe(200);
    await nest.close();
  });
});
