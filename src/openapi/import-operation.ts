import type { JsonSchema, JsonSchemaObject } from '../schema/json-schema.js';
import { REST_METHODS, type RestMethod, type RestOperation } from '../upstream/operation.js';
import { formatOf } from '../upstream/write-content.js';
import { SchemaConverter } from './convert-schema.js';
import {
  Inexpressible,
  membersOf,
  textOf,
  type Members,
  type OpenApiDocument,
} from './document.js';
import { importBody, type ImportedBody } from './import-body.js';
import { importParameters, type ImportedParameter } from './import-parameters.js';
import { importSecurity } from './import-security.js';
import { serverOf } from './import-server.js';

/** An operation of a document, before it is imported. */
export interface FoundOperation {
  readonly method: RestMethod;
  /** As the document's `paths` have it. */
  readonly path: string;
  readonly pathItem: Members;
  readonly operation: Members;
}

export interface OperationOptions {
  readonly server: string | undefined;
  /** Also the schema of the result, which many documents get wrong. */
  readonly output: boolean;
}

export interface ImportedOperation {
  readonly rest: RestOperation;
  readonly title: string | undefined;
  readonly description: string | undefined;
  /** What of it could not be expressed and was left out. */
  readonly notes: readonly string[];
}

/** Every operation of the document, in its order. */
export function findOperations(document: OpenApiDocument): readonly FoundOperation[] {
  return Object.entries(membersOf(document.root['paths'])).flatMap(([path, item]) => {
    if (!path.startsWith('/')) return [];
    const pathItem = document.follow(item);
    return REST_METHODS.flatMap((method) => {
      const operation = pathItem[method.toLowerCase()];
      if (operation === undefined) return [];
      return [{ method, path, pathItem, operation: membersOf(operation) }];
    });
  });
}

/** @throws Inexpressible when something that the operation needs cannot be expressed */
export function importOperation(
  document: OpenApiDocument,
  { method, path, pathItem, operation }: FoundOperation,
  { server, output }: OperationOptions,
): ImportedOperation {
  const converter = new SchemaConverter(document, 'request');
  const { credentials, notes: securityNotes } = importSecurity(document, operation);
  const notes = [...securityNotes];
  const context = { document, converter, credentials, notes };
  const parameters = importParameters(pathItem, operation, context);
  const body = importAllowedBody(method, operation, context);
  const url = urlOf(`${serverOf(document, pathItem, operation, server)}${path}`);
  const schema = output ? outputOf(document, operation) : undefined;
  const rest: RestOperation = {
    method,
    url: url.path,
    ...(parameters.length + url.constants.length > 0 && {
      parameters: [...url.constants, ...parameters.map(({ parameter }) => parameter)],
    }),
    ...(body !== undefined && { body: body.body }),
    input: inputOf(parameters, body, converter),
    ...(schema !== undefined && { response: { output: schema } }),
    ...(credentials.length > 0 && { credentials }),
  };
  const description = textOf(operation['description']) ?? textOf(pathItem['description']);
  return {
    rest,
    title: textOf(operation['summary']) ?? textOf(pathItem['summary']),
    description,
    notes: [...new Set([...notes, ...converter.notes])],
  };
}

function importAllowedBody(
  method: RestMethod,
  operation: Members,
  context: Parameters<typeof importBody>[1],
): ImportedBody | undefined {
  if (method !== 'GET' && method !== 'HEAD') return importBody(operation, context);
  if (operation['requestBody'] === undefined) return undefined;
  const { required } = context.document.follow(operation['requestBody']);
  if (required === true) throw Inexpressible.create(`a ${method} has no body`);
  context.notes.push(`a ${method} has no body; it is left out`);
  return undefined;
}

/** Some documents write a query into a path, which makes parameters with constants. */
function urlOf(whole: string): {
  readonly path: string;
  readonly constants: NonNullable<RestOperation['parameters']>;
} {
  const [beforeFragment = ''] = whole.split('#', 1);
  const [path = '', query = ''] = beforeFragment.split(/\?(.*)/s, 2);
  const pairs = query === '' ? [] : [...new URLSearchParams(query)];
  if (pairs.some(([name, value]) => /[{}]/.test(name + value))) {
    throw Inexpressible.create('its path holds a query with placeholders');
  }
  return {
    path: path.replace(/[^\x21-\x7e]+|["<>\\^`|]/gu, encodeURIComponent),
    constants: pairs.map(([name, value]) => ({ name, in: 'query', value })),
  };
}

/** One group for each place, as the tools of routes have them: `path`, `query`, `header`, `cookie`, and `body` or `form`. */
function inputOf(
  parameters: readonly ImportedParameter[],
  body: ImportedBody | undefined,
  { $defs }: SchemaConverter,
): JsonSchemaObject {
  const properties: Record<string, JsonSchema> = {};
  const required: string[] = [];
  for (const place of ['path', 'query', 'header', 'cookie'] as const) {
    const group = parameters.filter(({ parameter }) => parameter.in === place);
    if (group.length === 0) continue;
    const needed = group.filter((one) => one.required).map(({ parameter }) => parameter.name);
    properties[place] = {
      type: 'object',
      properties: Object.fromEntries(
        group.map(({ parameter, schema }) => [parameter.name, schema]),
      ),
      ...(needed.length > 0 && { required: needed }),
      additionalProperties: false,
    };
    if (needed.length > 0) required.push(place);
  }
  if (body !== undefined) {
    properties[body.place] = body.schema;
    if (body.required) required.push(body.place);
  }
  return {
    type: 'object',
    properties,
    ...(required.length > 0 && { required }),
    additionalProperties: false,
    ...(Object.keys($defs).length > 0 && { $defs }),
  };
}

/** The JSON schema of the first success that has one. */
function outputOf(document: OpenApiDocument, operation: Members): JsonSchemaObject | undefined {
  const responses = Object.entries(membersOf(operation['responses']));
  const success = responses.filter(([status]) => /^2(?:\d\d|XX)$/i.test(status));
  for (const [, response] of success) {
    const content = Object.entries(membersOf(document.follow(response)['content']));
    const json = content.find(([type]) => formatOf(type) === 'json');
    const schema = membersOf(json?.[1])['schema'];
    if (schema === undefined) continue;
    const converter = new SchemaConverter(document, 'response');
    const converted = converter.convert(schema);
    if (typeof converted !== 'object') return undefined;
    const { $defs } = converter;
    return Object.keys($defs).length > 0 ? { ...converted, $defs } : converted;
  }
  return undefined;
}
