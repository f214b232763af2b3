import { isUtf8 } from 'node:buffer';

const PREFIX = '=?base64?';
const SUFFIX = '?=';
const SPACE = 0x20;
const TAB = 0x09;
const TILDE = 0x7e;

/**
 * What an `Mcp-Method`, `Mcp-Name` or `Mcp-Param-*` header says (2026-07-28, streamable-http, section Value Encoding):
 * the text itself, or, between the markers `=?base64?` and `?=`, the Base64 of its UTF-8. White space around it is no
 * part of it (RFC 9110, section 5.6.3).
 *
 * @returns `undefined` for what the section has refused: characters outside visible ASCII, space and tab; Base64 that
 * no encoder writes (RFC 4648, section 4); bytes that are not UTF-8
 */
export function decodeHeaderValue(header: string): string | undefined {
  const value = withoutOuterSpace(header);
  if (!isFieldContent(value)) return undefined;
  if (!value.startsWith(PREFIX) || !value.endsWith(SUFFIX)) return value;
  // `=?base64?=` has both markers, but they overlap: nothing stands between them, not even nothing.
  if (value.length < PREFIX.length + SUFFIX.length) return undefined;
  return decodeBase64(value.slice(PREFIX.length, -SUFFIX.length));
}

/**
 * Whether a header says what the body says (2026-07-28, streamable-http, section Server Validation). Text is compared
 * as it is, letter case included; an integer by its value, so that `42.0` is 42.
 *
 * @returns `false` also for a header that cannot be decoded
 */
export function headerValueEquals(header: string, value: string | number | boolean): boolean {
  const decoded = decodeHeaderValue(header);
  if (decoded === undefined) return false;
  if (typeof value === 'string') return decoded === value;
  if (typeof value === 'boolean') return decoded === (value ? 'true' : 'false');
  // Only within the safe range do two decimals of one double have one value.
  if (!Number.isInteger(value)) return decoded === String(value);
  return Number.isSafeInteger(value) && isDecimalInteger(decoded) && Number(decoded) === value;
}

function withoutOuterSpace(header: string): string {
  let start = 0;
  let end = header.length;
  while (start < end && isSpaceOrTab(header.charCodeAt(start))) start++;
  while (end > start && isSpaceOrTab(header.charCodeAt(end - 1))) end--;
  return start === 0 && end === header.length ? header : header.slice(start, end);
}

function isSpaceOrTab(code: number): boolean {
  return code === SPACE || code === TAB;
}

function isFieldContent(value: string): boolean {
  for (let i = 0; i < value.length; i++) {
    const code = value.charCodeAt(i);
    if ((code < SPACE && code !== TAB) || code > TILDE) return false;
  }
  return true;
}

function decodeBase64(encoded: string): string | undefined {
  const bytes = Buffer.from(encoded, 'base64');
  // Node also decodes other alphabets, missing padding and stray bits; its encoder writes none of them.
  if (bytes.toString('base64') !== encoded || !isUtf8(bytes)) return undefined;
  return bytes.toString('utf8');
}

/** A decimal without exponent whose fraction, if any, is zeros: `42`, `-7`, `42.0`. */
function isDecimalInteger(text: string): boolean {
  return /^-?\d+(?:\.0+)?$/.test(text);
}
