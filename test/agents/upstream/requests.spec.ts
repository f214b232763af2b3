import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { compileOperation } from '../../../src/upstream/compile-operation.js';
import type { CredentialSource } from '../../../src/upstream/credential-source.js';
import type { RestOperation } from '../../../src/upstream/operation.js';
import { json, Upstream } from './upstream.fixture.js';

const upstream = new Upstream();
beforeAll(() => upstream.start());
afterAll(() => upstream.stop());
beforeEach(() => upstream.reset());

const byPath: Partial<RestOperation> = {
  url: '/orders/{id}/lines',
  parameters: [{ name: 'id', in: 'path', from: '/id' }],
};

describe('agents: a path value', () => {
  it.each([
    '..',
    '.',
    '%2e%2e',
    '%2E.',
    '../../admin',
    '..%2f..%2fadmin',
    'a/../../b',
    '..\\..\\admin',
    'a%5c..%5cb',
    '',
    '\ud800',
  ])('%j cannot leave its segment: nothing is sent', async (id) => {
    const outcome = await upstream.call(byPath, { id });
    expect(outcome).toMatchObject({ kind: 'failure', code: 'mapping', sent: false });
    expect(upstream.seen).toHaveLength(0);
  });

  it.each([
    ['a/b', '/orders/a%2Fb/lines'],
    ['?x=1#y', '/orders/%3Fx%3D1%23y/lines'],
    ['a b;c', '/orders/a%20b%3Bc/lines'],
    ['..a', '/orders/..a/lines'],
    ['%', '/orders/%25/lines'],
    ['é', '/orders/%C3%A9/lines'],
    [7, '/orders/7/lines'],
  ])('%j is one segment: %s', async (id, target) => {
    expect(await upstream.call(byPath, { id })).toMatchObject({ kind: 'success' });
    expect(upstream.last.target).toBe(target);
  });

  it.each([
    ['label', ['']],
    ['matrix', ['..']],
    ['simple', { '..': 'x' }],
    ['label', { a: '/../' }],
  ] as const)('in the style %s cannot make a step: %j', async (style, id) => {
    const parameters = [{ name: 'id', in: 'path', from: '/id', style, explode: true }] as const;
    const outcome = await upstream.call({ url: '/a/{id}', parameters }, { id });
    expect(outcome).toMatchObject({ code: 'mapping', sent: false });
  });
});

describe('agents: a header value', () => {
  const byHeader: Partial<RestOperation> = {
    parameters: [
      { name: 'X-Tag', in: 'header', from: '/tag' },
      { name: 'theme', in: 'cookie', from: '/theme' },
    ],
  };

  it.each(['a\r\nX-Admin: 1', 'a\nb', 'a\rb', 'a\0b', 'ä', 'a\r\n ', '\u010d\u010a'])(
    '%j is refused: nothing is sent',
    async (tag) => {
      expect(await upstream.call(byHeader, { tag })).toMatchObject({
        code: 'mapping',
        sent: false,
      });
      expect(await upstream.call(byHeader, { tag: ['b', tag] })).toMatchObject({ code: 'mapping' });
      expect(upstream.seen).toHaveLength(0);
    },
  );

  it.each(['dark; session=stolen', 'a\r\nb', 'a b', 'a,b', '"a"'])(
    'of a cookie, %j is refused',
    async (theme) => {
      expect(await upstream.call(byHeader, { theme })).toMatchObject({ code: 'mapping' });
      expect(upstream.seen).toHaveLength(0);
    },
  );

  it('is written as it is', async () => {
    await upstream.call(byHeader, { tag: 'a: b, c', theme: 'dark' });
    expect(upstream.last.headers).toMatchObject({ 'x-tag': 'a: b, c', cookie: 'theme=dark' });
  });

  it.each([
    'Host',
    'content-length',
    'Transfer-Encoding',
    'connection',
    'cookie',
    'Authorization',
    'proxy-authorization',
    'Content-Type',
    'a b',
    'a:b',
    'a\r\nb',
  ])("has no name that is the client's or breaks the request: %j", (name) => {
    const operation = {
      method: 'GET',
      url: `${upstream.origin}/`,
      parameters: [{ name, in: 'header', from: '/x' }],
      input: { type: 'object' },
    };
    expect(compileOperation(operation, upstream.policy)).toHaveProperty('problems');
  });

  it('cannot hide in a media type or a method', () => {
    const at = { url: `${upstream.origin}/`, input: { type: 'object' } };
    const body = { contentType: 'application/json\r\nx: y', content: { from: '' } };
    expect(compileOperation({ ...at, method: 'POST', body }, upstream.policy)).toHaveProperty(
      'problems',
    );
    expect(
      compileOperation({ ...at, method: 'GET / HTTP/1.1\r\n' }, upstream.policy),
    ).toHaveProperty('problems');
    expect(compileOperation({ ...at, method: 'CONNECT' }, upstream.policy)).toHaveProperty(
      'problems',
    );
  });
});

