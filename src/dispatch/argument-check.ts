import { Ajv, type ErrorObject, type Options } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { JsonSchemaObject } from '../schema/json-schema.js';
import { describeMisfits } from './argument-misfits.js';
import { checkedSchema } from './check-schema.js';
import { addCircularRef } from './circular-ref.js';

/** Says where arguments do not fit: a sentence for each place, ten at most, none when they fit. */
export type ArgumentCheck = (args: unknown) => readonly string[];

/** Runs one check; the errors are as Ajv gives them. */
type Validate = (args: unknown) => readonly ErrorObject[];

/** Compiles the patterns of a schema, on an engine whose time is linear. Throws for a pattern that it does not take. */
export type PatternEngine = (pattern: string) => { test(text: string): boolean };

export interface ArgumentCheckOptions {
  /** With an engine, patterns are checked; without one they are left out. */
  readonly patterns?: PatternEngine | undefined;
}

const MAX_MESSAGES = 10;
/**
 * Arguments with more values than this get the first misfit alone: to find them all in a megabyte of wrong elements took
 * 0.8 s, to find the first takes none of that.
 */
const MAX_VALUES_FOR_ALL = 5_000;
const DOCUMENT = 'mcp:arguments';
const DRAFT_2020_12 = 'https://json-schema.org/draft/2020-12/schema';
const DRAFT_07 = 'http://json-schema.org/draft-07/schema';
const NONE: readonly ErrorObject[] = [];

/**
 * Compiles the check of a tool's arguments against its schema, on the first call. No value is coerced and no default is
 * filled in. Each tool has a validator of its own, so that equal identifiers in two schemas do not meet.
 *
 * Looser than the schema where exactness costs more than it gives: see `checkedSchema`. The route's own pipes decide in
 * the end.
 */
export function compileArgumentCheck(
  schema: JsonSchemaObject,
  { patterns }: ArgumentCheckOptions = {},
): ArgumentCheck {
  const code = patternCode(patterns);
  const checked = lazy(() => checkedSchema(schema, patterns !== undefined));
  const first = lazy(() => compile(checked(), { ...code, allErrors: false }));
  const all = lazy(() => compile(checked(), { ...code, allErrors: true }));
  return (args) => {
    const misfit = first()(args);
    if (misfit.length === 0) return [];
    const misfits = holdsMoreValuesThan(args, MAX_VALUES_FOR_ALL) ? misfit : all()(args);
    return describeMisfits(misfits, args, MAX_MESSAGES);
  };
}

/**
 * What is wrong with a schema that somebody wrote by hand, as a sentence for an error of set-up; `undefined` when arguments
 * can be checked against it.
 */
export function checkSchemaCompiles(
  schema: JsonSchemaObject,
  { patterns }: ArgumentCheckOptions = {},
): string | undefined {
  const code = patternCode(patterns);
  try {
    // The meta-schema judges the whole schema, then the looser copy shows that its references lead somewhere.
    const judge = judgeOf(schema);
    if (judge.validateSchema(schema) !== true)
      return judge.errorsText(judge.errors, { dataVar: 'schema' });
    createAjv(schema, { ...code, meta: false, validateSchema: false }).compile({
      ...schema,
      $schema: undefined,
    });
    compile(checkedSchema(schema, patterns !== undefined), { ...code, allErrors: false });
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

const judges = new Map<unknown, Ajv>();

/** The validator that holds the meta-schema of a dialect. It is kept, since it takes 100 ms to make. */
function judgeOf(schema: JsonSchemaObject): Ajv {
  const dialect = schema['$schema'];
  const judge = judges.get(dialect) ?? createAjv(schema, {});
  judges.set(dialect, judge);
  return judge;
}

/** Ajv's name for the engine; `code` is for validators that are written to a file, which these are not. */
function patternCode(patterns: PatternEngine | undefined): Options {
  if (patterns === undefined) return {};
  const regExp = (source: string) => {
    const pattern = patterns(source);
    // Ajv takes two patterns for one when they have the same text.
    return { test: (text: string) => pattern.test(text), toString: () => source };
  };
  return { code: { regExp: Object.assign(regExp, { code: '' }) } };
}

function compile(schema: JsonSchemaObject, options: Options): Validate {
  // `meta` takes 100 ms, for a judgement that was made at start-up.
  const ajv = createAjv(schema, { ...options, meta: false, validateSchema: false, verbose: true });
  const forget = addCircularRef(ajv, DOCUMENT);
  ajv.addSchema({ ...schema, $schema: undefined }, DOCUMENT);
  const validate = ajv.getSchema(DOCUMENT);
  if (validate === undefined) throw new Error('The schema cannot be compiled.');
  return (args) => {
    try {
      return validate(args) === true ? NONE : (validate.errors ?? NONE);
    } finally {
      forget();
      validate.errors = null;
    }
  };
}

function createAjv(schema: JsonSchemaObject, options: Options): Ajv {
  const dialect = schema['$schema'];
  const common: Options = {
    strict: false,
    logger: false,
    validateFormats: false,
    // A required member `constructor` is not there because every object inherits one.
    ownProperties: true,
    // 0.3 is a multiple of 0.1 to everyone but a division of doubles.
    multipleOfPrecision: 9,
    ...options,
  };
  if (dialect === undefined) return new Ajv2020(common);
  const uri = typeof dialect === 'string' ? dialect.replace(/#$/, '') : '';
  if (uri === DRAFT_2020_12) return new Ajv2020(common);
  if (uri === DRAFT_07) return new Ajv(common);
  throw new Error(
    `$schema is ${JSON.stringify(dialect)}. Write the schema in JSON Schema 2020-12 (or draft-07).`,
  );
}

function holdsMoreValuesThan(root: unknown, limit: number): boolean {
  const pending: unknown[] = [root];
  let count = 0;
  while (pending.length > 0) {
    const value = pending.pop();
    if (typeof value !== 'object' || value === null) continue;
    const members: unknown[] = Array.isArray(value) ? value : Object.values(value);
    count += members.length;
    if (count > limit) return true;
    for (const member of members) pending.push(member);
  }
  return false;
}

function lazy<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
