/** What a client takes as an answer. */
export interface Accepted {
  /** `application/json` */
  readonly json: boolean;
  /** `text/event-stream` */
  readonly sse: boolean;
}

/** A media type or range with its parameters, all in lower case except the values. */
interface MediaRange {
  readonly range: string;
  readonly parameters: readonly (readonly [name: string, value: string])[];
}

const JSON_TYPE = 'application/json';
const SSE_TYPE = 'text/event-stream';
const BOTH: Accepted = Object.freeze({ json: true, sse: true });
const JSON_ONLY: Accepted = Object.freeze({ json: true, sse: false });
const SSE_ONLY: Accepted = Object.freeze({ json: false, sse: true });
const NEITHER: Accepted = Object.freeze({ json: false, sse: false });

/** What the official clients, the common HTTP clients and browsers send. */
const COMMON_ACCEPT: ReadonlyMap<string, Accepted> = new Map([
  ['application/json, text/event-stream', BOTH],
  ['application/json,text/event-stream', BOTH],
  ['text/event-stream, application/json', BOTH],
  ['*/*', BOTH],
  [JSON_TYPE, JSON_ONLY],
  [SSE_TYPE, SSE_ONLY],
]);

const COMMON_CONTENT_TYPES: ReadonlySet<string> = new Set([
  JSON_TYPE,
  'application/json; charset=utf-8',
  'application/json;charset=utf-8',
  'application/json; charset=UTF-8',
  'application/json;charset=UTF-8',
]);

/** RFC 9110: a token (section 5.6.2), a quoted string (section 5.6.4), and a parameter between them (section 5.6.6). */
const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const MEDIA_RANGE = new RegExp(`^(${TOKEN}/${TOKEN})[ \\t]*(?:;|$)`);
const PARAMETER = new RegExp(
  `^(${TOKEN})=(?:(${TOKEN})|"((?:[\\t !#-\\[\\]-~\\x80-\\xff]|\\\\[\\t -~\\x80-\\xff])*)")$`,
);

/**
 * Reads an `Accept` header (RFC 9110, section 12.5.1): of the ranges that match a type the most specific one decides,
 * and `q=0` means "not this". Without the header everything is accepted; an element that cannot be read counts for
 * nothing. A range with parameters is taken for the type without them, but excludes only what has them.
 */
export function readAccept(header: string | undefined): Accepted {
  if (header === undefined) return BOTH;
  const common = COMMON_ACCEPT.get(header);
  if (common !== undefined) return common;

  const verdicts = new Map<string, boolean>();
  for (const element of split(header, ',')) {
    const media = parseMediaRange(element);
    if (media === undefined) continue;
    const { range, parameters } = media;
    const weight = parameters.find(([name]) => name === 'q');
    const accepted = weight === undefined || !isZero(weight[1]);
    const isBare = parameters.length === 0 || parameters[0] === weight;
    if (accepted || (isBare && !verdicts.has(range))) verdicts.set(range, accepted);
  }
  const json = decide(verdicts, JSON_TYPE, 'application/*');
  const sse = decide(verdicts, SSE_TYPE, 'text/*');
  if (json) return sse ? BOTH : JSON_ONLY;
  return sse ? SSE_ONLY : NEITHER;
}

/**
 * Whether a body is JSON in UTF-8 by its `Content-Type`: `application/json` (RFC 8259, section 11), where a charset, if
 * there is one, is UTF-8. Other parameters mean nothing and are passed over.
 */
export function isJsonContentType(header: string | undefined): boolean {
  if (header === undefined) return false;
  if (COMMON_CONTENT_TYPES.has(header)) return true;
  const media = parseMediaRange(header);
  if (media === undefined || media.range !== JSON_TYPE) return false;
  return media.parameters.every(
    ([name, value]) => name !== 'charset' || value.toLowerCase() === 'utf-8',
  );
}

function decide(verdicts: ReadonlyMap<string, boolean>, type: string, family: string): boolean {
  return verdicts.get(type) ?? verdicts.get(family) ?? verdicts.get('*/*') ?? false;
}

/** A weight that is not a number at all is a zero too: who wrote it did not say that the type is welcome. */
function isZero(weight: string): boolean {
  return !(Number(weight) > 0);
}

function parseMediaRange(text: string): MediaRange | undefined {
  const trimmed = trim(text);
  const range = MEDIA_RANGE.exec(trimmed)?.[1];
  if (range === undefined) return undefined;
  const parameters: [string, string][] = [];
  for (const part of split(trimmed.slice(range.length), ';')) {
    const written = trim(part);
    // RFC 9110, section 5.6.6, allows empty parameters.
    if (written === '') continue;
    const match = PARAMETER.exec(written);
    if (match?.[1] === undefined) return undefined;
    const value = match[2] ?? (match[3] ?? '').replace(/\\(.)/gs, '$1');
    parameters.push([match[1].toLowerCase(), value]);
  }
  return { range: range.toLowerCase(), parameters };
}

/** Splits at a separator outside quoted strings. */
function split(text: string, separator: ',' | ';'): string[] {
  const parts: string[] = [];
  let start = 0;
  let quoted = false;
  for (let i = 0; i < text.length; i++) {
    const char = text[i];
    if (char === '"') quoted = !quoted;
    else if (char === '\\' && quoted) i++;
    else if (char === separator && !quoted) {
      parts.push(text.slice(start, i));
      start = i + 1;
    }
  }
  parts.push(text.slice(start));
  return parts;
}

/** Without the white space of RFC 9110, section 5.6.3, at both ends; `String.trim` would also take other spaces. */
function trim(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && (text[start] === ' ' || text[start] === '\t')) start++;
  while (end > start && (text[end - 1] === ' ' || text[end - 1] === '\t')) end--;
  return text.slice(start, end);
}
