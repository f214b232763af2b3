import type { JsonSchema, JsonSchemaObject } from '../schema/json-schema.js';
import { isMembers } from './argument-text.js';
import { parseEmbeddedJson } from './embedded-json.js';
import { resolvePointer } from './schema-pointer.js';

type Args = Record<string, unknown>;
type Repair = (value: unknown) => unknown;

/** The types of JSON that a value can have (JSON Schema Core 2020-12, section 4.2.1; `integer` counts as `number`). */
type Kind = 'string' | 'number' | 'boolean' | 'null' | 'object' | 'array';

/** A schema as the repair sees it. */
interface Shape {
  /** The types that the schema allows, or all of them where it does not say. */
  readonly kinds: ReadonlySet<Kind> | undefined;
  /** The one schema for objects, and the one for arrays, if there is just one. */
  readonly object?: JsonSchemaObject | undefined;
  readonly array?: JsonSchemaObject | undefined;
}

const ANYTHING: Shape = { kinds: undefined };
/** References that lead to references: more than this is a circle. */
const MAX_STEPS = 32;

/**
 * Compiles the repair of what models get wrong about JSON (cases.md, A7), for the arguments of one tool:
 * an object or array that is given as a string of JSON is parsed, once, where the schema allows no string there;
 * a `null` for an optional member is left out where the schema allows no null.
 *
 * The repair returns the same arguments when nothing is to be done, else a copy of what changed. It never makes arguments
 * worse: what it cannot read stays as it is, for the argument check to speak about.
 */
export function compileArgumentRepair(schema: JsonSchemaObject): (args: Args) => Args {
  const repair = new RepairCompiler(schema).compile(schema);
  if (repair === undefined) return (args) => args;
  // The root is never a string: the protocol refuses arguments that are no object.
  return (args) => repair(args) as Args;
}

/** `compileArgumentRepair` for a single use. */
export function repairArguments(args: Args, schema: JsonSchemaObject): Args {
  return compileArgumentRepair(schema)(args);
}

class RepairCompiler {
  /** By schema, so that a schema that contains itself is compiled once. */
  private readonly done = new Map<JsonSchemaObject, Repair | undefined>();

  constructor(private readonly root: JsonSchemaObject) {}

  /** The repair of values of the schema, or `undefined` where none can ever be needed. */
  compile(schema: JsonSchema | undefined): Repair | undefined {
    if (typeof schema !== 'object') return undefined;
    if (this.done.has(schema)) return this.done.get(schema);
    // Whoever meets this schema again, further down in itself, calls what is compiled only then.
    const own: { repair?: Repair | undefined } = {};
    this.done.set(schema, (value) => (own.repair === undefined ? value : own.repair(value)));
    own.repair = this.compileShape(this.shapeOf(schema, MAX_STEPS));
    this.done.set(schema, own.repair);
    return own.repair;
  }

  private compileShape(shape: Shape): Repair | undefined {
    const members = shape.object && this.compileMembers(shape.object);
    const elements = shape.array && this.compileElements(shape.array);
    const parse = parserFor(shape.kinds);
    if (members === undefined && elements === undefined && parse === undefined) return undefined;
    return (value) => {
      const read = typeof value === 'string' && parse !== undefined ? parse(value) : value;
      if (Array.isArray(read)) return elements === undefined ? (read as unknown) : elements(read);
      return members !== undefined && isMembers(read) ? members(read) : read;
    };
  }

  private compileMembers(schema: JsonSchemaObject): ((value: Args) => Args) | undefined {
    const required = new Set(schema.required);
    const rules: { name: string; dropNull: boolean; repair: Repair | undefined }[] = [];
    for (const [name, member] of Object.entries(schema.properties ?? {})) {
      const dropNull = !required.has(name) && !allows(this.shapeOf(member, MAX_STEPS), 'null');
      const repair = this.compile(member);
      if (dropNull || repair !== undefined) rules.push({ name, dropNull, repair });
    }
    if (rules.length === 0) return undefined;
    return (value) => {
      let copy: Args | undefined;
      for (const { name, dropNull, repair } of rules) {
        if (!Object.hasOwn(value, name)) continue;
        const member = value[name];
        if (member === null && dropNull) {
          copy ??= copyOf(value);
          delete copy[name];
        } else if (repair !== undefined) {
          const repaired = repair(member);
          if (repaired !== member) setMember((copy ??= copyOf(value)), name, repaired);
        }
      }
      return copy ?? value;
    };
  }

