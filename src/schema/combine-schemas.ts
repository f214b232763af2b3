import type { JsonSchema, JsonSchemaObject } from './json-schema.js';

const ANNOTATIONS = ['title', 'description', 'default', 'examples', 'deprecated'] as const;

/** The keywords that concern values of one type only, and pass over every other value. */
const KEYWORDS_OF_TYPE: Readonly<Record<string, readonly string[]>> = {
  string: ['minLength', 'maxLength', 'pattern', 'format', 'contentMediaType', 'contentEncoding'],
  number: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  array: ['items', 'minItems', 'maxItems', 'uniqueItems', 'contains'],
  object: ['properties', 'required', 'additionalProperties', 'minProperties', 'maxProperties'],
};

/** The keywords that concern values of every type. */
const GENERAL_KEYWORDS = ['enum', 'const', 'not', 'anyOf', 'oneOf', 'allOf', '$ref'] as const;

const LARGER_IS_STRICTER = new Set([
  'minimum',
  'exclusiveMinimum',
  'minLength',
  'minItems',
  'minProperties',
]);
const SMALLER_IS_STRICTER = new Set([
  'maximum',
  'exclusiveMaximum',
  'maxLength',
  'maxItems',
  'maxProperties',
]);

export function typesOf(schema: JsonSchemaObject): readonly string[] | undefined {
  if (schema.type === undefined) return undefined;
  return Array.isArray(schema.type) ? schema.type : [schema.type];
}

/** The schema of the values that both schemas take. Where they exclude each other, the first one's type stands. */
export function bothOf(first: JsonSchemaObject, second: JsonSchemaObject): JsonSchemaObject {
  const both: JsonSchemaObject = { ...first };
  for (const [keyword, value] of Object.entries(second)) {
    const known = both[keyword];
    if (known === undefined) both[keyword] = value;
    else if (keyword === 'type') both.type = commonTypes(first, second);
    else if (LARGER_IS_STRICTER.has(keyword))
      both[keyword] = Math.max(Number(known), Number(value));
    else if (SMALLER_IS_STRICTER.has(keyword))
      both[keyword] = Math.min(Number(known), Number(value));
    else if (keyword === 'items')
      both.items = itemsOfBoth(known as JsonSchema, value as JsonSchema);
    else if (!isAnnotation(keyword) && !isSame(known, value)) also(both, { [keyword]: value });
  }
  return both;
}

function also(schema: JsonSchemaObject, further: JsonSchemaObject): void {
  schema.allOf = [...((schema.allOf as JsonSchema[] | undefined) ?? []), further];
}

function itemsOfBoth(first: JsonSchema, second: JsonSchema): JsonSchema {
  if (typeof first === 'boolean') return first ? second : first;
  if (typeof second === 'boolean') return second ? first : second;
  return bothOf(first, second);
}

function commonTypes(
  first: JsonSchemaObject,
  second: JsonSchemaObject,
): string | string[] | undefined {
  const seconds = typesOf(second) ?? [];
  const common = (typesOf(first) ?? []).flatMap((type) => {
    if (seconds.includes(type)) return [type];
    if (type === 'number' && seconds.includes('integer')) return ['integer'];
    return type === 'integer' && seconds.includes('number') ? ['integer'] : [];
  });
  return common.length === 0 ? first.type : oneOrList(common);
}

/** The schema of the values that `schema` takes, or that are of one of `types`. */
export function orOfTypes(schema: JsonSchemaObject, types: readonly string[]): JsonSchemaObject {
  const own = typesOf(schema);
  const general = GENERAL_KEYWORDS.some((keyword) => keyword in schema);
  if (own === undefined && !general) return withoutKeywordsOf(schema, types);
  if (!general && own !== undefined && !hasKeywordsOf(schema, missingFrom(own, types))) {
    return { ...schema, type: oneOrList([...own, ...missingFrom(own, types)]) };
  }
  return anyOf([schema, { type: oneOrList(types) }]);
}

