import {
  DefaultValuePipe,
  ParseArrayPipe,
  ParseBoolPipe,
  ParseDatePipe,
  ParseEnumPipe,
  ParseFloatPipe,
  ParseIntPipe,
  ParseUUIDPipe,
  StandardSchemaValidationPipe,
} from '@nestjs/common';
import { bothOf, orOfTypes } from './combine-schemas.js';
import type { JsonSchemaObject } from './json-schema.js';
import type { ValueSource } from './member-schema.js';
import { isValidationPipe } from './validation-policy.js';
import { enumValues, oneOfValues } from './validator-rules.js';

/** What the pipes of a parameter take. */
export interface ParsedValue {
  /** What the first pipes that are known take; missing when none of them says anything. */
  readonly schema?: JsonSchemaObject;
  /** The pipes refuse a request without the value. */
  readonly required: boolean;
  /** The pipes take null for a value that is missing. */
  readonly takesNull: boolean;
  /** A pipe of the application's own runs on the value, and may make anything of it. */
  readonly isOpaque: boolean;
}

/** Describes the items of a `ParseArrayPipe`, which it checks with a `ValidationPipe` of its own. */
export type DescribeItems = (items: unknown, pipe: unknown) => JsonSchemaObject;

interface PipeFields {
  readonly options?: {
    readonly optional?: boolean;
    readonly default?: () => unknown;
    readonly items?: unknown;
  };
  readonly enumType?: unknown;
  readonly defaultValue?: unknown;
  readonly validationPipe?: unknown;
}

type Parse = (fields: PipeFields, source: ValueSource, items: DescribeItems) => JsonSchemaObject;

const PARSERS: readonly (readonly [new (...args: never[]) => object, Parse])[] = [
  [
    ParseIntPipe,
    (_, source) =>
      source === 'text'
        ? { type: 'integer' }
        : { type: ['integer', 'string'], pattern: '^-?\\d+$' },
  ],
  [ParseFloatPipe, (_, source) => orString({ type: 'number' }, source)],
  [
    ParseBoolPipe,
    (_, source) =>
      source === 'text' ? { type: 'boolean' } : oneOfValues([true, false, 'true', 'false']),
  ],
  [ParseUUIDPipe, () => ({ type: 'string', format: 'uuid' })],
  [ParseEnumPipe, ({ enumType }, source) => oneOfValues(enumSpellings(enumType, source))],
  [
    ParseDatePipe,
    (_, source) => ({
      type: source === 'text' ? 'string' : ['string', 'number'],
      format: 'date-time',
    }),
  ],
  [
    ParseArrayPipe,
    ({ options, validationPipe }, source, items) =>
      orString(
        {
          type: 'array',
          ...arrayItems(options?.items, source, () => items(options?.items, validationPipe)),
        },
        source,
      ),
  ],
];

/** The pipes that say nothing of a value, or are read elsewhere. */
const SILENT: readonly unknown[] = [StandardSchemaValidationPipe];

/**
 * Follows a value through the pipes of a parameter.
 * @param shared the global, class and method pipes, which see every parameter
 * @param own the pipes of the parameter, which run after them
 */
export function parsedValue(
  shared: readonly unknown[],
  own: readonly unknown[],
  source: ValueSource,
  items: DescribeItems,
): ParsedValue {
  let value: ParsedValue & { readonly isFilled: boolean } = UNTOUCHED;
  for (const pipe of [...shared, ...own]) {
    const fields = fieldsOf(pipe);
    const parse = PARSERS.find(([parser]) => is(pipe, parser))?.[1];
    if (is(pipe, DefaultValuePipe)) {
      const schema = withDefault(value.schema, fields.defaultValue);
      value = { ...value, schema, isFilled: true, takesNull: !value.required };
    } else if (parse !== undefined) {
      const takesMissing = value.isFilled || isOptional(fields);
      const schema = bothOf(value.schema ?? {}, parse(fields, source, items));
      const required = value.required || !takesMissing;
      value = { ...value, schema, required, takesNull: takesMissing && !required };
    } else if (own.includes(pipe) && !isKnown(pipe)) {
      return { ...value, isOpaque: true };
    }
  }
  return value;
}

const UNTOUCHED = { required: false, takesNull: false, isOpaque: false, isFilled: false } as const;

function isOptional({ options }: PipeFields): boolean {
  return options?.optional === true || options?.default !== undefined;
}

function isKnown(pipe: unknown): boolean {
  return isValidationPipe(pipe) || SILENT.some((silent) => is(pipe, silent));
}

function is(pipe: unknown, type: unknown): boolean {
  if (typeof type !== 'function') return false;
  return pipe === type || pipe instanceof type;
}

/** A pipe that is given as a class has no options. */
function fieldsOf(pipe: unknown): PipeFields {
  return typeof pipe === 'object' && pipe !== null ? pipe : {};
}

function withDefault(
  schema: JsonSchemaObject | undefined,
  value: unknown,
): JsonSchemaObject | undefined {
  const isShown = ['string', 'boolean', 'object'].includes(typeof value) || Number.isFinite(value);
  if (!isShown || value === null || value instanceof Date) return schema;
  return { ...schema, default: value };
}

function orString(schema: JsonSchemaObject, source: ValueSource): JsonSchemaObject {
  return source === 'text' ? schema : orOfTypes(schema, ['string']);
}

/** Numeric members may be sent as text too. */
function enumSpellings(enumType: unknown, source: ValueSource): readonly unknown[] {
  const values = enumValues(enumType);
  if (source === 'text') return values;
  return [...values, ...values.filter((value) => typeof value === 'number').map(String)];
}

/** In a list, text is read as JSON where the items are not text themselves. */
function arrayItems(
  items: unknown,
  source: ValueSource,
  describe: () => JsonSchemaObject,
): JsonSchemaObject {
  if (items === undefined) return source === 'text' ? { items: { type: 'string' } } : {};
  if (items === String) return source === 'text' ? { items: { type: 'string' } } : {};
  if (items === Number) return { items: orString({ type: 'number' }, source) };
  if (items === Boolean) return { items: orString({ type: 'boolean' }, source) };
  return { items: orString(describe(), source) };
}
