import type { JsonSchema, JsonSchemaObject } from '../schema/json-schema.js';
import type { FieldEncoding, RestBody } from '../upstream/operation.js';
import { formatOf } from '../upstream/write-content.js';
import type { SchemaConverter } from './convert-schema.js';
import { Inexpressible, membersOf, type Members, type OpenApiDocument } from './document.js';
import { misfit, styleOf } from './import-parameters.js';
import { innerSchemas, isNested, namedMembers, shapesOf } from './shape.js';

/** The body of the request, and what the model sees of it. */
export interface ImportedBody {
  readonly body: RestBody;
  /** Forms stand under `form`, as with the tools of routes. */
  readonly place: 'body' | 'form';
  readonly schema: JsonSchema;
  readonly required: boolean;
}

export interface BodyContext {
  readonly document: OpenApiDocument;
  readonly converter: SchemaConverter;
  readonly notes: string[];
}

const PREFERENCE = ['json', 'urlencoded', 'multipart', 'text'] as const;
const FILE: JsonSchemaObject = {
  type: 'object',
  description: 'A file.',
  properties: {
    filename: { type: 'string' },
    contentType: { type: 'string' },
    data: { type: 'string', contentEncoding: 'base64' },
  },
  required: ['filename', 'data'],
  additionalProperties: false,
};

/**
 * Imports the body of an operation in the first of its media types that can be written: JSON, then forms, then text.
 *
 * @throws Inexpressible when it is required and none can be
 */
export function importBody(operation: Members, context: BodyContext): ImportedBody | undefined {
  if (operation['requestBody'] === undefined) return undefined;
  const definition = context.document.follow(operation['requestBody']);
  const required = definition['required'] === true;
  const types = Object.entries(membersOf(definition['content']))
    .map(([type, media]) => [anyType(type, media, context), media] as const)
    .sort(([a], [b]) => rank(a) - rank(b));
  const [best] = types;
  const format = best === undefined ? undefined : formatOf(best[0]);
  if (best === undefined || format === undefined) {
    const reason = `its body is ${types.map(([type]) => type).join(', ') || 'of no media type'}`;
    if (required) throw Inexpressible.create(reason);
    context.notes.push(`${reason}; it is left out`);
    return undefined;
  }
  const [contentType, media] = best;
  const { schema, encoding } = membersOf(media);
  if (format === 'json' || format === 'text') {
    const converted =
      format === 'text' && schema === undefined
        ? { type: 'string' }
        : context.converter.convert(schema);
    const body = { contentType, content: { from: '/body', ...(required && { required }) } };
    return { body, place: 'body', schema: converted, required };
  }
  return importForm(
    {
      contentType,
      schema,
      encoding: membersOf(encoding),
      required,
      multipart: format === 'multipart',
    },
    context,
  );
}

/** Of a body that may have any media type, JSON is one, where its value is no mere text. */
function anyType(type: string, media: unknown, { document, notes }: BodyContext): string {
  if (type !== '*/*' && type !== 'application/*') return type;
  const shapes = shapesOf(document, membersOf(media)['schema']);
  if (!shapes.has('object') && !shapes.has('list')) return type;
  notes.push(`its body is ${type}, and is sent as JSON`);
  return 'application/json';
}

function rank(contentType: string): number {
  const index = PREFERENCE.indexOf(formatOf(contentType) ?? 'text');
  const exact = contentType.toLowerCase().startsWith('application/json') ? 0 : 0.5;
  return formatOf(contentType) === undefined
    ? PREFERENCE.length
    : index + (index === 0 ? exact : 0);
}

interface Form {
  readonly contentType: string;
  readonly schema: unknown;
  readonly encoding: Members;
  readonly required: boolean;
  readonly multipart: boolean;
}

/** A form is written member by member, so its schema is that of its members. */
function importForm(form: Form, context: BodyContext): ImportedBody {
  const { document, converter, notes } = context;
  const whole = converter.convert(form.schema);
  const needed = new Set(requiredMembers(whole, converter));
  const properties: Record<string, JsonSchema> = {};
  const encoding: Record<string, FieldEncoding> = {};
  for (const [name, schema] of Object.entries(namedMembers(document, form.schema))) {
    if (document.follow(schema)['readOnly'] === true) continue;
    const field = importField(name, schema, form, document);
    if (typeof field === 'string') {
      const reason = `the form member ${name} ${field}`;
      if (needed.has(name)) throw Inexpressible.create(reason);
      notes.push(`${reason}; it is left out`);
      continue;
    }
    if (Object.keys(field).length > 0) encoding[name] = field;
    properties[name] =
      field.file === true ? fileSchema(document, schema) : converter.convert(schema);
  }
  const required = [...needed].filter((name) => Object.hasOwn(properties, name));
  return {
    body: {
      contentType: form.contentType,
      content: { from: '/form', ...(form.required && { required: true }) },
      ...(Object.keys(encoding).length > 0 && { encoding }),
    },
    place: 'form',
    schema: { type: 'object', properties, ...(required.length > 0 && { required }) },
    required: form.required,
  };
}

