import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import qs from 'qs';
import type { RestOperation, Serialization } from '../../../src/upstream/operation.js';
import { Upstream, type SeenRequest } from './upstream.fixture.js';

jest.setTimeout(3_600_000);

const RUNS = Number(process.env['MCP_FUZZ_RUNS'] ?? 1000);
const SEED = Number(process.env['MCP_FUZZ_SEED'] ?? Date.now() & 0x7fffffff);

type Members = Readonly<Record<string, unknown>>;
/** A value as its reader has it, all scalars as their text. */
type Texts = string | readonly string[] | Members | undefined;
type Kind = 'scalar' | 'list' | 'object';

/** A place for one value, and how somebody who knows the place and the kind of value reads it there. */
interface Place {
  readonly name: string;
  readonly operation: Partial<RestOperation>;
  readonly read: (request: SeenRequest, kind: Kind) => Texts;
  /** The kinds that the place has a form for; all of them when left out. */
  readonly kinds?: readonly Kind[];
}

const PATH_BEFORE = '/before/';
const PATH_AFTER = '/after';
const decode = decodeURIComponent;

/** The members of `a,1,b,2`. */
function fromFlat(parts: readonly string[]): Members {
  const members = parts.flatMap((key, i): [string, string][] =>
    i % 2 === 0 ? [[key, parts[i + 1] ?? 'missing']] : [],
  );
  return Object.fromEntries(members);
}

function fromPairs(pairs: readonly string[]): Members {
  return Object.fromEntries(
    pairs.map((pair) => {
      const [key = '', ...value] = pair.split('=');
      return [decode(key), decode(value.join('='))];
    }),
  );
}

function pathPlace(style: 'simple' | 'label' | 'matrix', explode: boolean): Place {
  const [prefix, between] = {
    simple: ['', ','],
    label: ['.', explode ? '.' : ','],
    matrix: [';', explode ? ';' : ','],
  }[style] as [string, string];
  const read = (piece: string, kind: Kind): Texts => {
    expect(piece.startsWith(prefix)).toBe(true);
    let inner = piece.slice(prefix.length);
    const isNamed = style === 'matrix' && !(explode && kind === 'object');
    if (isNamed)
      inner = inner
        .split(';')
        .map((part) => part.replace(/^v=/, ''))
        .join(';');
    if (kind === 'scalar') return decode(inner);
    const parts = inner.split(between);
    if (kind === 'list') return parts.map(decode);
    return explode ? fromPairs(parts) : fromFlat(parts.map(decode));
  };
  return {
    name: `path, ${style}, explode ${explode}`,
    operation: {
      url: `${PATH_BEFORE}{v}${PATH_AFTER}`,
      parameters: [{ name: 'v', in: 'path', from: '/v', style, explode }],
    },
    read: ({ target }, kind) => {
      const segments = target.split('/');
      expect(segments).toHaveLength(4);
      return read(segments[2] ?? '', kind);
    },
  };
}

/** How a query and an urlencoded form are read in a style. */
function readPairs(text: string, { style = 'form', explode }: Serialization, kind: Kind): Texts {
  // The first question mark is not read as a part of it.
  const pairs = new URLSearchParams(`?${text}`);
  if (style === 'deepObject' && kind === 'object') return readDeep(pairs);
  if (kind === 'scalar') return pairs.get('v') ?? undefined;
  if (explode ?? (style === 'form' || style === 'deepObject')) {
    return kind === 'list' ? pairs.getAll('v') : Object.fromEntries(pairs);
  }
  // By the raw text: a delimiter that was decoded is one no more.
  const raw = text.replace(/^v=/, '');
  const between = { spaceDelimited: '%20', pipeDelimited: '%7C' }[String(style)] ?? ',';
  const parts = raw.split(between).map((part) => new URLSearchParams(`v=${part}`).get('v') ?? '');
  return kind === 'list' ? parts : fromFlat(parts);
}

