// eslint-disable-next-line @typescript-eslint/no-restricted-imports -- to ask for a name that Nest 11 does not have
import * as common from '@nestjs/common';
import {
  DefaultValuePipe,
  ParseArrayPipe,
  ParseBoolPipe,
  ParseDatePipe,
  ParseEnumPipe,
  ParseFloatPipe,
  ParseIntPipe,
  ParseUUIDPipe,
} from '@nestjs/common';
import { bothOf, orOfTypes } from './combine-schemas.js';
import type { JsonSchemaObject } from './json-schema.js';
import type { SchemaView } from './schema-view.js';
import { isValidationPipe } from './validation-policy.js';
import { enumValues, namesAndValues, oneOfValues } from './validator-rules.js';

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

type Parse = (fields: PipeFields, view: SchemaView, items: DescribeItems) => JsonSchemaObject;

const PARSERS: readonly (readonly [new (...args: never[]) => object, Parse])[] = [
  [
    ParseIntPipe,
    (_, view) =>
      view === 'shown' ? { type: 'integer' } : { type: ['integer', 'string'], pattern: '^-?\\d+$' },
  ],
  [ParseFloatPipe, (_, view) => orString({ type: 'number' }, view)],
  [
    ParseBoolPipe,
    (_, view) =>
      view === 'shown' ? { type: 'boolean' } : oneOfValues([true, false, 'true', 'false']),
  ],
  [ParseUUIDPipe, () => ({ type: 'string', format: 'uuid' })],
  [ParseEnumPipe, ({ enumType }, view) => oneOfValues(enumSpellings(enumType, view))],
  [
    ParseDatePipe,
    (_, view) =>
      view === 'shown'
        ? { type: 'string', format: 'date-time' }
        : { type: ['string', 'number', 'boolean', 'array'] },
  ],
  [
    ParseArrayPipe,
    ({ options, validationPipe }, view, items) =>
      orString(
        {
          type: 'array',
          ...arrayItems(options?.items, view, () => items(options?.items, validationPipe)),
        },
        view,
      ),
  ],
];

/** The pipes that say nothing of a value, or are read elsewhere. */
// Read off the namespace: Nest 11 does not have it, and a named import of what is not there fails to load.
const SILENT: readonly unknown[] =
  'StandardSchemaValidationPipe' in common ? [common.StandardSchemaValidationPipe] : [];

/**
 * Follows a value through the pipes of a parameter.
 * @param shared the global, class and method pipes, which see every parameter
 * @param own the pipes of the parameter, which run after them
 * @param view what is shown is the value that the pipe makes, where JSON and text can write it
 */
export function parsedValue(
  shared: readonly unknown[],
  own: readonly unknown[],
  view: SchemaView,
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
      const schema = bothOf(value.schema ?? {}, parse(fields, view, items));
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

function orString(schema: JsonSchemaObject, view: SchemaView): JsonSchemaObject {
  return view === 'shown' ? schema : orOfTypes(schema, ['string']);
}

/** Numeric members may be sent as text too. */
function enumSpellings(enumType: unknown, view: SchemaView): readonly unknown[] {
  if (view === 'shown') return enumValues(enumType);
  const values = namesAndValues(enumType);
  return [...values, ...values.filter((value) => typeof value === 'number').map(String)];
}

/** In a list, text is read as JSON where the items are not text themselves. */
function arrayItems(
  items: unknown,
  view: SchemaView,
  describe: () => JsonSchemaObject,
): JsonSchemaObject {
  if (items === undefined) return view === 'shown' ? { items: { type: 'string' } } : {};
  if (items === String) return view === 'shown' ? { items: { type: 'string' } } : {};
  if (items === Number) return { items: orString({ type: 'number' }, view) };
  if (items === Boolean) return { items: orString({ type: 'boolean' }, view) };
  return { items: orString(describe(), view) };
}
