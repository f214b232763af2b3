import { isMembers } from '../dispatch/argument-text.js';
import type { JsonSchema, JsonSchemaObject } from '../schema/json-schema.js';
import { linearPattern } from '../upstream/patterns.js';
import {
  Inexpressible,
  listOf,
  membersOf,
  type Members,
  type OpenApiDocument,
} from './document.js';

/** Which side of the wire the schema is for: `readOnly` members stand in no request, `writeOnly` ones in no response. */
export type Side = 'request' | 'response';

const KEPT =
  'title description default enum const deprecated format examples minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength minItems maxItems uniqueItems minProperties maxProperties contentEncoding contentMediaType minContains maxContains dependentRequired'.split(
    ' ',
  );
/** What the schemas around one say of the same value. */
interface Around {
  /** Members that are on the other side of the wire. */
  readonly hidden: ReadonlySet<string>;
  /** Another schema names members of the value, too, so this one cannot tell which are too many. */
  readonly open: boolean;
}

const ALONE: Around = { hidden: new Set(), open: false };
const CLOSING = ['additionalProperties', 'unevaluatedProperties'];
const ONE =
  'items additionalProperties not contains propertyNames if then else unevaluatedItems unevaluatedProperties'.split(
    ' ',
  );
const MAPS = ['properties', 'patternProperties', 'dependentSchemas'];
const TYPES = new Set(['array', 'boolean', 'integer', 'null', 'number', 'object', 'string']);
/** More than this is no schema that a model can read, or an attack on who reads it. */
const MAX_NODES = 50_000;

/**
 * Converts schemas of a document to JSON Schema 2020-12 for one operation. What is referred to is written once, under
 * `$defs`, so that circles and shared schemas stay small.
 */
export class SchemaConverter {
  readonly notes: string[] = [];
  private readonly names = new Map<string, string>();
  private readonly definitions: Record<string, JsonSchema> = {};
  private nodes = 0;

  constructor(
    private readonly document: OpenApiDocument,
    private readonly side: Side,
  ) {}

  /** What the converted schemas refer to. */
  get $defs(): Record<string, JsonSchema> {
    return this.definitions;
  }

  /**
   * Never stricter than the API: where documents say less than they mean, the schema is the looser one. `oneOf` becomes
   * `anyOf`, since alternatives overlap more often than not, and an object that several schemas describe is closed by none.
   *
   * @throws Inexpressible for references that lead nowhere or out of the document
   */
  convert(schema: unknown, around: Around = ALONE): JsonSchema {
    if (typeof schema === 'boolean') return schema;
    if (!isMembers(schema)) return {};
    if (++this.nodes > MAX_NODES) {
      throw Inexpressible.create(`its schema has more than ${MAX_NODES} parts`);
    }
    if (typeof schema['$ref'] === 'string') return this.reference(schema['$ref'], schema, around);
    const hidden = new Set([...around.hidden, ...this.hiddenMembers(schema)]);
    const converted = this.keywords(schema, { ...around, hidden });
    return this.document.is30 ? this.from30(converted, schema) : converted;
  }

  /** OpenAPI 3.0 ignores what stands beside a `$ref`; 3.1 does not (JSON Schema 2020-12, section 8.2.3.1). */
  private reference(ref: string, schema: Members, around: Around): JsonSchemaObject {
    if (this.document.is30) return { $ref: `#/$defs/${this.define(ref, around)}` };
    const open = around.open || schema['properties'] !== undefined;
    const beside = this.keywords(schema, { ...around, open: true });
    return { ...beside, $ref: `#/$defs/${this.define(ref, { ...around, open })}` };
  }

  private define(ref: string, around: Around): string {
    const target = this.document.target(ref);
    const key = `${ref} ${around.open} ${[...around.hidden].sort().join(' ')}`;
    const known = this.names.get(key);
    if (known !== undefined) return known;
    const base = (ref.split('/').at(-1) ?? '').replace(/[^A-Za-z0-9_.-]+/g, '_') || 'schema';
    const taken = new Set(this.names.values());
    let name = base;
    for (let i = 2; taken.has(name); i++) name = `${base}_${i}`;
    this.names.set(key, name);
    this.definitions[name] = this.convert(target, around);
    return name;
  }

  private keywords(schema: Members, around: Around): JsonSchemaObject {
    const { hidden } = around;
    const lists = this.lists(schema, around);
    const isClosedElsewhere = around.open || Object.keys(lists).length > 0;
    const converted: JsonSchemaObject = {};
    const types = typesOf(schema['type']);
    if (types !== undefined) converted.type = types;
    for (const keyword of KEPT) {
      if (schema[keyword] !== undefined) converted[keyword] = schema[keyword];
    }
    for (const keyword of ONE) {
      const isLeftOut = isClosedElsewhere && CLOSING.includes(keyword) && schema[keyword] === false;
      if (schema[keyword] !== undefined && !isLeftOut) {
        converted[keyword] = this.convert(schema[keyword]);
      }
    }
    for (const keyword of MAPS) {
      if (isMembers(schema[keyword])) {
        converted[keyword] = this.convertMap(schema[keyword], keyword, hidden);
      }
    }
    const required = listOf(schema['required']).filter(
      (name): name is string => typeof name === 'string' && !hidden.has(name),
    );
    if (required.length > 0) converted.required = [...new Set(required)];
    this.addPattern(schema['pattern'], converted);
    // Of a `not` whose pattern was left out, nothing may be left that refuses everything.
    if (isMembers(converted['not']) && Object.keys(converted['not']).length === 0) {
      delete converted['not'];
    }
    return { ...converted, ...lists };
  }

