import { anyOf, bothOf, listOrOne, orNull, orOfTypes, tidy, typesOf } from './combine-schemas.js';
import type { JsonSchemaObject } from './json-schema.js';
import type { ValidatorMetadata } from './optional-peers.js';
import type { Conversion, PrimitiveTarget } from './transformation.js';
import type { ValidationPolicy } from './validation-policy.js';
import { refusesUndefined, schemaOfValidator } from './validator-rules.js';

/**
 * How values reach the route: `json` with their types, or `text` from a URL, a header or a form, where the schema's type only
 * says how a value is written.
 */
export type ValueSource = 'json' | 'text';

export interface MemberContext {
  readonly policy: ValidationPolicy;
  readonly source: ValueSource;
  readonly conversion: Conversion;
  /** The property is declared a list (`design:type`). */
  readonly isList: boolean;
  /** The schema of the object that `@ValidateNested()` checks. */
  readonly nested: () => JsonSchemaObject;
}

export interface CheckedMember {
  readonly schema: JsonSchemaObject;
  readonly required: boolean;
}

/** The JSON types that class-transformer makes a value of the target type of, beside the type itself. */
const CONVERTED: Readonly<Record<PrimitiveTarget, readonly string[]>> = {
  string: ['string', 'number', 'boolean', 'object'],
  number: ['number', 'string', 'boolean'],
  boolean: ['boolean', 'string', 'number', 'object'],
  date: ['string', 'number', 'boolean'],
};

/** The schema of a member that validators check: whatever they take, and as little more as JSON Schema can say. */
export function schemaOfChecked(
  validators: readonly ValidatorMetadata[],
  context: MemberContext,
): CheckedMember {
  const condition = conditionOf(validators);
  const { policy, source } = context;
  const isDefined = validators.some(({ type }) => type === 'isDefined');
  const checks = validators.filter(
    ({ type, validateIf }) => type === 'customValidation' && validateIf === undefined,
  );
  const schema = orObject(composed(checks, validators, context), context);
  const takesNull = condition.takesNull || (policy.skipsNull && !isDefined);
  const refuses = isDefined || (!policy.skipsUndefined && checks.some(refusesUndefined));
  const required = !condition.takesUndefined && refuses;
  if (condition.isUnknown) return { schema: afterwards(schema, 'checks'), required: false };
  return { schema: takesNull && source === 'json' ? orNull(schema) : schema, required };
}

/** What a schema that no longer holds for the value sent can still tell a model. */
export function afterwards(
  schema: JsonSchemaObject,
  does: 'checks' | 'converts',
): JsonSchemaObject {
  const types = typesOf(schema)?.filter((type) => type !== 'null');
  if (types === undefined || types.length === 0) return {};
  const kind = `${types.includes('array') ? 'list' : (types[0] ?? 'value')}`;
  const article = /^[aeio]/.test(kind) ? 'an' : 'a';
  return does === 'checks'
    ? { description: `Only checked under a condition; then it must be ${article} ${kind}.` }
    : { description: `The application converts it to ${article} ${kind}.` };
}

interface Condition {
  readonly takesUndefined: boolean;
  readonly takesNull: boolean;
  /** `@ValidateIf()` with a condition that only the application knows. */
  readonly isUnknown: boolean;
}

/** The conditions of `@ValidateIf()` that are about the value alone, as `PartialType` writes them. */
const VALUE_CONDITION =
  /^\(?\s*\w+\s*,\s*(\w+)\s*\)?\s*=>\s*\1\s*(!==?)\s*(undefined|void 0|null)$/;

function conditionOf(validators: readonly ValidatorMetadata[]): Condition {
  const conditions = validators.filter(({ type }) => type === 'conditionalValidation');
  let takesUndefined = false;
  let takesNull = false;
  let isUnknown = false;
  for (const { name, constraints } of conditions) {
    const [, , operator, excluded] = VALUE_CONDITION.exec(String(constraints?.[0])) ?? [];
    const isOptional = name === 'isOptional' || operator === '!=';
    takesNull ||= isOptional || excluded === 'null';
    takesUndefined ||= isOptional || excluded === 'undefined' || excluded === 'void 0';
    isUnknown ||= name !== 'isOptional' && operator === undefined;
  }
  return { takesUndefined, takesNull, isUnknown };
}

function composed(
  checks: readonly ValidatorMetadata[],
  validators: readonly ValidatorMetadata[],
  context: MemberContext,
): JsonSchemaObject {
  const own = all(checks.filter(({ each }) => each !== true));
  const item = converted(all(checks.filter(({ each }) => each === true)), context);
  const nested = validators.filter(({ type }) => type === 'nestedValidation');
  if (nested.length > 0) {
    const isList = context.isList || nested.some(({ each }) => each === true);
    return withNested(own, item, context.nested(), isList);
  }
  const isItemChecked = Object.keys(item).length > 0;
  const plain = own.type === 'array' || isItemChecked ? own : converted(own, context);
  if (!isItemChecked) return withoutIdleUniqueness(plain, context);
  const whole = plain.type === 'array' ? { ...plain, items: item } : bothOf(plain, listOrOne(item));
  return withoutIdleUniqueness(tidy(whole), context);
}

