import { anyOf, oneOrList, typesOf } from './combine-schemas.js';
import { type Definitions, reference } from './definitions.js';
import type { JsonSchema, JsonSchemaObject } from './json-schema.js';

/** What `Number()` makes a number of. */
const NUMERIC: JsonSchemaObject = {
  type: 'string',
  pattern:
    '^\\s*([+-]?(\\d+\\.?\\d*|\\.\\d+)([eE][+-]?\\d+)?|[+-]?Infinity|0[xX][\\da-fA-F]+|0[oO][0-7]+|0[bB][01]+)?\\s*$',
};

/** The keywords whose schemas hold for the same value, or for a value inside it. */
const ONE = ['items', 'additionalProperties', 'contains'] as const;
const SEVERAL = ['allOf', 'anyOf', 'oneOf', 'prefixItems'] as const;

/**
 * The schema of the values that a URL, a header, a cookie or a form can carry where they are to fit `schema`: all of them are
 * text on the way, so that `5` is as good as `'5'`.
 */
export class TextValues {
  private readonly done = new Map<string, string>();

  constructor(private readonly definitions: Definitions) {}

  of(schema: JsonSchemaObject): JsonSchemaObject {
    // What must not be is said of a value as it is sent, and holds for what is made of it.
    const { not: _not, ...whole } = this.inside(schema);
    const values = 'const' in schema ? [schema.const] : schema.enum;
    if (values !== undefined) return orAny(whole, spellings(values));
    const types = typesOf(schema) ?? [];
    const isNumber = types.includes('number') || types.includes('integer');
    if (types.includes('boolean')) return ofTypes(whole, [...types, 'string', 'number']);
    if (isNumber) return types.includes('string') ? whole : orAny(whole, [NUMERIC]);
    return types.includes('string') ? ofTypes(whole, [...types, 'number', 'boolean']) : whole;
  }

  private inside(schema: JsonSchemaObject): JsonSchemaObject {
    if (schema.$ref !== undefined) return { ...schema, $ref: this.referred(schema.$ref) };
    const inside: JsonSchemaObject = { ...schema };
    for (const keyword of ONE) {
      if (schema[keyword] !== undefined) inside[keyword] = this.any(schema[keyword] as JsonSchema);
    }
    for (const keyword of SEVERAL) {
      const parts = schema[keyword];
      if (Array.isArray(parts)) inside[keyword] = parts.map((part: JsonSchema) => this.any(part));
    }
    if (schema.properties !== undefined) {
      inside.properties = Object.fromEntries(
        Object.entries(schema.properties).map(([name, member]) => [name, this.any(member)]),
      );
    }
    return inside;
  }

  private any(schema: JsonSchema): JsonSchema {
    return typeof schema === 'object' ? this.of(schema) : schema;
  }

  /** A definition that a body refers to as well stays as it is there. */
  private referred($ref: string): string {
    const known = this.done.get($ref);
    if (known !== undefined) return known;
    const target = this.definitions.resolve({ $ref });
    if (target.$ref === $ref) return $ref;
    const name = this.definitions.reserve(`${$ref.split('/').at(-1) ?? 'Schema'}_text`);
    const own = reference(name).$ref as string;
    this.done.set($ref, own);
    this.definitions.define(name, this.of(target));
    return own;
  }
}

function ofTypes(schema: JsonSchemaObject, types: readonly string[]): JsonSchemaObject {
  return { ...schema, type: oneOrList(types) };
}

function orAny(schema: JsonSchemaObject, others: readonly JsonSchemaObject[]): JsonSchemaObject {
  return others.length === 0 ? schema : anyOf([schema, ...others]);
}

/** How else the values of a choice are written. */
function spellings(values: readonly unknown[]): readonly JsonSchemaObject[] {
  if (values.some((value) => typeof value === 'boolean')) return [{ type: ['string', 'number'] }];
  const same = values.flatMap((value): unknown[] => {
    if (value === 'true' || value === 'false') return [value === 'true'];
    return typeof value === 'string' && String(Number(value)) === value ? [Number(value)] : [];
  });
  return [
    ...(values.some((value) => typeof value === 'number') ? [NUMERIC] : []),
    ...(same.length > 0 ? [{ enum: same }] : []),
  ];
}
