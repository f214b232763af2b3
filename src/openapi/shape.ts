import { listOf, membersOf, type OpenApiDocument } from './document.js';

/** What a value that fits a schema may be, as far as the schema says: `scalar` for all that is neither list nor object. */
export type Shape = 'scalar' | 'list' | 'object';

const MAX_DEPTH = 20;

/** The shapes of a schema's values, each with the shapes of what is inside it. Nothing known: anything, as scalars. */
export function shapesOf(
  document: OpenApiDocument,
  schema: unknown,
  depth = 0,
): ReadonlySet<Shape> {
  const followed = document.follow(schema);
  if (depth > MAX_DEPTH) return new Set(['scalar']);
  const branches = ['anyOf', 'oneOf', 'allOf'].flatMap((keyword) => listOf(followed[keyword]));
  const own = ownShapes(followed);
  if (own.size > 0 || branches.length === 0) return own.size > 0 ? own : new Set(['scalar']);
  return new Set(branches.flatMap((branch) => [...shapesOf(document, branch, depth + 1)]));
}

function ownShapes(schema: Readonly<Record<string, unknown>>): Set<Shape> {
  const types = [schema['type']].flat().filter((type) => type !== undefined && type !== 'null');
  if (types.length === 0) {
    if (schema['properties'] !== undefined) return new Set(['object']);
    return new Set(schema['items'] === undefined ? [] : ['list']);
  }
  return new Set(
    types.map((type) => (type === 'array' ? 'list' : type === 'object' ? 'object' : 'scalar')),
  );
}

/** The schemas of the elements and members of a schema's values, over its branches. */
export function innerSchemas(
  document: OpenApiDocument,
  schema: unknown,
  depth = 0,
): readonly unknown[] {
  if (depth > MAX_DEPTH) return [];
  const followed = document.follow(schema);
  const branches = ['anyOf', 'oneOf', 'allOf'].flatMap((keyword) => listOf(followed[keyword]));
  return [
    ...(followed['items'] === undefined ? [] : [followed['items']]),
    ...Object.values(membersOf(followed['properties'])),
    ...branches.flatMap((branch) => innerSchemas(document, branch, depth + 1)),
  ];
}

/** The members that a schema names, over the parts of an `allOf` and the branches of the others. */
export function namedMembers(
  document: OpenApiDocument,
  schema: unknown,
  depth = 0,
): Readonly<Record<string, unknown>> {
  if (depth > MAX_DEPTH) return {};
  const followed = document.follow(schema);
  const branches = ['anyOf', 'oneOf', 'allOf'].flatMap((keyword) => listOf(followed[keyword]));
  return Object.assign(
    {},
    ...branches.map((branch) => namedMembers(document, branch, depth + 1)),
    membersOf(followed['properties']),
  ) as Record<string, unknown>;
}

/** Whether each value of the schema holds what no style of a parameter defines: a list or an object inside another. */
export function isNested(document: OpenApiDocument, schema: unknown): boolean {
  return innerSchemas(document, schema).some((inner) => {
    const shapes = shapesOf(document, inner);
    return shapes.size > 0 && !shapes.has('scalar');
  });
}

/** Whether a list stands somewhere inside: what `deepObject` does not define. */
export function holdsList(document: OpenApiDocument, schema: unknown, depth = 0): boolean {
  if (depth > MAX_DEPTH) return true;
  if (shapesOf(document, schema).has('list')) return true;
  return innerSchemas(document, schema).some((inner) => holdsList(document, inner, depth + 1));
}
