import type { JsonSchema, JsonSchemaObject } from '../schema/json-schema.js';
import { checkSchemaCompiles, compileArgumentCheck } from './argument-check.js';

function schemaOf(body: JsonSchema, rest: Partial<JsonSchemaObject> = {}): JsonSchemaObject {
  return { type: 'object', properties: { body }, ...rest };
}

function check(body: JsonSchema, value: unknown, rest?: Partial<JsonSchemaObject>) {
  return compileArgumentCheck(schemaOf(body, rest))({ body: value });
}

const object = (properties: Record<string, JsonSchema>, rest: Partial<JsonSchemaObject> = {}) => ({
  type: 'object',
  properties,
  ...rest,
});

const CAT = object({ kind: { const: 'cat' }, lives: { type: 'integer' } }, { required: ['kind'] });
const DOG = object(
  { kind: { const: 'dog' }, tail: { type: 'string' } },
  { required: ['kind', 'tail'] },
);

describe('the check of arguments', () => {
  it.each<[JsonSchema, unknown, string]>([
    [{ type: 'integer' }, 1.5, 'body must be an integer'],
    [{ type: 'integer' }, '1', 'body must be an integer'],
    [{ type: 'boolean' }, 'yes', 'body must be true or false'],
    [{ type: ['string', 'null'] }, 1, 'body must be a string or null'],
    [{ enum: ['open', 'paid'] }, 'x', 'body must be one of "open", "paid"'],
    [{ type: 'string', enum: ['open'] }, 1, 'body must be one of "open"'],
    [{ const: 3 }, 4, 'body must be 3'],
    [{ minimum: 1 }, 0, 'body must be at least 1'],
    [{ maximum: 1 }, 2, 'body must be at most 1'],
    [{ exclusiveMinimum: 1 }, 1, 'body must be more than 1'],
    [{ exclusiveMaximum: 1 }, 1, 'body must be less than 1'],
    [{ multipleOf: 5 }, 7, 'body must be a multiple of 5'],
    [{ minLength: 1 }, '', 'body must have at least 1 character'],
    [{ maxLength: 2 }, 'abc', 'body must have at most 2 characters'],
    [{ minItems: 2 }, [], 'body must have at least 2 elements'],
    [{ maxItems: 1 }, [1, 2], 'body must have at most 1 element'],
    [{ minProperties: 1 }, {}, 'body must have at least 1 member'],
    [{ maxProperties: 0 }, { a: 1 }, 'body must have at most 0 members'],
    [{ prefixItems: [{}], items: false }, [1, 2], 'body must have at most 1 element'],
    [{ not: { type: 'string' } }, 'a', 'body has a value that is not allowed'],
    [{ contains: { type: 'string' } }, [1], 'body lacks an element that it must have'],
    [false, 1, 'body must be left out'],
    [object({ a: {} }, { required: ['a'] }), {}, 'body.a is required'],
    [{ dependentRequired: { a: ['b'] } }, { a: 1 }, 'body.b is required beside body.a'],
    [{ propertyNames: { maxLength: 1 } }, { ab: 1 }, 'body.ab has a name that is not allowed here'],
    [
      object({ size: {}, color: {} }, { additionalProperties: false }),
      { colour: 'red' },
      'body.colour is not a member of this object; known members: size, color',
    ],
    [
      object({}, { additionalProperties: false }),
      { 'a b': 1 },
      'body["a b"] is not a member of this object; known members: none',
    ],
    [
      object({ items: { type: 'array', items: object({ quantity: { type: 'integer' } }) } }),
      { items: [{ quantity: 'x' }] },
      'body.items[0].quantity must be an integer',
    ],
    [object({ '0': { type: 'integer' } }), { '0': 'x' }, 'body["0"] must be an integer'],
    [
      object({ 'a/b~c': { type: 'integer' } }),
      { 'a/b~c': 'x' },
      'body["a/b~c"] must be an integer',
    ],
  ])('against %j of %j says %j', (schema, value, sentence) => {
    expect(check(schema, value)).toEqual([sentence]);
  });

  it.each<[JsonSchema, unknown]>([
    [{ type: 'integer' }, 1],
    [{ multipleOf: 0.1 }, 0.3],
    [{ type: 'string', format: 'email' }, 'no address'],
    [true, { anything: 1 }],
    [object({ a: { default: 1 } }), {}],
  ])('against %j lets %j pass', (schema, value) => {
    expect(check(schema, value)).toEqual([]);
  });

  it('speaks of the root, and of each place once', () => {
    const root = compileArgumentCheck({
      type: 'object',
      properties: { path: object({ id: { type: 'string', minLength: 3 } }, { required: ['id'] }) },
      required: ['path'],
      additionalProperties: false,
    });
    expect(root({ query: {} })).toEqual([
      'path is required',
      'query is not a member of the arguments; known members: path',
    ]);
    expect(root({ path: {} })).toEqual(['path.id is required']);
    expect(root([])).toEqual(['the arguments must be an object']);
  });

  it('says ten things at most', () => {
    expect(
      check(
        { items: { type: 'string' } },
        Array.from({ length: 30 }, () => 1),
      ),
    ).toHaveLength(10);
  });

  it('fills in and changes nothing', () => {
    const args = { body: { a: '1' } };
    const schema = schemaOf(object({ a: { type: 'integer' }, b: { default: 1 } }));
    expect(compileArgumentCheck(schema)(args)).toEqual(['body.a must be an integer']);
    expect(args).toEqual({ body: { a: '1' } });
  });

  it('takes no inherited member for an argument', () => {
    const schema = object(
      { constructor: { type: 'string' } },
      { required: ['constructor', 'toString'] },
    );
    expect(check(schema, {})).toEqual([
      'body.constructor is required',
      'body.toString is required',
    ]);
    const closed = object({}, { additionalProperties: false });
    expect(check(closed, JSON.parse('{"__proto__":1}'))).toEqual([
      'body.__proto__ is not a member of this object; known members: none',
    ]);
  });

  it('keeps its messages short, whatever a model calls a member', () => {
    const closed = object({}, { additionalProperties: false });
    expect(check(closed, { ['n'.repeat(100_000)]: 1 }).join().length).toBeLessThan(200);
  });

  it('lists no more than twenty of many values', () => {
    const [sentence] = check({ enum: Array.from({ length: 300 }, (_, i) => i) }, 'x');
    expect(sentence).toMatch(/^body must be one of 0, 1, .*, 19, … \(300 in all\)$/);
  });
});