/** `v[a][b]=1` as a reader of brackets has it. */
function readDeep(pairs: URLSearchParams): Members {
  const root: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  for (const [key, text] of pairs) {
    const names = [...key.slice(1).matchAll(/\[([^\]]*)\]/g)].map(([, name]) => name ?? '');
    let at = root;
    for (const name of names.slice(0, -1)) {
      at[name] ??= Object.create(null) as object;
      at = at[name] as Record<string, unknown>;
    }
    at[names.at(-1) ?? ''] = text;
  }
  return root;
}

const QUERY_STYLES: readonly Serialization[] = [
  {},
  { explode: false },
  { allowReserved: true },
  { allowReserved: true, explode: false },
  { style: 'spaceDelimited', explode: false },
  { style: 'pipeDelimited', explode: false },
  { style: 'pipeDelimited', explode: true },
  { style: 'deepObject' },
];

function pairPlaces(style: Serialization): Place[] {
  const kinds: Kind[] =
    style.style === 'deepObject' ? ['scalar', 'object'] : ['scalar', 'list', 'object'];
  const said = JSON.stringify(style);
  return [
    {
      name: `query, ${said}`,
      kinds,
      operation: { url: '/q', parameters: [{ name: 'v', in: 'query', from: '/v', ...style }] },
      read: ({ target }, kind) => {
        const [, path, query] = /^([^?]*)(?:\?(.*))?$/.exec(target) ?? [];
        expect(path).toBe('/q');
        return query === undefined ? undefined : readPairs(query, style, kind);
      },
    },
    {
      name: `form, ${said}`,
      kinds,
      operation: {
        url: '/f',
        method: 'POST',
        body: {
          contentType: 'application/x-www-form-urlencoded',
          content: { object: { v: { from: '/v' } } },
          encoding: { v: style },
        },
      },
      read: ({ body }, kind) => {
        return body.length === 0 ? undefined : readPairs(body.toString(), style, kind);
      },
    },
  ];
}

function headerPlace(explode: boolean): Place {
  return {
    name: `header, explode ${explode}`,
    operation: { url: '/h', parameters: [{ name: 'X-V', in: 'header', from: '/v', explode }] },
    read: ({ rawHeaders }, kind) => {
      const at = rawHeaders.findIndex((name, i) => i % 2 === 0 && name.toLowerCase() === 'x-v');
      const text = at < 0 ? undefined : rawHeaders[at + 1];
      if (text === undefined || kind === 'scalar') return text;
      // RFC 9110, section 5.6.1: spaces around elements and elements of nothing are nothing.
      const parts = text
        .split(',')
        .map((part) => part.trim())
        .filter((part) => part !== '');
      if (kind === 'list') return parts;
      return explode ? fromFlat(parts.flatMap((part) => part.split('=', 2))) : fromFlat(parts);
    },
  };
}

const COOKIE: Place = {
  name: 'cookie',
  kinds: ['scalar'],
  operation: { url: '/c', parameters: [{ name: 'v', in: 'cookie', from: '/v' }] },
  read: ({ headers: { cookie } }) => {
    const [pair, ...others] = cookie?.split('; ') ?? [];
    expect(others).toEqual([]);
    return pair?.replace(/^v=/, '');
  },
};

const PLACES: readonly Place[] = [
  ...(['simple', 'label', 'matrix'] as const).flatMap((style) =>
    [true, false].map((explode) => pathPlace(style, explode)),
  ),
  ...QUERY_STYLES.flatMap(pairPlaces),
  headerPlace(true),
  headerPlace(false),
  COOKIE,
];