function requiredMembers(
  schema: JsonSchema,
  converter: SchemaConverter,
  depth = 0,
): readonly string[] {
  if (typeof schema !== 'object' || depth > 20) return [];
  const target =
    schema.$ref === undefined ? undefined : converter.$defs[schema.$ref.replace('#/$defs/', '')];
  const parts = (schema['allOf'] as readonly JsonSchema[] | undefined) ?? [];
  return [
    ...(schema.required ?? []),
    ...(target === undefined ? [] : requiredMembers(target, converter, depth + 1)),
    ...parts.flatMap((part) => requiredMembers(part, converter, depth + 1)),
  ];
}

/** @returns how the member is written, or why it cannot be */
function importField(
  name: string,
  schema: unknown,
  { encoding, multipart }: Form,
  document: OpenApiDocument,
): FieldEncoding | string {
  const given = Object.hasOwn(encoding, name) ? document.follow(encoding[name]) : {};
  return multipart ? importPart(schema, given, document) : importPair(schema, given, document);
}

/**
 * OpenAPI 3.1.1, section "Encoding Object": with a style, explode or allowReserved as a query parameter; without, by its type:
 * an object is JSON.
 */
function importPair(
  schema: unknown,
  given: Members,
  document: OpenApiDocument,
): FieldEncoding | string {
  const { style, explode, allowReserved } = given;
  const hasStyle = [style, explode, allowReserved].some((one) => one !== undefined);
  return hasStyle
    ? importStyledPair(schema, given, document)
    : importPlainPair(schema, given['contentType'], document);
}

function importPlainPair(
  schema: unknown,
  contentType: unknown,
  document: OpenApiDocument,
): FieldEncoding | string {
  const shapes = shapesOf(document, schema);
  if (typeof contentType === 'string' && formatOf(contentType) === 'json') return { json: true };
  if (shapes.has('scalar')) return {};
  if (shapes.has('object')) return { json: true };
  return isNested(document, schema)
    ? 'is a list of objects or lists, whose form OpenAPI leaves open'
    : {};
}

function importStyledPair(
  schema: unknown,
  given: Members,
  document: OpenApiDocument,
): FieldEncoding | string {
  const style = styleOf(given, 'query');
  if (typeof style === 'string') return style;
  return misfit(document, schema, 'query', style) ?? style;
}

function importPart(
  schema: unknown,
  given: Members,
  document: OpenApiDocument,
): FieldEncoding | string {
  if (isFile(document, schema)) return { file: true };
  const shapes = shapesOf(document, schema);
  const [type] = typeof given['contentType'] === 'string' ? given['contentType'].split(',') : [];
  const contentType = type?.trim();
  const isScalar = shapes.has('scalar');
  if (contentType === undefined) return {};
  const format = formatOf(contentType);
  if (format === 'json')
    return { json: true, ...(contentType !== 'application/json' && { contentType }) };
  if (isScalar && format === 'text') return { contentType };
  if (isScalar && /[/]/.test(contentType) && !contentType.includes('*')) return { contentType };
  return `is written as ${contentType}, which cannot be made of its value`;
}

/** OpenAPI 3.0: `format: binary`; 3.1: no type, or a string with a media type and no encoding. A list of them, too. */
function isFile(document: OpenApiDocument, schema: unknown): boolean {
  const followed = document.follow(schema);
  if (followed['format'] === 'binary') return true;
  const isEncoded = followed['contentEncoding'] !== undefined;
  if (followed['contentMediaType'] !== undefined && !isEncoded) return true;
  return (
    shapesOf(document, schema).has('list') &&
    innerSchemas(document, schema).some((one) => isFile(document, one))
  );
}

function fileSchema(document: OpenApiDocument, schema: unknown): JsonSchemaObject {
  const { description } = document.follow(schema);
  const file = typeof description === 'string' ? { ...FILE, description } : FILE;
  return shapesOf(document, schema).has('list') ? { type: 'array', items: file } : file;
}