describe('the check of alternatives', () => {
  it.each<[string, JsonSchema, unknown, string[]]>([
    [
      'types',
      { anyOf: [{ type: 'string' }, { type: 'null' }] },
      1,
      ['body must be a string or null'],
    ],
    [
      'values',
      { oneOf: [{ const: 'a' }, { enum: ['b', 'c'] }] },
      1,
      ['body must be one of "a", "b", "c"'],
    ],
    [
      'one object',
      { anyOf: [CAT, { type: 'null' }] },
      { kind: 'cat', lives: 'x' },
      ['body.lives must be an integer'],
    ],
    [
      'objects told apart',
      { oneOf: [CAT, DOG] },
      { kind: 'cat', lives: 'x' },
      ['body.lives must be an integer'],
    ],
    ['the later one', { anyOf: [CAT, DOG] }, { kind: 'dog' }, ['body.tail is required']],
    [
      'both',
      { oneOf: [{ type: 'number' }, { minimum: 0 }] },
      1,
      ['body must fit exactly one of the forms that it may have'],
    ],
    [
      'references',
      { oneOf: [{ $ref: '#/$defs/Cat' }, { $ref: '#/$defs/Dog' }] },
      { kind: 'dog', tail: 1 },
      ['body.tail must be a string'],
    ],
    [
      'a list of them',
      { items: { anyOf: [CAT, DOG] } },
      [{ kind: 'dog' }, 1],
      ['body[0].tail is required', 'body[1] must be an object'],
    ],
    [
      'those of alternatives',
      { anyOf: [object({ pet: { anyOf: [CAT, DOG] } }), { type: 'null' }] },
      { pet: { kind: 'cat', lives: 'x' } },
      ['body.pet.lives must be an integer'],
    ],
  ])('speaks of %s', (_, schema, value, sentences) => {
    expect(check(schema, value, { $defs: { Cat: CAT, Dog: DOG } })).toEqual(sentences);
  });
});