  /** The parts of an `allOf` describe one object: what one part hides, another may require. */
  private lists(schema: Members, around: Around): JsonSchemaObject {
    const [all, any, one, prefix] = ['allOf', 'anyOf', 'oneOf', 'prefixItems'].map((keyword) =>
      listOf(schema[keyword]),
    ) as [readonly unknown[], readonly unknown[], readonly unknown[], readonly unknown[]];
    const described = around.open || schema['properties'] !== undefined;
    const inside = (open: boolean) => (part: unknown) => this.convert(part, { ...around, open });
    const allOf = all.map(inside(described || all.length > 1 || any.length + one.length > 0));
    const [anyOf, oneOf] = [any, one].map((list) =>
      list.map(inside(described || all.length > 0)),
    ) as [JsonSchema[], JsonSchema[]];
    // Two sets of alternatives hold side by side only in an allOf.
    const both = anyOf.length > 0 && oneOf.length > 0;
    const parts = both ? [...allOf, { anyOf: oneOf }] : allOf;
    const alternatives = anyOf.length > 0 ? anyOf : oneOf;
    return {
      ...(parts.length > 0 && { allOf: parts }),
      ...(alternatives.length > 0 && { anyOf: alternatives }),
      ...(prefix.length > 0 && { prefixItems: prefix.map((part) => this.convert(part)) }),
    };
  }

  private convertMap(
    map: Members,
    keyword: string,
    hidden: ReadonlySet<string>,
  ): Record<string, JsonSchema> {
    const entries = Object.entries(map).filter(([name]) => {
      if (keyword === 'patternProperties') return this.isLinear(name);
      return keyword !== 'properties' || !hidden.has(name);
    });
    return Object.fromEntries(entries.map(([name, member]) => [name, this.convert(member)]));
  }

  /** The members of this side's schema that only the other side has, also in the parts of an `allOf`. */
  private hiddenMembers(schema: Members, depth = 0): readonly string[] {
    const keyword = this.side === 'request' ? 'readOnly' : 'writeOnly';
    const own = Object.entries(membersOf(schema['properties'])).filter(
      ([, member]) =>
        this.document.follow(member)[keyword] === true || membersOf(member)[keyword] === true,
    );
    const parts = depth > 10 ? [] : listOf(schema['allOf']);
    return [
      ...own.map(([name]) => name),
      ...parts.flatMap((part) => this.hiddenMembers(this.document.follow(part), depth + 1)),
    ];
  }

  private addPattern(pattern: unknown, converted: JsonSchemaObject): void {
    if (typeof pattern === 'string' && this.isLinear(pattern)) converted['pattern'] = pattern;
  }

  private isLinear(pattern: string): boolean {
    try {
      linearPattern(pattern);
      return true;
    } catch {
      this.notes.push(
        `the pattern ${JSON.stringify(pattern)} is left out, since it cannot run in linear time`,
      );
      return false;
    }
  }

  /** `nullable`, the boolean bounds and `example` of 3.0 (section "Schema Object"). */
  private from30(converted: JsonSchemaObject, schema: Members): JsonSchema {
    for (const [bound, exclusive] of [
      ['minimum', 'exclusiveMinimum'],
      ['maximum', 'exclusiveMaximum'],
    ] as const) {
      if (typeof converted[exclusive] !== 'boolean') continue;
      if (converted[exclusive]) converted[exclusive] = converted[bound];
      else delete converted[exclusive];
      if (schema[exclusive] === true) delete converted[bound];
      if (converted[exclusive] === undefined) delete converted[exclusive];
    }
    if (schema['example'] !== undefined) converted['examples'] = [schema['example']];
    return schema['nullable'] === true ? orNull(converted) : converted;
  }
}

function typesOf(type: unknown): string | string[] | undefined {
  const types = [type]
    .flat()
    .filter((one): one is string => typeof one === 'string' && TYPES.has(one));
  return types.length > 1 ? [...new Set(types)] : types[0];
}

function orNull(schema: JsonSchemaObject): JsonSchemaObject {
  const { type, enum: values } = schema;
  if (type === undefined || schema['allOf'] !== undefined || schema['anyOf'] !== undefined) {
    return type === undefined && values === undefined && schema['allOf'] === undefined
      ? schema
      : { anyOf: [schema, { type: 'null' }] };
  }
  const types = [type].flat();
  return {
    ...schema,
    type: types.includes('null') ? types : [...types, 'null'],
    ...(values !== undefined && !values.includes(null) && { enum: [...values, null] }),
  };
}
