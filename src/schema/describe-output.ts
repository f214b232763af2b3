import type { Route } from '../discovery/route.js';
import { anyOf, typesOf } from './combine-schemas.js';
import { Definitions } from './definitions.js';
import type { JsonSchemaObject } from './json-schema.js';
import { type SchemaSource, schemaOfOpenApi } from './openapi-schema.js';
import type { OptionalPeers } from './optional-peers.js';
import { ResponseDescriber } from './response-describer.js';
import { missingNames, SchemaNames } from './schema-names.js';
import { schemaOfStandard } from './standard-schema.js';
import { apiProduces, apiResponses, objectOf, type OpenApiObject } from './swagger-metadata.js';

export interface OutputContext {
  readonly optional: OptionalPeers;
  /** `@McpTool({ output })`: shown as it is. */
  readonly output?: JsonSchemaObject;
}

export interface OutputDescription {
  /** Missing where nothing declares what the route answers, or it answers no JSON. Its root may be of any type. */
  readonly schema?: JsonSchemaObject;
  readonly problems: readonly string[];
  readonly warnings: readonly string[];
}

const NOTHING: OutputDescription = { problems: [], warnings: [] };

const HTTP_CODE = '__httpCode__';
const REDIRECT = '__redirect__';
const SERIALIZER_OPTIONS = 'class_serializer:options';

/**
 * Describes what a route answers, where its author declares it: the verbatim `output`, `@SerializeOptions({ schema })`, or
 * swagger's response decorators. A return type alone declares nothing.
 */
export function describeOutput(route: Route, context: OutputContext): OutputDescription {
  if (context.output !== undefined) return { ...NOTHING, schema: context.output };
  if (Reflect.getMetadata(REDIRECT, route.handler) !== undefined) return NOTHING;
  const definitions = new Definitions();
  const names = new SchemaNames(route.controller, route.handler);
  const describer = new ResponseDescriber(context.optional, definitions, names);
  const responses = successResponses(route);
  const schema =
    serializedSchema(route, responses, definitions) ??
    respondedSchema(route, responses, describer, definitions);
  const warnings = missingNames(names);
  if (schema === undefined) return { ...NOTHING, warnings };
  // An object that refers to itself is one at its root too, which is what older revisions look for.
  const { type } = definitions.resolve(schema);
  const root = schema.$ref !== undefined && type === 'object' ? { type } : {};
  return { schema: { ...root, ...schema, ...definitions.keyword() }, problems: [], warnings };
}

/** The declared answers of a call that worked: that of the route's own status, others of 2xx, or the default. */
function successResponses(route: Route): readonly OpenApiObject[] {
  const responses = apiResponses(route.controller, route.handler);
  const declared = Object.keys(responses).filter((status) => /^2(\d\d|XX)$/i.test(status));
  const own = String(statusOf(route));
  const ordered = [
    ...declared.filter((status) => status === own),
    ...declared.filter((status) => status !== own),
  ];
  const chosen = ordered.length > 0 ? ordered : ['default'];
  return chosen.map((status) => responses[status]).filter((response) => response !== undefined);
}

function statusOf({ handler, httpMethod }: Route): number {
  const code: unknown = Reflect.getMetadata(HTTP_CODE, handler);
  if (typeof code === 'number') return code;
  return httpMethod === 'POST' ? 201 : 200;
}

/** `@SerializeOptions({ schema })` serializes an object by it, and a list item by item. */
function serializedSchema(
  { controller, handler }: Route,
  responses: readonly OpenApiObject[],
  definitions: Definitions,
): JsonSchemaObject | undefined {
  const standard = [handler, controller]
    .map((place) => objectOf(Reflect.getMetadata(SERIALIZER_OPTIONS, place)).schema)
    .find((schema) => schema !== undefined);
  const one = schemaOfStandard(standard, 'output', definitions);
  if (one === undefined) return undefined;
  const open = opened(one);
  const list: JsonSchemaObject = { type: 'array', items: open };
  const declared = responses.find(({ type }) => type !== undefined);
  if (declared !== undefined) return declared.isArray === true ? list : open;
  return anyOf([open, list]);
}

/** A serializer may leave out members that its schema closes, but interceptors after it may add some. */
function opened(schema: JsonSchemaObject): JsonSchemaObject {
  if (schema.additionalProperties !== false) return schema;
  const { additionalProperties: _closed, ...open } = schema;
  return open;
}

function respondedSchema(
  { controller, handler, httpMethod }: Route,
  responses: readonly OpenApiObject[],
  describer: SchemaSource,
  definitions: Definitions,
): JsonSchemaObject | undefined {
  const produces = apiProduces(controller, handler);
  if (httpMethod === 'HEAD' || (produces.length > 0 && !produces.some(isJson))) return undefined;
  const schemas = responses
    .map((response) => responseSchema(response, describer, definitions))
    .filter((schema) => schema !== undefined)
    .filter((schema) => Object.keys(schema).length > 0);
  const [first] = schemas;
  // Nest writes text, numbers and booleans as text, which is no JSON.
  if (first === undefined || schemas.some(isScalar)) return undefined;
  const different = new Map(schemas.map((schema) => [JSON.stringify(schema), schema]));
  return different.size === 1 ? first : anyOf([...different.values()]);
}

function responseSchema(
  response: OpenApiObject,
  describer: SchemaSource,
  definitions: Definitions,
): JsonSchemaObject | undefined {
  const { type, isArray, nullable, schema, content, standardSchema } = response;
  const standard = schemaOfStandard(standardSchema, 'output', definitions);
  if (standard !== undefined)
    return isArray === true ? { type: 'array', items: standard } : standard;
  if (type !== undefined) return schemaOfOpenApi({ type, isArray, nullable }, describer);
  const media = Object.entries(objectOf(content)).find(([name]) => isJson(name))?.[1];
  const given = schema ?? objectOf(media).schema;
  return given === undefined ? undefined : schemaOfOpenApi(objectOf(given), describer);
}

function isJson(mediaType: string): boolean {
  return /^(\*\/\*|application\/(json|[\w.-]+\+json))\s*(;|$)/i.test(mediaType);
}

function isScalar(schema: JsonSchemaObject): boolean {
  const types = typesOf(schema) ?? [];
  return types.some((type) => ['string', 'number', 'integer', 'boolean'].includes(type));
}
