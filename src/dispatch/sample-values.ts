import type { JsonSchema, JsonSchemaObject } from '../schema/json-schema.js';
import { resolvePointer } from './schema-pointer.js';

/** Deeper than arguments are in a query. What is deeper is said to be of any shape. */
const MAX_DEPTH = 6;
/** Longer lists than these are not tried. */
const MAX_ITEMS = 200;
/** Keywords that make a shape depend on more than a schema's own types. */
const CONDITIONS = ['allOf', 'not', 'if', '$dynamicRef', 'prefixItems'] as const;
const TEXTS = ['a', 'A', '1'];

/**
 * A few values of each shape (text, list, object) that a schema takes. They need not fit it in anything else.
 *
 * @param root where the schema's references lead
 * @returns `undefined` where the schema leaves the shape open
 */
export function sampleValues(
  schema: JsonSchema,
  root: JsonSchemaObject,
  depth = 0,
): readonly unknown[] | undefined {
  if (typeof schema !== 'object' || depth > MAX_DEPTH) return undefined;
  if (CONDITIONS.some((keyword) => keyword in schema)) return undefined;
  if (schema.$ref !== undefined) {
    return sampleValues(resolvePointer(root, schema.$ref) ?? true, root, depth + 1);
  }
  if ('const' in schema) return [schema['const']];
  if (schema.enum !== undefined) return schema.enum;
  const alternatives = schema['anyOf'] ?? schema['oneOf'];
  if (Array.isArray(alternatives)) {
    return all(alternatives.map((one: JsonSchema) => sampleValues(one, root, depth + 1)));
  }
  if (schema.type === undefined) return undefined;
  return all([schema.type].flat().map((type) => ofType(type, schema, root, depth)));
}

function ofType(
  type: string,
  schema: JsonSchemaObject,
  root: JsonSchemaObject,
  depth: number,
): readonly unknown[] | undefined {
  switch (type) {
    case 'array':
      return lists(schema, root, depth);
    case 'object':
      return objects(schema, root, depth);
    case 'boolean':
      return [true, false];
    case 'null':
      return [];
    case 'string':
      return TEXTS;
    default:
      return [1];
  }
}

function lists(
  schema: JsonSchemaObject,
  root: JsonSchemaObject,
  depth: number,
): readonly unknown[] | undefined {
  const { minItems = 0, maxItems = Infinity } = schema as { minItems?: number; maxItems?: number };
  if (minItems > MAX_ITEMS) return undefined;
  const items = sampleValues(schema.items ?? true, root, depth + 1) ?? TEXTS;
  const lengths = [1, 2, 3, minItems].filter((n) => n >= minItems && n <= maxItems && n > 0);
  return lengths.flatMap((length) => items.map((item) => Array<unknown>(length).fill(item)));
}

/** With every member, with those that are required, and with each of the others. */
function objects(
  schema: JsonSchemaObject,
  root: JsonSchemaObject,
  depth: number,
): readonly unknown[] {
  const members: [string, unknown][] = [];
  for (const [name, member] of Object.entries(schema.properties ?? {})) {
    const samples = sampleValues(member, root, depth + 1) ?? TEXTS;
    if (samples.length > 0) members.push([name, samples[0]]);
  }
  if (members.length === 0) return [{ a: 'a' }];
  const required = members.filter(([name]) => schema.required?.includes(name));
  return [members, required, ...members.map((member) => [...required, member])]
    .filter((some) => some.length > 0)
    .map((some) => Object.fromEntries(some));
}

function all(parts: readonly (readonly unknown[] | undefined)[]): readonly unknown[] | undefined {
  return parts.some((part) => part === undefined)
    ? undefined
    : parts.flatMap((part) => part as readonly unknown[]);
}
