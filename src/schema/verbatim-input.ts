import type { BodyInput } from './body-input.js';
import { bodyPlace } from './input-layout.js';
import { type MemberGroup, parametersOf } from './input-members.js';
import type { JsonSchema, JsonSchemaObject } from './json-schema.js';
import { headerProblems } from './reserved-headers.js';
import type {
  ArgumentLayout,
  BodyMediaType,
  ParameterPlace,
  RouteInput,
  RouteParameter,
} from './route-input.js';

const PLACES: readonly ParameterPlace[] = ['path', 'query', 'header', 'cookie'];

/** The input of a route whose author wrote the schema; the decorators still tell which name goes where. */
export function verbatimInput(
  schema: JsonSchemaObject,
  layout: ArgumentLayout,
  groups: readonly MemberGroup[],
  body: BodyInput | undefined,
  mediaType: BodyMediaType | undefined,
): { readonly input: RouteInput; readonly problems: readonly string[] } {
  const derived = parametersOf(groups);
  const shown = layout === 'grouped' ? declaredIn(schema) : derived.filter(isShownIn(schema));
  const known = new Set(derived.map(({ place, name }) => `${place} ${name}`));
  const further = shown.filter(({ place, name }) => !known.has(`${place} ${name}`));
  const written = body ?? declaredBody(schema, layout, mediaType);
  return {
    input: {
      layout,
      schema,
      parameters: [...derived, ...further],
      ...(written === undefined
        ? {}
        : {
            body: {
              mediaType: written.mediaType,
              required: isBodyRequired(schema, layout, written),
            },
          }),
    },
    problems: [...shapeProblems(schema), ...headerProblems(shown)],
  };
}

/** The parameters that the author names in the groups, read by something that no decorator tells of. */
function declaredIn(schema: JsonSchemaObject): readonly RouteParameter[] {
  return PLACES.flatMap((place) => {
    const { properties = {}, required = [] } = objectAt(schema, place);
    return Object.entries(properties).map(([name, member]: [string, JsonSchema]) => ({
      place,
      name: place === 'header' ? name.toLowerCase() : name,
      schema: member,
      required: required.includes(name),
    }));
  });
}

function isShownIn(schema: JsonSchemaObject): (parameter: RouteParameter) => boolean {
  return ({ name }) => name in (schema.properties ?? {});
}

function declaredBody(
  schema: JsonSchemaObject,
  layout: ArgumentLayout,
  mediaType: BodyMediaType = 'application/json',
): BodyInput | undefined {
  const body = { schema: {}, required: false, mediaType, hasFiles: false };
  const isThere = layout === 'grouped' && bodyPlace(body) in (schema.properties ?? {});
  return isThere ? body : undefined;
}

function isBodyRequired(
  schema: JsonSchemaObject,
  layout: ArgumentLayout,
  body: BodyInput,
): boolean {
  return layout === 'grouped' ? (schema.required ?? []).includes(bodyPlace(body)) : body.required;
}

function shapeProblems(schema: JsonSchemaObject): readonly string[] {
  return schema.type === 'object'
    ? []
    : ["its input has no type 'object' at the root, which every tool needs: add it"];
}

function objectAt(schema: JsonSchemaObject, name: string): JsonSchemaObject {
  const member = schema.properties?.[name];
  return typeof member === 'object' ? member : {};
}
