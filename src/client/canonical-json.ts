import { createHash } from 'node:crypto';

/**
 * The canonical form of a JSON value (RFC 8785): members sorted by their UTF-16 code units, no white space, numbers and strings
 * as ECMAScript writes them, which is what `JSON.stringify` does.
 *
 * @throws TypeError for what no JSON text can hold: `undefined`, functions, symbols, bigints, infinite numbers, lone surrogates,
 *   and objects of a class; RangeError for nesting that no stack holds
 */
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'number') return canonicalNumber(value);
  if (typeof value === 'string') return canonicalString(value);
  if (Array.isArray(value)) return `[${Array.from(value, canonicalJson).join(',')}]`;
  if (!isPlainObject(value))
    throw new TypeError(`JSON cannot hold a value of type ${typeof value}`);
  const members = Object.keys(value)
    .sort(byCodeUnits)
    .map((name) => `${canonicalString(name)}:${canonicalJson(value[name])}`);
  return `{${members.join(',')}}`;
}

/** `sha256:` and the SHA-256 of a value's canonical form in lower-case hexadecimal: how the options pin an input schema. */
export function digestOf(value: unknown): string {
  return `sha256:${createHash('sha256').update(canonicalJson(value), 'utf8').digest('hex')}`;
}

function canonicalNumber(value: number): string {
  if (!Number.isFinite(value)) throw new TypeError(`JSON cannot hold the number ${value}`);
  return JSON.stringify(value);
}

function canonicalString(value: string): string {
  // RFC 8785, section 3.2.2.2: a lone surrogate is an error.
  if (/\p{Surrogate}/u.test(value)) throw new TypeError('JSON cannot hold a lone surrogate');
  return JSON.stringify(value);
}

function byCodeUnits(a: string, b: string): number {
  return a < b ? -1 : 1;
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
