import { isAscii, isUtf8 } from 'node:buffer';
import { endOfNumber, isChanged, isLong, startsNumber } from './json-number.js';

/** A way through a JSON text: the name of each member and the index of each element. */
export type JsonPath = readonly (string | number)[];

/** A number that JSON.parse changed, and how it was written, or the first 40 characters of that. */
export interface ChangedNumber {
  readonly path: JsonPath;
  readonly token: string;
}

export interface ReadJsonOptions {
  /** How many objects and arrays may stand inside each other; `{}` is one. At most 1000: each takes a stack frame. */
  readonly maxDepth: number;
  /** Changed numbers below this path have a list of eight of their own, so that they hide none elsewhere. */
  readonly apart?: readonly string[];
}

export interface ReadJson {
  readonly ok: true;
  readonly value: unknown;
  readonly text: string;
  /** The outermost member `id` as written, if it is a number: 1.0 is 1 for JSON.parse. */
  readonly idSource: string | undefined;
  /** The first eight below `apart` and the first eight elsewhere. */
  readonly changedNumbers: readonly ChangedNumber[];
}

export interface UnreadJson {
  readonly ok: false;
  readonly reason: 'encoding' | 'syntax' | 'duplicate' | 'depth';
  readonly message: string;
  /** Of a duplicate: what JSON.parse read, where the last of the members won. */
  readonly value?: unknown;
  /** Of a duplicate: as above, and `undefined` when `id` itself stands twice. */
  readonly idSource?: string | undefined;
}

export type StrictJson = ReadJson | UnreadJson;

interface Scan extends Pick<ReadJson, 'idSource'> {
  readonly members: number;
  readonly changed: boolean;
}

const MAX_CHANGED_NUMBERS = 8;
const MAX_TOKEN_LENGTH = 40;
/** How far a string is read byte by byte before the native search is worth its call. */
const NEAR = 64;
const NONE: readonly ChangedNumber[] = Object.freeze([]);

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/**
 * Reads a JSON text more strictly than JSON.parse does: UTF-8 without a byte order mark (RFC 8259, section 8.1), no
 * member twice in an object (section 4 leaves open what such a text means), nesting up to a bound, which is checked
 * before anything is built, and no number silently another one (section 6).
 */
export function readJson(bytes: Uint8Array, options: ReadJsonOptions): StrictJson {
  const { buffer: memory, byteOffset, length } = bytes;
  const buffer = Buffer.isBuffer(bytes) ? bytes : Buffer.from(memory, byteOffset, length);
  if (buffer[0] === 0xef && buffer[1] === 0xbb && buffer[2] === 0xbf) {
    return unread('encoding', 'the text begins with a byte order mark');
  }
  const ascii = isAscii(buffer);
  if (!ascii && !isUtf8(buffer)) return unread('encoding', 'the text is not UTF-8');
  const latin1 = buffer.toString('latin1');
  const text = ascii ? latin1 : buffer.toString('utf8');

  const scan = scanJson(buffer, latin1, options.maxDepth);
  if (scan === undefined) return unread('depth', `the text nests deeper than ${options.maxDepth}`);

  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return unread('syntax', 'the text is not JSON');
  }
  const { idSource, members, changed } = scan;
  if (countMembers(value) !== members) {
    return { ...unread('duplicate', 'an object has the same member twice'), value, idSource };
  }
  const changedNumbers = changed ? locateChanged(buffer, latin1, options.apart ?? []) : NONE;
  return { ok: true, value, text, idSource, changedNumbers };
}

function unread(reason: UnreadJson['reason'], message: string): UnreadJson {
  return { ok: false, reason, message };
}

/**
 * One pass over the bytes, exact for every text that JSON.parse reads; of any other text it may say anything. Bytes are
 * faster to loop over, strings to search and to slice, so it takes both: `latin1` is the text with a character a byte.
 *
 * @returns `undefined` when the text nests too deep
 */
