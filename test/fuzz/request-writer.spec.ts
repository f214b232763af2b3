import { parse as parseSimple } from 'node:querystring';
import { createRequire } from 'node:module';
import { Readable, type Writable } from 'node:stream';
import fc from 'fast-check';
import fastQuerystring from 'fast-querystring';
import findMyWay from 'find-my-way';
import { match } from 'path-to-regexp';
import qs from 'qs';
import { compileRequestWriter, type WrittenRequest } from '../../src/dispatch/write-request.js';
import type { BodyMediaType, RouteInput, RouteParameter } from '../../src/schema/route-input.js';

/** The reader of forms that multer uses. It comes without types. */
const busboy = createRequire(import.meta.url)('busboy') as (options: object) => Writable;

const RUNS = Number(process.env['MCP_FUZZ_RUNS'] ?? 1000);
const SEED = Number(process.env['MCP_FUZZ_SEED'] ?? Date.now() & 0x7fffffff);

type Members = Record<string, unknown>;

function parameter(place: RouteParameter['place'], name: string): RouteParameter {
  return { place, name, schema: true, required: false };
}

const PARAMETERS = [
  parameter('path', 'id'),
  parameter('path', 'part'),
  parameter('path', 'rest'),
  parameter('query', 'q'),
  parameter('query', 'list'),
  parameter('query', 'filter'),
  parameter('header', 'x-one'),
  parameter('header', 'x-two'),
  parameter('cookie', 'one'),
  parameter('cookie', 'two'),
];

function inputOf(mediaType: BodyMediaType): RouteInput {
  return {
    layout: 'grouped',
    schema: { type: 'object', properties: {} },
    parameters: PARAMETERS,
    body: { mediaType, required: false },
  };
}

/** Texts that have broken out of something somewhere, and any other. */
const hostile = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc
    .array(
      fc.constantFrom(
        ...[
          '.',
          '..',
          '/',
          '\\',
          '%',
          '%2e',
          '%2F',
          '%00',
          '?',
          '#',
          '&',
          '=',
          ';',
          ',',
          ' ',
          '+',
          '"',
        ],
        ...[
          '\r\n',
          '\n',
          '\0',
          '\ud800',
          '\udc00',
          '[',
          ']',
          '[]',
          '__proto__',
          'constructor',
          'admin',
          '1',
        ],
      ),
      { maxLength: 5 },
    )
    .map((pieces) => pieces.join('')),
);
const scalar = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.string({ minLength: 1, maxLength: 6 }).map((text) => text.trim() || 'x'),
  },
  { weight: 3, arbitrary: hostile },
  {
    weight: 3,
    arbitrary: fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.integer()),
  },
  { weight: 1, arbitrary: fc.oneof(fc.boolean(), fc.constant(null), fc.double()) },
);
const name = fc.oneof(
  fc.constantFrom('a', 'b', 'q', 'list', '__proto__', 'constructor', 'length'),
  hostile,
);
const { value: nested } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    scalar,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(name, tie('value'), { maxKeys: 4, noNullPrototype: true }),
  ),
}));
const members = (values: fc.Arbitrary<unknown>) =>
  fc.dictionary(name, values, { maxKeys: 4, noNullPrototype: true });
const some = (keys: string[], values: fc.Arbitrary<unknown>) =>
  fc.record(Object.fromEntries(keys.map((key) => [key, values])), { requiredKeys: [] });

const argumentsOf = fc.record({
  path: fc.record({
    id: scalar,
    part: scalar,
    rest: fc.oneof(scalar, fc.array(scalar, { maxLength: 3 })),
  }),
  query: fc.oneof(some(['q', 'list', 'filter'], nested), members(nested)),
  header: some(['x-one', 'x-two', 'authorization'], scalar),
  cookie: some(['one', 'two', 'session'], scalar),
  body: nested,
  form: members(nested),
});

const PARSERS: Record<string, (text: string) => unknown> = {
  simple: parseSimple,
  extended: (text) => qs.parse(text, { allowPrototypes: true }),
  fastify: (text) => fastQuerystring.parse(text),
};

/** Every failure prints its seed and its path; the seed is printed of what passes, too. */
function holds<T>(
  arbitrary: fc.Arbitrary<T>,
  property: (value: T) => void | Promise<void>,
): Promise<void> {
  return fc.assert(
    fc.asyncProperty(arbitrary, async (value) => {
      await property(value);
    }),
    { numRuns: RUNS, seed: SEED },
  );
}

function asText(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(asText);
  if (typeof value !== 'object' || value === null) return String(value);
  return sorted(Object.entries(value).map(([key, member]) => [key, asText(member)]));
}

