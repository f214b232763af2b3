import type { Tool } from '../catalog/tool.js';
import type { JsonSchema, JsonSchemaObject } from '../schema/json-schema.js';
import { describePath } from './message.js';
import type { ChangedNumber } from './strict-json.js';

/**
 * What to tell of a number in the arguments that JSON.parse would change. To send it as a string is of use only where the tool
 * takes one: elsewhere the number itself is wrong.
 */
export function changedNumberProblem({ input }: Tool, { path, token }: ChangedNumber): string {
  const types = typesAt(input.schema, path);
  const advice =
    types === undefined || types.includes('string')
      ? 'Send it as a string.'
      : 'Send a number of at most 15 digits.';
  return `${describePath(path)}: the number ${token} cannot be kept exactly. ${advice}`;
}

/** The types that the schema names at a place, `undefined` where it names none. */
function typesAt(
  root: JsonSchemaObject,
  path: readonly (string | number)[],
): readonly string[] | undefined {
  let at: JsonSchema | undefined = root;
  for (const step of path) {
    const schema = resolved(at, root);
    at = typeof step === 'number' ? schema?.items : memberOf(schema, step);
  }
  const type = resolved(at, root)?.type;
  return typeof type === 'string' ? [type] : type;
}

function memberOf(schema: JsonSchemaObject | undefined, name: string): JsonSchema | undefined {
  const { properties, additionalProperties } = schema ?? {};
  return properties !== undefined && Object.hasOwn(properties, name)
    ? properties[name]
    : additionalProperties;
}

function resolved(
  schema: JsonSchema | undefined,
  root: JsonSchemaObject,
): JsonSchemaObject | undefined {
  if (typeof schema !== 'object') return undefined;
  const target = root.$defs?.[schema.$ref?.replace('#/$defs/', '') ?? ''];
  return typeof target === 'object' ? target : schema;
}
