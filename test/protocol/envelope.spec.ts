import { FixtureApp } from '../support/fixture-app.js';
import { PLATFORMS } from '../support/platforms.js';
import { TOOLS } from './tools.fixture.js';
import {
  message,
  MODERN,
  modernHeaders,
  envelope,
  rawExchange,
  rawRequest,
  verdict,
} from './wire.js';

const NESTED = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`;
const bytes = (...parts: (string | number[])[]): Uint8Array =>
  Buffer.concat(
    parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.from(part))),
  );

type Refused = readonly [title: string, body: string | Uint8Array, code: number];
const REFUSED: readonly Refused[] = [
  ['an empty body', '', -32700],
  ['white space', '  \n', -32700],
  ['half a message', '{"jsonrpc":"2.0","id":1,', -32700],
  ['more after the message', '{"jsonrpc":"2.0","id":1,"method":"ping"} x', -32700],
  ['a byte order mark', '\ufeff{"jsonrpc":"2.0","id":1,"method":"ping"}', -32700],
  [
    'bytes that are not UTF-8',
    bytes('{"jsonrpc":"2.0","id":"', [0xff, 0xfe], '","method":"ping"}'),
    -32700,
  ],
  ['UTF-16', Buffer.from('{"jsonrpc":"2.0","id":1,"method":"ping"}', 'utf16le'), -32700],
  ['depth 10 000', NESTED(10_000), -32600],
  [
    'depth 129 below params',
    `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":${NESTED(127)}}}`,
    -32600,
  ],
  ['a batch', '[{"jsonrpc":"2.0","id":1,"method":"ping"}]', -32600],
  ['an empty batch', '[]', -32600],
  ['null', 'null', -32600],
  ['a string', '"ping"', -32600],
  ['no jsonrpc', '{"id":1,"method":"ping"}', -32600],
  ['jsonrpc 1.0', '{"jsonrpc":"1.0","id":1,"method":"ping"}', -32600],
  ['jsonrpc 2 as a number', '{"jsonrpc":2.0,"id":1,"method":"ping"}', -32600],
  [
    'a member that JSON-RPC does not have',
    '{"jsonrpc":"2.0","id":1,"method":"ping","x":1}',
    -32600,
  ],
  ['no method', '{"jsonrpc":"2.0","id":1}', -32600],
  ['a method that is no string', '{"jsonrpc":"2.0","id":1,"method":1}', -32600],
  ['params that are a list', '{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}', -32600],
  ['params that are null', '{"jsonrpc":"2.0","id":1,"method":"ping","params":null}', -32600],
  ['a response', '{"jsonrpc":"2.0","id":1,"result":{}}', -32600],
  ['an error response', '{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"x"}}', -32600],
  ['a member twice', '{"jsonrpc":"2.0","id":1,"method":"ping","method":"ping"}', -32600],
  [
    'a member twice, once escaped',
    '{"jsonrpc":"2.0","id":1,"method":"ping","\\u006dethod":"x"}',
    -32600,
  ],
  [
    'a member of the arguments twice',
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"a":1,"a":2}}}',
    -32600,
  ],
  [
    'a number outside arguments that JSON.parse would change',
    '{"jsonrpc":"2.0","id":1,"method":"ping","params":{"n":9007199254740993}}',
    -32600,
  ],
];

const BAD_IDS = [
  '1.5',
  '1.0',
  '1e2',
  '-0',
  '9007199254740992',
  '9007199254740993',
  '-9007199254740993',
  '1e400',
  'true',
  'null',
  '[]',
  '{}',
];
const GOOD_IDS = [
  '0',
  '1',
  '-7',
  '9007199254740991',
  '-9007199254740991',
  '""',
  '"1"',
  '"ü\\u0000"',
];

