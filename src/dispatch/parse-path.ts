/** A piece of a route's path. */
export type PathToken =
  | { readonly type: 'text'; readonly value: string }
  | { readonly type: 'param'; readonly name: string }
  | { readonly type: 'wildcard'; readonly name: string; readonly required: boolean }
  | { readonly type: 'group'; readonly tokens: readonly PathToken[] };

const ID_CONTINUE = /[$\u200c\u200d\p{ID_Continue}]/u;
/** The names that the adapters give a wildcard without one: Fastify's own, and the one that Nest makes for Express. */
const UNNAMED = ['*', 'path'];

/**
 * Reads a route's path as the adapters do: path-to-regexp 8 (`/:id`, `/*rest`, `{/:opt}`, `\\:`, `:"quoted name"`), the
 * older forms that Nest converts for Express (`/*`, `/(.*)`), and find-my-way for Fastify (`/*`, `/:id(\\d+)`, `/:id?`,
 * `::` for a colon). Both are read by one grammar, for they contradict each other nowhere.
 *
 * @throws Error when the path ends in the middle of something
 */
export function parsePath(path: string, names: readonly string[]): PathToken[] {
  return new PathReader(path, names).read();
}

class PathReader {
  private readonly chars: readonly string[];
  private index = 0;
  private readonly named = new Set<string>();

  constructor(
    private readonly path: string,
    private readonly names: readonly string[],
  ) {
    this.chars = [...path];
  }

  read(end?: '}'): PathToken[] {
    const tokens: PathToken[] = [];
    let text = '';
    const endText = () => {
      if (text !== '') tokens.push({ type: 'text', value: text });
      text = '';
    };
    for (let char = this.next(); char !== end; char = this.next()) {
      if (char === undefined) throw this.error(`it lacks a "${end}"`);
      const literal = this.readLiteral(char);
      if (literal !== undefined) {
        text += literal;
        continue;
      }
      endText();
      const token = this.readToken(char);
      if (token.type === 'param' && this.take('?')) tokens.push(optional(tokens, token));
      else tokens.push(token);
    }
    endText();
    return tokens;
  }

  private next(): string | undefined {
    return this.chars[this.index++];
  }

  private take(char: string): boolean {
    if (this.chars[this.index] !== char) return false;
    this.index++;
    return true;
  }

  /** The text that the character begins, or `undefined` when it begins something else. */
  private readLiteral(char: string): string | undefined {
    if (char === '\\') return this.next() ?? char;
    if (char === ':') return this.take(':') ? ':' : undefined;
    return char === '*' || char === '{' || char === '(' ? undefined : char;
  }

  private readToken(char: string): PathToken {
    if (char === '{') return { type: 'group', tokens: this.read('}') };
    if (char === '(') {
      this.skipPattern();
      return { type: 'wildcard', name: this.unnamed(), required: false };
    }
    const name = this.readName();
    this.named.add(name);
    if (char === '*') {
      return name === ''
        ? { type: 'wildcard', name: this.unnamed(), required: false }
        : { type: 'wildcard', name, required: true };
    }
    if (name === '') throw this.error('a parameter has no name');
    // A pattern narrows the parameter. Whether a value fits is the router's to say.
    if (this.take('(')) this.skipPattern();
    return { type: 'param', name };
  }

  private readName(): string {
    let name = '';
    if (this.take('"')) {
      for (let char = this.next(); char !== '"'; char = this.next()) {
        if (char === undefined) throw this.error('a quoted name does not end');
        name += char === '\\' ? (this.next() ?? '') : char;
      }
      return name;
    }
    for (let char = this.chars[this.index]; char !== undefined && ID_CONTINUE.test(char);) {
      name += char;
      char = this.chars[++this.index];
    }
    return name;
  }

  private skipPattern(): void {
    for (let depth = 1; depth > 0;) {
      const char = this.next();
      if (char === undefined) throw this.error('a pattern does not end');
      if (char === '\\') this.index++;
      else if (char === '(') depth++;
      else if (char === ')') depth--;
    }
  }

  /** The tool's name for a wildcard to which the path gives none. */
  private unnamed(): string {
    const free = this.names.filter(
      (name) => !this.path.includes(`:${name}`) && !this.named.has(name),
    );
    const name = UNNAMED.find((one) => free.includes(one)) ?? free[0] ?? '*';
    this.named.add(name);
    return name;
  }

  private error(what: string): Error {
    return new Error(`The route's path "${this.path}" cannot be written: ${what}.`);
  }
}

/** `/:id?`: the slash before the parameter is left out with it. */
function optional(before: PathToken[], token: PathToken): PathToken {
  const last = before.at(-1);
  if (last?.type !== 'text' || !last.value.endsWith('/')) return { type: 'group', tokens: [token] };
  before.pop();
  if (last.value !== '/') before.push({ type: 'text', value: last.value.slice(0, -1) });
  return { type: 'group', tokens: [{ type: 'text', value: '/' }, token] };
}
