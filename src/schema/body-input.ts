import { hasKnownMembers } from './described-members.js';
import { bothOf, saysNothing } from './combine-schemas.js';
import type { Definitions } from './definitions.js';
import { withFiles } from './file-members.js';
import { type InputMember, objectOfMembers } from './input-members.js';
import type { JsonSchema, JsonSchemaObject } from './json-schema.js';
import type { ParameterValue } from './parameter-value.js';
import type { BodyMediaType } from './route-input.js';
import type { MemberSources } from './shared-members.js';
import type { SchemaView } from './schema-view.js';

/** The body of a route, as its `@Body()` parameters and swagger describe it. */
export interface BodyInput {
  readonly schema: JsonSchemaObject;
  readonly required: boolean;
  readonly mediaType: BodyMediaType;
  /** The schema names the field of a file. */
  readonly hasFiles: boolean;
  /** What each parameter says of the members of a JSON body. */
  readonly sources?: ReadonlyMap<string, MemberSources>;
}

/** What a model sends where nothing tells the shape of the body. */
const FREE_FORM: JsonSchemaObject = { type: 'object' };

const WRITABLE: readonly BodyMediaType[] = [
  'application/json',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  'text/plain',
];

/**
 * The media type to write a body in: the first of `@ApiConsumes()` that can be written, JSON where nothing is said.
 * @param takesFiles the handler has a parameter for uploaded files, which stand in no other body than a multipart one
 * @returns `undefined` when none of them can be written
 */
export function bodyMediaType(
  consumes: readonly string[],
  takesFiles: boolean,
): BodyMediaType | undefined {
  if (takesFiles) return 'multipart/form-data';
  if (consumes.length === 0) return 'application/json';
  const types = consumes.map((type) => type.split(';')[0]?.trim().toLowerCase() ?? '');
  if (types.some((type) => type === '*/*' || type.endsWith('+json'))) return 'application/json';
  return WRITABLE.find((type) => types.includes(type));
}

/** Puts the whole-body parameters and the single members (`@Body('name')`) of a handler together. */
export class BodyParts {
  private readonly members = new Map<string, InputMember>();
  /** What the single parameters say, by number and member. */
  private readonly singles: { readonly name: string; readonly schema: JsonSchemaObject }[] = [];
  private readonly wholes: ParameterValue[] = [];
  /** What may name the fields of files, beside `@ApiBody()`. */
  private readonly fileSources: JsonSchemaObject[] = [];
  private takesFiles = false;
  private declared?: { readonly schema: JsonSchemaObject; readonly required: boolean };

  constructor(private readonly view: SchemaView) {}

  addMember(name: string, member: InputMember): void {
    this.singles.push({ name, schema: member.schema });
    const known = this.members.get(name);
    this.members.set(
      name,
      known === undefined
        ? member
        : {
            ...known,
            schema: bothOf(known.schema, member.schema),
            required: known.required || member.required,
          },
    );
  }

  addWhole(value: ParameterValue): void {
    this.wholes.push(value);
  }

  /** A parameter of the handler is an uploaded file, or several. */
  addFile(): void {
    this.takesFiles = true;
  }

  addFileSource(schema: JsonSchemaObject): void {
    this.fileSources.push(schema);
  }

  /** `@ApiBody()`. */
  declare(schema: JsonSchemaObject, required: boolean): void {
    this.declared = { schema, required };
  }

  /** @returns `undefined` when the route reads no body */
  finish(mediaType: BodyMediaType, definitions: Definitions): BodyInput | undefined {
    const isRead = this.members.size > 0 || this.wholes.length > 0 || this.takesFiles;
    if (!isRead && this.declared === undefined) return undefined;
    const whole = this.whole(mediaType, definitions);
    const schema =
      this.members.size === 0 ? whole : this.withMembers(whole && definitions.resolve(whole));
    const required = this.isRequired();
    if (mediaType === 'multipart/form-data') {
      return this.withFiles(schema, required, definitions);
    }
    const open = this.view === 'shown' ? FREE_FORM : {};
    const read = { schema: schema ?? open, required, mediaType, hasFiles: false };
    return mediaType === 'application/json'
      ? { ...read, sources: this.sources(definitions) }
      : read;
  }