  private compileElements(schema: JsonSchemaObject): ((value: unknown[]) => unknown[]) | undefined {
    const repair = this.compile(schema.items);
    if (repair === undefined) return undefined;
    return (value) => {
      let copy: unknown[] | undefined;
      for (let i = 0; i < value.length; i++) {
        const repaired = repair(value[i]);
        if (repaired !== value[i]) (copy ??= value.slice())[i] = repaired;
      }
      return copy ?? value;
    };
  }

  /** Follows `$ref` and an `allOf` of one, and gathers the branches of `anyOf` and `oneOf`. */
  private shapeOf(schema: JsonSchema | undefined, steps: number): Shape {
    if (typeof schema !== 'object' || steps === 0) return ANYTHING;
    if (schema.$ref !== undefined) {
      return this.shapeOf(resolvePointer(this.root, schema.$ref), steps - 1);
    }
    const { allOf, anyOf, oneOf } = schema as Record<string, JsonSchema[] | undefined>;
    if (allOf?.length === 1) return this.shapeOf(allOf[0], steps - 1);
    const branches = anyOf ?? oneOf;
    if (branches !== undefined && schema.type === undefined) {
      return union(branches.map((branch) => this.shapeOf(branch, steps - 1)));
    }
    const kinds = kindsOf(schema);
    const has = (kind: Kind) => (kinds?.has(kind) ? schema : undefined);
    return { kinds, object: has('object'), array: has('array') };
  }
}

/** What two branches say of objects differs by more than a look at the value tells, so nothing is repaired inside. */
function union(shapes: readonly Shape[]): Shape {
  const kinds = new Set<Kind>();
  for (const shape of shapes) {
    if (shape.kinds === undefined) return ANYTHING;
    for (const kind of shape.kinds) kinds.add(kind);
  }
  const objects = shapes.filter((shape) => allows(shape, 'object'));
  const arrays = shapes.filter((shape) => allows(shape, 'array'));
  return {
    kinds,
    object: objects.length === 1 ? objects[0]?.object : undefined,
    array: arrays.length === 1 ? arrays[0]?.array : undefined,
  };
}

function allows({ kinds }: Shape, kind: Kind): boolean {
  return kinds === undefined || kinds.has(kind);
}

function kindsOf(schema: JsonSchemaObject): ReadonlySet<Kind> | undefined {
  const { type } = schema;
  if (type !== undefined) {
    const types = typeof type === 'string' ? [type] : type;
    const kinds = new Set(types.map((one) => (one === 'integer' ? 'number' : one) as Kind));
    // `nullable` of OpenAPI 3.0 says what a type does not.
    if (schema['nullable'] === true) kinds.add('null');
    return kinds;
  }
  const values = 'const' in schema ? [schema['const']] : schema.enum;
  return values === undefined ? undefined : new Set(values.map(kindOf));
}

function kindOf(value: unknown): Kind {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : (typeof value as Kind);
}

/** Reads a string where the schema wants an object or an array; answers the string where that fails. */
function parserFor(kinds: ReadonlySet<Kind> | undefined): Repair | undefined {
  if (kinds === undefined || kinds.has('string')) return undefined;
  const braces = kinds.has('object');
  const brackets = kinds.has('array');
  if (!braces && !brackets) return undefined;
  return (value) => {
    const first = (value as string).trimStart()[0];
    if (!(first === '{' && braces) && !(first === '[' && brackets)) return value;
    return parseEmbeddedJson(value as string) ?? value;
  };
}

/** Spreading defines each member, so that one named `__proto__` stays a member. */
function copyOf(value: Args): Args {
  return { ...value };
}

function setMember(target: Args, name: string, value: unknown): void {
  Object.defineProperty(target, name, {
    value,
    writable: true,
    enumerable: true,
    configurable: true,
  });
}
