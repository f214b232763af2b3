import type { JsonSchemaObject } from '../schema/json-schema.js';
import type { RouteInput } from '../schema/route-input.js';

/** The groups whose values are written as text, which has no null. */
const TEXT_GROUPS = ['path', 'query', 'header', 'cookie', 'form'];

/**
 * The schema that arguments are repaired by. In a JSON body, what the route takes is no mistake, though a model is told of one
 * spelling only: a null that clears a member stays. Elsewhere a null cannot be written, and what the model is told counts.
 */
export function repairSchema({ layout, schema, check, parameters }: RouteInput): JsonSchemaObject {
  if (check === undefined) return schema;
  const texts = layout === 'flat' ? parameters.map(({ name }) => name) : TEXT_GROUPS;
  const told = schema.properties ?? {};
  const ofTexts = texts.filter((name) => Object.hasOwn(told, name));
  return {
    ...check,
    properties: {
      ...check.properties,
      ...Object.fromEntries(ofTexts.map((name) => [name, told[name] ?? true])),
    },
    $defs: { ...schema.$defs, ...check.$defs },
  };
}
