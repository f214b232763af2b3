import { type ClassType, isOwnClass } from './class-type.js';
import { oneOrList, orNull } from './combine-schemas.js';
import type { JsonSchema, JsonSchemaObject } from './json-schema.js';
import { patternOf } from './regular-expression.js';
import { type OpenApiObject, objectOf } from './swagger-metadata.js';
import { enumValues } from './validator-rules.js';

/** Finds the schemas that an OpenAPI schema only names. */
export interface SchemaSource {
  describe(target: ClassType): JsonSchemaObject;
  /** The class behind `#/components/schemas/<name>`. */
  find(name: string): ClassType | undefined;
}

const TYPES = new Map<unknown, JsonSchemaObject>([
  [String, { type: 'string' }],
  [Number, { type: 'number' }],
  [Boolean, { type: 'boolean' }],
  [BigInt, { type: 'integer' }],
  [Date, { type: 'string', format: 'date-time' }],
  [Array, { type: 'array' }],
]);
const NAMED_TYPES = ['string', 'number', 'integer', 'boolean', 'array', 'object', 'null'];

const KEPT = [
  'format',
  'minLength',
  'maxLength',
  'multipleOf',
  'minItems',
  'maxItems',
  'uniqueItems',
  'minProperties',
  'maxProperties',
  'const',
] as const;
/** What swagger moves from a list to its items. */
const OF_ITEMS = ['format', 'minLength', 'maxLength', 'minimum', 'maximum', 'pattern'] as const;

/**
 * The JSON Schema of what a swagger decorator was given: an OpenAPI schema object, or one that has classes, enums and
 * functions in place of types.
 */
export function schemaOfOpenApi(given: OpenApiObject, source: SchemaSource): JsonSchemaObject {
  const schema = { ...shapeOf(given, source), ...annotationsOfOpenApi(given) };
  return given.nullable === true ? orNull(schema) : schema;
}

/** Description, examples and the like, which say nothing of the values that are taken. */
export function annotationsOfOpenApi(given: OpenApiObject): JsonSchemaObject {
  const annotations: JsonSchemaObject = {};
  for (const name of ['title', 'description'] as const) {
    const text = given[name];
    if (typeof text === 'string' && text !== '') annotations[name] = text;
  }
  if (given.default !== undefined && isJson(given.default)) annotations.default = given.default;
  if (given.deprecated === true) annotations.deprecated = true;
  const examples = examplesOf(given).filter(isJson);
  if (examples.length > 0) annotations.examples = examples;
  return annotations;
}

function examplesOf({ example, examples }: OpenApiObject): readonly unknown[] {
  if (example !== undefined) return [example];
  if (Array.isArray(examples)) return examples as unknown[];
  const values = Object.values(objectOf(examples)).map((entry) => objectOf(entry).value ?? entry);
  return values.filter((value) => value !== undefined);
}

function shapeOf(given: OpenApiObject, source: SchemaSource): JsonSchemaObject {
  const type = unfolded(given.type);
  if (given.isArray === true && !Array.isArray(type)) {
    const itemKeywords = pick(given, OF_ITEMS);
    const items = shapeOf(
      { ...itemKeywords, type, enum: given.enum, ...objectOf(given.items) },
      source,
    );
    return { type: 'array', items, ...pick(given, ['minItems', 'maxItems', 'uniqueItems']) };
  }
  if (given.enum !== undefined) return enumSchema(given.enum);
  if (typeof given.$ref === 'string') return referred(given.$ref, source);
  if (isOwnClass(type) && !isLazy(type)) return source.describe(type);
  return { ...typeSchema(type, source), ...keywordsOf(given, source) };
}

/** `type: () => Cat` and `type: () => [Cat]`, which swagger resolves when it needs them. */
function unfolded(type: unknown): unknown {
  return isLazy(type) ? type() : type;
}

function isLazy(type: unknown): type is () => unknown {
  return typeof type === 'function' && type.prototype === undefined;
}