describe('what the check leaves to the route', () => {
  const SLOW = '^(a+)+$';

  it.each<[string, JsonSchema, unknown]>([
    ['pattern', { type: 'string', pattern: SLOW }, `${'a'.repeat(40)}!`],
    ['uniqueItems', { uniqueItems: true }, [1, 1]],
    ['a pattern in a oneOf', { oneOf: [{ pattern: '^a' }, { pattern: 'b$' }] }, 'ab'],
    ['a pattern in a not', { not: { pattern: 'x' } }, 'y'],
    ['a pattern in a not, by reference', { not: { $ref: '#/$defs/Slug' } }, 'y'],
    ['a pattern in an if', { if: { pattern: 'x' }, then: { minLength: 9 } }, 'y'],
    ['a pattern in a counted contains', { contains: { pattern: 'x' }, maxContains: 1 }, ['x', 'y']],
    [
      'patternProperties beside additionalProperties',
      { patternProperties: { '^x-': true }, additionalProperties: false },
      { 'x-a': 1 },
    ],
    [
      'patternProperties beside unevaluatedProperties',
      { allOf: [{ patternProperties: { '^x-': true } }], unevaluatedProperties: false },
      { 'x-a': 1 },
    ],
  ])('is %s', (_, schema, value) => {
    expect(check(schema, value, { $defs: { Slug: { pattern: '^[a-z]+-$' } } })).toEqual([]);
  });

  it.each<[string, JsonSchema, unknown, string]>([
    [
      'a member named pattern',
      object({ pattern: { type: 'string' } }),
      { pattern: 1 },
      'body.pattern must be a string',
    ],
    ['a value with a pattern', { const: { pattern: 'a' } }, {}, 'body must be {"pattern":"a"}'],
    ['an enum', { enum: [{ uniqueItems: true }] }, {}, 'body must be one of {"uniqueItems":true}'],
    [
      'the other alternatives',
      { oneOf: [{ type: 'string', pattern: 'a' }, { type: 'null' }] },
      1,
      'body must be a string or null',
    ],
    [
      'unevaluatedProperties',
      { allOf: [object({ a: {} })], unevaluatedProperties: false },
      { b: 1 },
      'body.b is not a member of this object; known members: none',
    ],
  ])('is not %s', (_, schema, value, sentence) => {
    expect(check(schema, value)).toEqual([sentence]);
  });

  it('is told from a copy: the schema stays as it was', () => {
    const schema = schemaOf({ pattern: 'a', oneOf: [{ pattern: 'b' }] });
    const before = structuredClone(schema);
    compileArgumentCheck(schema)({ body: 'x' });
    expect(schema).toEqual(before);
  });
});

describe('the time of the check', () => {
  function timed(run: () => unknown): number {
    const started = performance.now();
    run();
    return performance.now() - started;
  }

  it('does not double with each level that two alternatives both descend', () => {
    const node = { $ref: '#/$defs/Node' };
    const $defs = {
      Node: {
        anyOf: [
          object({ child: node, a: { type: 'string' } }, { required: ['a'] }),
          object({ child: node, b: { type: 'string' } }, { required: ['b'] }),
        ],
      },
    };
    const run = compileArgumentCheck(schemaOf(node, { $defs }));
    let value: unknown = { a: 1 };
    for (let depth = 0; depth < 120; depth++) value = { a: 'x', b: 'y', child: value };
    let sentences: readonly string[] = [];
    expect(timed(() => (sentences = run({ body: value })))).toBeLessThan(1000);
    expect(sentences[0]).toMatch(/^body(\.child)+.* must be a string$/);
    expect(run({ body: { a: 'x', child: { b: 'y' } } })).toEqual([]);
  });

  it('is short for a megabyte of elements that are all wrong', () => {
    const schema = schemaOf({
      type: 'array',
      items: object({ a: { type: 'string' } }, { required: ['a'] }),
    });
    const run = compileArgumentCheck(schema);
    run({ body: [] });
    const body = Array.from({ length: 500_000 }, () => 1);
    expect(timed(() => run({ body }))).toBeLessThan(500);
    expect(run({ body })).toEqual(['body[0] must be an object']);
  });
});

