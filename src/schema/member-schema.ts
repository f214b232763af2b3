import { bothOf, listOrOne, orNull, orOfTypes, tidy, typesOf } from './combine-schemas.js';
import type { JsonSchemaObject } from './json-schema.js';
import type { ValidatorMetadata } from './optional-peers.js';
import type { SchemaView } from './schema-view.js';
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
  readonly view: SchemaView;
  readonly conversion: Conversion;
  /** The property's `design:type`. */
  readonly type: unknown;
  /** The schema of the object that `@ValidateNested()` checks. */
  readonly nested: () => JsonSchemaObject;
}

export interface CheckedMember {
  readonly schema: JsonSchemaObject;
  readonly required: boolean;
  readonly takesNull: boolean;
}

/** The JSON types that class-transformer makes a value of the target type of, beside the type itself. */
const CONVERTED: Readonly<Record<PrimitiveTarget, readonly string[]>> = {
  string: ['string', 'number', 'boolean', 'object'],
  number: ['number', 'string', 'boolean'],
  boolean: ['boolean', 'string', 'number', 'object'],
  date: ['string', 'number', 'boolean'],
};

/** The schema of a member that validators check. */
export function schemaOfChecked(
  validators: readonly ValidatorMetadata[],
  context: MemberContext,
): CheckedMember {
  const condition = conditionOf(validators);
  const { policy, source, view } = context;
  const isDefined = validators.some(({ type }) => type === 'isDefined');
  const checks = validators.filter(
    ({ type, validateIf }) => type === 'customValidation' && validateIf === undefined,
  );
  const composite = composed(checks, validators, context);
  const refuses = isDefined || (!policy.skipsUndefined && checks.some(refusesUndefined));
  const required = !condition.isUnknown && !condition.takesUndefined && refuses;
  const takesNull = condition.takesNull || (policy.skipsNull && !isDefined);
  if (view === 'check') {
    if (condition.isUnknown) return { schema: {}, required, takesNull: true };
    const schema = orObject(composite, context);
    return {
      schema: takesNull && source === 'json' ? orNull(schema) : schema,
      required,
      takesNull,
    };
  }
  const single = oneSpelling(composite, context.type);
  if (condition.isUnknown) return { schema: conditional(single), required, takesNull: true };
  const isMeant = condition.namesNull && source === 'json';
  return { schema: isMeant ? orNull(single) : single, required, takesNull };
}

function conditional(schema: JsonSchemaObject): JsonSchemaObject {
  if (Object.keys(schema).length === 0) return {};
  return { description: 'Only checked under a condition of the application.', ...schema };
}

/** Of several types the one that the property is declared with, or else the first. A choice needs none. */
function oneSpelling(schema: JsonSchemaObject, designType: unknown): JsonSchemaObject {
  const types = typesOf(schema);
  if (types === undefined || types.length < 2) return schema;
  if (schema.enum !== undefined) {
    const { type: _several, ...choice } = schema;
    return choice;
  }
  const [first] = types;
  const declared = designType === String ? 'string' : designType === Number ? 'number' : first;
  return tidy({ ...schema, type: types.find((type) => type === declared) ?? first });
}

/** What a schema that no longer holds for the value sent can still tell a model. */
export function convertedTo(schema: JsonSchemaObject): JsonSchemaObject {
  const types = typesOf(schema)?.filter((type) => type !== 'null');
  if (types === undefined || types.length === 0) return {};
  const kind = types.includes('array') ? 'list' : (types[0] ?? 'value');
  const article = /^[aeio]/.test(kind) ? 'an' : 'a';
  return { description: `The application converts it to ${article} ${kind}.` };
}

interface Condition {
  readonly takesUndefined: boolean;
  readonly takesNull: boolean;
  /** It speaks of null, so that null means something. */
  readonly namesNull: boolean;
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
  let namesNull = false;
  let isUnknown = false;
  for (const { name, constraints } of conditions) {
    const [, , operator, excluded] = VALUE_CONDITION.exec(String(constraints?.[0])) ?? [];
    const isOptional = name === 'isOptional' || operator === '!=';
    takesNull ||= isOptional || excluded === 'null';
    namesNull ||= name !== 'isOptional' && operator === '!==' && excluded === 'null';
    takesUndefined ||= isOptional || excluded === 'undefined' || excluded === 'void 0';
    isUnknown ||= name !== 'isOptional' && operator === undefined;
  }
  return { takesUndefined, takesNull, namesNull, isUnknown };
}

function composed(
  checks: readonly ValidatorMetadata[],
  validators: readonly ValidatorMetadata[],
  context: MemberContext,
): JsonSchemaObject {
  const { view } = context;
  const own = all(
    checks.filter(({ each }) => each !== true),
    view,
  );
  const item = converted(
    all(
      checks.filter(({ each }) => each === true),
      view,
    ),
    context,
  );
  const nested = validators.filter(({ type }) => type === 'nestedValidation');
  if (nested.length > 0) {
    const isList = context.type === Array || nested.some(({ each }) => each === true);
    return withNested(own, item, context, isList);
  }
  const isItemChecked = Object.keys(item).length > 0;
  const plain = own.type === 'array' || isItemChecked ? own : converted(own, context);
  if (!isItemChecked) return withoutIdleUniqueness(plain, context);
  const list: JsonSchemaObject = { type: 'array', items: item };
  const one = view === 'shown' ? list : listOrOne(item);
  const whole = plain.type === 'array' ? { ...plain, items: item } : bothOf(plain, one);
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

function all(checks: readonly ValidatorMetadata[], view: SchemaView): JsonSchemaObject {
  return tidy(checks.map((check) => schemaOfValidator(check, view)).reduce(bothOf, {}));
}

/** No number, truth value or object is any of these when it is written as a string. */
const NEVER_CONVERTED = ['email', 'uuid', 'uri', 'ipv4', 'ipv6'];

/** A member that is converted takes more types than it ends up with, and is shown as that one. */
function converted(
  schema: JsonSchemaObject,
  { conversion, source, view }: MemberContext,
): JsonSchemaObject {
  if (conversion.kind !== 'primitive' || Object.keys(schema).length === 0) return schema;
  const { target } = conversion;
  const isTyped = schema.type !== undefined || 'enum' in schema;
  if (view === 'shown') {
    const written = target === 'date' ? { type: 'string', format: 'date-time' } : { type: target };
    return isTyped ? schema : tidy({ ...schema, ...written });
  }
  if (!isTyped) return {};
  // What text may stand for is said where all of a place's members are at hand.
  if (source === 'text') return schema;
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
  { nested: describe, view }: MemberContext,
  isList: boolean,
): JsonSchemaObject {
  const nested = describe();
  const one = view === 'shown' ? nested : orOfTypes(nested, ['array']);
  const items = bothOf(one, item);
  if (own.type === 'object') return bothOf(nested, own);
  if (own.type === 'array') return { ...own, items };
  if (own.type !== undefined) return own;
  if (!isList) return bothOf(one, own);
  return bothOf({ type: view === 'shown' ? 'array' : ['array', 'object'], items }, own);
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
