/**
 * The `pattern` of a regular expression, where one means the same: JSON Schema takes ECMA-262 with the `u` flag and no other.
 * @returns `undefined` when a value that the expression takes could be refused by the pattern
 */
export function patternOf(expression: unknown, modifiers?: unknown): string | undefined {
  const regexp = asRegExp(expression, modifiers);
  if (regexp === undefined) return undefined;
  // `g` does not change whether a string matches; `u` is what JSON Schema assumes.
  if (/[^gu]/.test(regexp.flags)) return undefined;
  if (regexp.unicode) return regexp.source;
  const source = withoutIdleEscapes(regexp.source);
  return isUnicodePattern(source) && countsNoSurrogates(source) ? source : undefined;
}

function asRegExp(expression: unknown, modifiers: unknown): RegExp | undefined {
  if (expression instanceof RegExp) return expression;
  if (typeof expression !== 'string') return undefined;
  try {
    return new RegExp(expression, typeof modifiers === 'string' ? modifiers : '');
  } catch {
    return undefined;
  }
}

/** `\-` and its like, which mean the character itself, are an error under the `u` flag. */
function withoutIdleEscapes(source: string): string {
  let inClass = false;
  return source.replace(/\\.|[[\]]/gs, (token) => {
    if (token === '[' || token === ']') inClass = token === '[';
    const character = token.slice(1);
    if (token.length === 1 || /[\w^$\\.*+?()[\]{}|/]/.test(character)) return token;
    return inClass && character === '-' ? token : character;
  });
}

function isUnicodePattern(source: string): boolean {
  try {
    return new RegExp(source, 'u').source === source;
  } catch {
    return false;
  }
}

const ATOM = /(\\.|\[(?:\\.|[^\]\\])*\]|.)([*+])?/gs;
const TAKES_ANY_CHARACTER = /^(\.|\\[WDS]|\[\^.*|\[.*\\[WDS].*)$/s;

/**
 * Without the `u` flag an emoji is two characters, so that `^..$` takes one emoji only without it. An atom that takes any
 * character is the same either way where it repeats without a limit.
 */
function countsNoSurrogates(source: string): boolean {
  return [...source.matchAll(ATOM)].every(
    ([, atom = '', repeated]) => repeated !== undefined || !TAKES_ANY_CHARACTER.test(atom),
  );
}
