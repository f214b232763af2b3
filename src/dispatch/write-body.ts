import { hasLoneSurrogate, isMembers } from './argument-text.js';
import type { JsonSchema, JsonSchemaObject } from '../schema/json-schema.js';
import type { BodyMediaType, RouteInput } from '../schema/route-input.js';
import { compileMultipartWriter } from './write-multipart.js';
import { compilePairWriter, type PairParser } from './write-query.js';

/** The bytes of a request's body and their media type. */
export interface WrittenBody {
  readonly contentType: string;
  readonly bytes: Buffer;
}

/** Writes the body of a request; `undefined` where there is none. Says in `problems` what cannot be written. */
export type BodyWriter = (value: unknown, problems: string[]) => WrittenBody | undefined;

export interface BodyWriterOptions {
  readonly mediaType: BodyMediaType;
  readonly input: RouteInput;
  readonly parseForm?: PairParser | undefined;
  readonly maxBytes: number;
}

/** Compiles the writer of the body that a route reads. */
export function compileBodyWriter(options: BodyWriterOptions): BodyWriter {
  switch (options.mediaType) {
    case 'application/json':
      return writeJson;
    case 'text/plain':
      return textWriter(options.input.layout === 'flat' ? 'the body' : 'body');
    case 'application/x-www-form-urlencoded':
      return urlencodedWriter(options);
    case 'multipart/form-data':
      return multipartWriter(options);
  }
}

function writeJson(value: unknown): WrittenBody | undefined {
  if (value === undefined) return undefined;
  return { contentType: 'application/json', bytes: Buffer.from(JSON.stringify(value)) };
}

function textWriter(label: string): BodyWriter {
  return (value, problems) => {
    if (value === undefined) return undefined;
    if (typeof value !== 'string') problems.push(`${label} must be a string`);
    else if (hasLoneSurrogate(value))
      problems.push(`${label} must not hold half of a surrogate pair`);
    else return { contentType: 'text/plain; charset=utf-8', bytes: Buffer.from(value) };
    return undefined;
  };
}

function urlencodedWriter({ input, parseForm, maxBytes }: BodyWriterOptions): BodyWriter {
  const base = formBase(input);
  const write = compilePairWriter({
    base,
    reader: 'form parser',
    known: new Set(Object.keys(formSchema(input)?.properties ?? {})),
    open: true,
    parse: parseForm,
    maxBytes,
  });
  return (value, problems) => {
    if (!isForm(value, base, problems)) return undefined;
    const contentType = 'application/x-www-form-urlencoded';
    return { contentType, bytes: Buffer.from(write(value, problems)) };
  };
}

function multipartWriter({ input, maxBytes }: BodyWriterOptions): BodyWriter {
  const base = formBase(input);
  const members = Object.entries(formSchema(input)?.properties ?? {});
  const isFile = ([, schema]: [string, JsonSchema]) => isFileSchema(schema, input.schema);
  const files = new Set(members.filter(isFile).map(([name]) => name));
  const known = new Set(members.map(([name]) => name));
  const write = compileMultipartWriter({ base, known, files, maxBytes });
  return (value, problems) => (isForm(value, base, problems) ? write(value, problems) : undefined);
}

function isForm(
  value: unknown,
  base: string,
  problems: string[],
): value is Readonly<Record<string, unknown>> {
  if (value === undefined) return false;
  if (isMembers(value)) return true;
  problems.push(`${base} must be an object`);
  return false;
}

function formBase(input: RouteInput): string {
  return input.layout === 'flat' ? '' : 'form';
}

function formSchema(input: RouteInput): JsonSchemaObject | undefined {
  return input.layout === 'flat' ? input.schema : groupSchema(input, 'form');
}

/** The schema of a group of the arguments, such as `query`, with its `$ref` followed. */
export function groupSchema(input: RouteInput, place: string): JsonSchemaObject | undefined {
  const { properties } = input.schema;
  if (properties === undefined || !Object.hasOwn(properties, place)) return undefined;
  return resolveSchema(properties[place], input.schema);
}

/** A file is an object whose member `data` is base64 (JSON Schema Validation 2020-12, section 8.3), or a list of them. */
function isFileSchema(schema: JsonSchema | undefined, root: JsonSchemaObject): boolean {
  const { properties, items } = resolveSchema(schema, root) ?? {};
  if (items !== undefined && isFileSchema(items, root)) return true;
  return resolveSchema(properties?.['data'], root)?.['contentEncoding'] === 'base64';
}

/** Follows `#/$defs/Name`, once and again, but not in a circle. */
function resolveSchema(
  schema: JsonSchema | undefined,
  root: JsonSchemaObject,
): JsonSchemaObject | undefined {
  let resolved = schema;
  for (let steps = 0; steps < 20 && typeof resolved === 'object'; steps++) {
    if (resolved.$ref === undefined) return resolved;
    const name = /^#\/\$defs\/([^/]+)$/.exec(resolved.$ref)?.[1];
    resolved = name === undefined ? undefined : root.$defs?.[name];
  }
  return undefined;
}
