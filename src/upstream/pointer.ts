/** The syntax of a JSON Pointer (RFC 6901, section 3). */
const POINTER = /^(?:\/(?:[^~/]|~[01])*)*$/;
/** RFC 6901, section 4: no leading zeros. */
const INDEX = /^(?:0|[1-9]\d*)$/;

export function isPointer(text: string): boolean {
  return POINTER.test(text);
}

/** The member names and indexes that a pointer names, one after the other. */
export function parsePointer(pointer: string): readonly string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
}

export function writePointer(tokens: readonly string[]): string {
  return tokens.map((token) => `/${token.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** The value that the tokens lead to; `undefined` where they lead nowhere. What a value inherits is not there. */
export function valueAt(source: unknown, tokens: readonly string[]): unknown {
  let value = source;
  for (const token of tokens) {
    if (typeof value !== 'object' || value === null) return undefined;
    if (Array.isArray(value) ? !INDEX.test(token) : !Object.hasOwn(value, token)) return undefined;
    value = (value as Readonly<Record<string, unknown>>)[token];
  }
  return value;
}