/** Members as a list, so that one named `__proto__` counts, and so that nothing depends on a prototype or an order. */
function sorted(entries: [string, unknown][]): unknown {
  return { members: entries.sort(([a], [b]) => (a < b ? -1 : 1)) };
}

function headersOf({ headers }: WrittenRequest): Map<string, string> {
  const found = new Map<string, string>();
  for (let i = 0; i < headers.length; i += 2) {
    const key = headers[i] as string;
    expect(found.has(key)).toBe(false);
    found.set(key, headers[i + 1] as string);
  }
  return found;
}

beforeAll(() =>
  process.stdout.write(
    `request writer: seed ${SEED}, ${RUNS} runs (MCP_FUZZ_SEED, MCP_FUZZ_RUNS)\n`,
  ),
);
afterEach(() => expect(Object.keys(Object.prototype)).toEqual([]));

describe.each(Object.entries(PARSERS))(
  'a request for an application with the %s parser',
  (_, parseQuery) => {
    const write = compileRequestWriter({
      httpMethod: 'PUT',
      path: '/v1/:id/x/:part/files/*rest',
      input: inputOf('application/json'),
      parseQuery,
    });

    it('carries every argument to its place, equal to what was sent, or is refused', () =>
      holds(argumentsOf, (args) => {
        const written = write(args);
        if (!written.ok) return expect(written.problems.length).toBeGreaterThan(0);
        expectPath(written, args.path);
        const [, query = ''] = written.url.split('?');
        expect(asText(parseQuery(query))).toEqual(asText(args.query));
        expectHeaders(written, args);
        expect(JSON.parse(String(written.body))).toEqual(JSON.parse(JSON.stringify(args.body)));
        expect(JSON.stringify(args)).toBe(JSON.stringify(structuredClone(args)));
      }));

    it('writes a query of scalars, equal to what was sent, or refuses it', () =>
      holds(members(hostile), (query) => {
        const written = write({ path: { id: 1, part: 2, rest: '3' }, query });
        if (!written.ok) return;
        expect(asText(parseQuery(written.url.split('?')[1] ?? ''))).toEqual(asText(query));
      }));
  },
);

function expectPath(
  { url }: WrittenRequest,
  path: { id: unknown; part: unknown; rest: unknown },
): void {
  // A path that a URL parser would change is one that two readers read differently.
  const pathname = url.split('?')[0] as string;
  expect(new URL(url, 'http://localhost').pathname).toBe(pathname);
  const rest = Array.isArray(path.rest) ? path.rest.map(String) : String(path.rest).split('/');
  const segments = pathname.split('/').map(decodeURIComponent);
  expect(segments).toEqual(['', 'v1', String(path.id), 'x', String(path.part), 'files', ...rest]);
  expect(segments.every((segment) => segment !== '.' && segment !== '..')).toBe(true);
}

function expectHeaders(written: WrittenRequest, args: { header: Members; cookie: Members }): void {
  const headers = headersOf(written);
  expect(
    [...headers.keys()].every((key) =>
      /^(x-one|x-two|cookie|content-type|content-length)$/.test(key),
    ),
  ).toBe(true);
  for (const key of ['x-one', 'x-two']) {
    expect(headers.get(key)).toBe(
      args.header[key] === undefined ? undefined : asText(args.header[key]),
    );
  }
  const pairs = headers.get('cookie')?.split('; ') ?? [];
  const sent = ['one', 'two'].filter((key) => args.cookie[key] !== undefined);
  const encoded = (key: string): string => String(args.cookie[key]).replaceAll('%', '%25');
  expect(pairs).toEqual(sent.map((key) => `${key}=${encoded(key)}`));
  for (const value of headers.values()) expect(value).not.toMatch(/[\r\n\0]|[^\t\x20-\x7e]/);
  expect(headers.get('content-length')).toBe(String(written.body?.length));
}