/** Implicit conversion makes an empty list of an object. */
function orObject(
  schema: JsonSchemaObject,
  { conversion, source }: MemberContext,
): JsonSchemaObject {
  const isList = conversion.kind === 'list' && typesOf(schema)?.includes('array') === true;
  return isList && source === 'json' ? orOfTypes(schema, ['object']) : schema;
}

function all(checks: readonly ValidatorMetadata[]): JsonSchemaObject {
  return tidy(checks.map(schemaOfValidator).reduce(bothOf, {}));
}

/** No number, truth value or object is any of these when it is written as a string. */
const NEVER_CONVERTED = ['email', 'uuid', 'uri', 'ipv4', 'ipv6'];

/** In JSON a member that is converted takes more types than it ends up with. */
function converted(
  schema: JsonSchemaObject,
  { conversion, source }: MemberContext,
): JsonSchemaObject {
  if (conversion.kind !== 'primitive' || Object.keys(schema).length === 0) return schema;
  const { target } = conversion;
  const written = target === 'date' ? { type: 'string', format: 'date-time' } : { type: target };
  if (source === 'text') {
    return schema.type === undefined && !('enum' in schema)
      ? tidy({ ...schema, ...written })
      : schema;
  }
  if (schema.type === undefined && !('enum' in schema)) return {};
  if (target === 'string' && NEVER_CONVERTED.includes(String(schema.format))) return schema;
  return orOfTypes(
    schema,
    CONVERTED[target].filter((type) => !isTypeOf(schema, type)),
  );
}

function isTypeOf(schema: JsonSchemaObject, type: string): boolean {
  const types = typesOf(schema) ?? [];
  return types.includes(type) || (type === 'number' && types.includes('integer'));
}

/** `@ValidateNested()` goes into lists, and lists of lists, wherever no other validator forbids them. */
function withNested(
  own: JsonSchemaObject,
  item: JsonSchemaObject,
  nested: JsonSchemaObject,
  isList: boolean,
): JsonSchemaObject {
  const items = bothOf(orOfTypes(nested, ['array']), item);
  if (own.type === 'object') return bothOf(nested, own);
  if (own.type === 'array') return { ...own, items };
  if (own.type !== undefined) return own;
  if (isList) return anyOfListAndObject(own, items);
  return bothOf(orOfTypes(nested, ['array']), own);
}

function anyOfListAndObject(own: JsonSchemaObject, items: JsonSchemaObject): JsonSchemaObject {
  return bothOf({ type: ['array', 'object'], items }, own);
}

const SCALARS = ['string', 'number', 'integer', 'boolean', 'null'];

/**
 * `@ArrayUnique()` compares by identity, `uniqueItems` by content: the same for scalars only. Dates are converted to objects.
 */
function withoutIdleUniqueness(
  schema: JsonSchemaObject,
  { conversion }: MemberContext,
): JsonSchemaObject {
  if (schema.uniqueItems === undefined) return schema;
  const { uniqueItems, ...rest } = schema;
  const items =
    typeof schema.items === 'object' ? (typesOf(schema.items) ?? ['object']) : ['object'];
  const isScalar = items.every((type) => SCALARS.includes(type));
  const becomesDate = conversion.kind === 'primitive' && conversion.target === 'date';
  return isScalar && !becomesDate ? { ...rest, uniqueItems } : rest;
}

/** The schema of an object that one of its members tells the class of. */
export function schemaOfSubTypes(
  property: string,
  subTypes: readonly { readonly name: string; readonly schema: JsonSchemaObject }[],
  base: JsonSchemaObject,
): JsonSchemaObject {
  const names = subTypes.map(({ name }) => name);
  return anyOf([
    ...subTypes.map(({ name, schema }) => marked(schema, property, { const: name }, true)),
    marked(base, property, { not: { enum: names } }, false),
  ]);
}

function marked(
  schema: JsonSchemaObject,
  property: string,
  value: JsonSchemaObject,
  isRequired: boolean,
): JsonSchemaObject {
  if (schema.$ref !== undefined) {
    const mark = { type: 'object', properties: { [property]: value } };
    return { allOf: [schema, isRequired ? { ...mark, required: [property] } : mark] };
  }
  const { [property]: _own, ...members } = schema.properties ?? {};
  const required = (schema.required ?? []).filter((name) => name !== property);
  const { required: _required, ...rest } = schema;
  return {
    ...rest,
    properties: { [property]: value, ...members },
    ...(isRequired || required.length > 0
      ? { required: isRequired ? [property, ...required] : required }
      : {}),
  };
}
