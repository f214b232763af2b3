import type { JsonSchema, JsonSchemaObject } from '../schema/json-schema.js';
import { isMembers } from './argument-text.js';
import { CIRCULAR_REF } from './circular-ref.js';
import { isSchema, resolvePointer } from './schema-pointer.js';

const ONE_SCHEMA = [
  'additionalItems',
  'additionalProperties',
  'contains',
  'else',
  'if',
  'items',
  'not',
  'propertyNames',
  'then',
  'unevaluatedItems',
  'unevaluatedProperties',
];
const SCHEMA_LIST = ['allOf', 'anyOf', 'items', 'oneOf', 'prefixItems'];
const SCHEMA_MAP = [
  '$defs',
  'definitions',
  'dependencies',
  'dependentSchemas',
  'patternProperties',
  'properties',
];
/** Keywords whose cost an attacker chooses: 29 bytes of a regular expression took 9 s, `uniqueItems` is quadratic. */
const COSTLY = ['pattern', 'patternProperties', 'uniqueItems'];
/** What stays costly on an engine of linear time. */
const COSTLY_WITHOUT_PATTERNS = ['uniqueItems'];

/**
 * The schema that arguments are checked against: looser than the tool's own, never stricter, and linear in their size.
 *
 * - `pattern`, `patternProperties` and `uniqueItems` are left out; the route enforces them. Where leaving them out would make
 *   the schema stricter (in a `not`, an `if`, a `oneOf`, beside `additionalProperties`), the keyword around goes, too.
 * - A `$ref` into a circle becomes `CIRCULAR_REF`, whose verdicts can be remembered: alternatives that both descend into
 *   the same member would double the time with each level.
 *
 * Only keywords are touched, never what stands in `enum`, `const`, `default` or `examples`, nor a member's name.
 *
 * @param keepPatterns where patterns run on an engine of linear time, they stay
 */
export function checkedSchema(schema: JsonSchemaObject, keepPatterns = false): JsonSchemaObject {
  const costly = keepPatterns ? COSTLY_WITHOUT_PATTERNS : COSTLY;
  const copy = new SchemaCopier(schema, costly).copy(schema) as JsonSchemaObject;
  // An identifier would make `#` mean something else to a validator than to `resolvePointer`.
  if (!holdsKeyword(schema.properties ?? {}, '$id')) delete copy['$id'];
  return copy;
}

class SchemaCopier {
  private readonly costly = new Map<JsonSchemaObject, boolean>();
  private readonly circular = new Map<string, boolean>();
  /** With nested identifiers a reference may mean something else than it looks like. */
  private readonly plain: boolean;
  /** What a loosened schema evaluates is not what the original one does. */
  private readonly keepUnevaluated: boolean;

  constructor(
    private readonly root: JsonSchemaObject,
    private readonly costlyKeywords: readonly string[],
  ) {
    const { $id: _, ...rest } = root;
    this.plain = !holdsKeyword(rest, '$id');
    this.keepUnevaluated = !this.isCostly(root) && !this.holdsCircle(root);
  }

  copy(schema: JsonSchema): JsonSchema {
    if (typeof schema !== 'object') return schema;
    const copy: JsonSchemaObject = {};
    for (const [keyword, value] of Object.entries(schema)) {
      if (!this.costlyKeywords.includes(keyword)) copy[keyword] = this.copyKeyword(keyword, value);
    }
    this.loosen(schema, copy);
    if (typeof schema.$ref === 'string' && this.isCircular(schema.$ref)) {
      delete copy.$ref;
      copy[CIRCULAR_REF] = schema.$ref;
    }
    return copy;
  }

  private copyKeyword(keyword: string, value: unknown): unknown {
    if (SCHEMA_MAP.includes(keyword) && isMembers(value)) {
      const copies = Object.entries(value).map(([name, member]) => [
        name,
        isSchema(member) && !Array.isArray(member) ? this.copy(member) : member,
      ]);
      return Object.fromEntries(copies) as unknown;
    }
    if (SCHEMA_LIST.includes(keyword) && Array.isArray(value)) {
      return value.map((one: unknown) => (isSchema(one) ? this.copy(one) : one));
    }
    return ONE_SCHEMA.includes(keyword) && isSchema(value) ? this.copy(value) : value;
  }

