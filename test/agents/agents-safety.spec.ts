import type { Client } from '@modelcontextprotocol/client';
import { createServer, type AddressInfo, type Server } from 'node:net';
import type {
  AgentCatalogDocument,
  AgentDocument,
  AgentKeyRecord,
  CredentialRequest,
  OperationDocument,
} from '../../src/agents/index.js';
import { newAgentKey } from '../../src/agents/key.js';
import { PLATFORMS } from '../support/platforms.js';
import { AgentsApp, plainOperation, readOperation } from './agents.fixture.js';
import { Upstream } from './upstream.fixture.js';

const NOT_REACHED = 'The upstream is at an address that may not be reached. Nothing was sent.';

/** A port at which everything that comes to this machine is counted, whatever it speaks. */
class Trap {
  connections = 0;
  private readonly server: Server = createServer((socket) => {
    this.connections += 1;
    socket.destroy();
  });

  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.server.listen(0, resolve));
    return this;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    await new Promise((resolve) => this.server.close(resolve));
  }
}

/** Ways to write an address that no operation may reach; those of loopback lead to the trap. */
const FORMS: readonly (readonly [what: string, host: string])[] = [
  ['dotted', '127.0.0.1'],
  ['decimal', '2130706433'],
  ['octal', '0177.0.0.1'],
  ['hexadecimal', '0x7f000001'],
  ['hexadecimal, by its parts', '0x7f.0x0.0x0.0x1'],
  ['short', '127.1'],
  ['full-width digits', '１２７.0.0.1'],
  ['with a dot at its end', '127.0.0.1.'],
  ['unspecified', '0.0.0.0'],
  ['zero', '0'],
  ['IPv6', '[::1]'],
  ['IPv6, unspecified', '[::]'],
  ['IPv4-mapped', '[::ffff:127.0.0.1]'],
  ['IPv4-mapped, in hexadecimal', '[::ffff:7f00:1]'],
  ['IPv4-compatible', '[::127.0.0.1]'],
  ['NAT64', '[64:ff9b::127.0.0.1]'],
  ['6to4', '[2002:7f00:1::]'],
  ['link-local', '169.254.1.1'],
  ['IPv6, link-local', '[fe80::1]'],
  ['metadata', '169.254.169.254'],
  ['metadata, in decimal', '2852039166'],
  ['metadata, IPv4-mapped', '[::ffff:169.254.169.254]'],
  ['metadata, NAT64', '[64:ff9b::a9fe:a9fe]'],
  ['IPv6, metadata', '[fd00:ec2::254]'],
  ['private', '10.0.0.1'],
  ['private', '192.168.0.1'],
  ['unique local', '[fc00::1]'],
];

/** What a hostile name service answers, by the name. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  'loopback.example': ['127.0.0.1'],
  'loopback6.example': ['::1'],
  'mapped.example': ['::ffff:127.0.0.1'],
  'any.example': ['0.0.0.0'],
  'metadata.example': ['169.254.169.254'],
  'private.example': ['10.0.0.1'],
  'both.example': ['8.8.8.8', '127.0.0.1'],
  'metadata.google.internal': ['169.254.169.254'],
};

function operation(name: string, rest: object): OperationDocument {
  const [made] = plainOperation('', name, '', rest).versions;
  return { name, versions: made === undefined ? [] : [made] };
}

const TEXT = { type: 'string' };
const PATTERNED = {
  type: 'object',
  properties: { code: { type: 'string', pattern: '^(([a-z])+.)+[A-Z]([a-z])+$' } },
};

/** What is written into each part of a request. */
function writing(origin: string): readonly OperationDocument[] {
  const input = { type: 'object', properties: { v: TEXT, list: { type: 'array', items: TEXT } } };
  const parameter = (place: string, more: object = {}): object => ({
    input,
    parameters: [{ name: 'X-Place', in: place, from: '/v', ...more }],
  });
  const byPath = (style: string): object => ({
    input,
    url: `${origin}/orders/{v}/lines`,
    parameters: [{ name: 'v', in: 'path', from: style === 'list' ? '/list' : '/v' }],
  });
  const body = { contentType: 'multipart/form-data', content: { object: { f: { from: '/v' } } } };
  return [
    operation('by_path', { ...byPath('one') }),
    operation('by_path_list', { ...byPath('list') }),
    operation('by_header', { url: `${origin}/h`, ...parameter('header') }),
    operation('by_header_list', {
      url: `${origin}/h`,
      ...parameter('header', { from: '/list' }),
    }),
    operation('by_cookie', { url: `${origin}/c`, ...parameter('cookie') }),
    operation('by_query', { url: `${origin}/q`, ...parameter('query') }),
    operation('by_form', { method: 'POST', url: `${origin}/f`, input, body }),
    operation('patterned', { url: `${origin}/p`, input: PATTERNED }),
  ];
}

