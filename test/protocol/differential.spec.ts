import type { CallToolResult, Tool } from '@modelcontextprotocol/server';
import { FixtureApp } from '../support/fixture-app.js';
import { PLATFORMS } from '../support/platforms.js';
import { differences, officialServer, ownServer, type Ask, type Exchange } from './oracle.js';
import { TOOLS } from './tools.fixture.js';
import {
  DATED,
  envelope,
  JSON_AND_SSE,
  message,
  MODERN,
  modernHeaders,
  notification,
} from './wire.js';

const CONTENT = { 'content-type': 'application/json', accept: JSON_AND_SSE };
const CALLS: Readonly<Record<string, object>> = {
  described: {},
  echo: { path: { text: 'ä/b' } },
  empty: {},
  numbers: {},
  picture: {},
  report: { body: { region: 'eu', year: 2026 } },
};
const IDS = [0, 1, -7, 9007199254740991, '', 'text', '😀'];
const INITIALIZE = { capabilities: {}, clientInfo: { name: 'x', version: '1' } };

function exchange(title: string, body: object, headers: Record<string, string> = {}): Exchange {
  return { title, body: JSON.stringify(body), headers: { ...CONTENT, ...headers } };
}

function dated(): Exchange[] {
  return DATED.flatMap((revision) => {
    const headers = { 'mcp-protocol-version': revision };
    const send = (title: string, body: object): Exchange =>
      exchange(`${revision}: ${title}`, body, headers);
    return [
      ...IDS.map((id) => send(`ping ${JSON.stringify(id)}`, message('ping', undefined, id))),
      send('initialize', message('initialize', { protocolVersion: revision, ...INITIALIZE })),
      send(
        'initialize 1999',
        message('initialize', { protocolVersion: '1999-01-01', ...INITIALIZE }),
      ),
      send('list', message('tools/list')),
      send('list with params', message('tools/list', {})),
      ...Object.entries(CALLS).map(([name, args]) =>
        send(`call ${name}`, message('tools/call', { name, arguments: args })),
      ),
      send('unknown tool', message('tools/call', { name: 'absent', arguments: {} })),
      send('unknown method', message('no/such', {})),
      send('initialized', notification('notifications/initialized')),
      send('cancelled', notification('notifications/cancelled', { requestId: 1 })),
      send('unknown notification', notification('notifications/no/such')),
    ];
  });
}

function modern(): Exchange[] {
  const send = (
    method: string,
    params: Record<string, unknown> = {},
    more: {
      title?: string;
      id?: string | number;
      headers?: Record<string, string>;
      meta?: object;
    } = {},
  ): Exchange => {
    const name = typeof params['name'] === 'string' ? params['name'] : undefined;
    const headers = modernHeaders(method, name);
    const _meta = more.meta ?? envelope();
    return exchange(
      `${MODERN}: ${more.title ?? method} ${name ?? ''} ${String(more.id ?? '')}`,
      message(method, { ...params, _meta }, more.id ?? 1),
      { ...headers, ...more.headers },
    );
  };
  const version = { 'io.modelcontextprotocol/protocolVersion': '2099-01-01' };
  const unknown = { meta: envelope(version), headers: { 'mcp-protocol-version': '2099-01-01' } };
  return [
    ...IDS.map((id) => send('server/discover', {}, { id })),
    send('tools/list'),
    ...Object.entries(CALLS).map(([name, args]) => send('tools/call', { name, arguments: args })),
    send('tools/call', { name: 'absent', arguments: {} }),
    send('no/such'),
    send('ping'),
    send('initialize', { protocolVersion: MODERN, ...INITIALIZE }),
    send(
      'tools/list',
      {},
      {
        title: 'no capabilities',
        meta: { ...envelope(), 'io.modelcontextprotocol/clientCapabilities': undefined },
      },
    ),
    send('tools/list', {}, { title: 'no _meta', meta: {} }),
    send('tools/list', {}, { title: 'unsupported', ...unknown }),
    send(
      'tools/list',
      {},
      { title: 'another version in the header', headers: { 'mcp-protocol-version': '2025-11-25' } },
    ),
    send(
      'tools/list',
      {},
      { title: 'another method in the header', headers: { 'mcp-method': 'tools/call' } },
    ),
    send(
      'tools/call',
      { name: 'echo' },
      { title: 'another name in the header', headers: { 'mcp-name': 'slow' } },
    ),
    send(
      'tools/call',
      { name: 'empty' },
      { title: 'the name in Base64', headers: { 'mcp-name': '=?base64?ZW1wdHk=?=' } },
    ),
  ];
}

