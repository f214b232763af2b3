import type { JsonSchema, JsonSchemaObject } from './json-schema.js';

/** The names of members that model providers take; others make them refuse the whole list of tools. */
const TAKEN = /^[a-zA-Z0-9_.-]{1,64}$/;
const ONE = ['items', 'additionalProperties', 'contains', 'not'] as const;
const SEVERAL = ['allOf', 'anyOf', 'oneOf', 'prefixItems'] as const;
const MAX_REFERENCES = 32;

/** A schema whose members have names that every client takes, and the way back. */
export interface ClientNames {
  readonly schema: JsonSchemaObject;
  /** Gives members the names that the route knows. What was named so already stays as it is. */
  toWire(args: Record<string, unknown>): Record<string, unknown>;
}

/** @returns `undefined` when all names are taken as they are */
export function clientNames(schema: JsonSchemaObject): ClientNames | undefined {
  const names = new Renaming(schema);
  const renamed = names.of(schema) as JsonSchemaObject;
  if (names.isIdle) return undefined;
  return {
    schema: renamed,
    toWire: (args) => names.toWire(args, [schema]) as Record<string, unknown>,
  };
}

class Renaming {
  /** By schema, the members' own names by those that clients use. */
  private readonly wireNames = new Map<JsonSchemaObject, ReadonlyMap<string, string>>();

  constructor(private readonly root: JsonSchemaObject) {}

  get isIdle(): boolean {
    return this.wireNames.size === 0;
  }

  of(schema: JsonSchema): JsonSchema {
    if (typeof schema !== 'object') return schema;
    const copy: JsonSchemaObject = { ...schema };
    for (const keyword of ONE) {
      if (schema[keyword] !== undefined) copy[keyword] = this.of(schema[keyword] as JsonSchema);
    }
    for (const keyword of SEVERAL) {
      const parts = schema[keyword];
      if (Array.isArray(parts)) copy[keyword] = parts.map((part: JsonSchema) => this.of(part));
    }
    if (schema.$defs !== undefined) copy.$defs = this.members(schema.$defs, (name) => name);
    if (schema.properties === undefined) return copy;
    const aliases = aliasesOf(Object.keys(schema.properties));
    if (aliases.size > 0) {
      this.wireNames.set(schema, new Map([...aliases].map(([wire, alias]) => [alias, wire])));
    }
    const shown = (name: string): string => aliases.get(name) ?? name;
    copy.properties = this.members(schema.properties, shown);
    if (schema.required !== undefined) copy.required = schema.required.map(shown);
    return copy;
  }

  private members(
    members: Readonly<Record<string, JsonSchema>>,
    shown: (name: string) => string,
  ): Record<string, JsonSchema> {
    return Object.fromEntries(
      Object.entries(members).map(([name, member]) => [shown(name), this.of(member)]),
    );
  }

  /** @param schemas those that the value may be of */
  toWire(value: unknown, schemas: readonly (JsonSchema | undefined)[]): unknown {
    if (typeof value !== 'object' || value === null) return value;
    const all = schemas.flatMap((schema) => this.alternatives(schema, MAX_REFERENCES));
    if (all.length === 0) return value;
    if (Array.isArray(value)) {
      const items = all.map(({ items }) => items);
      return value.map((item: unknown) => this.toWire(item, items));
    }
    return Object.fromEntries(
      Object.entries(value).map(([alias, member]) => {
        const names = all.map((schema) => this.wireNames.get(schema)?.get(alias));
        const name = names.find((known) => known !== undefined) ?? alias;
        const members = all.map(({ properties, additionalProperties }) =>
          properties !== undefined && Object.hasOwn(properties, name)
            ? properties[name]
            : additionalProperties,
        );
        return [name, this.toWire(member, members)];
      }),
    );
  }

  private alternatives(schema: JsonSchema | undefined, left: number): readonly JsonSchemaObject[] {
    if (typeof schema !== 'object' || left === 0) return [];
    const name = schema.$ref?.replace(/^#\/\$defs\//, '');
    const target = name === undefined ? undefined : this.root.$defs?.[name];
    const parts = (['allOf', 'anyOf', 'oneOf'] as const).flatMap(
      (keyword) => (schema[keyword] as JsonSchema[] | undefined) ?? [],
    );
    return [schema, ...[target, ...parts].flatMap((one) => this.alternatives(one, left - 1))];
  }
}

/** The names to show in place of those that clients do not take. */
function aliasesOf(names: readonly string[]): ReadonlyMap<string, string> {
  const used = new Set(names.filter((name) => TAKEN.test(name)));
  const aliases = new Map<string, string>();
  for (const name of names) {
    if (used.has(name)) continue;
    const plain = name.replace(/[^a-zA-Z0-9_.-]+/g, '_').slice(0, 60) || '_';
    let alias = plain;
    for (let count = 2; used.has(alias); count += 1) alias = `${plain}_${count}`;
    used.add(alias);
    aliases.set(name, alias);
  }
  return aliases;
}