function scanJson(bytes: Buffer, latin1: string, maxDepth: number): Scan | undefined {
  const length = bytes.length;
  let depth = 0;
  let members = 0;
  let changed = false;
  let stringStart = 0;
  let stringEnd = 0;
  let ids = 0;
  let idStart = -1;
  let idEnd = -1;
  for (let i = 0; i < length; i++) {
    const byte = bytes[i] as number;
    switch (byte) {
      case QUOTE:
        stringStart = i + 1;
        stringEnd = i = endOfString(bytes, latin1, stringStart);
        break;
      case COLON:
        members++;
        if (depth === 1 && isId(latin1, stringStart, stringEnd)) {
          ids++;
          idStart = i + 1;
        }
        break;
      case COMMA:
        if (depth === 1 && idStart > idEnd) idEnd = i;
        break;
      case OPEN_BRACE:
      case OPEN_BRACKET:
        if (++depth > maxDepth) return undefined;
        break;
      case CLOSE_BRACE:
      case CLOSE_BRACKET:
        if (--depth === 0 && idStart > idEnd) idEnd = i;
        break;
      default:
        if (startsNumber(byte)) {
          const end = endOfNumber(bytes, i);
          if (!changed && isLong(bytes, i, end)) changed = isChanged(latin1.slice(i, end));
          i = end - 1;
        }
    }
  }
  const idSource = ids === 1 ? latin1.slice(idStart, idEnd).trim() : undefined;
  return { members, changed, idSource };
}

/** The offset of the quote that ends the string, or of the end of the text. */
function endOfString(bytes: Buffer, latin1: string, start: number): number {
  const length = bytes.length;
  let i = start;
  while (i < length) {
    const near = Math.min(i + NEAR, length);
    while (i < near) {
      const byte = bytes[i] as number;
      if (byte === QUOTE) return i;
      i += byte === BACKSLASH ? 2 : 1;
    }
    // Of a long string, the native search passes over what is plain several times as fast.
    const quote = latin1.indexOf('"', i);
    if (quote < 0) return length;
    let unescaped = quote;
    while (unescaped > i && bytes[unescaped - 1] === BACKSLASH) unescaped--;
    if ((quote - unescaped) % 2 === 0) return quote;
    i = quote + 1;
  }
  return length;
}

/** Whether the string is `id`, be it spelled with escapes. */
function isId(latin1: string, start: number, end: number): boolean {
  const length = end - start;
  if (length === 2) return latin1.startsWith('id', start);
  if (length !== 7 && length !== 12) return false;
  return /^(?:i|\\u0069)(?:d|\\u0064)$/.test(latin1.slice(start, end));
}

/**
 * How many members the objects of a parsed text have. JSON.parse keeps one of the members with an equal name, so it is
 * less than the text has exactly when a name stands twice.
 */
function countMembers(node: unknown): number {
  let count = 0;
  if (Array.isArray(node)) {
    for (const element of node as unknown[]) if (isObject(element)) count += countMembers(element);
  } else if (isObject(node)) {
    const members = node as Record<string, unknown>;
    // Twice as fast as `Object.keys`. `Object.hasOwn` would cost as much again; this form of it costs nothing.
    for (const name in members) {
      if (!Object.prototype.hasOwnProperty.call(members, name)) continue;
      count++;
      const value = members[name];
      if (isObject(value)) count += countMembers(value);
    }
  }
  return count;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** The second, slow pass, over a text that is known to be JSON. */
function locateChanged(bytes: Buffer, latin1: string, apart: readonly string[]): ChangedNumber[] {
  const found: ChangedNumber[] = [];
  const room = { apart: MAX_CHANGED_NUMBERS, elsewhere: MAX_CHANGED_NUMBERS };
  // Per open object the name of the member, per open array the index of the element that is being read.
  const path: (string | number)[] = [];
  let start = 0;
  let end = 0;
  for (let i = 0; i < bytes.length && room.apart + room.elsewhere > 0; i++) {
    const top = path.length - 1;
    const step = path[top];
    const byte = bytes[i] as number;
    switch (byte) {
      case QUOTE:
        start = i;
        i = endOfString(bytes, latin1, start + 1);
        end = i + 1;
        break;
      case COLON:
        path[top] = JSON.parse(bytes.toString('utf8', start, end)) as string;
        break;
      case COMMA:
        if (typeof step === 'number') path[top] = step + 1;
        break;
      case OPEN_BRACE:
      case OPEN_BRACKET:
        path.push(byte === OPEN_BRACE ? '' : 0);
        break;
      case CLOSE_BRACE:
      case CLOSE_BRACKET:
        path.pop();
        break;
      default:
        if (startsNumber(byte)) {
          end = endOfNumber(bytes, i);
          const list = isBelow(path, apart) ? 'apart' : 'elsewhere';
          const token = latin1.slice(i, end);
          if (room[list] > 0 && isLong(bytes, i, end) && isChanged(token)) {
            room[list]--;
            found.push({ path: [...path], token: token.slice(0, MAX_TOKEN_LENGTH) });
          }
          i = end - 1;
        }
    }
  }
  return found;
}

/** Whether the path leads to something inside what the other one leads to. */
export function isBelow(path: JsonPath, ancestor: readonly string[]): boolean {
  return path.length > ancestor.length && ancestor.every((step, i) => path[i] === step);
}
