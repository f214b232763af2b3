import { type Definitions, reference } from './definitions.js';
import type { JsonSchema, JsonSchemaObject } from './json-schema.js';

/** The part of Standard Schema (standardschema.dev) and Standard JSON Schema that is read here. */
interface StandardFace {
  readonly vendor?: string;
  readonly validate?: (value: unknown) => unknown;
  readonly jsonSchema?: Readonly<
    Record<'input' | 'output', (options: { readonly target: string }) => unknown>
  >;
}

/** The `~standard` member of a Standard Schema; `undefined` for anything else. */
export function standardFace(schema: unknown): StandardFace | undefined {
  if (schema === null || !['object', 'function'].includes(typeof schema)) return undefined;
  const face = (schema as Record<string, unknown>)['~standard'];
  return typeof face === 'object' && face !== null ? face : undefined;
}

/**
 * The JSON Schema of one side of a Standard Schema, its definitions moved among the tool's.
 * @returns `undefined` when the library gives none, or cannot for this schema
 */
export function schemaOfStandard(
  schema: unknown,
  side: 'input' | 'output',
  definitions: Definitions,
): JsonSchemaObject | undefined {
  const face = standardFace(schema);
  try {
    const given = face?.jsonSchema?.[side]({ target: 'draft-2020-12' });
    return typeof given === 'object' && given !== null
      ? moved(given as JsonSchemaObject, definitions)
      : undefined;
  } catch {
    return undefined;
  }
}

/** Whether the schema takes `undefined`. One that only says so later is taken to. */
export function takesUndefined(schema: unknown): boolean {
  try {
    const result = standardFace(schema)?.validate?.(undefined);
    return !(typeof result === 'object' && result !== null && 'issues' in result && result.issues);
  } catch {
    return true;
  }
}

/** References are to the root of the document, which is another one now. */
function moved(given: JsonSchemaObject, definitions: Definitions): JsonSchemaObject {
  const { $schema: _dialect, $id: _id, $defs = {}, ...root } = given;
  const names = new Map<string, string>();
  const title = typeof root.title === 'string' ? root.title : 'Schema';
  const self = refersToRoot(given) ? definitions.reserve(title) : undefined;
  if (self !== undefined) names.set('#', self);
  for (const name of Object.keys($defs)) names.set(`#/$defs/${name}`, definitions.reserve(name));
  for (const [name, schema] of Object.entries($defs)) {
    definitions.define(names.get(`#/$defs/${name}`) ?? name, renamed(schema, names) as JsonSchema);
  }
  const whole = renamed(root, names) as JsonSchemaObject;
  if (self === undefined) return whole;
  definitions.define(self, whole);
  return reference(self);
}

function refersToRoot(schema: JsonSchemaObject): boolean {
  return JSON.stringify(schema).includes('"$ref":"#"');
}

function renamed(value: unknown, names: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(value)) return value.map((item) => renamed(item, names));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => {
      const name = key === '$ref' && typeof member === 'string' ? names.get(member) : undefined;
      return [key, name === undefined ? renamed(member, names) : reference(name).$ref];
    }),
  );
}
