import { hasKnownMembers } from './described-members.js';
import type { BodyInput } from './body-input.js';
import type { Definitions } from './definitions.js';
import type { MemberGroup } from './input-members.js';
import type { JsonSchema, JsonSchemaObject } from './json-schema.js';
import type { ArgumentLayout } from './route-input.js';

/** A tool's `inputSchema`, and what is wrong with it. */
export interface LaidOutInput {
  readonly schema: JsonSchemaObject;
  readonly problems: readonly string[];
}

/** Lays the arguments of a route out, one group a place or all members side by side. */
export function layOut(
  layout: ArgumentLayout,
  groups: readonly MemberGroup[],
  body: BodyInput | undefined,
  definitions: Definitions,
): LaidOutInput {
  return layout === 'grouped'
    ? { schema: grouped(groups, body, definitions), problems: [] }
    : flat(groups, body, definitions);
}

function grouped(
  groups: readonly MemberGroup[],
  body: BodyInput | undefined,
  definitions: Definitions,
): JsonSchemaObject {
  const properties: Record<string, JsonSchema> = {};
  const required: string[] = [];
  for (const group of groups) {
    const schema = group.schema();
    if (schema === undefined) continue;
    properties[group.place] = schema;
    if (schema.required !== undefined) required.push(group.place);
  }
  if (body !== undefined) {
    const place = bodyPlace(body);
    properties[place] = body.schema;
    if (body.required) required.push(place);
  }
  return root(properties, required, false, definitions);
}

/** The group that a body stands in. */
export function bodyPlace({ mediaType }: BodyInput): 'body' | 'form' {
  const isForm =
    mediaType === 'multipart/form-data' || mediaType === 'application/x-www-form-urlencoded';
  return isForm ? 'form' : 'body';
}

function flat(
  groups: readonly MemberGroup[],
  body: BodyInput | undefined,
  definitions: Definitions,
): LaidOutInput {
  const properties: Record<string, JsonSchema> = {};
  const required: string[] = [];
  const problems: string[] = [];
  const places = new Map<string, string>();
  const add = (place: string, name: string, schema: JsonSchema, isRequired: boolean): void => {
    const other = places.get(name);
    if (other !== undefined) problems.push(twice(name, other, place));
    places.set(name, place);
    properties[name] = schema;
    if (isRequired && !required.includes(name)) required.push(name);
  };
  for (const { place, members } of groups) {
    for (const [name, member] of members) add(place, name, member.schema, member.required);
  }
  if (body === undefined)
    return { schema: root(properties, required, false, definitions), problems };
  const whole = definitions.resolve(body.schema);
  if (!hasKnownMembers(whole)) problems.push(NOT_FLAT);
  for (const [name, schema] of Object.entries(whole.properties ?? {})) {
    add(bodyPlace(body), name, schema, body.required && (whole.required ?? []).includes(name));
  }
  const isOpen = whole.additionalProperties !== false;
  return { schema: root(properties, required, isOpen, definitions), problems };
}

const NOT_FLAT =
  'the body is not an object with known members, which cannot stand side by side with the other arguments: ' +
  "use arguments: 'grouped'";

function twice(name: string, one: string, other: string): string {
  return (
    `the argument "${name}" is in the ${one} and in the ${other}, which are one place in the flat layout: ` +
    "rename one of them or use arguments: 'grouped'"
  );
}

function root(
  properties: Record<string, JsonSchema>,
  required: readonly string[],
  isOpen: boolean,
  definitions: Definitions,
): JsonSchemaObject {
  return {
    type: 'object',
    properties,
    ...(required.length > 0 ? { required: [...required] } : {}),
    ...(isOpen ? {} : { additionalProperties: false }),
    ...definitions.keyword(),
  };
}
