import { parse as parseQuery } from 'node:querystring';
import type { RouteInput, RouteParameter } from '../schema/route-input.js';
import { compileRequestWriter, type RequestTarget } from './write-request.js';

function parameter(place: RouteParameter['place'], name: string): RouteParameter {
  return { place, name, schema: { type: 'string' }, required: false };
}

const PARAMETERS = [
  parameter('path', 'id'),
  parameter('query', 'page'),
  parameter('query', 'ids'),
  parameter('header', 'x-tenant'),
  parameter('header', 'x-level'),
  parameter('cookie', 'theme'),
  parameter('cookie', 'lang'),
];

function target(input: Partial<RouteInput> = {}, rest: Partial<RequestTarget> = {}): RequestTarget {
  return {
    httpMethod: 'PUT',
    path: '/v1/orders/:id',
    parseQuery,
    input: {
      layout: 'grouped',
      schema: { type: 'object', properties: {} },
      parameters: PARAMETERS,
      body: { mediaType: 'application/json', required: false },
      ...input,
    },
    ...rest,
  };
}

const writeGrouped = compileRequestWriter(target());
const writeFlat = compileRequestWriter(target({ layout: 'flat' }));

function written(url: string, headers: string[] = [], body?: string) {
  const bytes = body === undefined ? undefined : Buffer.from(body);
  return { ok: true, url, headers, body: bytes };
}

function refused(...problems: string[]) {
  return { ok: false, problems, tooLarge: false };
}

describe('a request from grouped arguments', () => {
  it('carries each argument in its place', () => {
    const args = {
      path: { id: 'a/b' },
      query: { page: 2, ids: ['x', 'y'] },
      header: { 'x-tenant': 'acme', 'x-level': 3 },
      cookie: { theme: 'dark', lang: 'de' },
      body: { note: 'gr\u00fc\u00df' },
    };
    const headers = ['x-tenant', 'acme', 'x-level', '3', 'cookie', 'theme=dark; lang=de'];
    headers.push('content-type', 'application/json', 'content-length', '17');
    expect(writeGrouped(args)).toEqual(
      written('/v1/orders/a%2Fb?page=2&ids=x&ids=y', headers, '{"note":"gr\u00fc\u00df"}'),
    );
  });

  it('has neither body nor content type without `body`', () => {
    expect(writeGrouped({ path: { id: 1 } })).toEqual(written('/v1/orders/1'));
  });

  it.each<[Record<string, unknown>, ...string[]]>([
    [{ path: 'x' }, 'path must be an object', 'path.id is required'],
    [{ path: { id: 1 }, query: [] }, 'query must be an object'],
    [{ path: { id: 1 }, header: null }, 'header must be an object'],
    [{ path: { id: 1 }, cookie: 1 }, 'cookie must be an object'],
    [{}, 'path.id is required'],
    [
      { path: { id: 1 }, header: { 'x-tenant': {} } },
      'header.x-tenant must be a string, a number or a boolean',
    ],
    [
      { path: { id: 1 }, cookie: { lang: null } },
      'cookie.lang must be a string, a number or a boolean',
    ],
  ])('cannot be made of %j', (args, ...problems) => {
    expect(writeGrouped(args)).toEqual(refused(...problems));
  });

  it('says all that is wrong', () => {
    const args = {
      path: { id: '..' },
      query: { page: null },
      cookie: { theme: 'dark; session=stolen' },
    };
    expect(writeGrouped(args)).toEqual(
      refused(
        'path.id must not hold "." or ".." as a path segment, encoded or not',
        'query.page is null, which has no written form here; leave it out',
        'cookie.theme must be printable ASCII without spaces, quotes, commas, semicolons and backslashes (RFC 6265, section 4.1.1)',
      ),
    );
  });

  it.each(['a\r\nx-admin: 1', 'a\nb', '\0', ' a', '\u00e9'])('refuses the header %j', (value) => {
    expect(writeGrouped({ path: { id: 1 }, header: { 'x-tenant': value } })).toEqual(
      refused(
        'header.x-tenant must be printable ASCII on one line, without a space at either end (RFC 9110, section 5.5)',
      ),
    );
  });

  it('carries no header and no cookie that the route does not name', () => {
    const args = {
      path: { id: 1 },
      header: { authorization: 'Bearer x', 'X-Tenant': 'y', cookie: 'a=b' },
      cookie: { session: 'stolen' },
      form: { a: 1 },
      other: 1,
    };
    expect(writeGrouped(args)).toEqual(written('/v1/orders/1'));
  });

  it('carries a query member that the route does not name unless the schema forbids it', () => {
    const args = { path: { id: 1 }, query: { _method: 'DELETE', page: 1 } };
    expect(writeGrouped(args)).toEqual(written('/v1/orders/1?_method=DELETE&page=1'));
    const query = { type: 'object', properties: {}, additionalProperties: false };
    const schema = { type: 'object', properties: { query } };
    expect(compileRequestWriter(target({ schema }))(args)).toEqual(written('/v1/orders/1?page=1'));
  });

  it('takes no inherited member for an argument', () => {
    const args = Object.create({ path: { id: 1 } }) as Record<string, unknown>;
    expect(writeGrouped(args)).toEqual(refused('path.id is required'));
  });

  it('carries a form under `form`', () => {
    const body = { mediaType: 'application/x-www-form-urlencoded' as const, required: true };
    const write = compileRequestWriter(target({ body }));
    const headers = ['content-type', body.mediaType, 'content-length', '3'];
    expect(write({ path: { id: 1 }, form: { a: 1 }, body: { b: 2 } })).toEqual(
      written('/v1/orders/1', headers, 'a=1'),
    );
  });

  it('has no body when the route reads none', () => {
    const write = compileRequestWriter(target({ body: undefined }));
    expect(write({ path: { id: 1 }, body: { a: 1 } })).toEqual(written('/v1/orders/1'));
  });
});

