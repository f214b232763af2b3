import { clientNames } from '../schema/client-names.js';
import type { JsonSchema, JsonSchemaObject } from '../schema/json-schema.js';

/** An argument that a client repeats in a header (2026-07-28, server/tools, section "x-mcp-header"). */
export interface ParamHeader {
  /** What stands behind `Mcp-Param-`. */
  readonly name: string;
  /** Where the value stands in the arguments. */
  readonly path: readonly string[];
}

const KEYWORD = 'x-mcp-header';
/** RFC 9110, section 5.6.2: a token. */
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const TYPES = ['string', 'integer', 'boolean'];

/**
 * Finds the arguments that `@McpTool({ headers })` names.
 *
 * @param declared header names, each with the path of its argument: `{ Region: 'query.region' }`
 * @param schema the tool's input schema
 */
export function paramHeaders(
  declared: Readonly<Record<string, string>> | undefined,
  schema: JsonSchemaObject,
): { headers: readonly ParamHeader[]; problems: readonly string[] } {
  const problems: string[] = [];
  const headers: ParamHeader[] = [];
  const taken = new Map<string, string>();
  if (JSON.stringify(schema).includes(`"${KEYWORD}"`)) {
    problems.push(
      `its input schema has the keyword ${KEYWORD}. Take it out and name the argument in @McpTool({ headers: { … } }), so that calls are checked.`,
    );
  }
  for (const [name, argument] of Object.entries(declared ?? {})) {
    const path = String(argument).split('.');
    const other = taken.get(name.toLowerCase());
    const problem =
      nameProblem(name) ??
      (other === undefined ? typeProblem(path, schema) : `"${other}" is the same header name`);
    if (problem !== undefined)
      problems.push(`@McpTool({ headers: { '${name}': '${String(argument)}' } }): ${problem}.`);
    taken.set(name.toLowerCase(), name);
    headers.push({ name, path });
  }
  return { headers, problems };
}

/** The input schema as 2026-07-28 lists it: with the header names in place, and member names that every client takes. */
export function withParamHeaders(
  schema: JsonSchemaObject,
  headers: readonly ParamHeader[],
): JsonSchemaObject {
  const marked = headers.reduce((one, { name, path }) => mark(one, path, name), schema);
  return clientNames(marked)?.schema ?? marked;
}

function mark(schema: JsonSchemaObject, path: readonly string[], name: string): JsonSchemaObject {
  const [step, ...rest] = path;
  if (step === undefined) return { ...schema, [KEYWORD]: name };
  const properties = schema.properties as Record<string, JsonSchemaObject>;
  const below = mark(properties[step] as JsonSchemaObject, rest, name);
  return { ...schema, properties: { ...properties, [step]: below } };
}

function nameProblem(name: string): string | undefined {
  return TOKEN.test(name)
    ? undefined
    : "the name is not one or more of the characters A-Z a-z 0-9 !#$%&'*+-.^_`|~";
}

function typeProblem(path: readonly string[], root: JsonSchemaObject): string | undefined {
  let schema: JsonSchema | undefined = root;
  for (const step of path) {
    const properties: Readonly<Record<string, JsonSchema>> | undefined = isObject(schema)
      ? schema.properties
      : undefined;
    if (properties === undefined || !Object.hasOwn(properties, step)) {
      return `the tool has no argument "${path.join('.')}" that is reached through properties alone`;
    }
    schema = properties[step];
  }
  const type = isObject(schema) ? schema.type : undefined;
  return typeof type === 'string' && TYPES.includes(type)
    ? undefined
    : `the argument is not of the type ${TYPES.join(', ')}`;
}

function isObject(schema: JsonSchema | undefined): schema is JsonSchemaObject {
  return typeof schema === 'object' && schema !== null;
}
