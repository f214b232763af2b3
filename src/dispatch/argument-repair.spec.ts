import type { JsonSchemaObject } from '../schema/json-schema.js';
import { compileArgumentRepair, repairArguments } from './argument-repair.js';

const ORDER: JsonSchemaObject = {
  type: 'object',
  properties: {
    body: {
      type: 'object',
      properties: {
        note: { type: 'string' },
        count: { type: 'integer' },
        tags: { type: 'array', items: { type: 'string' } },
        address: { $ref: '#/$defs/Address' },
        lines: { type: 'array', items: { $ref: '#/$defs/Line' } },
        gift: { anyOf: [{ $ref: '#/$defs/Address' }, { type: 'null' }] },
        either: { oneOf: [{ type: 'string' }, { type: 'object' }] },
        described: { allOf: [{ $ref: '#/$defs/Address' }], description: 'x' },
        nullable: { type: ['string', 'null'] },
        free: {},
        kind: { enum: ['a', 'b'] },
        must: { type: 'string' },
      },
      required: ['must'],
    },
    query: { type: 'object', properties: { ids: { type: 'array', items: { type: 'integer' } } } },
  },
  required: ['body'],
  $defs: {
    Address: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
    Line: {
      type: 'object',
      properties: {
        sku: { type: 'string' },
        parts: { type: 'array', items: { $ref: '#/$defs/Line' } },
      },
    },
  },
};

describe('the repair of arguments', () => {
  it.each([
    ['an object given as a string', { body: '{"must":"x"}' }, { body: { must: 'x' } }],
    [
      'a nested one',
      { body: { address: '{"city":"Bonn"}' } },
      { body: { address: { city: 'Bonn' } } },
    ],
    ['a list given as a string', { query: { ids: ' [1, 2]' } }, { query: { ids: [1, 2] } }],
    ['a string in a string', { body: '{"tags":"[\\"a\\"]"}' }, { body: { tags: ['a'] } }],
    ['an element', { body: { lines: ['{"sku":"x"}'] } }, { body: { lines: [{ sku: 'x' }] } }],
    [
      'a schema inside itself',
      { body: { lines: [{ parts: [{ parts: '[{"sku":null}]' }] }] } },
      { body: { lines: [{ parts: [{ parts: [{}] }] }] } },
    ],
    [
      'an alternative to null',
      { body: { gift: '{"city":"x"}' } },
      { body: { gift: { city: 'x' } } },
    ],
    [
      'an allOf of one',
      { body: { described: '{"city":"x"}' } },
      { body: { described: { city: 'x' } } },
    ],
    ['null for an optional member', { body: { note: null, must: 'x' } }, { body: { must: 'x' } }],
    ['null for an optional choice', { body: { kind: null } }, { body: {} }],
    ['null for an optional group', { body: {}, query: null }, { body: {} }],
  ])('mends %s', (_, args: Record<string, unknown>, mended) => {
    const before = structuredClone(args);
    expect(repairArguments(args, ORDER)).toEqual(mended);
    expect(args).toEqual(before);
  });

  it.each([
    ['a string where a string fits', { body: { note: '{"a":1}' } }],
    ['a string where a string or an object fits', { body: { either: '{"a":1}' } }],
    ['a string where anything fits', { body: { free: '[1]' } }],
    ['JSON of another kind', { body: { address: '[1]', tags: '{"a":1}' } }],
    ['what is no JSON', { body: { address: '{city}', tags: '[1' } }],
    ['a scalar as JSON', { body: { address: '1', tags: '"a"' } }],
    ['a string that became a string', { body: '"{}"' }],
    ['a number that JSON.parse would change', { query: { ids: '[9007199254740993]' } }],
    ['a number too large', { query: { ids: '[1e400]' } }],
    ['a value that nests too deep', { body: { tags: `${'['.repeat(200)}${']'.repeat(200)}` } }],
    ['null for a required member', { body: { must: null } }],
    ['null where null fits', { body: { nullable: null, gift: null, free: null } }],
    ['null for an unknown member', { body: { unknown: null } }],
    ['null as an element', { body: { tags: [null] } }],
    ['arguments that fit', { body: { must: 'x', lines: [{ sku: 'y', parts: [] }] } }],
  ])('leaves %s as it is, and returns the same arguments', (_, args: Record<string, unknown>) => {
    expect(repairArguments(args, ORDER)).toBe(args);
  });

  it.each(['[1.0]', '[1e2]', '[0.1]', '[123456789012345.60]', '[100000000000000000000]'])(
    'reads a list of numbers that survive: %s',
    (ids) => {
      expect(repairArguments({ query: { ids } }, ORDER)).toEqual({
        query: { ids: JSON.parse(ids) as unknown },
      });
    },
  );

  it('has nothing to do for a schema of required scalars', () => {
    const repair = compileArgumentRepair({
      type: 'object',
      properties: { a: { type: 'string' } },
      required: ['a'],
    });
    const args = { a: '{}' };
    expect(repair(args)).toBe(args);
  });

  it('keeps a member named __proto__ a member', () => {
    const args = JSON.parse('{"body":{"__proto__":{"x":1},"note":null}}') as Record<
      string,
      unknown
    >;
    const { body } = repairArguments(args, ORDER);
    expect(JSON.stringify(body)).toBe('{"__proto__":{"x":1}}');
    expect((body as { x?: unknown }).x).toBeUndefined();
  });

  it('keeps what is shared between the arguments and their copy the same', () => {
    const args = { body: { lines: [{ sku: 'a' }, { sku: null }] } };
    const mended = repairArguments(args, ORDER) as typeof args;
    expect(mended.body.lines[0]).toBe(args.body.lines[0]);
    expect(mended.body.lines[1]).toEqual({});
  });

  it('endures a reference to itself, or to nowhere', () => {
    const schema: JsonSchemaObject = {
      type: 'object',
      properties: { a: { $ref: '#/$defs/A' }, b: { $ref: '#/$defs/None' }, c: { $ref: '#' } },
      $defs: { A: { $ref: '#/$defs/A' } },
    };
    const args = { a: '{}', b: '{}', c: { c: '{"c":null}' } };
    expect(repairArguments(args, schema)).toEqual({ a: '{}', b: '{}', c: { c: {} } });
  });
});