describe('agents: a query value', () => {
  it('cannot bring a parameter in, nor take the place of another one', async () => {
    const operation: Partial<RestOperation> = {
      parameters: [
        { name: 'q', in: 'query', from: '/q' },
        { name: 'filter', in: 'query', from: '/filter' },
      ],
      credentials: [{ ref: 'key', in: 'query', name: 'api_key' }],
    };
    const credentials = sourceOf('s3cret/+', upstream.origin);
    await upstream.call(operation, { q: 'a&api_key=x#y', filter: { since: '1' } }, { credentials });
    expect(upstream.last.target).toBe('/?q=a%26api_key%3Dx%23y&since=1&api_key=s3cret%2F%2B');
    upstream.seen.length = 0;
    for (const name of ['api_key', 'q']) {
      const outcome = await upstream.call(
        operation,
        { filter: { [name]: 'mine' } },
        { credentials },
      );
      expect(outcome).toMatchObject({ code: 'mapping', sent: false });
    }
    expect(upstream.seen).toHaveLength(0);
  });

  it('of more than 32 KiB is refused', async () => {
    const parameters = [{ name: 'q', in: 'query', from: '/q' }] as const;
    const outcome = await upstream.call({ parameters }, { q: 'x'.repeat(40_000) });
    expect(outcome).toMatchObject({ code: 'mapping', sent: false });
  });
});

describe('agents: a pattern of a catalog', () => {
  it('is the one of its own member, among others', async () => {
    const properties = { a: { pattern: '^a+$' }, b: { pattern: '^b+$' }, c: { pattern: '^c+$' } };
    const operation: Partial<RestOperation> = { input: { type: 'object', properties } };
    const fitting = await upstream.call(operation, { a: 'a', b: 'bb', c: 'ccc' });
    expect(fitting).toMatchObject({ kind: 'success' });
    const outcome = await upstream.call(operation, { a: 'a', b: 'a', c: 'a' });
    expect(outcome).toHaveProperty('messages.length', 2);
  });

  const withPattern = (pattern: string) => ({
    method: 'GET',
    url: `${upstream.origin}/`,
    input: { type: 'object', properties: { a: { type: 'string', pattern } } },
  });

  it.each(['(a+)+$', '^(a|a)*$', '^(([a-z])+.)+[A-Z]([a-z])+$'])(
    '%s runs in linear time',
    async (pattern) => {
      const text = `${'a'.repeat(50_000)}!`;
      const compiled = compileOperation(withPattern(pattern), upstream.policy);
      expect(compiled).toHaveProperty('operation');
      // A backtracking engine would not come back from this.
      const outcome = await upstream.call(withPattern(pattern) as RestOperation, { a: text });
      expect(outcome).toMatchObject({ code: 'validation' });
    },
  );

  it.each(['(?=a)b', '(?<!a)b', '(a)\\1', '(a{1000}){1000}', '(', 'x'.repeat(3_000)])(
    'is refused where it cannot: %s',
    (pattern) => {
      expect(compileOperation(withPattern(pattern), upstream.policy)).toHaveProperty('problems');
      const patterned = { type: 'object', patternProperties: { [pattern]: {} } };
      const operation = { ...withPattern('a'), input: patterned };
      expect(compileOperation(operation, upstream.policy)).toHaveProperty('problems');
    },
  );
});

function sourceOf(secret: string, ...origins: string[]): CredentialSource {
  return { resolve: () => ({ secret, origins }) };
}

