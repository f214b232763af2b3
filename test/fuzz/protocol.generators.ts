import fc from 'fast-check';
import {
  envelope,
  JSON_AND_SSE,
  message,
  MODERN,
  modernHeaders,
  notification,
} from '../protocol/wire.js';

/** A request as the fuzzer sends it. */
export interface FuzzRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

interface Seed {
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;
}

const call = { name: 'echo', arguments: { path: { text: 'a' } } };
const report = { name: 'report', arguments: { body: { region: 'eu', year: 2026 } } };
const modern = (method: string, params: Record<string, unknown>, name?: string): Seed => ({
  body: message(method, { ...params, _meta: envelope({ progressToken: 1 }) }),
  headers: modernHeaders(method, name),
});

/** Good messages of both eras, from which the bad ones are made. */
const SEEDS: readonly Seed[] = [
  { body: message('ping'), headers: {} },
  { body: message('tools/list', {}), headers: { 'mcp-protocol-version': '2025-06-18' } },
  { body: message('tools/call', call, 'text'), headers: { 'mcp-protocol-version': '2025-11-25' } },
  { body: message('tools/call', report), headers: {} },
  { body: message('initialize', { protocolVersion: '2025-11-25', capabilities: {} }), headers: {} },
  { body: notification('notifications/cancelled', { requestId: 1 }), headers: {} },
  { body: notification('notifications/initialized'), headers: {} },
  { body: { jsonrpc: '2.0', id: 1, result: { action: 'accept' } }, headers: {} },
  modern('server/discover', {}),
  modern('tools/list', { cursor: 'AAAA' }),
  modern('tools/call', call, 'echo'),
  modern('tools/call', report, 'report'),
  modern('tools/call', { ...call, requestState: 'x', inputResponses: {} }, 'echo'),
  modern('subscriptions/listen', { notifications: { toolsListChanged: true } }),
];

const json = fc.jsonValue({ maxDepth: 3 });
const id = fc.oneof(
  fc.integer(),
  fc.double(),
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.constantFrom<unknown>(null, true, 0, -0, 1.5, 9007199254740991, 2 ** 53 + 2, '', [], {}),
);
const member = fc.oneof(
  fc.constantFrom(
    'id',
    'jsonrpc',
    'method',
    'params',
    'result',
    'error',
    '__proto__',
    'constructor',
  ),
  fc.string({ maxLength: 6 }),
);

/** Messages whose members are other than they should be. */
const changed = fc
  .tuple(
    fc.constantFrom(...SEEDS),
    id,
    fc.array(fc.tuple(member, json), { maxLength: 2 }),
    fc.array(
      fc.tuple(
        fc.constantFrom(
          'name',
          'arguments',
          'cursor',
          '_meta',
          'notifications',
          'requestId',
          'protocolVersion',
          'requestState',
          'inputResponses',
        ),
        json,
      ),
      { maxLength: 2 },
    ),
  )
  .map(([seed, newId, members, params]) => {
    const body = seed.body as Record<string, unknown>;
    const own = body['params'] as object | undefined;
    const changedParams =
      params.length === 0 ? {} : { params: { ...own, ...Object.fromEntries(params) } };
    const withId = 'id' in body ? { id: newId } : {};
    return {
      ...seed,
      body: { ...body, ...withId, ...changedParams, ...Object.fromEntries(members) },
    };
  });

const fragment = fc.oneof(
  fc.constantFrom(
    '"',
    '\\',
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    ' ',
    '-',
    '.',
    'e9',
    '0',
    '9007199254740993',
  ),
  fc.constantFrom(
    '"id":2,',
    ',"id":1e2',
    '1e400',
    '\\u0000',
    '\ufeff',
    '[[[[',
    'null',
    '"a":1,"a":2,',
  ),
  fc.string({ unit: 'binary', maxLength: 4 }),
);
const edits = fc.array(fc.tuple(fc.nat(), fc.nat({ max: 5 }), fragment), { maxLength: 3 });

/** Bytes that differ from a message's in a few places. */
function edit(text: string, changes: readonly [number, number, string][]): Buffer {
  let edited = text;
  for (const [at, length, insert] of changes) {
    const start = at % (edited.length + 1);
    edited = edited.slice(0, start) + insert + edited.slice(start + length);
  }
  return Buffer.from(edited, 'utf8');
}

const headerName = fc.constantFrom(
  'accept',
  'content-type',
  'origin',
  'mcp-protocol-version',
  'mcp-method',
  'mcp-name',
  'mcp-session-id',
  'mcp-param-region',
  'last-event-id',
  'content-encoding',
  'x-request-id',
);
const headerValue = fc.oneof(
  fc.constantFrom(
    MODERN,
    '2025-11-25',
    '2099-01-01',
    '*/*',
    JSON_AND_SSE,
    'text/event-stream',
    'gzip',
  ),
  fc.constantFrom(
    'application/json',
    'application/json; charset=utf-16',
    'null',
    'http://localhost',
    '',
  ),
  fc.constantFrom(
    'tools/call',
    'echo',
    '=?base64?ZWNobw==?=',
    '=?base64?_?=',
    '=?base64?=',
    'a, b',
    ';q=0',
  ),
  fc.stringMatching(/^[!-~]{0,20}$/),
  fc.stringMatching(/^[\x20-\x7e\xa1-\xff]{0,12}$/),
);
const headerChanges = fc.array(fc.tuple(headerName, fc.option(headerValue)), { maxLength: 3 });

/** Whatever a client may send to the endpoint. */
export const request: fc.Arbitrary<FuzzRequest> = fc
  .record({
    seed: fc.oneof(fc.constantFrom(...SEEDS), changed),
    edits: fc.oneof({ weight: 2, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: edits }),
    headers: fc.oneof(
      { weight: 1, arbitrary: fc.constant([]) },
      { weight: 1, arbitrary: headerChanges },
    ),
    method: fc.oneof(
      { weight: 20, arbitrary: fc.constant('POST') },
      { weight: 1, arbitrary: fc.constantFrom('GET', 'DELETE', 'PUT', 'PATCH', 'OPTIONS', 'HEAD') },
    ),
    raw: fc.option(fc.uint8Array({ maxLength: 64 }), { freq: 20 }),
  })
  .map(({ seed, edits: changes, headers, method, raw }) => {
    const all: Record<string, string | null> = {
      accept: JSON_AND_SSE,
      'content-type': 'application/json',
      ...seed.headers,
      ...Object.fromEntries(headers),
    };
    const sent = Object.entries(all).filter((one): one is [string, string] => one[1] !== null);
    const body = raw === null ? edit(JSON.stringify(seed.body), changes) : Buffer.from(raw);
    return { method, headers: Object.fromEntries(sent), body };
  });
