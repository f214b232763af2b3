import { elementLabel, memberLabel, scalarText } from './argument-text.js';
import { parsePath, type PathToken } from './parse-path.js';
import { segmentProblem } from './path-segment.js';

type Values = Readonly<Record<string, unknown>> | undefined;

/** Writes the path of a URL, and says in `problems` what cannot be written. */
export type PathWriter = (values: Values, problems: string[]) => string;

/** What a token says of the values: the text that stands for it. */
type Part = string | { readonly type: 'value'; readonly write: PathWriter } | PathGroup;

interface PathGroup {
  readonly type: 'group';
  readonly names: readonly string[];
  readonly parts: readonly Part[];
}

const UNWRITABLE_IN_URL = /[^\x21-\x7e]+/gu;

/**
 * Compiles a route's path into a writer of it.
 *
 * A parameter becomes one segment, whatever it holds: `a/b` is written `a%2Fb` (RFC 3986, section 2.2). What a reader
 * might take for a step in the path is refused: an empty segment, `.` and `..`, also when encoded once.
 *
 * @param path as the adapter got it: path-to-regexp 8 for Express, find-my-way for Fastify
 * @param names the path parameters of the tool, for a wildcard that the path itself leaves unnamed
 * @param base how messages call the group of the arguments, `path` or nothing
 * @throws Error when the path cannot be read
 */
export function compilePathWriter(
  path: string,
  names: readonly string[],
  base: string,
): PathWriter {
  const tokens = parsePath(path, names);
  const separators = separatorsByName(tokens);
  const parts = compileTokens(tokens, { base, separators });
  return (values, problems) => {
    const written = writeParts(parts, values, problems);
    return written.startsWith('/') ? written : `/${written}`;
  };
}

interface PathContext {
  readonly base: string;
  /** For a parameter that shares a segment with others, the texts that stand between them. */
  readonly separators: ReadonlyMap<string, readonly string[]>;
}

function compileTokens(tokens: readonly PathToken[], context: PathContext): Part[] {
  return tokens.map((token): Part => {
    if (token.type === 'text') return token.value.replace(UNWRITABLE_IN_URL, encodeURIComponent);
    if (token.type === 'group') {
      const names = token.tokens.flatMap(ownNames);
      return { type: 'group', names, parts: compileTokens(token.tokens, context) };
    }
    const label = memberLabel(context.base, token.name);
    if (token.type === 'wildcard') return { type: 'value', write: wildcardWriter(token, label) };
    const separators = context.separators.get(token.name) ?? [];
    return { type: 'value', write: parameterWriter(token.name, label, separators) };
  });
}

function ownNames(token: PathToken): readonly string[] {
  if (token.type === 'text') return [];
  return token.type === 'group' ? token.tokens.flatMap(ownNames) : [token.name];
}

function writeParts(parts: readonly Part[], values: Values, problems: string[]): string {
  let written = '';
  for (const part of parts) {
    if (typeof part === 'string') written += part;
    else if (part.type === 'value') written += part.write(values, problems);
    // An optional group without a value is left out: the shorter path is the route's, too.
    else if (part.names.some((name) => ownValue(values, name) !== undefined)) {
      written += writeParts(part.parts, values, problems);
    }
  }
  return written;
}

function ownValue(values: Values, name: string): unknown {
  return values !== undefined && Object.hasOwn(values, name) ? values[name] : undefined;
}

function parameterWriter(name: string, label: string, separators: readonly string[]): PathWriter {
  return (values, problems) => {
    const value = ownValue(values, name);
    if (value === undefined) return refuse(problems, `${label} is required`);
    const text = scalarText(value);
    if (text === undefined)
      return refuse(problems, `${label} must be a string, a number or a boolean`);
    const separator = separators.find((one) => text.toLowerCase().includes(one));
    if (separator !== undefined) {
      return refuse(
        problems,
        `${label} must not hold "${separator}", which ends it in the path of this route`,
      );
    }
    return writeSegment(text, label, problems);
  };
}

function wildcardWriter(token: PathToken & { type: 'wildcard' }, label: string): PathWriter {
  return (values, problems) => {
    const value = ownValue(values, token.name);
    if (value === undefined) {
      return token.required ? refuse(problems, `${label} is required`) : '';
    }
    if (Array.isArray(value)) {
      if (value.length === 0) return refuse(problems, `${label} must not be empty`);
      return value
        .map((element, i) => writeElement(element, elementLabel(label, i), problems))
        .join('/');
    }
    const text = scalarText(value);
    if (text === undefined) {
      return refuse(problems, `${label} must be a string, or a list of the path's segments`);
    }
    if (text === '') return refuse(problems, `${label} must not be empty`);
    const segments = text.split('/');
    if (segments.includes('')) {
      return refuse(problems, `${label} must not begin or end with "/", nor hold "//"`);
    }
    // A list of problems for each segment would say the same thing again and again.
    const own: string[] = [];
    const written = segments.map((segment) => writeSegment(segment, label, own)).join('/');
    return own[0] === undefined ? written : refuse(problems, own[0]);
  };
}

function writeElement(element: unknown, label: string, problems: string[]): string {
  const text = scalarText(element);
  if (text === undefined)
    return refuse(problems, `${label} must be a string, a number or a boolean`);
  return writeSegment(text, label, problems);
}

function writeSegment(text: string, label: string, problems: string[]): string {
  const problem = segmentProblem(text);
  return problem === undefined ? encodeURIComponent(text) : refuse(problems, `${label} ${problem}`);
}

function refuse(problems: string[], problem: string): string {
  problems.push(problem);
  return '';
}

/**
 * Where parameters share a segment (`/:from-:to`), a router splits it at the text between them: a value that holds the
 * text would arrive as another one. Compared in lower case, since routers match text without regard to case.
 */
function separatorsByName(tokens: readonly PathToken[]): Map<string, string[]> {
  const found = new Map<string, string[]>();
  let names: string[] = [];
  let texts: string[] = [];
  const endSegment = () => {
    // Text before the first and after the last parameter separates nothing.
    if (names.length > 1)
      for (const name of names) found.set(name, texts.slice(0, names.length - 1));
    names = [];
    texts = [];
  };
  const visit = (token: PathToken): void => {
    if (token.type === 'group') return token.tokens.forEach(visit);
    if (token.type !== 'text') {
      names.push(token.name);
      return;
    }
    token.value.split('/').forEach((text, i) => {
      if (i > 0) endSegment();
      if (names.length > 0 && text !== '') texts.push(text.toLowerCase());
    });
  };
  tokens.forEach(visit);
  endSegment();
  return found;
}
