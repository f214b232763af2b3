import type { JsonSchema, JsonSchemaObject } from './json-schema.js';

interface Entry {
  name?: string;
  schema?: JsonSchemaObject;
}

/**
 * The `$defs` of one tool's schema. A class is written out wherever it is used; only one that contains itself becomes a
 * definition, since nothing else can say that. Classes are told apart by identity, not by name.
 */
export class Definitions {
  private readonly entries = new Map<unknown, Map<unknown, Entry>>();
  private readonly named = new Map<string, JsonSchema>();
  /** How often a definition was made or referred to. */
  uses = 0;

  /**
   * The schema of a class, built once.
   * @param scope what else the schema depends on: the same class is another one under other options
   */
  describe(
    scope: unknown,
    target: unknown,
    name: string,
    build: () => JsonSchemaObject,
  ): JsonSchemaObject {
    const known = this.entriesOf(scope).get(target);
    if (known !== undefined) return this.use(known, name);
    const entry: Entry = {};
    this.entriesOf(scope).set(target, entry);
    entry.schema = build();
    if (entry.name === undefined) return entry.schema;
    this.named.set(entry.name, entry.schema);
    this.uses += 1;
    return reference(entry.name);
  }

  /** Takes a name under `$defs`, to be given its schema with `define()`. */
  reserve(wanted: string): string {
    const plain = wanted.replace(/[^A-Za-z0-9_.-]/g, '_') || 'Schema';
    let name = plain;
    for (let count = 2; this.named.has(name); count += 1) name = `${plain}${count}`;
    this.named.set(name, true);
    this.uses += 1;
    return name;
  }

  define(name: string, schema: JsonSchema): void {
    this.named.set(name, schema);
  }

  /** The definition that a `$ref` of this document points at. */
  resolve(schema: JsonSchemaObject): JsonSchemaObject {
    const name = schema.$ref?.slice(PREFIX.length);
    const target = name === undefined ? undefined : this.named.get(name);
    return typeof target === 'object' ? target : schema;
  }

  /** The keyword itself, or nothing when there is no definition. */
  keyword(): { $defs?: Record<string, JsonSchema> } {
    return this.named.size === 0 ? {} : { $defs: Object.fromEntries(this.named) };
  }

  private use(entry: Entry, name: string): JsonSchemaObject {
    if (entry.schema !== undefined && entry.name === undefined) return entry.schema;
    entry.name ??= this.reserve(name);
    this.uses += 1;
    return reference(entry.name);
  }

  private entriesOf(scope: unknown): Map<unknown, Entry> {
    const entries = this.entries.get(scope) ?? new Map<unknown, Entry>();
    this.entries.set(scope, entries);
    return entries;
  }
}

const PREFIX = '#/$defs/';

export function reference(name: string): JsonSchemaObject {
  return { $ref: `${PREFIX}${name}` };
}