interface Intended {
  /** The path in status and message. */
  readonly where: RegExp;
  /** The exchanges in which it is so. */
  readonly when: RegExp;
  readonly why: string;
}

/** What this server does in another way, on purpose. */
const INTENDED: readonly Intended[] = [
  {
    where: /^message\.error\.message$/,
    when: /./,
    why: 'the words of an error are each server’s own',
  },
  {
    where: /^message\.error\.data$/,
    when: /^2026-07-28: (no |another )/,
    why: 'the specification gives these errors no data; the message says what is wrong',
  },
  {
    where: /^message\.result\.capabilities\.tools\.listChanged$/,
    when: /^2025-.*initialize/,
    why: 'without sessions a 2025 client has no stream on which it could be told, so it is not promised',
  },
  {
    where: /^message\.result\.tools\.\w+\.(title|outputSchema|icons|_meta)$/,
    when: /^2025-03-26: list/,
    why: 'the schema of 2025-03-26 does not have these members',
  },
  {
    where: /^message\.result\.structuredContent$/,
    when: /^2025-03-26: call/,
    why: 'the schema of 2025-03-26 does not have structured content; the text carries it',
  },
  {
    where: /^message\.result\.tools\.\w+\.icons$/,
    when: /^2025-06-18: list/,
    why: 'the schema of 2025-06-18 does not have icons',
  },
  {
    where: /^message\.result\.tools\.numbers\.outputSchema$/,
    when: /^2025-/,
    why: 'before 2026-07-28 an output schema is that of an object: it is left out, where the SDK wraps it',
  },
  {
    where: /^message\.(result|error)$/,
    when: /^2025-.*call numbers/,
    why: 'before 2026-07-28 structured content is an object: it is left out, where the SDK fails the call',
  },
];

function isIntended(difference: string, title: string): Intended | undefined {
  const [path = ''] = difference.split(': ', 1);
  return INTENDED.find(({ where, when }) => where.test(path) && when.test(title));
}

const TRAFFIC = [...dated(), ...modern()];

describe.each(PLATFORMS)('protocol on $name: beside the official server', (platform) => {
  let app: FixtureApp;
  let ours: Ask;
  let theirs: Ask;
  beforeAll(async () => {
    app = await FixtureApp.start({ ...TOOLS, platform, mcp: { listTtlMs: 0 } });
    ours = ownServer(app);
    const listed = (await app.request('tools/list')).json() as { result: { tools: Tool[] } };
    const results: Record<string, CallToolResult> = {};
    for (const [name, args] of Object.entries(CALLS)) {
      const { content, structuredContent } = (await app.call(name, args)) as CallToolResult;
      results[name] = {
        content,
        ...(structuredContent === undefined ? {} : { structuredContent }),
      };
    }
    theirs = officialServer({ tools: listed.result.tools, results });
  });
  afterAll(() => app.close());

  it.each(TRAFFIC.map((one) => [one.title, one] as const))('%s', async (title, one) => {
    const found = differences(await ours(one), await theirs(one));
    expect(found.filter((difference) => isIntended(difference, title) === undefined)).toEqual([]);
  });

  it('every intended difference is still one', async () => {
    const seen = new Set<Intended | undefined>();
    for (const one of TRAFFIC) {
      for (const difference of differences(await ours(one), await theirs(one)))
        seen.add(isIntended(difference, one.title));
    }
    expect(INTENDED.filter((one) => !seen.has(one)).map(({ why }) => why)).toEqual([]);
  });
});
