import { oneOrList } from './combine-schemas.js';
import type { JsonSchemaObject } from './json-schema.js';
import type { ValidatorMetadata } from './optional-peers.js';
import type { SchemaView } from './schema-view.js';
import { STRING_VALIDATORS, type ValidatorRule } from './string-validators.js';

const number = (keywords: JsonSchemaObject = {}): JsonSchemaObject => ({
  type: 'number',
  ...keywords,
});
const array = (keywords: JsonSchemaObject = {}): JsonSchemaObject => ({
  type: 'array',
  ...keywords,
});
const dateTime: ValidatorRule = () => ({ type: 'string', format: 'date-time' });
const anything: ValidatorRule = () => ({});

/** The validators of numbers, dates, lists, objects and of any value, by class-validator's name for them. */
const RULES: Readonly<Record<string, ValidatorRule>> = {
  ...STRING_VALIDATORS,
  isNumber: ([options]) =>
    (options as { maxDecimalPlaces?: unknown } | undefined)?.maxDecimalPlaces === 0
      ? { type: 'integer' }
      : number(),
  isInt: () => ({ type: 'integer' }),
  isPositive: () => number({ exclusiveMinimum: 0 }),
  isNegative: () => number({ exclusiveMaximum: 0 }),
  min: ([min]) => number(limit('minimum', min)),
  max: ([max]) => number(limit('maximum', max)),
  isDivisibleBy: ([divisor]) => number(multipleOf(divisor)),
  isLatitude: () => ({ type: ['number', 'string'], minimum: -90, maximum: 90 }),
  isLongitude: () => ({ type: ['number', 'string'], minimum: -180, maximum: 180 }),
  isBoolean: () => ({ type: 'boolean' }),
  isDate: dateTime,
  minDate: dateTime,
  maxDate: dateTime,
  isArray: () => array(),
  arrayMinSize: ([min]) => array(limit('minItems', min)),
  arrayMaxSize: ([max]) => array(limit('maxItems', max)),
  arrayNotEmpty: () => array({ minItems: 1 }),
  arrayUnique: () => array({ uniqueItems: true }),
  arrayContains: ([values]) => array(containing(values)),
  arrayNotContains: ([values]) => {
    const unwanted = jsonScalars(values);
    return array(unwanted.length === 0 ? {} : { not: { contains: { enum: unwanted } } });
  },
  isObject: () => ({ type: 'object' }),
  isNotEmptyObject: () => ({ type: 'object', minProperties: 1 }),
  isInstance: anything,
  isEnum: ([entity]) => oneOfValues(enumValues(entity)),
  isIn: ([values]) => oneOfValues(values),
  isNotIn: ([values]) => noneOfValues(values),
  equals: ([value]) => oneOfValues([value]),
  notEquals: ([value]) => noneOfValues([value]),
  isEmpty: () => ({ enum: ['', null] }),
  isNotEmpty: () => ({ minLength: 1 }),
};

/** The validators that pass over a member that is missing. */
const TAKES_UNDEFINED: Readonly<Record<string, (constraints: readonly unknown[]) => boolean>> = {
  isEmpty: () => true,
  equals: ([value]) => value === undefined,
  notEquals: ([value]) => value !== undefined,
  isIn: ([values]) => Array.isArray(values) && values.includes(undefined),
  isNotIn: ([values]) => !Array.isArray(values) || !values.includes(undefined),
};

/** The schema of the values that a validator takes; a validator that is not known takes any. */
export function schemaOfValidator(
  { name, constraints }: ValidatorMetadata,
  view: SchemaView,
): JsonSchemaObject {
  if (view === 'check') {
    if (name === 'isEnum') return oneOfValues(namesAndValues(constraints?.[0]));
    if (name === 'isNumber' && takesNoNumber(constraints?.[0])) return {};
  }
  const rule = name === undefined || !Object.hasOwn(RULES, name) ? undefined : RULES[name];
  return rule?.(constraints ?? []) ?? {};
}

/** `NaN` is what becomes of anything that is no number. */
function takesNoNumber(options: unknown): boolean {
  return (options as { allowNaN?: unknown } | undefined)?.allowNaN === true;
}

/** Whether a member that is missing fails a validator; one that is not known may take it. */
export function refusesUndefined({ name, constraints }: ValidatorMetadata): boolean {
  if (name === undefined || !Object.hasOwn(RULES, name)) return false;
  return TAKES_UNDEFINED[name]?.(constraints ?? []) !== true;
}

/**
 * The values of a TypeScript enum: a numeric one maps its values back to the members' names, which are no values. A
 * validator or pipe takes those names too (`namesAndValues`), but no handler expects them.
 */
export function enumValues(entity: unknown): readonly unknown[] {
  if (typeof entity !== 'object' || entity === null) return [];
  if (Array.isArray(entity)) return entity;
  const members = entity as Readonly<Record<string, unknown>>;
  const names = Object.keys(members).filter((key) => {
    const value = members[key];
    const isReverse = typeof value === 'string' && typeof members[value] === 'number';
    return !(isReverse && String(members[value]) === key);
  });
  return names.map((name) => members[name]);
}

/** What `@IsEnum()` and `ParseEnumPipe` compare with. */
export function namesAndValues(entity: unknown): readonly unknown[] {
  return typeof entity === 'object' && entity !== null ? Object.values(entity) : [];
}

/** The schema of a choice. Values that JSON cannot write are none; a choice of them alone says nothing. */
export function oneOfValues(values: unknown): JsonSchemaObject {
  const scalars = jsonScalars(values);
  if (scalars.length === 0) return {};
  const types = [...new Set(scalars.map(typeOfScalar))];
  const whole = types.includes('number') ? types.filter((type) => type !== 'integer') : types;
  return { type: oneOrList(whole), enum: [...new Set(scalars)] };
}

function noneOfValues(values: unknown): JsonSchemaObject {
  const scalars = jsonScalars(values);
  return scalars.length === 0 ? {} : { not: { enum: scalars } };
}

function jsonScalars(values: unknown): readonly (string | number | boolean | null)[] {
  if (!Array.isArray(values)) return [];
  return values.filter(
    (value): value is string | number | boolean | null =>
      value === null ||
      typeof value === 'string' ||
      typeof value === 'boolean' ||
      (typeof value === 'number' && Number.isFinite(value)),
  );
}

function typeOfScalar(value: string | number | boolean | null): string {
  if (value === null) return 'null';
  return Number.isInteger(value) ? 'integer' : typeof value;
}

function limit(keyword: string, value: unknown): JsonSchemaObject {
  return typeof value === 'number' && Number.isFinite(value) ? { [keyword]: value } : {};
}

/** class-validator takes the whole part of the divisor. */
function multipleOf(divisor: unknown): JsonSchemaObject {
  const whole = Math.abs(Math.trunc(Number(divisor)));
  return Number.isFinite(whole) && whole > 0 ? { multipleOf: whole } : {};
}

function containing(values: unknown): JsonSchemaObject {
  const wanted = jsonScalars(values);
  if (wanted.length === 0) return {};
  return { allOf: wanted.map((value) => ({ contains: { const: value } })) };
}
