import {
  elementLabel,
  hasLoneSurrogate,
  isMembers,
  memberLabel,
  scalarText,
} from '../dispatch/argument-text.js';
import type { ParameterStyle } from './operation.js';

/** How one value is written; everything is settled. */
export interface ValueStyle {
  readonly style: ParameterStyle;
  readonly explode: boolean;
  /** Writes a name or a value, so that nothing in it is taken for a delimiter. */
  readonly encode: (text: string) => string;
  /** What is wrong with one text, beginning with a verb. */
  readonly problemOf?: (text: string) => string | undefined;
}

/** A value in its parts. `null` stands for nothing, as an undefined variable of RFC 6570, section 2.3. */
type Parts =
  | { readonly kind: 'scalar'; readonly text: string }
  | { readonly kind: 'list'; readonly texts: readonly string[] }
  | { readonly kind: 'object'; readonly members: readonly (readonly [string, string])[] };

const DELIMITERS: Readonly<Partial<Record<ParameterStyle, string>>> = {
  spaceDelimited: '%20',
  pipeDelimited: '%7C',
};

/**
 * Writes a value in a style of OpenAPI 3 (section "Style Values", after RFC 6570): `undefined` where there is nothing to
 * write. What the styles do not define, such as a list inside a list, is a problem.
 *
 * @param label how messages call the value
 */
export function serialize(
  name: string,
  value: unknown,
  style: ValueStyle,
  label: string,
  problems: string[],
): string | undefined {
  const isDeep = style.style === 'deepObject';
  if (isDeep && isMembers(value)) return deepObject(name, value, style, label, problems);
  if (isDeep && Array.isArray(value)) {
    problems.push(`${label} must not be a list`);
    return undefined;
  }
  const parts = partsOf(value, style, label, problems);
  return parts === undefined ? undefined : WRITERS[style.style](style.encode(name), parts, style);
}

type Writer = (name: string, parts: Parts, style: ValueStyle) => string;

const WRITERS: Readonly<Record<ParameterStyle, Writer>> = {
  simple: (_, parts, { explode }) => joined(parts, ',', explode),
  label: (_, parts, { explode }) => `.${joined(parts, explode ? '.' : ',', explode)}`,
  matrix: (name, parts, { explode }) => `;${named(name, parts, explode, MATRIX)}`,
  form: delimited,
  spaceDelimited: delimited,
  pipeDelimited: delimited,
  // What is no object: an alternative to one, which is written as in a form.
  deepObject: delimited,
};

/** What separates the parts of a named value. */
interface Delimiters {
  readonly pairs: string;
  readonly texts: string;
  /** What follows the name of an empty value: RFC 6570 writes `;color` but `color=`. */
  readonly empty: string;
}

const MATRIX: Delimiters = { pairs: ';', texts: ',', empty: '' };

function delimited(name: string, parts: Parts, { style, explode }: ValueStyle): string {
  const texts = DELIMITERS[style] ?? ',';
  return named(name, parts, explode, { pairs: '&', texts, empty: '=' });
}

function joined(parts: Parts, delimiter: string, explode: boolean): string {
  if (parts.kind === 'scalar') return parts.text;
  if (parts.kind === 'list') return parts.texts.join(delimiter);
  return parts.members.map((member) => member.join(explode ? '=' : delimiter)).join(delimiter);
}

function named(name: string, parts: Parts, explode: boolean, delimiters: Delimiters): string {
  const { pairs: between, texts, empty } = delimiters;
  const pair = (key: string, text: string) => `${key}${text === '' ? empty : `=${text}`}`;
  if (!explode || parts.kind === 'scalar') return pair(name, joined(parts, texts, false));
  const pairs =
    parts.kind === 'list' ? parts.texts.map((text) => [name, text] as const) : parts.members;
  return pairs.map(([key, text]) => pair(key, text)).join(between);
}

