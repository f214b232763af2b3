import {
  elementLabel,
  hasLoneSurrogate,
  isMembers,
  memberLabel,
  scalarText,
} from './argument-text.js';

/** Reads a query, or a form, as the application does: text without `?` → members by name. */
export type PairParser = (text: string) => unknown;

/** Writes `a=1&b=2`, without a `?`, and says in `problems` what cannot be written. */
export type PairWriter = (values: Readonly<Record<string, unknown>>, problems: string[]) => string;

export interface PairWriterOptions {
  /** How messages call the group of the arguments, `query`, `form` or nothing. */
  readonly base: string;
  /** What reads the text, as messages call it: `query parser`. */
  readonly reader: string;
  /** The members that the route names. */
  readonly known: ReadonlySet<string>;
  /** Whether members beside those are written, too. */
  readonly open: boolean;
  readonly parse?: PairParser | undefined;
  /** How long the text may become, in bytes. */
  readonly maxBytes: number;
}

/** Thrown while a request is written that becomes larger than it may: a few bytes of arguments can become many. */
export class RequestTooLarge extends Error {}

/** How the elements of a list are written, in the order of trial: `k=1&k=2`, `k[]=1&k[]=2`, `k[0]=1&k[1]=2`. */
const LIST_STYLES = ['repeat', 'brackets', 'indices'] as const;
type ListStyle = (typeof LIST_STYLES)[number];

/** Characters that some parsers take for structure, in the name of a member. */
const STRUCTURE = /[[\].]/;
const BRACKET = /[[\]]/;
/** Texts that a parser of the application's own may read as something else: a list, a number, nothing. */
const PROBES = [
  'a,b',
  'a;b',
  'a|b',
  ' a ',
  '',
  '[1]',
  '{"a":1}',
  '007',
  '1.50',
  '1e3',
  'null',
  'é+&=#%41',
];
/** Parsers read a thousand pairs by default (`maxKeys` of node:querystring, `parameterLimit` of qs). Far below is safe. */
const MANY_MEMBERS = 500;

/**
 * Compiles a writer of a query (or a form) that the application's own parser reads back to an equal value, compared as
 * text: `1` is `'1'`. What it does not read back is a problem that names the member.
 */
export function compilePairWriter(options: PairWriterOptions): PairWriter {
  const { base, known, open, parse } = options;
  const trusted = parse === undefined || PROBES.every((probe) => isReadBack(parse, 'a', probe));
  return (values, problems) => {
    const texts: string[] = [];
    const names: string[] = [];
    const room = { bytes: options.maxBytes };
    let verify = !trusted;
    for (const name of Object.keys(values)) {
      const value = values[name];
      if (value === undefined || !(open || known.has(name))) continue;
      const label = memberLabel(base, name);
      if (!isWritable(value, label, problems) || !isWritableName(name, label, options, problems))
        continue;
      const isScalar = typeof value !== 'object';
      const text = isScalar
        ? writeScalar(encodeURIComponent(name), scalarText(value) as string, room)
        : writeNested(name, value as object, options, room);
      if (text === undefined) {
        problems.push(unreadable(label, value, options.reader));
        continue;
      }
      verify ||= !isScalar || STRUCTURE.test(name) || name === '__proto__';
      names.push(name);
      texts.push(text);
    }
    const text = texts.join('&');
    if (parse !== undefined && (verify || names.length > MANY_MEMBERS)) {
      verifyAll(text, names, values, options, problems);
    }
    return text;
  };
}

/** Whether the value is made of texts alone: an empty list, an empty object and null have no text. */
export function isWritable(value: unknown, label: string, problems: string[]): boolean {
  if (Array.isArray(value)) {
    if (value.length > 0) {
      return value.every((element, i) => isWritable(element, elementLabel(label, i), problems));
    }
    problems.push(`${label} is an empty list, which has no written form here; leave it out`);
    return false;
  }
  if (isMembers(value)) {
    const names = Object.keys(value).filter((name) => value[name] !== undefined);
    if (names.length > 0) {
      return names.every((name) => isMemberWritable(name, value[name], label, problems));
    }
    problems.push(`${label} is an empty object, which has no written form here; leave it out`);
    return false;
  }
  const text = scalarText(value);
  if (text === undefined) {
    problems.push(`${label} is ${String(value)}, which has no written form here; leave it out`);
    return false;
  }
  if (!hasLoneSurrogate(text)) return true;
  problems.push(`${label} must not hold half of a surrogate pair`);
  return false;
}

function isMemberWritable(name: string, value: unknown, base: string, problems: string[]): boolean {
  const label = memberLabel(base, name);
  if (name !== '' && !BRACKET.test(name) && !hasLoneSurrogate(name)) {
    return isWritable(value, label, problems);
  }
  problems.push(`${label} is a name that cannot be written inside another member`);
  return false;
}