/** What a reader should have: no nulls, no empty groups, and texts. */
function textsOf(value: unknown): Texts {
  if (value === null) return undefined;
  if (Array.isArray(value)) {
    const texts = value.map(textsOf).filter((one) => one !== undefined);
    return texts.length === 0 ? undefined : (texts as string[]);
  }
  if (typeof value !== 'object') return typeof value === 'string' ? value : JSON.stringify(value);
  const members = Object.entries(value)
    .map(([name, member]): [string, Texts] => [name, textsOf(member)])
    .filter(([, text]) => text !== undefined);
  return members.length === 0 ? undefined : Object.fromEntries(members);
}

const SPECIAL = [...'.,;=&+%[]|/\\?#@:\'"()*!$ \t\r\n\0<>{}~_-aA0é😀\ud800\u2028'];
const hostile = fc.constantFrom(
  '..',
  '.',
  '%2e%2e',
  '%2F',
  '../..',
  'a&v=b',
  'v=b',
  'a,b',
  'a.b',
  'a|b',
  'a b',
  ' a',
  'a ',
  '',
  'a[b]',
  'a][b',
  '[]',
  '__proto__',
  'constructor',
  'x\r\nX-Admin: 1',
  '=',
  'a=b',
  ';v=x',
  '+',
  '%',
  '%zz',
  '\ufeffx',
);
const text = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.string({ unit: fc.constantFrom('a', 'b', '7'), minLength: 1, maxLength: 4 }),
  },
  {
    weight: 3,
    arbitrary: fc
      .array(fc.constantFrom(...SPECIAL), { maxLength: 6 })
      .map((parts) => parts.join('')),
  },
  { weight: 2, arbitrary: hostile },
  fc.string({ unit: 'binary' }),
);
const scalar = fc.oneof(
  { weight: 4, arbitrary: text },
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.boolean(),
  fc.constant(null),
);
const members = (of: fc.Arbitrary<unknown>): fc.Arbitrary<object> =>
  fc
    .array(fc.tuple(text, of), { maxLength: 4 })
    .map((pairs) => Object.fromEntries(pairs) as object);
const value = fc.oneof(
  { weight: 3, arbitrary: scalar },
  { weight: 3, arbitrary: fc.array(scalar, { maxLength: 4 }) },
  { weight: 3, arbitrary: members(scalar) },
  { weight: 2, arbitrary: members(fc.oneof(scalar, members(scalar), members(members(scalar)))) },
  fc.jsonValue(),
);

function kindOf(given: unknown): Kind {
  if (Array.isArray(given)) return 'list';
  return typeof given === 'object' && given !== null ? 'object' : 'scalar';
}

/** What is read in one way only. */
const PLAIN: Readonly<Record<Kind, Texts>> = {
  scalar: 'abc',
  list: ['a', 'b', '7'],
  object: { a: '1', b: '2' },
};