function bound(slug: string, operations: readonly OperationDocument[]): AgentDocument {
  const tools = operations.map(({ name }) => ({ operation: name }));
  return { slug, status: 'published', tools };
}

describe.each(PLATFORMS)('agents on $name: what must not happen', (platform) => {
  let app: AgentsApp;
  let other: Upstream;
  let trap: Trap;
  let client: Client;
  const asked: string[] = [];
  const wanted: CredentialRequest[] = [];
  let rebound: readonly string[] = [];
  const keyOf = new Map<string, string>();
  let document: (upstream: string) => AgentCatalogDocument;
  let records: AgentKeyRecord[] = [];

  beforeAll(async () => {
    [other, trap] = await Promise.all([Upstream.start(), new Trap().start()]);
    const made = ['acme/support', 'acme/billing', 'rival/support', 'forms/a', 'names/a'].map(
      (at) => {
        const [workspace = '', agent = ''] = at.split('/');
        const { key, record } = newAgentKey({ workspace, agent });
        keyOf.set(at, key);
        return record;
      },
    );
    const forms = FORMS.map(([, host], index) =>
      operation(`form_${index}`, { url: `${new URL(`https://${host}:${trap.port}`).origin}/` }),
    );
    const names = Object.keys(NAMES).map((name) => `https://${name}:${trap.port}`);
    const named = names.map((name, index) => operation(`name_${index}`, { url: `${name}/` }));
    const origins = forms.map(({ versions }) => new URL(String(versions[0]?.rest.url)).origin);
    records = made;
    document = (upstream) => {
      const rebinding = upstream.replace('127.0.0.1', 'rebind.example');
      const credentials = [{ ref: 'shop', in: 'header', name: 'x-shop', optional: true } as const];
      const own = [
        ...writing(upstream),
        operation('read_thing', { url: `${upstream}/acme`, credentials }),
        operation('redirects', { url: `${upstream}/status/302`, credentials }),
        operation('redirects_post', { url: `${upstream}/status/307`, method: 'POST', credentials }),
        operation('rebinds', { url: `${rebinding}/close` }),
      ];
      const theirs = [operation('read_thing', { url: `${other.origin}/rival`, credentials })];
      const loopback = { allowLoopback: true };
      return {
        workspaces: [
          {
            slug: 'acme',
            policy: { origins: [upstream, rebinding], ...loopback },
            operations: own,
            agents: [bound('support', own), bound('billing', own.slice(0, 1))],
          },
          {
            slug: 'rival',
            policy: { origins: [other.origin], ...loopback },
            operations: theirs,
            agents: [bound('support', theirs)],
          },
          {
            slug: 'forms',
            policy: { origins: [...new Set(origins)] },
            operations: forms,
            agents: [bound('a', forms)],
          },
          {
            slug: 'names',
            policy: { origins: names },
            operations: named,
            agents: [bound('a', named)],
          },
        ],
        keys: records,
      };
    };
    app = await AgentsApp.start({
      platform,
      document,
      options: {
        sessions: {},
        maxAttempts: 1_000,
        credentials: {
          resolve: (request) => {
            wanted.push(request);
            const origins = request.workspace === 'acme' ? [app.upstream.origin] : [other.origin];
            return { secret: `secret-of-${request.workspace}`, origins };
          },
        },
        connections: {
          lookup: (name, answer) => {
            asked.push(name);
            const addresses = name === 'rebind.example' ? rebound : (NAMES[name] ?? []);
            const found = addresses.map((address) => ({
              address,
              family: address.includes(':') ? 6 : 4,
            }));
            answer(null, found);
          },
        },
      },
    });
    client = await connect('acme/support');
  });
  afterAll(async () => {
    await client.close();
    await app.close();
    await Promise.all([other.close(), trap.close()]);
  });
  beforeEach(() => {
    for (const list of [app.upstream.seen, other.seen, asked, wanted]) list.length = 0;
    trap.connections = 0;
  });

  const connect = (at: string): Promise<Client> =>
    app.connect('2026-07-28', { key: keyOf.get(at) ?? '', path: at });
  const call = async (
    name: string,
    args: Record<string, unknown> = {},
    by = client,
  ): Promise<Record<string, unknown>> => {
    const { isError, content } = await by.callTool({ name, arguments: args });
    const [block] = content as { text?: string }[];
    expect({ name, isError, text: block?.text }).toMatchObject({ isError: true });
    return JSON.parse(String(block?.text)) as Record<string, unknown>;
  };
  const nothingWasSent = (): void => {
    expect({
      upstream: app.upstream.seen,
      other: other.seen,
      trap: trap.connections,
    }).toEqual({ upstream: [], other: [], trap: 0 });
  };

  it('a call reaches an address that may not be reached, in any form', async () => {
    const by = await connect('forms/a');
    for (const [index, [what, host]] of FORMS.entries()) {
      const { code, message } = await call(`form_${index}`, {}, by);
      expect({ what, host, code, message }).toEqual({
        what,
        host,
        code: 'upstream',
        message: NOT_REACHED,
      });
    }
    await by.close();
    nothingWasSent();
    expect(asked).toEqual([]);
  });

  it('a catalog brings an address in a form that is not the one it is read as', async () => {
    for (const [what, host] of FORMS) {
      const written = `https://${host}:${trap.port}`;
      if (new URL(written).origin === written) continue;
      const operations = [operation('odd', { url: `${written}/` })];
      const odd = { slug: 'odd', policy: { origins: [written] }, operations };
      const { workspaces } = document(app.upstream.origin);
      await app.catalog.publish({ workspaces: [...workspaces, odd], keys: records });
      const { problems } = await app.agents.refresh();
      expect({ what, problems }).toMatchObject({
        problems: [expect.stringMatching(/workspace odd, policy: origins: .* is no origin/)],
      });
    }
    await app.catalog.publish(document(app.upstream.origin));
    expect(await app.agents.refresh()).toEqual({ problems: [] });
  });

  it('a name leads to an address that may not be reached', async () => {
    const by = await connect('names/a');
    for (const [index, name] of Object.keys(NAMES).entries()) {
      const { code, message } = await call(`name_${index}`, {}, by);
      expect({ name, code, message }).toEqual({ name, code: 'upstream', message: NOT_REACHED });
    }
    await by.close();
    nothingWasSent();
    expect(asked).toEqual(Object.keys(NAMES));
    expect(app.logger.all('error').join()).toContain('metadata.example leads to 169.254.169.254');
  });

  it('a name leads elsewhere between the check and the connection, or the next time', async () => {
    rebound = ['127.0.0.1'];
    const answer = client.callTool({ name: 'rebinds' });
    expect((await answer).structuredContent).toMatchObject({ path: '/close' });
    // Asked once for the connection, so that there is no second answer to connect to.
    expect(asked).toEqual(['rebind.example']);
    app.upstream.seen.length = 0;
    for (const address of ['0.0.0.0', '::ffff:127.0.0.1', '10.0.0.1', '8.8.8.8']) {
      rebound = [address];
      expect((await call('rebinds'))['message']).toBe(NOT_REACHED);
    }
    nothingWasSent();
  });

  it.each(['redirects', 'redirects_post'])('%s to another origin is followed', async (tool) => {
    for (const location of [`${other.origin}/`, `http://127.0.0.1:${trap.port}/`, '/acme']) {
      app.upstream.seen.length = 0;
      app.upstream.location = location;
      expect(await call(tool)).toMatchObject({ code: 'upstream' });
      expect(app.upstream.seen).toHaveLength(1);
    }
    app.upstream.seen.length = 0;
    nothingWasSent();
  });

  it.each([
    '..',
    '.',
    '',
    '%2e%2e',
    '%2E%2e',
    '.%2e',
    '../../admin',
    '..%2f..%2fadmin',
    '%2e%2e%2fadmin',
    'a/../../admin',
    '..\\admin',
    '..%5cadmin',
    '\ud800',
  ])('a path value leaves its segment: %j', async (v) => {
    expect(await call('by_path', { v })).toMatchObject({ code: 'mapping' });
    expect(await call('by_path_list', { list: ['a', v] })).toMatchObject({ code: 'mapping' });
    nothingWasSent();
  });

  it.each(['a/b', '/', '//evil.example', '?admin=1', '#x', ';x', 'a b', '@evil.example', '%00'])(
    'a path value is more than one segment: %j',
    async (v) => {
      await client.callTool({ name: 'by_path', arguments: { v } });
      expect(app.upstream.seen).toHaveLength(1);
      const [, orders, segment, lines, ...rest] = app.upstream.last?.url.split('/') ?? [];
      expect([orders, decodeURIComponent(segment ?? ''), lines, rest]).toEqual([
        'orders',
        v,
        'lines',
        [],
      ]);
    },
  );

  it.each([
    'a\r\nx-admin: 1',
    'a\nx-admin: 1',
    'a\rb',
    'a\0',
    'a\r\n\r\nGET / HTTP/1.1',
    '\u560d\u560a',
  ])('a value is a further header: %j', async (v) => {
    expect(await call('by_header', { v })).toMatchObject({ code: 'mapping' });
    expect(await call('by_header_list', { list: ['a', v] })).toMatchObject({ code: 'mapping' });
    expect(await call('by_cookie', { v })).toMatchObject({ code: 'mapping' });
    nothingWasSent();
    await client.callTool({ name: 'by_query', arguments: { v } });
    await client.callTool({ name: 'by_form', arguments: { v } });
    expect(app.upstream.seen.map(({ headers }) => headers['x-admin'])).toEqual([
      undefined,
      undefined,
    ]);
    const [query, form] = app.upstream.seen;
    expect(new URL(query?.url ?? '', 'http://x').searchParams.get('X-Place')).toBe(v);
    expect(form?.body).toContain(`\r\n\r\n${v}\r\n--`);
  });

  it.each(['dark; session=stolen', 'a,b', 'a b', '"a"'])('a cookie is two: %j', async (v) => {
    expect(await call('by_cookie', { v })).toMatchObject({ code: 'mapping' });
    nothingWasSent();
  });

  it('a key opens another workspace, or another agent, of the same name or not', async () => {
    const paths = ['acme/support', 'acme/billing', 'rival/support'];
    const params = { name: 'read_thing', arguments: {} };
    for (const at of paths) {
      const foreign = paths.filter((path) => path !== at);
      for (const path of [
        ...foreign,
        'rival/billing',
        'ACME/support',
        `${at}/..`,
        'acme%2Fsupport',
      ]) {
        const headers = { authorization: `Bearer ${keyOf.get(at)}` };
        const answer = await app.post(path, headers, 'tools/call', params);
        expect({ at, path, status: answer.status }).toEqual({ at, path, status: 404 });
      }
    }
    nothingWasSent();
    expect(wanted).toEqual([]);
  });

  it("a tool of one workspace runs another's operation or gets its secret", async () => {
    const rival = await connect('rival/support');
    const [own, theirs] = await Promise.all([
      client.callTool({ name: 'read_thing' }),
      rival.callTool({ name: 'read_thing' }),
    ]);
    expect([own.structuredContent, theirs.structuredContent]).toMatchObject([
      { path: '/acme' },
      { path: '/rival' },
    ]);
    expect(app.upstream.seen.map(({ headers }) => headers['x-shop'])).toEqual(['secret-of-acme']);
    expect(other.seen.map(({ headers }) => headers['x-shop'])).toEqual(['secret-of-rival']);
    await expect(rival.callTool({ name: 'by_path', arguments: { v: 'a' } })).rejects.toThrow(
      /Unknown tool/,
    );
    expect(app.upstream.seen).toHaveLength(1);
    await rival.close();
  });

  it("a session is used with another agent's key", async () => {
    const key = keyOf.get('acme/support') ?? '';
    const legacy = await app.connect('legacy', { key });
    const session = (legacy.transport as { sessionId?: string }).sessionId ?? '';
    for (const at of ['acme/billing', 'rival/support']) {
      const headers = { authorization: `Bearer ${keyOf.get(at)}`, 'mcp-session-id': session };
      expect((await app.post(at, headers)).status).toBe(404);
      expect((await app.post('acme/support', headers)).status).toBe(404);
    }
    const own = { authorization: `Bearer ${key}`, 'mcp-session-id': session };
    expect((await app.post('acme/support', own)).status).toBe(200);
    await legacy.close();
    nothingWasSent();
  });

  it('a pattern of a catalog runs for ever', async () => {
    // A backtracking engine would not come back from this.
    const code = `${'a'.repeat(50_000)}!`;
    expect(await call('patterned', { code })).toMatchObject({ code: 'validation' });
    nothingWasSent();
  });

  it.each(['^(?=(a+)+$)', '(a)\\1', '(?<!a)b', '(a{1000}){1000}'])(
    'a catalog brings a pattern that cannot run in linear time: %s',
    async (pattern) => {
      const upstream = app.upstream.origin;
      const { workspaces, ...rest } = document(upstream);
      for (const input of [
        { type: 'object', properties: { v: { type: 'string', pattern } } },
        { type: 'object', patternProperties: { [pattern]: {} } },
        { type: 'object', properties: { v: { $ref: '#/$defs/v' } }, $defs: { v: { pattern } } },
      ]) {
        const operations = [operation('hostile', { url: `${upstream}/x`, input })];
        const hostile = {
          slug: 'hostile',
          policy: { origins: [upstream], allowLoopback: true },
          operations,
          agents: [bound('a', operations)],
        };
        await app.catalog.publish({ workspaces: [...workspaces, hostile], ...rest });
        const { problems } = await app.agents.refresh();
        expect(problems).toEqual([expect.stringContaining('hostile')]);
      }
      expect(app.agents.agents.map(({ workspace }) => workspace)).not.toContain('hostile');
      // The last good catalog is served on.
      await client.callTool({ name: 'by_path', arguments: { v: 'on' } });
      expect(app.upstream.last?.url).toBe('/orders/on/lines');
      await app.catalog.publish(document(upstream));
      expect(await app.agents.refresh()).toEqual({ problems: [] });
    },
  );

  it('an operation names an origin that its workspace does not list', async () => {
    const { workspaces, ...rest } = document(app.upstream.origin);
    for (const origin of [other.origin, `https://127.0.0.1:${trap.port}`, 'https://evil.example']) {
      const stray = {
        ...workspaces[0],
        slug: 'stray',
        operations: [readOperation(origin)],
        agents: [],
      };
      await app.catalog.publish({ workspaces: [...workspaces, stray], ...rest });
      const { problems } = await app.agents.refresh();
      expect(problems).toEqual([
        expect.stringContaining(`${origin} is not among the origins of the workspace`),
      ]);
    }
    await app.catalog.publish(document(app.upstream.origin));
    expect(await app.agents.refresh()).toEqual({ problems: [] });
    nothingWasSent();
  });
});