describe('a request from flat arguments', () => {
  it('carries a member named like a parameter there, and all others in the body', () => {
    const args = { id: 7, page: 1, theme: 'dark', 'x-tenant': 'a', note: 'x', body: 'y' };
    const headers = ['x-tenant', 'a', 'cookie', 'theme=dark'];
    headers.push('content-type', 'application/json', 'content-length', '23');
    expect(writeFlat(args)).toEqual(
      written('/v1/orders/7?page=1', headers, '{"note":"x","body":"y"}'),
    );
  });

  it('has no body when every member is a parameter, or an empty one where the route needs one', () => {
    expect(writeFlat({ id: 7 })).toEqual(written('/v1/orders/7'));
    const body = { mediaType: 'application/json' as const, required: true };
    const write = compileRequestWriter(target({ layout: 'flat', body }));
    const headers = ['content-type', 'application/json', 'content-length', '2'];
    expect(write({ id: 7 })).toEqual(written('/v1/orders/7', headers, '{}'));
  });

  it('keeps __proto__ a member of the body', () => {
    const args = JSON.parse('{"id":1,"__proto__":{"a":1}}') as Record<string, unknown>;
    const headers = ['content-type', 'application/json', 'content-length', '21'];
    expect(writeFlat(args)).toEqual(written('/v1/orders/1', headers, '{"__proto__":{"a":1}}'));
    expect(({} as { a?: unknown }).a).toBeUndefined();
  });

  it('calls a member by its name', () => {
    expect(writeFlat({ id: '', page: null })).toEqual(
      refused('id must not be empty', 'page is null, which has no written form here; leave it out'),
    );
  });
});

describe('the size of a request', () => {
  const write = compileRequestWriter(target({}, { maxBytes: 1000 }));
  const tooLarge = {
    ok: false,
    tooLarge: true,
    problems: ['the request that these arguments make is larger than 1000 bytes'],
  };

  it.each([
    { path: { id: 'x'.repeat(2000) } },
    { path: { id: 1 }, query: { page: '\u00e9'.repeat(400) } },
    { path: { id: 1 }, query: { ['n'.repeat(100)]: Array.from({ length: 20 }, () => 1) } },
    { path: { id: 1 }, header: { 'x-tenant': 'x'.repeat(2000) } },
    { path: { id: 1 }, body: 'x'.repeat(2000) },
  ])('is bounded, whatever makes it large (%#)', (args) => {
    expect(write(args)).toEqual(tooLarge);
  });

  it('may come up to the bound', () => {
    expect(write({ path: { id: 'x'.repeat(900) } })).toMatchObject({ ok: true });
  });
});

describe('a route of which no request can be written', () => {
  it.each([
    ['header', 'content-length', 'this module writes it itself'],
    ['header', 'x y', 'it is no token'],
    ['cookie', 'a;b', 'it is no token'],
  ] as const)('has a %s %j', (place, name, why) => {
    const make = () => compileRequestWriter(target({ parameters: [parameter(place, name)] }));
    expect(make).toThrow(`The ${place} "${name}" cannot be an argument of a tool: ${why}`);
  });
});