describe('agents: any argument value, in any place and style', () => {
  const upstream = new Upstream();
  beforeAll(() => upstream.start());
  afterAll(() => upstream.stop());
  const said = `seed ${SEED}, ${RUNS} runs (MCP_FUZZ_SEED, MCP_FUZZ_RUNS)`;
  beforeAll(() => void process.stderr.write(`serialize: ${said}\n`));

  it.each(PLACES.map((place) => [place.name, place] as const))(
    'that nobody could misread arrives: %s',
    async (_, { operation, read, kinds = ['scalar', 'list', 'object'] }) => {
      for (const kind of kinds) {
        const v = PLAIN[kind];
        await upstream.call(operation, { v });
        expect({ kind, v: plainly(read(upstream.last, kind)) }).toEqual({ kind, v: plainly(v) });
      }
    },
  );

  it('arrives as it was, as its reader has it, or is refused before anything is sent', async () => {
    const headersOf = new Map<Place, readonly string[]>();
    for (const place of PLACES) {
      await upstream.call(place.operation, { v: 'plain' });
      headersOf.set(place, namesOf(upstream.last));
    }
    const property = fc.asyncProperty(fc.constantFrom(...PLACES), value, async (place, v) => {
      upstream.reset();
      const outcome = await upstream.call(place.operation, { v });
      const kind = kindOf(v);
      if (outcome.kind === 'failure') {
        expect(outcome).toMatchObject({ code: 'mapping', sent: false });
        expect(upstream.seen).toEqual([]);
        return;
      }
      expect(upstream.seen).toHaveLength(1);
      const read = place.read(upstream.last, kind);
      expect(plainly(read)).toEqual(plainly(textsOf(v)));
      // A body of nothing has no type.
      if (read !== undefined) expect(namesOf(upstream.last)).toEqual(headersOf.get(place));
    });
    await fc.assert(property, { seed: SEED, numRuns: RUNS });
  });

  it.each([
    ['query', { style: 'deepObject' }, { 'a][b': 'x' }, 'brackets'],
    ['query', { style: 'deepObject' }, { a: { '': 'x' } }, 'empty'],
    ['query', { style: 'spaceDelimited', explode: false }, ['a b', 'c'], 'separates'],
    ['query', { style: 'pipeDelimited', explode: false }, { a: 'b|c' }, 'separates'],
    ['path', { style: 'label', explode: true }, [1.5], 'separates'],
    ['header', {}, ['a', ' b'], 'space'],
    ['header', {}, ['a', ''], 'empty'],
  ] as const)(
    'that would be read as another is refused: %s %j %j',
    async (place, style, v, why) => {
      const url = place === 'path' ? '/p/{v}' : '/p';
      const parameters = [{ name: 'v', in: place, from: '/v', ...style }];
      const outcome = await upstream.call({ url, parameters }, { v });
      expect(outcome).toMatchObject({ code: 'mapping', sent: false });
      expect(JSON.stringify(outcome)).toContain(why);
    },
  );

  it('of a list whose reserved characters stay as they are keeps its own commas', async () => {
    const style = { allowReserved: true, explode: false };
    const parameters = [{ name: 'v', in: 'query', from: '/v', ...style }] as const;
    await upstream.call({ url: '/q', parameters }, { v: ['a,b', 'c:/'] });
    expect(upstream.last.target).toBe('/q?v=a%2Cb,c:/');
  });

  it('of a form arrives however large it is', async () => {
    const entries = Array.from({ length: 300 }, (_, i): [string, object] => [
      `key ${i}`,
      { text: `ü&=+${'x'.repeat(1_000)}`, deep: { a: { b: { c: i } } }, is: i % 2 === 0 },
    ]);
    const v = Object.fromEntries(entries);
    const body = {
      contentType: 'application/x-www-form-urlencoded',
      content: { object: { v: { from: '/v' }, list: { from: '/list' } } },
      encoding: { v: { style: 'deepObject' } },
    } as const;
    const list = Array.from({ length: 20_000 }, (_, i) => `${i}&`);
    await upstream.call({ method: 'POST', url: '/f', body }, { v, list });
    const text = upstream.last.body.toString();
    expect(text.length).toBeGreaterThan(500_000);
    expect(new URLSearchParams(text).getAll('list')).toEqual(list);
    const limits = { depth: 10, parameterLimit: 100_000, arrayLimit: 100_000 };
    const read = qs.parse(text, limits) as { v: object; list: string[] };
    expect(read.v).toEqual(textsOf(v));
    expect(Object.values(read.list)).toEqual(list);
  });
});

function namesOf({ rawHeaders }: SeenRequest): readonly string[] {
  return rawHeaders
    .filter((_, i) => i % 2 === 0)
    .map((name) => name.toLowerCase())
    .filter((name) => name !== 'x-v' && name !== 'cookie');
}

/** As entries, so that `__proto__` is a name like any other. */
function plainly(read: unknown): unknown {
  if (Array.isArray(read)) return read.map(plainly);
  if (typeof read !== 'object' || read === null) return read;
  return Object.entries(read)
    .map(([name, one]): [string, unknown] => [name, plainly(one)])
    .sort(([a], [b]) => (a < b ? -1 : 1));
}
