import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PostgresCatalogSource, type AgentCatalogDocument } from '../../src/agents/index.js';
import { freePort } from '../auth/free-port.js';
import { has } from '../support/needs.js';
import { until } from './agents.fixture.js';
import { postgresServer, stopPostgres } from './catalogs.js';
import { HAS_POSTGRES } from './postgres.fixture.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const MAIN = 'sample/mcp-server/dist/main.js';
const IS_BUILT = has([join(ROOT, MAIN)], 'npm run build && npm run build:sample builds it');
const TOOL_COUNT = 18;

/** The sample as a process of its own: the last step of `npm run start:mcp-server`. */
class SampleServer {
  private constructor(
    private readonly child: ChildProcess,
    readonly printed: () => string,
    readonly endpoint: URL,
    readonly key: string,
  ) {}

  static async start(env: Readonly<Record<string, string>>): Promise<SampleServer> {
    const child = spawn(process.execPath, [MAIN], {
      cwd: ROOT,
      env: { ...process.env, PORT: '0', DATABASE_URL: undefined, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let printed = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => (printed += chunk.toString()));
    }
    await until(() => /Catalog: .*\n/.test(printed) || child.exitCode !== null, 'it has started');
    const endpoint = /Endpoint: +(\S+)/.exec(printed)?.[1];
    const key = /Demo key: +(\S+)/.exec(printed)?.[1];
    if (endpoint === undefined || key === undefined) throw new Error(`It said: ${printed}`);
    return new SampleServer(child, () => printed, new URL(endpoint), key);
  }

  headers(key = this.key): Record<string, string> {
    return { authorization: `Bearer ${key}` };
  }

  async connect(pin: '2026-07-28' | 'legacy'): Promise<Client> {
    const versionNegotiation =
      pin === 'legacy' ? ({ mode: 'legacy' } as const) : ({ mode: { pin } } as const);
    const client = new Client({ name: 'host', version: '1.0.0' }, { versionNegotiation });
    const requestInit = { headers: this.headers() };
    await client.connect(new StreamableHTTPClientTransport(this.endpoint, { requestInit }));
    return client;
  }

  async status(path: string, headers: Record<string, string> = {}): Promise<number> {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
    const sent = { 'content-type': 'application/json', accept: 'application/json', ...headers };
    const url = new URL(path, this.endpoint);
    const answer = await fetch(url, { method: 'POST', headers: sent, body });
    await answer.text();
    return answer.status;
  }

  /** @returns the exit code and the signal that it died of, one of them `null` */
  async end(): Promise<unknown[]> {
    if (this.child.exitCode !== null) return [this.child.exitCode, this.child.signalCode];
    const ended = once(this.child, 'exit');
    this.child.kill('SIGTERM');
    return ended;
  }
}

const SOURCES: readonly { title: string; env: () => Promise<Record<string, string>> }[] = [
  { title: 'its JSON file', env: () => Promise.resolve({}) },
  ...(HAS_POSTGRES
    ? [
        {
          title: 'PostgreSQL',
          env: async () => ({ DATABASE_URL: (await postgresServer()).url() }),
        },
      ]
    : []),
];

afterAll(stopPostgres);

// What is started is the built sample: IS_BUILT says how to build it, and fails where CI runs.
(IS_BUILT ? describe : describe.skip)('agents: the sample server', () => {
  let folder: string;
  let server: SampleServer;
  // One for all: the catalog that is in the database names it.
  let upstreamPort: string;
  beforeAll(async () => (upstreamPort = String(await freePort())));
  afterEach(async () => {
    await server.end();
    await rm(folder, { recursive: true, force: true });
  });

  const start = async (env: Record<string, string> = {}): Promise<SampleServer> => {
    folder = await mkdtemp(join(tmpdir(), 'mcp-sample-'));
    return (server = await restart(env));
  };
  const restart = (env: Record<string, string>): Promise<SampleServer> =>
    SampleServer.start({ UPSTREAM_PORT: upstreamPort, TMPDIR: folder, ...env });

  it('is what npm run start:mcp-server starts', async () => {
    const manifest = await readFile(join(ROOT, 'package.json'), 'utf8');
    const { scripts } = JSON.parse(manifest) as { scripts: Record<string, string> };
    expect(scripts['start:mcp-server']?.split(' && ').at(-1)).toBe(`node ${MAIN}`);
    await start();
    const port = await freePort();
    const again = await SampleServer.start({
      UPSTREAM_PORT: String(await freePort()),
      TMPDIR: folder,
      PORT: String(port),
    });
    expect(again.endpoint.href).toBe(`http://127.0.0.1:${port}/mcp/v1/shop/support`);
    await again.end();
  });

  describe.each(SOURCES)('with $title', ({ env }) => {
    it('prints an endpoint and a key, with which official clients list and call', async () => {
      await start(await env());
      expect(server.key).toMatch(/^mcpk_/);
      for (const pin of ['2026-07-28', 'legacy'] as const) {
        const client = await server.connect(pin);
        expect(client.getInstructions()).toContain('Look a customer up');
        const { tools } = await client.listTools();
        expect(tools).toHaveLength(TOOL_COUNT);
        const listed = await client.callTool({ name: 'list_products' });
        expect(listed.structuredContent).toMatchObject({ items: [{ id: 1, name: 'Mug' }, {}] });
        const order = { customerId: 1, productId: 2, quantity: 3, status: 'open' };
        const added = await client.callTool({ name: 'add_order', arguments: order });
        expect(added.structuredContent).toMatchObject(order);
        const { id } = added.structuredContent as { id: number };
        const found = await client.callTool({ name: 'get_order', arguments: { id } });
        expect(found.structuredContent).toEqual(added.structuredContent);
        const missing = await client.callTool({ name: 'get_order', arguments: { id: 99 } });
        expect(missing.isError).toBe(true);
        expect(JSON.stringify(missing.content)).toContain('There is no /orders/99');
        await client.close();
      }
    });

    it('is used by the client of v1', async () => {
      await start(await env());
      const client = new ClientV1({ name: 'host', version: '1.0.0' });
      const requestInit = { headers: server.headers() };
      const transport = new TransportV1(server.endpoint, { requestInit });
      await client.connect(transport);
      expect((await client.listTools()).tools).toHaveLength(TOOL_COUNT);
      const change = { id: 1, status: 'closed' };
      const changed = await client.callTool({ name: 'change_ticket', arguments: change });
      expect(changed.structuredContent).toMatchObject(change);
      await transport.terminateSession();
      await client.close();
    });

    it('answers 401 without a key, 404 on other paths, and ends on SIGTERM while a stream is open', async () => {
      await start(await env());
      const { pathname } = server.endpoint;
      expect(await server.status(pathname)).toBe(401);
      expect(await server.status(pathname, server.headers(`${server.key}x`))).toBe(401);
      expect(await server.status('/mcp/v1/shop/stock', server.headers())).toBe(404);
      expect(await server.status('/mcp/v1/shop/nobody', server.headers())).toBe(404);
      expect(await server.status('/', server.headers())).toBe(404);
      const client = await server.connect('legacy');
      expect(await server.end()).toEqual([0, null]);
      expect(server.printed()).not.toMatch(/error/i);
      await client.close().catch(() => undefined);
    });
  });

  // As in agents-postgres.spec.ts: said loudly where it is skipped.
  (HAS_POSTGRES ? it : it.skip)(
    'keeps catalog and keys in the database, and serves what is published there at once',
    async () => {
      const database = await postgresServer();
      const env = { DATABASE_URL: database.url() };
      const { key } = await start(env);
      await server.end();
      server = await restart(env);
      // It is asked for its session, so the key of before is good.
      expect(await server.status(server.endpoint.pathname, server.headers(key))).toBe(400);
      const source = new PostgresCatalogSource({ connectionString: database.url() });
      const catalog = (await source.load()) as AgentCatalogDocument;
      const client = await server.connect('legacy');
      expect((await client.listTools()).tools).toHaveLength(TOOL_COUNT);
      await source.replaceCatalog({
        workspaces: catalog.workspaces.map(({ agents = [], ...workspace }) => ({
          ...workspace,
          agents: agents.map((agent) => ({ ...agent, tools: agent.tools?.slice(0, 1) ?? [] })),
        })),
      });
      await until(
        async () => (await client.listTools()).tools.length === 1,
        'the publish is seen in the open session',
      );
      await source.replaceCatalog(catalog);
      await source.close();
      await client.close();
    },
  );
});