/** The schema of the values that `schema` takes, or null. */
export function orNull(schema: JsonSchemaObject): JsonSchemaObject {
  const { enum: values, ...rest } = schema;
  if (values === undefined || GENERAL_KEYWORDS.some((keyword) => keyword in rest)) {
    return orOfTypes(schema, ['null']);
  }
  return {
    ...(rest.type === undefined ? rest : orOfTypes(rest, ['null'])),
    enum: values.includes(null) ? values : [...values, null],
  };
}

/** The schema of one value, or of a list of such values: what a validator with `each` checks. */
export function listOrOne(item: JsonSchemaObject): JsonSchemaObject {
  const types = typesOf(item);
  if (types === undefined && Object.keys(item).length === 0) return {};
  const general = GENERAL_KEYWORDS.some((keyword) => keyword in item);
  if (types === undefined || types.includes('array') || general) {
    return anyOf([{ type: 'array', items: item }, item]);
  }
  return { ...item, type: ['array', ...types], items: item };
}

/** A schema of alternatives. The annotations of the first one come to stand beside them. */
export function anyOf(alternatives: readonly JsonSchemaObject[]): JsonSchemaObject {
  const [first = {}, ...others] = alternatives;
  const flat = isOnlyAnyOf(first) ? (first.anyOf as JsonSchema[]) : [withoutAnnotations(first)];
  return { ...annotationsOf(first), anyOf: [...flat, ...others] };
}

function isOnlyAnyOf(schema: JsonSchemaObject): boolean {
  const keywords = Object.keys(withoutAnnotations(schema));
  return keywords.length === 1 && keywords[0] === 'anyOf';
}

/** Leaves out the keywords that cannot matter, given the schema's types. */
export function tidy(schema: JsonSchemaObject): JsonSchemaObject {
  const types = typesOf(schema);
  if (types === undefined) return schema;
  const others = Object.keys(KEYWORDS_OF_TYPE).filter(
    (type) => !types.includes(type) && !(type === 'number' && types.includes('integer')),
  );
  return withoutKeywordsOf(schema, others);
}

export function annotationsOf(schema: JsonSchemaObject): JsonSchemaObject {
  return Object.fromEntries(Object.entries(schema).filter(([keyword]) => isAnnotation(keyword)));
}

export function withoutAnnotations(schema: JsonSchemaObject): JsonSchemaObject {
  return Object.fromEntries(Object.entries(schema).filter(([keyword]) => !isAnnotation(keyword)));
}

/** Whether the schema says nothing of a value but annotations. */
export function saysNothing(schema: JsonSchemaObject): boolean {
  return Object.keys(schema).every(isAnnotation);
}

export function oneOrList(types: readonly string[]): string | string[] {
  const [only, ...others] = new Set(types);
  return only !== undefined && others.length === 0 ? only : [...new Set(types)];
}

function isAnnotation(keyword: string): boolean {
  return (ANNOTATIONS as readonly string[]).includes(keyword);
}

function missingFrom(own: readonly string[], types: readonly string[]): readonly string[] {
  return types.filter((type) => !own.includes(type));
}

function keywordsOf(types: readonly string[]): readonly string[] {
  return types.flatMap((type) => KEYWORDS_OF_TYPE[type === 'integer' ? 'number' : type] ?? []);
}

function hasKeywordsOf(schema: JsonSchemaObject, types: readonly string[]): boolean {
  return keywordsOf(types).some((keyword) => keyword in schema);
}

function withoutKeywordsOf(schema: JsonSchemaObject, types: readonly string[]): JsonSchemaObject {
  const left = new Set(keywordsOf(types));
  return Object.fromEntries(Object.entries(schema).filter(([keyword]) => !left.has(keyword)));
}

function isSame(first: unknown, second: unknown): boolean {
  return JSON.stringify(first) === JSON.stringify(second);
}
