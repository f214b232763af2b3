import { annotationsOf, saysNothing } from './combine-schemas.js';
import type { Definitions } from './definitions.js';
import type { JsonSchema, JsonSchemaObject } from './json-schema.js';

/** How a file stands among the arguments of a tool. `dispatch` knows a file by the encoding of its `data`. */
const FILE: JsonSchemaObject = {
  type: 'object',
  properties: {
    filename: { type: 'string', description: 'The name of the file, without a path.' },
    contentType: { type: 'string', description: 'The media type, such as image/png.' },
    data: { type: 'string', contentEncoding: 'base64', description: 'The content, in base64.' },
  },
  required: ['filename', 'data'],
  additionalProperties: false,
};

/**
 * The schema of a form whose files are members like the others. Nothing but swagger tells the name of a file's field
 * (`{ type: 'string', format: 'binary' }`): the upload interceptors keep theirs to themselves.
 *
 * @param declared where swagger may name files, in `@ApiBody()` and in the class of the body
 * @returns `hasFiles` is false where none is named
 */
export function withFiles(
  schema: JsonSchemaObject | undefined,
  declared: readonly JsonSchemaObject[],
  definitions: Definitions,
): { readonly schema: JsonSchemaObject; readonly hasFiles: boolean } {
  const form = schema === undefined ? {} : definitions.resolve(schema);
  const files = new Map<string, JsonSchemaObject>();
  const required = new Set(form.required);
  for (const source of [form, ...declared.map((one) => definitions.resolve(one))]) {
    for (const [name, member] of Object.entries(source.properties ?? {})) {
      const file = fileOf(member, definitions);
      if (file === undefined || !isFree(form.properties?.[name], member)) continue;
      files.set(name, file);
      if (source.required?.includes(name) === true) required.add(name);
    }
  }
  if (files.size === 0) return { schema: schema ?? { type: 'object' }, hasFiles: false };
  const withThem: JsonSchemaObject = {
    ...form,
    type: 'object',
    properties: { ...form.properties, ...Object.fromEntries(files) },
    ...(required.size > 0 ? { required: [...required] } : {}),
  };
  return { schema: withThem, hasFiles: true };
}

/** Whether nothing but swagger speaks of a member. */
function isFree(own: JsonSchema | undefined, member: JsonSchema): boolean {
  return own === undefined || own === member || (typeof own === 'object' && saysNothing(own));
}

/** The schema of a member that is a file or a list of files. */
function fileOf(member: JsonSchema, definitions: Definitions): JsonSchemaObject | undefined {
  if (typeof member !== 'object') return undefined;
  const resolved = definitions.resolve(member);
  if (resolved.format === 'binary') return { ...FILE, ...annotationsOf(member) };
  const { items, minItems, maxItems } = resolved;
  if (typeof items !== 'object' || definitions.resolve(items).format !== 'binary') return undefined;
  return {
    type: 'array',
    items: FILE,
    ...annotationsOf(member),
    ...(minItems === undefined ? {} : { minItems }),
    ...(maxItems === undefined ? {} : { maxItems }),
  };
}