/** Whether the member's name arrives as it is. */
export function isWritableName(
  name: string,
  label: string,
  { known, parse }: Pick<PairWriterOptions, 'known' | 'parse'>,
  problems: string[],
): boolean {
  // `a[b]` would be a member of another one to many parsers. The route's own names and what is read back are safe.
  const isSafe = parse !== undefined || known.has(name) || !BRACKET.test(name);
  if (name !== '' && isSafe && !hasLoneSurrogate(name)) return true;
  problems.push(`${label} is a name that cannot be written`);
  return false;
}

/** The first of the styles that is read back, or the first of all where nobody tells how the text is read. */
function writeNested(
  name: string,
  value: object,
  { parse }: PairWriterOptions,
  room: { bytes: number },
): string | undefined {
  for (const style of LIST_STYLES) {
    const attempt = { bytes: room.bytes };
    const pairs: string[] = [];
    writePairs(encodeURIComponent(name), value, style, pairs, attempt);
    const text = pairs.join('&');
    if (parse === undefined || isTextReadBack(parse, text, name, value)) {
      room.bytes = attempt.bytes;
      return text;
    }
  }
  return undefined;
}

function writePairs(
  key: string,
  value: unknown,
  style: ListStyle,
  pairs: string[],
  room: { bytes: number },
): void {
  if (Array.isArray(value)) {
    value.forEach((element, i) => {
      const suffix = style === 'repeat' ? '' : style === 'brackets' ? '[]' : `[${i}]`;
      writePairs(key + suffix, element, style, pairs, room);
    });
  } else if (isMembers(value)) {
    for (const name of Object.keys(value)) {
      if (value[name] === undefined) continue;
      writePairs(`${key}[${encodeURIComponent(name)}]`, value[name], style, pairs, room);
    }
  } else {
    pairs.push(writeScalar(key, scalarText(value) as string, room));
  }
}

function writeScalar(key: string, value: string, room: { bytes: number }): string {
  const encoded = encodeURIComponent(value);
  // Each pair stands behind an ampersand or a question mark, and holds an equals sign.
  room.bytes -= key.length + encoded.length + 2;
  if (room.bytes < 0) throw new RequestTooLarge();
  return `${key}=${encoded}`;
}

/** Members that are read back one by one may still meet: `a` beside `a[b]`, or more of them than the parser reads. */
function verifyAll(
  text: string,
  names: readonly string[],
  values: Readonly<Record<string, unknown>>,
  { base, reader, parse }: PairWriterOptions,
  problems: string[],
): void {
  const read = parse === undefined ? undefined : readMembers(parse, text);
  const lost = names.find(
    (name) =>
      read === undefined || !Object.hasOwn(read, name) || !isEqual(values[name], read[name]),
  );
  if (lost !== undefined) {
    problems.push(unreadable(memberLabel(base, lost), values[lost], reader));
  } else if (read !== undefined && Object.keys(read).length !== names.length) {
    problems.push(`${base || 'the arguments'}: this application's ${reader} reads further members`);
  }
}

function unreadable(label: string, value: unknown, reader: string): string {
  const what = Array.isArray(value)
    ? value.length === 1
      ? 'a list of one element; give more elements, or leave it out'
      : 'this list; give fewer or simpler elements'
    : typeof value === 'object'
      ? 'this object; leave it out'
      : 'this member as it is; change it, or leave it out';
  return `${label}: this application's ${reader} cannot read ${what}`;
}

function isReadBack(parse: PairParser, name: string, value: string): boolean {
  return isTextReadBack(parse, `${name}=${encodeURIComponent(value)}`, name, value);
}

function isTextReadBack(parse: PairParser, text: string, name: string, value: unknown): boolean {
  const read = readMembers(parse, text);
  return read !== undefined && Object.hasOwn(read, name) && isEqual(value, read[name]);
}

function readMembers(
  parse: PairParser,
  text: string,
): Readonly<Record<string, unknown>> | undefined {
  try {
    const read = parse(text);
    return isMembers(read) ? read : undefined;
  } catch {
    // A parser of the application's own that throws on a text has not read it.
    return undefined;
  }
}

function isEqual(sent: unknown, read: unknown): boolean {
  if (Array.isArray(sent)) {
    return (
      Array.isArray(read) &&
      read.length === sent.length &&
      sent.every((one, i) => isEqual(one, read[i]))
    );
  }
  if (isMembers(sent)) {
    if (!isMembers(read)) return false;
    const names = Object.keys(sent).filter((name) => sent[name] !== undefined);
    return (
      names.length === Object.keys(read).length &&
      names.every((name) => Object.hasOwn(read, name) && isEqual(sent[name], read[name]))
    );
  }
  const text = scalarText(read);
  return text !== undefined && text === scalarText(sent);
}
