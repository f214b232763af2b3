import { isObject } from '../protocol/codec.js';
import { decodeHeaderValue } from '../protocol/header-value.js';
import { valueAt, type ParamHeader } from '../protocol/param-headers.js';

const KEYWORD = 'x-mcp-header';
/** RFC 9110, section 5.6.2: a token. */
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const TYPES: readonly unknown[] = ['string', 'integer', 'boolean'];

/**
 * The `Mcp-Param-*` headers of a call.
 *
 * @returns a problem when the schema breaks the section's rules, for which a client must drop the tool, or when an argument
 *   cannot be written
 */
export function paramHeaders(
  schema: unknown,
  args: Readonly<Record<string, unknown>>,
): { readonly headers: Readonly<Record<string, string>> } | { readonly problem: string } {
  const declared = new Map<string, ParamHeader>();
  const found = collect(schema, [], declared);
  if (found === undefined || found !== countKeyword(schema)) {
    return { problem: `the input schema of the tool breaks the rules of ${KEYWORD}` };
  }
  const headers: Record<string, string> = {};
  for (const [name, { path }] of declared) {
    const value = valueAt(args, path);
    if (value === undefined || value === null) continue;
    if (typeof value === 'object' || (typeof value === 'number' && !Number.isSafeInteger(value))) {
      return {
        problem: `the argument ${path.join('.').slice(0, 64)} cannot be written in a header`,
      };
    }
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    headers[`mcp-param-${name}`] = encodeHeaderValue(text);
  }
  return { headers };
}

/** A header's value: the text where it is read back as it is, else its Base64 between markers (section Value Encoding). */
export function encodeHeaderValue(text: string): string {
  const isPlain = /^[\x20-\x7e]*$/.test(text) && decodeHeaderValue(text) === text;
  return isPlain ? text : `=?base64?${Buffer.from(text, 'utf8').toString('base64')}?=`;
}

/**
 * Finds what is reached through `properties` alone.
 *
 * @returns how many there are, `undefined` when one breaks a rule
 */
function collect(
  schema: unknown,
  path: readonly string[],
  declared: Map<string, ParamHeader>,
): number | undefined {
  if (!isObject(schema)) return 0;
  let count = 0;
  const name = schema[KEYWORD];
  if (name !== undefined) {
    const isGood =
      typeof name === 'string' &&
      TOKEN.test(name) &&
      path.length > 0 &&
      TYPES.includes(schema['type']);
    if (!isGood || declared.has(name.toLowerCase())) return undefined;
    declared.set(name.toLowerCase(), { name, path });
    count++;
  }
  const { properties } = schema;
  for (const [step, member] of Object.entries(isObject(properties) ? properties : {})) {
    const below = collect(member, [...path, step], declared);
    if (below === undefined) return undefined;
    count += below;
  }
  return count;
}

/** How often the keyword stands anywhere: where it is not reached through `properties`, it breaks the rules. */
function countKeyword(schema: unknown): number {
  if (Array.isArray(schema)) return schema.reduce((sum: number, one) => sum + countKeyword(one), 0);
  if (!isObject(schema)) return 0;
  const here = Object.hasOwn(schema, KEYWORD) ? 1 : 0;
  return Object.values(schema).reduce((sum: number, one) => sum + countKeyword(one), here);
}