/** `undefined` for nothing, and after a problem. */
function partsOf(
  value: unknown,
  style: ValueStyle,
  label: string,
  problems: string[],
): Parts | undefined {
  const found = problems.length;
  if (value === null) return undefined;
  const part = partStyle(style);
  const text = (one: unknown, of: string) => textOf(one, part, of, problems);
  if (Array.isArray(value)) {
    const texts = value
      .map((element: unknown, i) =>
        element === null ? undefined : text(element, elementLabel(label, i)),
      )
      .filter((one) => one !== undefined);
    return problems.length > found || texts.length === 0 ? undefined : { kind: 'list', texts };
  }
  if (isMembers(value)) {
    const members = Object.entries(value)
      .filter(([, member]) => member !== null && member !== undefined)
      .map(([key, member]) => {
        const of = memberLabel(label, key);
        return [text(key, `the name ${of}`) ?? '', text(member, of) ?? ''] as const;
      });
    return problems.length > found || members.length === 0
      ? undefined
      : { kind: 'object', members };
  }
  const scalar = textOf(value, style, label, problems);
  return scalar === undefined ? undefined : { kind: 'scalar', text: scalar };
}

/** How the parts of a list or an object are written, so that none is read as two. */
function partStyle(style: ValueStyle): ValueStyle {
  const { explode, encode, problemOf } = style;
  const separator = unencodable(style);
  return {
    ...style,
    // Where reserved characters are left as they are, the one that separates must not be.
    encode: explode ? encode : (text) => encode(text).replaceAll(',', '%2C'),
    problemOf: (text) =>
      separator !== undefined && text.includes(separator)
        ? `must not hold ${JSON.stringify(separator)}, which separates the parts of this value`
        : problemOf?.(text),
  };
}

/** The separator that is the same in percent-encoding, or is never encoded (OpenAPI 3.1.1, section "Style Examples"). */
function unencodable({ style, explode }: ValueStyle): string | undefined {
  if (style === 'label') return explode ? '.' : undefined;
  if (explode) return undefined;
  return { spaceDelimited: ' ', pipeDelimited: '|' }[style as string];
}

function textOf(
  value: unknown,
  { encode, problemOf }: ValueStyle,
  label: string,
  problems: string[],
): string | undefined {
  const text = scalarText(value);
  const problem =
    text === undefined
      ? 'must be a string, a number or a boolean'
      : hasLoneSurrogate(text)
        ? 'must not hold half of a surrogate pair'
        : problemOf?.(text);
  if (problem === undefined) return encode(text as string);
  problems.push(`${label} ${problem}`);
  return undefined;
}

/** `color[R]=100&color[G]=200`; objects inside it go on in brackets. Lists are not defined in it. */
function deepObject(
  name: string,
  value: Readonly<Record<string, unknown>>,
  style: ValueStyle,
  label: string,
  problems: string[],
): string | undefined {
  const found = problems.length;
  const pairs: string[] = [];
  const visit = (members: Readonly<Record<string, unknown>>, key: string, at: string): void => {
    for (const [member, inner] of Object.entries(members)) {
      if (inner === null || inner === undefined) continue;
      const of = memberLabel(at, member);
      const innerKey = `${key}[${member}]`;
      if (!/^[^[\]]+$/.test(member)) {
        problems.push(`the name ${of} must not be empty, nor hold brackets`);
        continue;
      }
      if (isMembers(inner)) visit(inner, innerKey, of);
      else {
        const encodedKey = textOf(innerKey, style, `the name ${of}`, problems);
        pairs.push(`${encodedKey ?? ''}=${textOf(inner, style, of, problems) ?? ''}`);
      }
    }
  };
  visit(value, name, label);
  return problems.length > found || pairs.length === 0 ? undefined : pairs.join('&');
}

/** Everything but the unreserved characters in percent-encoding (RFC 3986, section 2.3). */
export function encodeStrictly(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/**
 * Leaves the reserved characters that mean nothing in a query as they are (OpenAPI 3, `allowReserved`). `#`, `[` and `]` may
 * not stand there, and `&`, `=` and `+` would be read as delimiters or a space (OpenAPI 3.1.1, appendix E).
 */
export function encodeAllowingReserved(text: string): string {
  return encodeURIComponent(text).replace(/%(?:3A|2F|3F|40|24|2C|3B)/g, decodeURIComponent);
}
