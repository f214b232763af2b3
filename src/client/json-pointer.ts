import { isObject } from '../protocol/codec.js';

/** Members that every object inherits: a place below one is no place in the arguments. */
const INHERITED = ['__proto__', 'constructor', 'prototype'];

/**
 * The steps of a JSON Pointer (RFC 6901): `/body/operation~1id` leads to the member `operation/id` of the member `body`.
 *
 * @returns `undefined` for what is none, for the whole value (`''`), and for a step that objects inherit
 */
export function parsePointer(pointer: string): readonly string[] | undefined {
  if (!pointer.startsWith('/') || /~(?![01])/.test(pointer)) return undefined;
  const steps = pointer
    .slice(1)
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  return steps.some((step) => INHERITED.includes(step)) ? undefined : steps;
}

/**
 * Puts a value where a pointer leads, in a copy. Objects on the way are made where they are missing.
 *
 * @returns what is wrong when another value is there already, or the way leads through something that is no object
 */
export function placeValue(
  root: Readonly<Record<string, unknown>>,
  [step, ...rest]: readonly string[],
  value: string,
): { readonly root: Record<string, unknown> } | { readonly problem: string } {
  const name = step as string;
  const before = Object.hasOwn(root, name) ? root[name] : undefined;
  if (rest.length === 0) {
    if (before !== undefined && before !== value) {
      return { problem: 'it sets an operation id of its own' };
    }
    return { root: { ...root, [name]: value } };
  }
  if (before !== undefined && !isObject(before)) {
    return {
      problem: `${JSON.stringify(name.slice(0, 40))} must be an object, which holds the operation id`,
    };
  }
  const placed = placeValue(before ?? {}, rest, value);
  return 'problem' in placed ? placed : { root: { ...root, [name]: placed.root } };
}
