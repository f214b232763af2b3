import { clientNames } from './client-names.js';

describe('the names that clients see', () => {
  it('are the own ones where every client takes them', () => {
    expect(clientNames({ type: 'object', properties: { 'a-b.c_1': {} } })).toBeUndefined();
  });

  it('have nothing in them that clients do not take, and lead back', () => {
    const long = 'x'.repeat(70);
    const names = clientNames({
      type: 'object',
      properties: {
        'a b': { type: 'object', properties: { $c: {}, ok: {} }, required: ['$c'] },
        [long]: {},
        list: { type: 'array', items: { $ref: '#/$defs/Item' } },
        either: { anyOf: [{ properties: { 'd/e': {} } }, { type: 'null' }] },
        map: { additionalProperties: { $ref: '#/$defs/Item' } },
      },
      required: ['a b', 'list'],
      $defs: { Item: { properties: { ü: {}, next: { $ref: '#/$defs/Item' } } } },
    });
    expect(names?.schema).toMatchObject({
      properties: {
        a_b: { properties: { _c: {}, ok: {} }, required: ['_c'] },
        either: { anyOf: [{ properties: { d_e: {} } }, {}] },
      },
      required: ['a_b', 'list'],
      $defs: { Item: { properties: { _: {} } } },
    });
    const args = {
      a_b: { _c: 1, ok: 2, other: 3 },
      [long.slice(0, 60)]: 4,
      list: [{ _: 5, next: { _: 6 } }],
      either: { d_e: 7 },
      map: { any: { _: 8 } },
    };
    expect(names?.toWire(args)).toEqual({
      'a b': { $c: 1, ok: 2, other: 3 },
      [long]: 4,
      list: [{ ü: 5, next: { ü: 6 } }],
      either: { 'd/e': 7 },
      map: { any: { ü: 8 } },
    });
  });

  it('stay different where two would become one', () => {
    const names = clientNames({ properties: { 'a b': {}, a_b: {}, 'a/b': {} } });
    expect(Object.keys(names?.schema.properties ?? {})).toEqual(['a_b_2', 'a_b', 'a_b_3']);
    expect(names?.toWire({ a_b: 1, a_b_2: 2, a_b_3: 3 })).toEqual({ a_b: 1, 'a b': 2, 'a/b': 3 });
  });
});
