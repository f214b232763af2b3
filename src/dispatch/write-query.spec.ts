import { parse as parseSimple } from 'node:querystring';
import fastQuerystring from 'fast-querystring';
import qs from 'qs';
import { compilePairWriter, RequestTooLarge, type PairParser } from './write-query.js';

const extended: PairParser = (text) => qs.parse(text, { allowPrototypes: true });
const PARSERS: Record<string, PairParser> = {
  simple: parseSimple,
  fastify: (text) => fastQuerystring.parse(text),
  extended,
};

function write(values: Record<string, unknown>, parse?: PairParser, known: string[] = []) {
  const problems: string[] = [];
  const text = compilePairWriter({
    base: 'query',
    reader: 'query parser',
    known: new Set(known),
    open: true,
    parse,
    maxBytes: 100_000,
  })(values, problems);
  return problems.length > 0 ? problems : text;
}

describe.each(Object.entries(PARSERS))('a query for the %s parser', (_, parse) => {
  it.each([
    [{}, ''],
    [{ page: 1 }, 'page=1'],
    [{ a: 'x', b: true, c: -0.5, d: '' }, 'a=x&b=true&c=-0.5&d='],
    [{ q: 'a&b=c#d+e f%20' }, 'q=a%26b%3Dc%23d%2Be%20f%2520'],
    [{ q: '\u{1F600}' }, 'q=%F0%9F%98%80'],
    [{ since: '2026-07-28T10:00:00.000Z' }, 'since=2026-07-28T10%3A00%3A00.000Z'],
    [{ a: undefined, b: 1 }, 'b=1'],
    [{ ids: [1, 2] }, 'ids=1&ids=2'],
    [{ ids: ['a,b', 'c'], page: 2 }, 'ids=a%2Cb&ids=c&page=2'],
    [{ constructor: 'a', hasOwnProperty: 'b' }, 'constructor=a&hasOwnProperty=b'],
  ])('writes %j', (values, text) => {
    expect(write(values, parse)).toBe(text);
    expect({ ...(parse(text) as object) }).toEqual(asText(values));
  });

  it.each([
    [{ a: null }, 'query.a is null, which has no written form here; leave it out'],
    [{ a: [1, null] }, 'query.a[1] is null, which has no written form here; leave it out'],
    [{ a: [] }, 'query.a is an empty list, which has no written form here; leave it out'],
    [{ a: {} }, 'query.a is an empty object, which has no written form here; leave it out'],
    [{ a: { b: [] } }, 'query.a.b is an empty list, which has no written form here; leave it out'],
    [{ a: '\ud800' }, 'query.a must not hold half of a surrogate pair'],
    [{ '': 1 }, 'query[""] is a name that cannot be written'],
    [{ '\udc00': 1 }, 'query["\\udc00"] is a name that cannot be written'],
    [{ a: { 'b]': 1 } }, 'query.a["b]"] is a name that cannot be written inside another member'],
  ])('refuses %j', (values, problem) => {
    expect(write(values, parse)).toEqual([problem]);
  });

  it('refuses more members than the parser reads, or writes what it reads', () => {
    const values = Object.fromEntries(Array.from({ length: 1500 }, (_, i) => [`m${i}`, i]));
    const written = write(values, parse);
    if (typeof written === 'string') expect(parse(written)).toMatchObject({ m1499: '1499' });
    else expect(written).toEqual([expect.stringContaining('query.m1000: this application')]);
  });
});

describe('a query for a parser of flat members', () => {
  it.each([
    [
      { ids: [1] },
      "query.ids: this application's query parser cannot read a list of one element; give more elements, or leave it out",
    ],
    [
      { filter: { eq: 'v' } },
      "query.filter: this application's query parser cannot read this object; leave it out",
    ],
    [
      { ids: [[1, 2], [3]] },
      "query.ids: this application's query parser cannot read this list; give fewer or simpler elements",
    ],
  ])('cannot hold %j', (values, problem) => {
    expect(write(values, parseSimple)).toEqual([problem]);
  });

  it('may have a member whose name looks nested, since it is read back', () => {
    expect(write({ 'filter[eq]': 'v' }, parseSimple)).toBe('filter%5Beq%5D=v');
  });
});

