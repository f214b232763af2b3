import { compileBody, type BodyWriter } from './write-content.js';
import { compileParameter, type ParameterWriter } from './write-parameters.js';
import type { RestOperation, RestParameter } from './operation.js';

/** The request of a call, without its credentials. */
export interface WrittenRequest {
  /** Path without query, as it is sent. */
  readonly path: string;
  /** Pairs `name=value`, encoded, in order. */
  readonly query: readonly string[];
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Pairs `name=value`. */
  readonly cookies: readonly string[];
  readonly body: Buffer | undefined;
}

/** Writes the request of the arguments; `undefined` after a problem. */
export type RequestWriter = (args: unknown, problems: string[]) => WrittenRequest | undefined;

/** Longer targets are refused by most servers anyway. */
const MAX_TARGET_BYTES = 32 * 1024;
const PLACEHOLDER = /\{([^{}]*)\}/g;

interface NamedWriter {
  readonly name: string;
  readonly write: ParameterWriter;
}

/** The names of the placeholders in a URL template. */
export function placeholdersOf(url: string): readonly string[] {
  return [...url.matchAll(PLACEHOLDER)].map(([, name]) => name as string);
}

/**
 * Compiles an operation, already checked, into the writer of its request.
 *
 * @param reserved names of query parameters that no exploded object may write: those of credentials
 */
export function compileRequestWriter(
  operation: RestOperation,
  path: string,
  reserved: readonly string[],
): RequestWriter {
  const writers = (place: RestParameter['in']): readonly NamedWriter[] =>
    (operation.parameters ?? [])
      .filter((parameter) => parameter.in === place)
      .map((parameter) => ({ name: parameter.name, write: compileParameter(parameter) }));
  const writePath = pathWriter(path, writers('path'));
  const writeQuery = queryWriter(writers('query'), reserved);
  const headerWriters = writers('header');
  const cookieWriters = writers('cookie');
  const writeBody: BodyWriter =
    operation.body === undefined ? () => undefined : compileBody(operation.body);
  return (args, problems) => {
    const target = writePath(args, problems);
    const query = writeQuery(args, problems);
    const headers = writeNamed(headerWriters, args, problems);
    const cookies = writeNamed(cookieWriters, args, problems);
    const body = writeBody(args, problems);
    checkTarget(target, query, problems);
    if (problems.length > 0) return undefined;
    return {
      path: target,
      query,
      headers: Object.fromEntries([
        ...headers.map(([name, value]) => [name.toLowerCase(), value] as const),
        ...(body === undefined ? [] : [['content-type', body.contentType] as const]),
      ]),
      cookies: cookies.map((pair) => pair.join('=')),
      body: body?.bytes,
    };
  };
}

/** Whatever the values were, the path is the one that every reader of a URL would read. */
function checkTarget(path: string, query: readonly string[], problems: string[]): void {
  if (problems.length > 0) return;
  if (path.length + query.reduce((sum, pair) => sum + pair.length + 1, 0) > MAX_TARGET_BYTES) {
    problems.push(`the arguments make a URL of more than ${MAX_TARGET_BYTES} bytes`);
  } else if (new URL(path, 'https://upstream.invalid').pathname !== path) {
    problems.push('the arguments make another path than that of this operation');
  }
}

function pathWriter(
  template: string,
  writers: readonly NamedWriter[],
): (args: unknown, problems: string[]) => string {
  const byName = new Map(writers.map(({ name, write }) => [name, write]));
  return (args, problems) =>
    template.replace(PLACEHOLDER, (_, name: string) => byName.get(name)?.(args, problems) ?? '');
}

function queryWriter(
  writers: readonly NamedWriter[],
  reserved: readonly string[],
): (args: unknown, problems: string[]) => string[] {
  const names = new Set([...writers.map(({ name }) => name), ...reserved]);
  return (args, problems) =>
    writers.flatMap(({ name, write }) => {
      const text = write(args, problems);
      if (text === undefined) return [];
      const pairs = text.split('&');
      // An exploded object brings names of its own, which must not be those of others.
      const taken = pairs.map(nameOfPair).find((one) => one !== name && names.has(one));
      if (taken !== undefined) {
        problems.push(
          `a member must not be called ${JSON.stringify(taken)}, which another parameter is`,
        );
      }
      return pairs;
    });
}

function nameOfPair(pair: string): string {
  return decodeURIComponent(pair.split('=', 1)[0] ?? '');
}

function writeNamed(
  writers: readonly NamedWriter[],
  args: unknown,
  problems: string[],
): readonly (readonly [string, string])[] {
  return writers.flatMap(({ name, write }) => {
    const text = write(args, problems);
    return text === undefined ? [] : [[name, text] as const];
  });
}
