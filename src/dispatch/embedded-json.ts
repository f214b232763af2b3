/** How deep a value in a string may nest. Arguments as such are bounded by the option `maxDepth`, a string is not. */
const MAX_DEPTH = 100;
/** Every decimal of 15 digits survives the way through a double (IEEE 754, binary64). */
const SAFE_LENGTH = 15;
const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*|[{[]|[}\]]/g;

/**
 * Parses JSON that stands in a string of the arguments; `undefined` for what is no JSON, nests too deep, or holds a number
 * that JSON.parse would change (9007199254740993, 1e400), since nobody would notice.
 */
export function parseEmbeddedJson(text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  return isFaithful(text) ? value : undefined;
}

/** One pass over the tokens of a text that is known to be JSON. */
function isFaithful(text: string): boolean {
  let depth = 0;
  for (const [token] of text.matchAll(TOKENS)) {
    if (token === '{' || token === '[') {
      if (++depth > MAX_DEPTH) return false;
    } else if (token === '}' || token === ']') depth--;
    else if (token[0] !== '"' && !survives(token)) return false;
  }
  return true;
}

function survives(number: string): boolean {
  if (number.length <= SAFE_LENGTH && !/e/i.test(number)) return true;
  const read = Number(number);
  // With equal digits the exponent is equal, too: a double is the nearest to the text.
  return Number.isFinite(read) && digitsOf(String(read)) === digitsOf(number);
}

/** The digits of a number without the zeros at either end. Loops, as `/0+$/` takes quadratic time. */
function digitsOf(number: string): string {
  const digits = number.replace(/e.*$/i, '').replace(/[-.]/g, '');
  let first = 0;
  while (digits[first] === '0') first++;
  let last = digits.length;
  while (last > first && digits[last - 1] === '0') last--;
  return digits.slice(first, last);
}