describe('a schema that contains itself', () => {
  const comment: JsonSchemaObject = {
    type: 'object',
    properties: {
      text: { type: 'string' },
      replies: { type: 'array', items: { $ref: '#/$defs/Comment' } },
      parent: { anyOf: [{ $ref: '#/$defs/Comment' }, { type: 'null' }] },
    },
    required: ['text'],
    additionalProperties: false,
  };
  const run = compileArgumentCheck(
    schemaOf({ $ref: '#/$defs/Comment' }, { $defs: { Comment: comment } }),
  );

  it.each<[unknown, string[]]>([
    [{ text: 'a', replies: [{ text: 'b', parent: null }] }, []],
    [{ text: 'a', replies: [{ text: 1 }] }, ['body.replies[0].text must be a string']],
    [
      { text: 'a', parent: { text: 'b', replies: [{}] } },
      ['body.parent.replies[0].text is required'],
    ],
    [{ text: 'a', parent: 1 }, ['body.parent must be an object or null']],
    [
      { text: 'a', replies: [{ text: 'b', x: 1 }] },
      ['body.replies[0].x is not a member of this object; known members: text, replies, parent'],
    ],
  ])('judges %j: %j', (body, sentences) => {
    expect(run({ body })).toEqual(sentences);
  });

  it('judges the same arguments alike, again and again', () => {
    const body = { text: 'a', replies: [{ text: 1 }] };
    expect(run({ body })).toEqual(run({ body }));
    expect(run({ body: { text: 'a' } })).toEqual([]);
  });

  it('may do so at its root', () => {
    const root = compileArgumentCheck({
      type: 'object',
      properties: { child: { $ref: '#' } },
      additionalProperties: false,
    });
    expect(root({ child: { child: { x: 1 } } })).toEqual([
      'child.child.x is not a member of this object; known members: child',
    ]);
  });
});

describe('a schema written by hand', () => {
  const DRAFT_07 = 'http://json-schema.org/draft-07/schema#';
  const DRAFT_2020 = 'https://json-schema.org/draft/2020-12/schema';

  it.each<[string, JsonSchemaObject]>([
    ['no dialect', schemaOf({ type: 'string' })],
    ['the dialect 2020-12', schemaOf({ prefixItems: [{}] }, { $schema: DRAFT_2020 })],
    [
      'the dialect draft-07',
      schemaOf({ items: [{}] as unknown as JsonSchema }, { $schema: DRAFT_07 }),
    ],
    [
      'an identifier',
      schemaOf({ $ref: '#/$defs/A' }, { $id: 'https://example.com/a', $defs: { A: {} } }),
    ],
    [
      'identifiers inside',
      schemaOf({ $ref: 'b' }, { $id: 'https://example.com/a', $defs: { A: { $id: 'b' } } }),
    ],
    ['an unknown keyword', schemaOf({ example: 1, 'x-extra': {} })],
    ['an anchor', schemaOf({ $ref: '#a' }, { $defs: { A: { $anchor: 'a' } } })],
  ])('may have %s', (_, schema) => {
    expect(checkSchemaCompiles(schema)).toBeUndefined();
    expect(compileArgumentCheck(schema)({})).toEqual([]);
  });

  it.each<[string, JsonSchemaObject, RegExp]>([
    ['a reference to nowhere', schemaOf({ $ref: '#/$defs/None' }), /reference #\/\$defs\/None/],
    [
      'a reference to the network',
      schemaOf({ $ref: 'https://example.com/x.json' }),
      /reference https/,
    ],
    [
      'a keyword that is wrong',
      schemaOf({ type: 'strin' }),
      /schema\/properties\/body\/type must be/,
    ],
    ['a pattern that is none', schemaOf({ pattern: '(' }), /regular expression/],
    [
      'another dialect',
      schemaOf({}, { $schema: 'http://json-schema.org/draft-04/schema#' }),
      /2020-12/,
    ],
  ])('may not have %s', (_, schema, problem) => {
    expect(checkSchemaCompiles(schema)).toMatch(problem);
  });

  it('may have the identifier of another one', () => {
    const one = compileArgumentCheck(
      schemaOf({ type: 'string' }, { $id: 'https://example.com/same' }),
    );
    const two = compileArgumentCheck(
      schemaOf({ type: 'integer' }, { $id: 'https://example.com/same' }),
    );
    expect(one({ body: 1 })).toEqual(['body must be a string']);
    expect(two({ body: 'a' })).toEqual(['body must be an integer']);
  });

  it('is read as its dialect says', () => {
    const body = { items: [{ type: 'string' }] as unknown as JsonSchema };
    const run = compileArgumentCheck(schemaOf(body, { $schema: DRAFT_07 }));
    expect(run({ body: [1] })).toEqual(['body[0] must be a string']);
  });
});
