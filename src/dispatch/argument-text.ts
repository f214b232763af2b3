const IDENTIFIER = /^[\p{ID_Start}$_][\p{ID_Continue}$-]*$/u;
/** A name is a model's to choose and may be a megabyte long; a message shows this many characters of it. */
const MAX_SHOWN = 60;
const LONE_SURROGATE = /\p{Surrogate}/u;

/** An argument as a message names it: `query.ids`, `body["a b"]`. */
export function memberLabel(base: string, name: string): string {
  const shown = cut(name);
  if (!IDENTIFIER.test(shown)) return `${base}[${JSON.stringify(shown)}]`;
  return base === '' ? shown : `${base}.${shown}`;
}

/** An element as a message names it: `query.ids[2]`. */
export function elementLabel(base: string, index: number): string {
  return `${base}[${index}]`;
}

/** The text, or its beginning where it is too long to show in a message. */
export function cut(text: string): string {
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}

/** A value as a URL, a header or a form carries it; `undefined` for what has no such text. */
export function scalarText(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value))) {
    return String(value);
  }
  return undefined;
}

/** Whether the text holds half of a surrogate pair: no UTF-8 stands for it (RFC 3629, section 3). */
export function hasLoneSurrogate(text: string): boolean {
  return LONE_SURROGATE.test(text);
}

/** An object that is a group of members, not an array and not null. */
export function isMembers(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