describe('a query for the extended parser', () => {
  it.each([
    [{ ids: [1] }, 'ids[]=1'],
    [{ filter: { eq: 'v', in: [1, 2] } }, 'filter[eq]=v&filter[in]=1&filter[in]=2'],
    [{ filter: { in: [1] } }, 'filter[in][]=1'],
    [{ items: [{ a: 1, b: 2 }, { a: 3 }] }, 'items[0][a]=1&items[0][b]=2&items[1][a]=3'],
    [{ a: { 'x y': { z: true } } }, 'a[x%20y][z]=true'],
  ])('writes %j', (values, text) => {
    expect(write(values, extended)).toBe(text);
    expect(extended(text)).toEqual(asText(values));
  });

  it.each([
    [{ 'filter[eq]': 'v' }, 'query["filter[eq]"]'],
    [{ ids: Array.from({ length: 30 }, (_, i) => i) }, 'query.ids'],
    [JSON.parse('{"__proto__":"x"}'), 'query.__proto__'],
    [JSON.parse('{"a":{"__proto__":"x"}}'), 'query.a'],
    [{ a: { b: { c: { d: { e: { f: { g: { h: 1 } } } } } } } }, 'query.a'],
    [{ a: 'x', 'a[b]': 'y' }, 'query.a'],
  ])('refuses %j, which is not read back', (values: Record<string, unknown>, label) => {
    expect(write(values, extended)).toEqual([
      expect.stringContaining(`${label}: this application`),
    ]);
  });

  it('pollutes nothing', () => {
    const text = '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}';
    write(JSON.parse(text) as Record<string, unknown>, extended);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });
});

describe('a query for a parser of the application', () => {
  it('refuses a text that the parser takes for a list', () => {
    const comma: PairParser = (text) =>
      Object.fromEntries(
        [...new URLSearchParams(text)].map(([k, v]) => [k, /,/.test(v) ? v.split(',') : v]),
      );
    expect(write({ a: 'x' }, comma)).toBe('a=x');
    expect(write({ a: 'x,y' }, comma)).toEqual([expect.stringContaining('query.a: this app')]);
  });

  it('may give a member another type that reads the same', () => {
    const typed: PairParser = (text) =>
      Object.fromEntries(
        [...new URLSearchParams(text)].map(([k, v]) => [k, /^\d+$/.test(v) ? Number(v) : v]),
      );
    expect(write({ a: 12, b: '12', c: 'x' }, typed)).toBe('a=12&b=12&c=x');
    expect(write({ a: '012' }, typed)).toEqual([expect.stringContaining('query.a: this app')]);
  });

  it('counts as not reading what it throws at', () => {
    const strict: PairParser = () => {
      throw new Error('no');
    };
    expect(write({ a: 1 }, strict)).toEqual([expect.stringContaining('query.a: this application')]);
  });

  it('refuses a query in which it finds members that nobody sent', () => {
    const more: PairParser = (text) => ({ ...parseSimple(text), admin: '1' });
    expect(write({ a: 1 }, more)).toBe('a=1');
    expect(write({ a: [1, 2] }, more)).toEqual([
      "query: this application's query parser reads further members",
    ]);
  });
});

describe('a query for an unknown parser', () => {
  it.each([
    [{ ids: [1] }, 'ids=1'],
    [{ filter: { eq: ['a', 'b'] } }, 'filter[eq]=a&filter[eq]=b'],
  ])('writes %j', (values, text) => {
    expect(write(values)).toBe(text);
  });

  it('writes a name in brackets only when the route has it', () => {
    expect(write({ 'a[b]': 1 })).toEqual(['query["a[b]"] is a name that cannot be written']);
    expect(write({ 'a[b]': 1 }, undefined, ['a[b]'])).toBe('a%5Bb%5D=1');
  });
});

it('a query stops at its bound, however long the name before each element', () => {
  const values = { ['n'.repeat(10_000)]: Array.from({ length: 100_000 }, () => 1) };
  expect(() => write(values, parseSimple)).toThrow(RequestTooLarge);
});

function asText(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(asText);
  if (typeof value !== 'object' || value === null) return String(value);
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(members.map(([name, member]) => [name, asText(member)]));
}