describe('a path', () => {
  type Match = (path: string) => Members | undefined;

  const express = (pattern: string): Match => {
    const run = match(pattern);
    return (path) => (run(path) || undefined)?.params;
  };
  const fastify = (pattern: string): Match => {
    const router = findMyWay({ maxParamLength: 10_000 });
    router.on('GET', pattern, () => undefined);
    return (path) => router.find('GET', path)?.params;
  };

  it.each<[string, string, Match, string[]]>([
    ['Express', '/u/:id', express('/u/:id'), ['id']],
    ['Express', '/u/:id/p/:other', express('/u/:id/p/:other'), ['id', 'other']],
    ['Express', '/geo/:lat-:lng', express('/geo/:lat-:lng'), ['lat', 'lng']],
    ['Express', '/v:major.:minor/x', express('/v:major.:minor/x'), ['major', 'minor']],
    ['Express', '/f/:name.json', express('/f/:name.json'), ['name']],
    ['Express', '/a{/:b{/:c}}', express('/a{/:b{/:c}}'), ['b', 'c']],
    ['Express', '/files/*rest', express('/files/*rest'), ['rest']],
    ['Fastify', '/u/:id', fastify('/u/:id'), ['id']],
    ['Fastify', '/u/:id/p/:other', fastify('/u/:id/p/:other'), ['id', 'other']],
    ['Fastify', '/geo/:lat-:lng', fastify('/geo/:lat-:lng'), ['lat', 'lng']],
    ['Fastify', '/f/:name.json', fastify('/f/:name.json'), ['name']],
    ['Fastify', '/n/:id(^\\d+$)', fastify('/n/:id(^\\d+$)'), ['id']],
    ['Fastify', '/a/:b?', fastify('/a/:b?'), ['b']],
    ['Fastify', '/files/*', fastify('/files/*'), ['*']],
  ])('on %s of %s gives its route the values that were sent', async (_, path, route, names) => {
    const parameters = names.map((key) => parameter('path', key));
    const input: RouteInput = { ...inputOf('application/json'), parameters };
    const write = compileRequestWriter({ httpMethod: 'GET', path, input });
    let reached = 0;
    await holds(some(names, scalar), (values) => {
      const written = write({ path: values });
      const params = written.ok ? route(written.url) : undefined;
      if (params === undefined) return;
      reached++;
      const read = Object.entries(params).filter(
        ([, value]) => value !== undefined && value !== '',
      );
      const sent = Object.entries(values).map(([key, value]) => [key, String(value)]);
      const joined = read.map(([key, value]) => [
        key,
        Array.isArray(value) ? value.join('/') : value,
      ]);
      expect(joined).toEqual(sent.sort());
    });
    expect(reached).toBeGreaterThan(RUNS / 50);
  });
});

describe('a form', () => {
  const path = { id: 1, part: 2, rest: '3' };

  it.each(Object.entries(PARSERS))('for the %s parser is read back, or refused', (_, parseForm) => {
    const input = inputOf('application/x-www-form-urlencoded');
    const write = compileRequestWriter({
      httpMethod: 'POST',
      path: '/:id/:part/*rest',
      input,
      parseForm,
    });
    return holds(members(nested), (form) => {
      const written = write({ path, form });
      if (written.ok) expect(asText(parseForm(String(written.body)))).toEqual(asText(form));
    });
  });

  it('with files has the fields that were sent and no other, or is refused', () => {
    const file = { type: 'object', properties: { data: { contentEncoding: 'base64' } } };
    const form = { type: 'object', properties: { file } };
    const input: RouteInput = {
      ...inputOf('multipart/form-data'),
      schema: { type: 'object', properties: { form } },
    };
    const write = compileRequestWriter({ httpMethod: 'POST', path: '/:id/:part/*rest', input });
    const files = fc.record({
      filename: hostile,
      contentType: fc.oneof(fc.constant('text/plain'), hostile),
      data: fc.uint8Array().map((bytes) => Buffer.from(bytes).toString('base64')),
    });
    const forms = fc.tuple(members(hostile), fc.option(files, { nil: undefined }));
    return holds(forms, async ([fields, file]) => {
      const { file: _, ...others } = fields;
      const written = write({ path, form: { ...others, file } });
      if (!written.ok) return;
      const expected = Object.entries(others).map(([key, value]) => [escaped(key), value]);
      if (file !== undefined) expected.push(['file', escaped(file.filename), file.data]);
      expect(await readForm(written)).toEqual(expected);
    });
  });
});

/** HTML, "multipart form data": what browsers escape, which readers leave as it is. */
function escaped(text: string): string {
  return text.replace(/["\r\n]/g, encodeURIComponent);
}

async function readForm(written: WrittenRequest): Promise<string[][]> {
  const found: string[][] = [];
  const headers = Object.fromEntries(headersOf(written));
  const reader = busboy({ headers, defParamCharset: 'utf8', limits: { fieldNameSize: 10_000 } });
  reader.on('field', (field: string, value: string) => found.push([field, value]));
  reader.on('file', (field: string, stream: Readable, info: { filename: string }) => {
    const chunks: Buffer[] = [];
    const entry = [field, info.filename];
    found.push(entry);
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('end', () => entry.push(Buffer.concat(chunks).toString('base64')));
  });
  await new Promise((resolve, reject) => {
    reader.on('close', resolve).on('error', reject);
    Readable.from([written.body]).pipe(reader);
  });
  return found;
}