describe.each(PLATFORMS)('protocol on $name: the envelope of a message', (platform) => {
  let app: FixtureApp;
  beforeAll(async () => {
    app = await FixtureApp.start({ ...TOOLS, platform });
  });
  afterAll(() => app.close());

  it.each(REFUSED)('refuses %s', async (_, body, code) => {
    for (const headers of [{}, { 'mcp-protocol-version': MODERN }] as Record<string, string>[]) {
      const answer = await app.post(body, headers);
      expect(verdict(answer)).toEqual([400, code]);
      expect(answer.headers.get('cache-control')).toBe('no-store');
      expect(answer.headers.get('content-type')).toBe('application/json');
    }
  });

  it.each(BAD_IDS)('P2: refuses the id %s and does not say it again', async (id) => {
    const answer = await app.post(`{"jsonrpc":"2.0","id":${id},"method":"ping"}`);
    expect(verdict(answer)).toEqual([400, -32600]);
    expect(Object.keys(answer.json() as object)).toEqual(['jsonrpc', 'error']);
  });

  it.each(GOOD_IDS)('P2: takes the id %s and answers with it', async (id) => {
    const answer = await app.post(`{"jsonrpc":"2.0","id":${id},"method":"ping"}`);
    expect(answer.text).toBe(
      `{"jsonrpc":"2.0","id":${JSON.stringify(JSON.parse(id))},"result":{}}`,
    );
  });

  it('P2: an id that stands twice is not answered with either', async () => {
    const answer = await app.post('{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}');
    expect(verdict(answer)).toEqual([400, -32600]);
    expect(answer.json()).not.toHaveProperty('id');
  });

  it('answers a refused message with its id where that was read', async () => {
    const answer = await app.post('{"jsonrpc":"2.0","id":"seven","method":"ping","params":[]}');
    expect(answer.json()).toMatchObject({ id: 'seven', error: { code: -32600 } });
  });

  it('P3: the deepest message that is served', async () => {
    const body = `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":${NESTED(126)}}}`;
    expect(verdict(await app.post(body))).toEqual([200, undefined]);
  });

  it('a notification is taken with 202 and no body, understood or not', async () => {
    for (const method of ['notifications/initialized', 'notifications/cancelled', 'what/ever']) {
      for (const headers of [{}, modernHeaders(method)]) {
        const answer = await app.post({ jsonrpc: '2.0', method }, headers);
        expect([answer.status, answer.text]).toEqual([202, '']);
        expect(answer.headers.get('cache-control')).toBe('no-store');
      }
    }
  });

  it('an unknown method is -32601: 200 in the 2025 revisions, 404 in 2026-07-28', async () => {
    expect(verdict(await app.post(message('resources/list')))).toEqual([200, -32601]);
    expect(verdict(await app.request('resources/list'))).toEqual([404, -32601]);
    expect(verdict(await app.post(message('server/discover')))).toEqual([200, -32601]);
  });

  it.each([
    ['an unknown tool', { name: 'absent' }],
    ['no name', {}],
    ['a name that is no string', { name: 1 }],
    ['arguments that are a list', { name: 'echo', arguments: [] }],
    ['arguments that are null', { name: 'echo', arguments: null }],
    ['arguments that are a string', { name: 'echo', arguments: '{}' }],
    ['the name of a member of every object', { name: 'constructor' }],
  ])('a call with %s is -32602 with status 200', async (_, params) => {
    expect(verdict(await app.post(message('tools/call', params)))).toEqual([200, -32602]);
    expect(verdict(await app.request('tools/call', params))).toEqual([200, -32602]);
  });

  it('a call without params is -32602', async () => {
    expect(verdict(await app.post(message('tools/call')))).toEqual([200, -32602]);
  });

  it('arguments that do not fit, numbers that JSON.parse would change: error results', async () => {
    const call = (args: string): string =>
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"report","arguments":{"body":${args}}}}`;
    for (const args of ['{"region":"eu"}', '{"region":"eu","year":9007199254740993}']) {
      const answer = await app.post(call(args));
      expect(answer.json()).toMatchObject({ id: 1, result: { isError: true } });
    }
  });

  it('serves no stack and no path of the server, and no session id or Mcp headers', async () => {
    const answer = await app.request('tools/call', { name: 'missing', _meta: envelope() });
    expect(answer.text).toContain('Internal server error');
    expect(answer.text).not.toMatch(/secret|\/src\/|at .*\.ts/);
    expect(answer.headers.get('mcp-session-id')).toBeNull();
  });

  it('P1: 200 calls in flight with the id 1, without sessions, each get their own answer', async () => {
    const texts = Array.from({ length: 200 }, (_, i) => `text-${i}`);
    const results = await Promise.all(texts.map((text) => app.call('echo', { path: { text } })));
    expect(results.map(({ structuredContent }) => structuredContent)).toEqual(
      texts.map((text) => ({ text })),
    );
  });

  it('serves HTTP/1.0', async () => {
    const body = JSON.stringify(message('ping'));
    const head = `POST ${app.path} HTTP/1.0\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`;
    expect(await rawExchange(app, head + body)).toContain('"result":{}');
  });

  it('serves a message in pieces and a chunked one', async () => {
    const body = JSON.stringify(message('ping'));
    const half = body.length >> 1;
    const chunk = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n`;
    const chunked = chunk(body.slice(0, half)) + chunk(body.slice(half)) + '0\r\n\r\n';
    const headers = { 'content-type': 'application/json', 'transfer-encoding': 'chunked' };
    const answer = await rawExchange(app, rawRequest(`POST ${app.path}`, headers, chunked));
    expect(answer).toContain('"result":{}');
  });
});
