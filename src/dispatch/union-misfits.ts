import type { ErrorObject } from 'ajv';
import { CIRCULAR_REF, errorsBehind } from './circular-ref.js';

/** The errors of one branch of an `anyOf` or a `oneOf`. */
type Branch = ErrorObject[];

/**
 * Of the errors of all branches of a union, keeps those of the branch that the value comes closest to: a model that sent a
 * cat with a wrong name should not hear what a dog needs. Where the value fits no branch's type, the types become one error.
 */
export function choosePerUnion(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  let kept: ErrorObject[] = [];
  for (const error of errors) {
    if (error.keyword === CIRCULAR_REF) {
      const { schemaPath } = error;
      kept.push(...choosePerUnion(errorsBehind(error)).map((one) => ({ ...one, schemaPath })));
      continue;
    }
    // Ajv reports the errors of the branches right before that of the union, and those of inner unions before outer ones.
    if (error.keyword === 'anyOf' || error.keyword === 'oneOf') {
      const { before, branches } = takeBranches(kept, error);
      kept = before.concat(closest(branches, error));
    } else {
      // What each element or name lacks is no misfit of its own: others could fit in their stead.
      if (error.keyword === 'contains' || error.keyword === 'propertyNames') {
        kept = kept.filter((inner) => !isWithin(inner.schemaPath, error.schemaPath));
      }
      kept.push(error);
    }
  }
  return kept;
}

function takeBranches(
  errors: readonly ErrorObject[],
  union: ErrorObject,
): { before: ErrorObject[]; branches: Branch[] } {
  const starts = branchPaths(union);
  let start = errors.length;
  while (start > 0 && isWithin(errors[start - 1]?.instancePath, union.instancePath)) start--;
  const before = errors.slice(0, start);
  const branches = new Map<number, Branch>();
  let current: number | undefined;
  for (const error of errors.slice(start)) {
    const index = starts.findIndex((path) => isWithin(error.schemaPath, path));
    // An error behind a further reference says not whose it is; it stands beside others of its branch.
    if (index >= 0) current = index;
    if (current === undefined) before.push(error);
    else branches.set(current, [...(branches.get(current) ?? []), error]);
  }
  return { before, branches: [...branches.values()] };
}

/** Where the errors of each branch come from: below the union, or below what the branch refers to. */
function branchPaths({ schemaPath, schema }: ErrorObject): string[] {
  const branches = Array.isArray(schema) ? (schema as unknown[]) : [];
  return branches.map((branch, i) => {
    const reference = (branch as { $ref?: unknown } | undefined)?.$ref;
    return typeof reference === 'string' ? reference : `${schemaPath}/${i}`;
  });
}

function isWithin(path: string | undefined, ancestor: string): boolean {
  return path !== undefined && (path === ancestor || path.startsWith(`${ancestor}/`));
}

function closest(branches: readonly Branch[], union: ErrorObject): ErrorObject[] {
  const merged = mergeTypes(branches, union) ?? mergeValues(branches, union);
  if (merged !== undefined) return [merged];
  let best: Branch = [union];
  let least = Infinity;
  for (const branch of branches) {
    const distance = branch.reduce((sum, error) => sum + distanceOf(error, union), 0);
    if (distance < least) {
      best = branch;
      least = distance;
    }
  }
  return best;
}

/** A wrong type says that another branch was meant, and so does a wrong constant in a member: a discriminator. */
function distanceOf(error: ErrorObject, { instancePath }: ErrorObject): number {
  if (error.instancePath === instancePath && error.keyword === 'type') return 10_000;
  const isConstant = error.keyword === 'const' || error.keyword === 'enum';
  return isConstant && error.instancePath.split('/').length <= instancePath.split('/').length + 1
    ? 100
    : 1;
}

function mergeTypes(branches: readonly Branch[], union: ErrorObject): ErrorObject | undefined {
  const errors = branches.map((branch) => branch.find((error) => isHere(error, union, 'type')));
  if (errors.length === 0 || errors.includes(undefined)) return undefined;
  const types = errors.flatMap((error) => String(error?.params['type']).split(','));
  return { ...union, keyword: 'type', params: { type: [...new Set(types)] } };
}

function mergeValues(branches: readonly Branch[], union: ErrorObject): ErrorObject | undefined {
  const values: unknown[] = [];
  for (const branch of branches) {
    const error = branch.find((one) => isHere(one, union, 'const') || isHere(one, union, 'enum'));
    if (error === undefined) return undefined;
    const { allowedValue, allowedValues } = error.params as Record<string, unknown>;
    values.push(...(Array.isArray(allowedValues) ? (allowedValues as unknown[]) : [allowedValue]));
  }
  if (values.length === 0) return undefined;
  return { ...union, keyword: 'enum', params: { allowedValues: values } };
}

function isHere(error: ErrorObject, union: ErrorObject, keyword: string): boolean {
  return error.keyword === keyword && error.instancePath === union.instancePath;
}
