import { FixtureApp } from '../support/fixture-app.js';
import { PLATFORMS } from '../support/platforms.js';
import { TOOLS } from './tools.fixture.js';
import { envelope, message, MODERN, modernHeaders, rpc, verdict } from './wire.js';

const VERSION = 'io.modelcontextprotocol/protocolVersion';
const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';

/** What `_meta` says of the version, what the header says, and what that is in each of the methods. */
type Row = readonly [
  meta: string | undefined,
  header: string | undefined,
  ping: readonly [number, number?],
  list: readonly [number, number?],
  initialize: readonly [number, number?],
];

const DATED_ROWS: readonly Row[] = [undefined, '2025-03-26', '2025-06-18', '2025-11-25'].map(
  (header) => [undefined, header, [200], [200], [200]],
);
const UNSUPPORTED = [400, -32022] as const;
const MISMATCH = [400, -32020] as const;
const ROWS: readonly Row[] = [
  ...DATED_ROWS,
  [undefined, '2024-11-05', [400, -32600], [400, -32600], [400, -32600]],
  [undefined, '2099-01-01', [400, -32600], [400, -32600], [400, -32600]],
  [undefined, 'draft', [400, -32600], [400, -32600], [400, -32600]],
  [undefined, '', [400, -32600], [400, -32600], [400, -32600]],
  [undefined, MODERN, [400, -32602], [400, -32602], [400, -32602]],
  [MODERN, undefined, MISMATCH, MISMATCH, MISMATCH],
  [MODERN, '2025-11-25', MISMATCH, MISMATCH, MISMATCH],
  [MODERN, '2099-01-01', MISMATCH, MISMATCH, MISMATCH],
  [MODERN, MODERN, [404, -32601], [200], [404, -32601]],
  ['2025-11-25', '2025-11-25', UNSUPPORTED, UNSUPPORTED, UNSUPPORTED],
  ['2025-11-25', MODERN, MISMATCH, MISMATCH, MISMATCH],
  ['2099-01-01', '2099-01-01', UNSUPPORTED, UNSUPPORTED, UNSUPPORTED],
  ['2099-01-01', undefined, MISMATCH, MISMATCH, MISMATCH],
];

describe.each(PLATFORMS)('protocol on $name: which era a request is of', (platform) => {
  let app: FixtureApp;
  beforeAll(async () => {
    app = await FixtureApp.start({ ...TOOLS, platform });
  });
  afterAll(() => app.close());

  it.each(ROWS)('_meta %s, header %s', async (meta, header, ping, list, initialize) => {
    const expectations = { ping, 'tools/list': list, initialize };
    for (const [method, [status, code]] of Object.entries(expectations)) {
      const params = {
        ...(method === 'initialize' ? { protocolVersion: '2025-11-25', capabilities: {} } : {}),
        ...(meta === undefined ? {} : { _meta: envelope({ [VERSION]: meta }) }),
      };
      const answer = await app.post(message(method, params), {
        'mcp-method': method,
        ...(header === undefined ? {} : { 'mcp-protocol-version': header }),
      });
      expect([method, ...verdict(answer)]).toEqual([method, status, code]);
    }
  });

  it.each([
    'initialize',
    'ping',
    'logging/setLevel',
    'resources/subscribe',
    'resources/unsubscribe',
  ])('%s in a modern envelope is unknown: 404', async (method) => {
    const params = { protocolVersion: '2025-11-25', level: 'info', uri: 'x:y' };
    expect(verdict(await app.request(method, params))).toEqual([404, -32601]);
  });

  it.each([
    ['no _meta', undefined],
    ['_meta that is no object', 'x'],
    ['no version', { [CAPABILITIES]: {} }],
    ['a version that is no string', envelope({ [VERSION]: 20260728 })],
    ['no capabilities', { [VERSION]: MODERN }],
    ['capabilities that are no object', envelope({ [CAPABILITIES]: [] })],
  ])('an incomplete envelope, %s: 400 and -32602', async (_, meta) => {
    const params = meta === undefined ? {} : { _meta: meta };
    const answer = await app.post(message('tools/list', params), modernHeaders('tools/list'));
    expect(verdict(answer)).toEqual([400, -32602]);
  });

  it('an unsupported version names what is supported and what was requested', async () => {
    const meta = envelope({ [VERSION]: '2027-01-01' });
    const answer = await app.post(message('tools/list', { _meta: meta }), {
      ...modernHeaders('tools/list'),
      'mcp-protocol-version': '2027-01-01',
    });
    expect(answer.status).toBe(400);
    expect(rpc(answer).error).toMatchObject({
      code: -32022,
      data: { supported: [MODERN], requested: '2027-01-01' },
    });
    const { supportedVersions } = rpc(await app.request('server/discover')).result ?? {};
    expect(supportedVersions).toEqual([MODERN]);
  });

  it('clientInfo is optional, and whatever it holds changes nothing', async () => {
    const clientInfo = { 'io.modelcontextprotocol/clientInfo': 'nonsense' };
    const params = { _meta: envelope(clientInfo) };
    const answer = await app.post(message('tools/list', params), modernHeaders('tools/list'));
    expect(verdict(answer)).toEqual([200, undefined]);
  });
});

const base64 = (text: string): string => `=?base64?${Buffer.from(text).toString('base64')}?=`;
type HeaderRow = readonly [title: string, headers: Record<string, string | undefined>, ok: boolean];
const HEADERS: readonly HeaderRow[] = [
  ['all of them', {}, true],
  ['outer white space', { 'mcp-method': ' tools/call\t', 'mcp-name': '  echo ' }, true],
  ['names in other letter case', { 'MCP-NAME': 'echo', 'mcp-name': undefined }, true],
  ['the name in Base64', { 'mcp-name': base64('echo') }, true],
  ['no method', { 'mcp-method': undefined }, false],
  ['another method', { 'mcp-method': 'tools/list' }, false],
  ['the method in other letter case', { 'mcp-method': 'TOOLS/CALL' }, false],
  ['no name', { 'mcp-name': undefined }, false],
  ['another name', { 'mcp-name': 'slow' }, false],
  ['an empty name', { 'mcp-name': '' }, false],
  ['the name in other letter case', { 'mcp-name': 'Echo' }, false],
  ['another name in Base64', { 'mcp-name': base64('slow') }, false],
  ['Base64 without padding', { 'mcp-name': '=?base64?ZWNobw?=' }, false],
  ['the URL alphabet', { 'mcp-name': '=?base64?_-8=?=' }, false],
  ['upper-case markers', { 'mcp-name': '=?BASE64?ZWNobw==?=' }, false],
  ['a version with more behind it', { 'mcp-protocol-version': `${MODERN}, ${MODERN}` }, false],
];

describe.each(PLATFORMS)('protocol on $name: the headers of 2026-07-28', (platform) => {
  let app: FixtureApp;
  beforeAll(async () => {
    app = await FixtureApp.start({ ...TOOLS, platform });
  });
  afterAll(() => app.close());

  it.each(HEADERS)('%s', async (_, changes, ok) => {
    const params = { name: 'echo', arguments: { path: { text: 'a' } }, _meta: envelope() };
    const all = { ...modernHeaders('tools/call', 'echo'), ...changes };
    const headers = Object.fromEntries(
      Object.entries(all).filter((one): one is [string, string] => one[1] !== undefined),
    );
    const answer = await app.post(message('tools/call', params), headers);
    expect(verdict(answer)).toEqual(ok ? [200, undefined] : [400, -32020]);
  });
});