function typeSchema(type: unknown, source: SchemaSource): JsonSchemaObject {
  if (typeof type === 'string') return NAMED_TYPES.includes(type) ? { type } : {};
  if (Array.isArray(type)) {
    const names = type.filter((name): name is string => typeof name === 'string');
    if (names.length > 0 && names.length === type.length) return { type: oneOrList(names) };
    return { type: 'array', items: shapeOf({ type: type[0] as unknown }, source) };
  }
  if (typeof type === 'object' && type !== null)
    return objectLiteral(type as OpenApiObject, source);
  return TYPES.get(type) ?? {};
}

/** `type: { id: { type: Number } }`, or the object of a constant enum. */
function objectLiteral(members: OpenApiObject, source: SchemaSource): JsonSchemaObject {
  const values = Object.values(members);
  if (values.length > 0 && values.every((value) => typeof value !== 'object')) {
    return enumSchema(members);
  }
  const names = Object.keys(members);
  const required = names.filter((name) => objectOf(members[name]).required === true);
  return {
    type: 'object',
    properties: Object.fromEntries(
      names.map((name) => [name, schemaOfOpenApi(objectOf(members[name]), source)]),
    ),
    ...(required.length > 0 ? { required } : {}),
  };
}

function enumSchema(given: unknown): JsonSchemaObject {
  const values = enumValues(typeof given === 'function' ? (given as () => unknown)() : given);
  const types = new Set(values.map((value) => (value === null ? 'null' : typeof value)));
  return { type: oneOrList([...types]), enum: [...values] };
}

function referred($ref: string, source: SchemaSource): JsonSchemaObject {
  const name = /^#\/components\/schemas\/(.+)$/.exec($ref)?.[1];
  const target = name === undefined ? undefined : source.find(decodeURIComponent(name));
  return target === undefined ? {} : source.describe(target);
}

function keywordsOf(given: OpenApiObject, source: SchemaSource): JsonSchemaObject {
  const schema: JsonSchemaObject = { ...pick(given, KEPT), ...bounds(given) };
  const pattern = patternOf(given.pattern);
  if (pattern !== undefined) schema.pattern = pattern;
  for (const name of ['allOf', 'anyOf', 'oneOf'] as const) {
    const parts = given[name];
    // `oneOf` becomes `anyOf`: classes often overlap, and a value that fits two of them is no error.
    if (Array.isArray(parts)) {
      const schemas = parts.map((part) => schemaOfOpenApi(objectOf(part), source));
      schema[name === 'oneOf' ? 'anyOf' : name] = schemas;
    }
  }
  if (given.items !== undefined) schema.items = schemaOfOpenApi(objectOf(given.items), source);
  if (typeof given.properties === 'object') schema.properties = properties(given, source);
  if (Array.isArray(given.required)) schema.required = [...(given.required as string[])];
  if (given.additionalProperties !== undefined) {
    schema.additionalProperties = additional(given.additionalProperties, source);
  }
  return schema;
}

function properties(given: OpenApiObject, source: SchemaSource): Record<string, JsonSchema> {
  const members = Object.entries(objectOf(given.properties));
  return Object.fromEntries(
    members.map(([name, member]) => [name, schemaOfOpenApi(objectOf(member), source)]),
  );
}

function additional(given: unknown, source: SchemaSource): JsonSchema {
  return typeof given === 'boolean' ? given : schemaOfOpenApi(objectOf(given), source);
}

/** OpenAPI 3.0 writes `exclusiveMinimum: true` beside `minimum`; JSON Schema has one number. */
function bounds(given: OpenApiObject): JsonSchemaObject {
  return {
    ...bound(given, 'exclusiveMinimum', 'minimum'),
    ...bound(given, 'exclusiveMaximum', 'maximum'),
  };
}

function bound(given: OpenApiObject, exclusive: string, inclusive: string): JsonSchemaObject {
  if (given[exclusive] === true) return pick({ [exclusive]: given[inclusive] }, [exclusive]);
  return {
    ...pick(given, [inclusive]),
    ...(typeof given[exclusive] === 'number' ? pick(given, [exclusive]) : {}),
  };
}

function pick(given: OpenApiObject, names: readonly string[]): JsonSchemaObject {
  return Object.fromEntries(
    names.flatMap((name) => (given[name] === undefined ? [] : [[name, given[name]]])),
  );
}

function isJson(value: unknown): boolean {
  try {
    return JSON.stringify(value) !== undefined;
  } catch {
    return false;
  }
}