  /** By member, the numbers of the parameters and of `@ApiBody()` alike in either view. */
  private sources(definitions: Definitions): ReadonlyMap<string, MemberSources> {
    const sources = new Map<string, Map<number, JsonSchemaObject>>();
    const add = (name: string, index: number, schema: JsonSchema): void => {
      if (typeof schema !== 'object') return;
      sources.set(
        name,
        (sources.get(name) ?? new Map<number, JsonSchemaObject>()).set(index, schema),
      );
    };
    const declared = this.view === 'shown' ? this.declared?.schema : undefined;
    [...this.wholes.map(({ schema }) => schema), declared ?? {}].forEach((schema, index) => {
      const { properties = {} } = definitions.resolve(schema);
      for (const [name, member] of Object.entries(properties)) add(name, index, member);
    });
    this.singles.forEach(({ name, schema }, i) => add(name, this.wholes.length + 1 + i, schema));
    return sources;
  }

  private isRequired(): boolean {
    const isEnforced =
      this.wholes.some((value) => value.required) ||
      [...this.members.values()].some((member) => member.required);
    const isOnlyDeclared = this.wholes.length === 0 && this.members.size === 0;
    const isDeclared = this.view === 'shown' && isOnlyDeclared && this.declared?.required === true;
    return isEnforced || isDeclared;
  }

  private withFiles(
    schema: JsonSchemaObject | undefined,
    required: boolean,
    definitions: Definitions,
  ): BodyInput {
    const sources = [
      ...(this.declared === undefined ? [] : [this.declared.schema]),
      ...this.fileSources,
    ];
    const form = withFiles(schema, sources, definitions);
    const needed = required || (form.schema.required ?? []).length > 0;
    return { ...form, required: needed, mediaType: 'multipart/form-data' };
  }

  private whole(mediaType: BodyMediaType, definitions: Definitions): JsonSchemaObject | undefined {
    const enforced = this.wholes.filter(({ isEnforced }) => isEnforced);
    const schemas = enforced.map(({ schema }) => schema);
    if (schemas.length > 1)
      return schemas.map((one) => definitions.resolve(one)).reduce(sideBySide);
    if (schemas.length === 1) return schemas[0];
    if (this.view === 'check') return undefined;
    if (this.declared !== undefined && !saysNothing(this.declared.schema))
      return this.declared.schema;
    const [first] = this.wholes;
    if (first === undefined) return undefined;
    if (mediaType === 'text/plain' && saysNothing(first.schema)) return { type: 'string' };
    return saysNothing(first.schema) ? { ...FREE_FORM, ...first.schema } : first.schema;
  }

  private withMembers(whole: JsonSchemaObject | undefined): JsonSchemaObject {
    const own = objectOfMembers(this.members, false);
    if (whole === undefined) return own;
    const { additionalProperties: _closed, ...open } = own;
    if (!hasKnownMembers(whole)) return open;
    const names = new Set([...(whole.required ?? []), ...(own.required ?? [])]);
    return {
      ...whole,
      properties: { ...own.properties, ...whole.properties },
      ...(names.size > 0 ? { required: [...names] } : {}),
    };
  }
}

/** What fits two classes that read one body: each passes over the members that only the other one knows. */
function sideBySide(first: JsonSchemaObject, second: JsonSchemaObject): JsonSchemaObject {
  const { properties, required = [], additionalProperties, ...rest } = second;
  if (first.properties === undefined || properties === undefined) return bothOf(first, second);
  const merged: Record<string, JsonSchema> = { ...first.properties };
  for (const [name, member] of Object.entries(properties)) {
    const known = merged[name];
    const both = typeof known === 'object' && typeof member === 'object';
    merged[name] = both ? bothOf(known, member) : (known ?? member);
  }
  const names = new Set([...(first.required ?? []), ...required]);
  const { additionalProperties: closed, ...open } = first;
  return {
    ...bothOf(open, rest),
    properties: merged,
    ...(names.size > 0 ? { required: [...names] } : {}),
    ...(closed === false && additionalProperties === false ? { additionalProperties: false } : {}),
  };
}