  /** Takes out what would become stricter by what was taken out of `schema`. */
  private loosen(schema: JsonSchemaObject, copy: JsonSchemaObject): void {
    const leavesOutPatterns = this.costlyKeywords.includes('patternProperties');
    if (leavesOutPatterns && schema['patternProperties'] !== undefined) {
      delete copy.additionalProperties;
    }
    if (this.isCostly(schema['not'])) delete copy['not'];
    if (this.isCostly(schema['if']))
      for (const keyword of ['if', 'then', 'else']) delete copy[keyword];
    if (this.isCostly(schema['contains'])) delete copy['maxContains'];
    if (!this.keepUnevaluated) {
      delete copy['unevaluatedProperties'];
      delete copy['unevaluatedItems'];
    }
    const { oneOf } = schema;
    if (Array.isArray(oneOf) && oneOf.some((branch) => this.isCostly(branch))) {
      const branches = copy['oneOf'];
      delete copy['oneOf'];
      const all = Array.isArray(copy['allOf']) ? (copy['allOf'] as JsonSchema[]) : [];
      copy['allOf'] = [...all, { anyOf: branches }];
    }
  }

  /** Whether a costly keyword stands anywhere in the schema or in what it refers to. */
  private isCostly(schema: unknown): boolean {
    if (typeof schema !== 'object' || schema === null) return false;
    const known = this.costly.get(schema as JsonSchemaObject);
    if (known !== undefined) return known;
    const seen = new Set<unknown>();
    const costly = this.some(schema as JsonSchemaObject, seen, (one) =>
      this.costlyKeywords.some((keyword) => one[keyword] !== undefined && one[keyword] !== false),
    );
    this.costly.set(schema as JsonSchemaObject, costly);
    return costly;
  }

  private holdsCircle(schema: JsonSchemaObject): boolean {
    return this.some(
      schema,
      new Set(),
      (one) => one.$ref !== undefined && this.isCircular(one.$ref),
    );
  }

  /** Whether what the reference names refers to itself, directly or through others. */
  private isCircular(reference: string): boolean {
    if (!this.plain) return false;
    const known = this.circular.get(reference);
    if (known !== undefined) return known;
    const target = resolvePointer(this.root, reference);
    const circular =
      typeof target === 'object' &&
      this.some(
        target,
        new Set(),
        (one) => one.$ref !== undefined && resolvePointer(this.root, one.$ref) === target,
      );
    this.circular.set(reference, circular);
    return circular;
  }

  /** Whether the test holds of the schema, of one inside it, or of one that any of them refers to. */
  private some(
    schema: JsonSchema,
    seen: Set<unknown>,
    test: (schema: JsonSchemaObject) => boolean,
  ): boolean {
    if (typeof schema !== 'object' || seen.has(schema)) return false;
    seen.add(schema);
    if (test(schema)) return true;
    const target = schema.$ref === undefined ? undefined : resolvePointer(this.root, schema.$ref);
    if (target !== undefined && this.some(target, seen, test)) return true;
    return subschemas(schema).some((one) => this.some(one, seen, test));
  }
}

/** The schemas that apply where this one does, or inside it. What stands under `$defs` applies only where it is referred to. */
function subschemas(schema: JsonSchemaObject): JsonSchema[] {
  const found: unknown[] = [];
  for (const [keyword, value] of Object.entries(schema)) {
    if (keyword === '$defs' || keyword === 'definitions') continue;
    if (SCHEMA_MAP.includes(keyword) && isMembers(value)) {
      found.push(...Object.values(value));
    } else if (SCHEMA_LIST.includes(keyword) && Array.isArray(value)) {
      found.push(...(value as unknown[]));
    } else if (ONE_SCHEMA.includes(keyword)) found.push(value);
  }
  return found.filter((one): one is JsonSchema => isSchema(one) && !Array.isArray(one));
}

function holdsKeyword(value: unknown, keyword: string): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (typeof (value as Record<string, unknown>)[keyword] === 'string') return true;
  return Object.values(value).some((member) => holdsKeyword(member, keyword));
}
