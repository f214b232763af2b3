import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { AgentsApp, plainOperation } from './agents.fixture.js';
import { Upstream } from './upstream.fixture.js';

const tls = (name: string): Promise<string> =>
  readFile(fileURLToPath(new URL(`tls/${name}.pem`, import.meta.url)), 'utf8');
const [ca, cert, key] = await Promise.all([tls('ca'), tls('server'), tls('server-key')]);

const HOST = 'api.internal.example';
const UNREACHED = 'The upstream cannot be reached. Nothing was sent.';

/** An upstream behind https, whose certificate is that of `HOST`, from an authority that nobody knows. */
class SecureUpstream {
  readonly seen: string[] = [];
  handshakes = 0;
  private readonly server: Server = createServer({ cert, key }, (request, response) => {
    this.seen.push(`${request.method} ${request.headers.host}${request.url}`);
    response.setHeader('content-type', 'application/json').end('{"ok":true}');
  });

  async start(): Promise<this> {
    this.server.on('secureConnection', () => (this.handshakes += 1));
    this.server.on('tlsClientError', () => undefined);
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return this;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

// What stands before the application is the same on either platform: only the way to the upstream is looked at here.
describe('agents: an upstream behind https', () => {
  let upstream: SecureUpstream;
  let app: AgentsApp;
  beforeAll(async () => (upstream = await new SecureUpstream().start()));
  afterAll(() => upstream.close());
  beforeEach(() => {
    upstream.seen.length = 0;
    upstream.handshakes = 0;
  });
  afterEach(() => app.close());

  const start = async (
    connections: { ca?: string | readonly string[] },
    host = HOST,
    port = upstream.port,
  ): Promise<void> => {
    const origin = `https://${host}:${port}`;
    const operations = [
      plainOperation(origin, 'read', '/orders'),
      plainOperation(origin, 'write', '/orders', { method: 'POST' }),
    ];
    const tools = operations.map(({ name }) => ({ operation: name }));
    const policy = { origins: [origin], allowedAddresses: ['127.0.0.1'] };
    app = await AgentsApp.start({
      document: (_, keys) => ({
        workspaces: [
          {
            slug: 'acme',
            policy,
            operations,
            agents: [{ slug: 'support', status: 'published', tools }],
          },
        ],
        keys,
      }),
      options: {
        connections: {
          ...connections,
          lookup: (_, found) => found(null, [{ address: '127.0.0.1', family: 4 }]),
        },
      },
    });
  };

  it.each([
    ['as a text', ca],
    ['in a list', [ca]],
  ])('is trusted by the authority of the options, %s, over one connection', async (_, given) => {
    await start({ ca: given });
    for (const tool of ['read', 'write', 'read']) {
      expect((await app.call(tool)).envelope).toEqual({ ok: true });
    }
    const at = `${HOST}:${upstream.port}/orders`;
    expect(upstream.seen).toEqual([`GET ${at}`, `POST ${at}`, `GET ${at}`]);
    // A connection may be on its way back to the pool while the next call begins.
    expect(upstream.handshakes).toBeLessThan(3);
  });

  const refusals: readonly (readonly [string, { ca?: string }, string, RegExp])[] = [
    ['an authority that nobody knows', {}, HOST, /unable to verify|self.signed/],
    ['the name of another host', { ca }, 'other.internal.example', /altnames|Host: other/],
  ];
  it.each(refusals)(
    'is refused with %s: the log says why, the caller hears nothing',
    async (...given) => {
      const [, options, host, reason] = given;
      await start(options, host);
      for (const tool of ['read', 'write']) {
        const { isError, envelope } = await app.call(tool);
        expect({ isError, envelope }).toEqual({
          isError: true,
          envelope: { code: 'upstream', statusCode: 502, message: UNREACHED },
        });
        const told = app.logger.all('error').concat(app.logger.all('warn')).join('\n');
        expect(told).toMatch(reason);
      }
      expect(upstream.seen).toEqual([]);
    },
  );

  it('is refused where it speaks no TLS', async () => {
    const plain = await Upstream.start();
    await start({ ca }, HOST, Number(new URL(plain.origin).port));
    const { envelope } = await app.call('write');
    expect(envelope).toEqual({ code: 'upstream', statusCode: 502, message: UNREACHED });
    expect(plain.seen).toEqual([]);
    expect(app.logger.all('error').join('\n')).toMatch(/SSL routines/);
    await plain.close();
  });
});