describe('agents: a credential', () => {
  const bearer = { ref: 'shop', in: 'header', name: 'Authorization', prefix: 'Bearer ' } as const;
  const key = 'sk-live-0123456789"/x';

  it('is asked for at each call, by its reference and workspace', async () => {
    const asked: unknown[] = [];
    let turn = 0;
    const credentials: CredentialSource = {
      resolve: async ({ ref, workspace }) => {
        asked.push([ref, workspace]);
        return { secret: `key${turn++}`, origins: [upstream.origin] };
      },
    };
    await upstream.call({ credentials: [bearer] }, {}, { credentials });
    await upstream.call({ credentials: [bearer] }, {}, { credentials });
    expect(asked).toEqual([
      ['shop', 'acme'],
      ['shop', 'acme'],
    ]);
    expect(upstream.seen.map(({ headers }) => headers.authorization)).toEqual([
      'Bearer key0',
      'Bearer key1',
    ]);
  });

  it('goes to its own origin only', async () => {
    for (const origin of ['https://api.example.com', `http://127.0.0.1:${upstream.port + 1}`, '']) {
      const credentials = sourceOf(key, origin);
      const outcome = await upstream.call({ credentials: [bearer] }, {}, { credentials });
      expect(outcome).toMatchObject({
        code: 'internal',
        sent: false,
        messages: ['Internal server error'],
      });
      expect(String((outcome as { cause?: unknown }).cause)).not.toContain(key);
    }
    expect(upstream.seen).toHaveLength(0);
  });

  it('is missing, or cannot stand in a header: nothing is sent', async () => {
    const sources = [undefined, { resolve: () => undefined }, sourceOf('a\r\nb', upstream.origin)];
    for (const credentials of sources) {
      const outcome = await upstream.call({ credentials: [bearer] }, {}, { credentials });
      expect(outcome).toMatchObject({ code: 'internal', sent: false });
    }
    expect(upstream.seen).toHaveLength(0);
    const optional = [{ ...bearer, optional: true }];
    expect(await upstream.call({ credentials: optional })).toMatchObject({ kind: 'success' });
    expect(upstream.last.headers).not.toHaveProperty('authorization');
  });

  it('is written as basic, as a cookie and as a header', async () => {
    const credentials = sourceOf('ada:pass', upstream.origin);
    const uses = [
      { ref: 'a', in: 'header', name: 'Authorization', prefix: 'Basic ', base64: true },
      { ref: 'b', in: 'cookie', name: 'sid' },
    ] as const;
    const parameters = [{ name: 'theme', in: 'cookie', value: 'dark' }] as const;
    await upstream.call({ credentials: uses, parameters }, {}, { credentials });
    expect(upstream.last.headers).toMatchObject({
      authorization: `Basic ${Buffer.from('ada:pass').toString('base64')}`,
      cookie: 'theme=dark; sid=ada:pass',
    });
  });

  it('is blotted out of whatever the upstream sends back', async () => {
    const credentials = sourceOf(key, upstream.origin);
    const spellings = [
      key,
      JSON.stringify(key),
      encodeURIComponent(key),
      JSON.stringify(key).replaceAll('/', '\\/'),
    ];
    for (const status of [200, 400]) {
      for (const echo of spellings) {
        upstream.answer = (_, response) => {
          response
            .writeHead(status, { 'content-type': 'text/plain', 'x-echo': key })
            .end(`<${echo}>`);
        };
        const outcome = await upstream.call({ credentials: [bearer] }, {}, { credentials });
        const text = outcome.kind === 'success' ? outcome.body.toString() : outcome.body;
        expect(text).toMatch(/^<"?\[redacted\]"?>$/);
      }
    }
    const response = { content: { from: '/headers/x-echo' } };
    upstream.answer = (_, answer) => {
      answer.writeHead(200, { 'content-type': 'application/json', 'x-echo': key }).end('{}');
    };
    const mapped = await upstream.call({ credentials: [bearer], response }, {}, { credentials });
    expect(mapped.kind === 'success' && mapped.body.toString()).toBe('"[redacted]"');
  });

  it('of others is blotted out of errors, by its telling name', async () => {
    upstream.answer = (_, response) =>
      json(response, 400, {
        password: 'hunter2',
        'set-cookie': 'a=b',
        why: 'Bearer abcdefgh12345 is old',
        access_token: 'x"y',
      });
    const outcome = await upstream.call({});
    expect(outcome.kind === 'failure' && outcome.body).toBe(
      '{"password":"[redacted]","set-cookie":"[redacted]","why":"Bearer [redacted] is old","access_token":"[redacted]"}',
    );
  });

  it('cannot be what an argument writes', () => {
    const operation = {
      method: 'GET',
      url: `${upstream.origin}/`,
      input: { type: 'object' },
      parameters: [{ name: 'X-Key', in: 'header', from: '/key' }],
      credentials: [{ ref: 'r', in: 'header', name: 'x-key' }],
    };
    expect(compileOperation(operation, upstream.policy)).toHaveProperty('problems');
  });
});
