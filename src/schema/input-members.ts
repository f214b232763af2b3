import { annotationsOf, bothOf } from './combine-schemas.js';
import type { JsonSchemaObject } from './json-schema.js';
import type { ParameterPlace, RouteParameter } from './route-input.js';

/** One named parameter, as the decorators that read it describe it. */
export interface InputMember {
  readonly schema: JsonSchemaObject;
  readonly required: boolean;
  /** Something that runs says so; see `ParameterValue`. */
  readonly isEnforced: boolean;
}

/** The parameters of one place. Other names are taken where a handler reads the place as a whole. */
export class MemberGroup {
  readonly members = new Map<string, InputMember>();
  isOpen = false;

  constructor(readonly place: ParameterPlace) {}

  /** Two decorators that read one parameter both have to take it. */
  add(name: string, member: InputMember): void {
    const wireName = this.place === 'header' ? name.toLowerCase() : name;
    const known = this.members.get(wireName);
    this.members.set(wireName, known === undefined ? member : joined(known, member));
  }

  /** Adds the members of a class or of another object schema. */
  addObject(schema: JsonSchemaObject, required: boolean, isEnforced: boolean): void {
    const names = schema.required ?? [];
    for (const [name, member] of Object.entries(schema.properties ?? {})) {
      this.add(name, {
        schema: typeof member === 'object' ? member : {},
        required: required && names.includes(name),
        isEnforced,
      });
    }
  }

  /** The group's own schema; nothing when the route reads nothing there. */
  schema(): JsonSchemaObject | undefined {
    if (this.members.size === 0 && !this.isOpen) return undefined;
    return objectOfMembers(this.members, this.isOpen);
  }
}

export function objectOfMembers(
  members: ReadonlyMap<string, InputMember>,
  isOpen: boolean,
): JsonSchemaObject {
  const required = [...members].filter(([, member]) => member.required).map(([name]) => name);
  return {
    type: 'object',
    properties: Object.fromEntries([...members].map(([name, { schema }]) => [name, schema])),
    ...(required.length > 0 ? { required } : {}),
    ...(isOpen ? {} : { additionalProperties: false }),
  };
}

function joined(known: InputMember, member: InputMember): InputMember {
  const [first, second] =
    known.isEnforced === member.isEnforced || known.isEnforced ? [known, member] : [member, known];
  return {
    schema:
      first.isEnforced === second.isEnforced
        ? bothOf(first.schema, second.schema)
        : { ...first.schema, ...annotationsOf(second.schema), ...annotationsOf(first.schema) },
    required: known.required || member.required,
    isEnforced: first.isEnforced,
  };
}

/** The parameters of all groups, in order. */
export function parametersOf(groups: readonly MemberGroup[]): readonly RouteParameter[] {
  return groups.flatMap(({ place, members }) =>
    [...members].map(([name, { schema, required }]) => ({ place, name, schema, required })),
  );
}
