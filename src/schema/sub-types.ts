import { anyOf } from './combine-schemas.js';
import type { JsonSchemaObject } from './json-schema.js';
import type { SchemaView } from './schema-view.js';

/**
 * The schema of an object that one of its members tells the class of. An object that names no class is of the base class,
 * which a route takes but nobody means.
 */
export function schemaOfSubTypes(
  property: string,
  subTypes: readonly { readonly name: string; readonly schema: JsonSchemaObject }[],
  base: JsonSchemaObject,
  view: SchemaView,
): JsonSchemaObject {
  const known = subTypes.map(({ name, schema }) => marked(schema, property, { const: name }, true));
  if (view === 'shown') return known.length === 0 ? base : anyOf(known);
  const names = subTypes.map(({ name }) => name);
  return anyOf([...known, marked(base, property, { not: { enum: names } }, false)]);
}

function marked(
  schema: JsonSchemaObject,
  property: string,
  value: JsonSchemaObject,
  isRequired: boolean,
): JsonSchemaObject {
  if (schema.$ref !== undefined) {
    const mark = { type: 'object', properties: { [property]: value } };
    return { allOf: [schema, isRequired ? { ...mark, required: [property] } : mark] };
  }
  const { [property]: _own, ...members } = schema.properties ?? {};
  const required = (schema.required ?? []).filter((name) => name !== property);
  const { required: _required, ...rest } = schema;
  return {
    ...rest,
    properties: { [property]: value, ...members },
    ...(isRequired || required.length > 0
      ? { required: isRequired ? [property, ...required] : required }
      : {}),
  };
}
