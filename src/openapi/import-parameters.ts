import { isToken } from '../dispatch/header-syntax.js';
import type { JsonSchema } from '../schema/json-schema.js';
import type {
  CredentialUse,
  ParameterPlace,
  ParameterStyle,
  RestParameter,
} from '../upstream/operation.js';
import { writePointer } from '../upstream/pointer.js';
import type { SchemaConverter } from './convert-schema.js';
import {
  Inexpressible,
  listOf,
  membersOf,
  type Members,
  type OpenApiDocument,
} from './document.js';
import { holdsList, isNested, shapesOf } from './shape.js';

/** A parameter of the request, and what the model sees of it. */
export interface ImportedParameter {
  readonly parameter: RestParameter;
  readonly schema: JsonSchema;
  readonly required: boolean;
}

/** OpenAPI 3, section "Parameter Object": definitions with these names are ignored. */
const IGNORED_HEADERS = new Set(['accept', 'authorization', 'content-type']);
const OWN_HEADERS = new Set([
  'accept-encoding',
  'connection',
  'content-length',
  'cookie',
  'host',
  'transfer-encoding',
  'expect',
  'te',
  'upgrade',
]);
const STYLES: Readonly<Record<ParameterPlace, readonly string[]>> = {
  path: ['simple', 'label', 'matrix'],
  query: ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'],
  header: ['simple'],
  cookie: ['form'],
};

/** What the parameters are imported into. */
export interface ParameterContext {
  readonly document: OpenApiDocument;
  readonly converter: SchemaConverter;
  readonly credentials: readonly CredentialUse[];
  readonly notes: string[];
}

/**
 * Imports the parameters of an operation and of its path. An optional one that cannot be expressed is left out, with a note.
 *
 * @throws Inexpressible for a required one that cannot be
 */
export function importParameters(
  pathItem: Members,
  operation: Members,
  context: ParameterContext,
): readonly ImportedParameter[] {
  const byKey = new Map<string, Members>();
  for (const one of [...listOf(pathItem['parameters']), ...listOf(operation['parameters'])]) {
    const definition = context.document.follow(one);
    byKey.set(`${String(definition['in'])} ${String(definition['name'])}`, definition);
  }
  return [...byKey.values()]
    .filter((definition) => !isLeftToOthers(definition, context.credentials))
    .flatMap((definition) => {
      const required = definition['required'] === true || definition['in'] === 'path';
      const imported = importParameter(definition, required, context);
      if (typeof imported !== 'string') return [imported];
      const reason = `the ${String(definition['in'])} parameter ${String(definition['name'])} ${imported}`;
      if (required) throw Inexpressible.create(reason);
      context.notes.push(`${reason}; it is left out`);
      return [];
    });
}

function isLeftToOthers(
  { name, in: place }: Members,
  credentials: readonly CredentialUse[],
): boolean {
  const lower = String(name).toLowerCase();
  if (place === 'header' && IGNORED_HEADERS.has(lower)) return true;
  return credentials.some(
    (use) =>
      use.in === place &&
      (place === 'header' ? use.name.toLowerCase() === lower : use.name === name),
  );
}

/** @returns the parameter, or why it cannot be expressed */
function importParameter(
  definition: Members,
  required: boolean,
  { document, converter }: ParameterContext,
): ImportedParameter | string {
  const { name, in: place, description } = definition;
  if (typeof name !== 'string' || name === '' || !isPlace(place)) return 'has no name or place';
  if ((place === 'header' || place === 'cookie') && !isToken(name))
    return 'has no name that a header may have';
  if (place === 'header' && OWN_HEADERS.has(name.toLowerCase()))
    return 'is written by the client itself';
  const content = Object.entries(membersOf(definition['content']))[0];
  const schema = content === undefined ? definition['schema'] : membersOf(content[1])['schema'];
  const serialization =
    content === undefined ? styleOf(definition, place) : jsonContent(content[0]);
  if (typeof serialization === 'string') return serialization;
  const problem =
    content === undefined ? misfit(document, schema, place, serialization) : undefined;
  if (problem !== undefined) return problem;
  const converted = converter.convert(schema);
  return {
    parameter: {
      name,
      in: place,
      from: writePointer([place, name]),
      ...(required && { required }),
      ...serialization,
    },
    schema: described(converted, description),
    required,
  };
}

interface ImportedStyle {
  readonly style?: ParameterStyle;
  readonly explode?: boolean;
  readonly allowReserved?: boolean;
  readonly json?: true;
}

/** Only what is not the default is written down. */
export function styleOf(definition: Members, place: ParameterPlace): ImportedStyle | string {
  const { style, explode, allowReserved } = definition;
  if (style !== undefined && !STYLES[place].includes(style as string)) {
    return `has the style ${JSON.stringify(style)}, which is not one of a ${place} parameter`;
  }
  const isDefault = style === undefined || style === STYLES[place][0];
  const explodes = STYLES[place][0] === 'form' && isDefault;
  return {
    ...(!isDefault && { style: style as ParameterStyle }),
    ...(typeof explode === 'boolean' &&
      explode !== (explodes || style === 'deepObject') && { explode }),
    ...(place === 'query' && allowReserved === true && { allowReserved: true }),
  };
}

function jsonContent(mediaType: string): ImportedStyle | string {
  if (/^application\/(?:[\w.+-]+\+)?json\b/i.test(mediaType)) return { json: true };
  return `is written as ${mediaType}, of which only JSON can be expressed`;
}

/** Why the values of the schema cannot be written in the style. */
export function misfit(
  document: OpenApiDocument,
  schema: unknown,
  place: ParameterPlace,
  { style }: ImportedStyle,
): string | undefined {
  const shapes = shapesOf(document, schema);
  if (style === 'deepObject') {
    if (!shapes.has('object') && !shapes.has('scalar'))
      return 'has the style deepObject but is no object, which OpenAPI does not define';
    return holdsList(document, schema)
      ? 'has the style deepObject and holds lists, which OpenAPI does not define'
      : undefined;
  }
  if (shapes.has('scalar')) return undefined;
  if (place === 'cookie') return 'is a list or an object in a cookie';
  return isNested(document, schema)
    ? 'holds lists or objects inside others, which no style defines'
    : undefined;
}

function isPlace(place: unknown): place is ParameterPlace {
  return place === 'path' || place === 'query' || place === 'header' || place === 'cookie';
}

/** What the parameter says of itself goes before what its schema says. */
function described(schema: JsonSchema, description: unknown): JsonSchema {
  if (typeof description !== 'string' || description === '') return schema;
  return typeof schema === 'object' ? { ...schema, description } : schema;
}
