import { annotationsOf, bothOf, saysNothing, typesOf } from './combine-schemas.js';
import type { JsonSchemaObject } from './json-schema.js';

/** What each parameter of a handler says of one member of the body, by the parameter's number. */
export type MemberSources = ReadonlyMap<number, JsonSchemaObject>;

export interface SharedMembers {
  /** The members that are to be shown otherwise. */
  readonly shown: Readonly<Record<string, JsonSchemaObject>>;
  readonly problems: readonly string[];
}

/**
 * Members of a JSON body that several parameters read, each as another type (`@Body() order: OrderDto` beside
 * `@Body('id', ParseIntPipe)`). What only a declaration says gives way to what is checked; where a value fits all of them only
 * in a spelling that is not shown, that spelling is. Where no value does, no call could ever succeed.
 */
export function sharedMembers(
  shown: ReadonlyMap<string, MemberSources>,
  check: ReadonlyMap<string, MemberSources>,
): SharedMembers {
  const changed: Record<string, JsonSchemaObject> = {};
  const problems: string[] = [];
  for (const [name, sources] of shown) {
    const told = [...sources.values()];
    if (!excludeEachOther(told)) continue;
    const checks = check.get(name) ?? new Map<number, JsonSchemaObject>();
    const taken = [...checks.values()];
    if (excludeEachOther(taken)) {
      problems.push(unfit(name));
      continue;
    }
    const enforced = [...sources].filter(([index]) => !saysNothing(checks.get(index) ?? {}));
    const schemas = enforced.map(([, schema]) => schema);
    const whole = (excludeEachOther(schemas) ? taken : schemas).reduce(bothOf, {});
    changed[name] = Object.assign({}, ...told.map(annotationsOf), whole) as JsonSchemaObject;
  }
  return { shown: changed, problems };
}

function unfit(name: string): string {
  return (
    `two of its parameters read "${name}" of the body, and no value is of the type of both, so that no call could succeed: ` +
    'read it once, or let both take one type'
  );
}

/** Whether types and choices alone tell that no value but null fits some two of the schemas. */
function excludeEachOther(schemas: readonly JsonSchemaObject[]): boolean {
  return schemas.some((one, i) => schemas.slice(i + 1).some((other) => excludes(one, other)));
}

function excludes(one: JsonSchemaObject, other: JsonSchemaObject): boolean {
  const values = [one, other].flatMap(({ enum: choice }) => choice ?? []);
  if (values.length > 0) {
    return !values.some((value) => value !== null && mayFit(value, one) && mayFit(value, other));
  }
  const types = typesOf(one);
  const others = typesOf(other);
  if (types === undefined || others === undefined) return false;
  const isNumber = (type: string): boolean => type === 'integer' || type === 'number';
  return !types.some(
    (type) => type !== 'null' && others.some((t) => t === type || (isNumber(t) && isNumber(type))),
  );
}

function mayFit(value: unknown, schema: JsonSchemaObject): boolean {
  if (schema.enum !== undefined && !schema.enum.includes(value)) return false;
  const types = typesOf(schema);
  const { pattern } = schema;
  if (typeof value === 'string' && typeof pattern === 'string' && !new RegExp(pattern).test(value))
    return false;
  return types === undefined || types.some((type) => isOfType(value, type));
}

function isOfType(value: unknown, type: string): boolean {
  if (type === 'integer') return Number.isInteger(value);
  if (type === 'null') return value === null;
  if (type === 'array') return Array.isArray(value);
  return typeof value === type;
}
