import { isMembers, memberLabel, scalarText } from './argument-text.js';
import type { ParameterPlace, RouteInput, RouteParameter } from '../schema/route-input.js';
import {
  COOKIE_VALUE_RULE,
  FIELD_VALUE_RULE,
  isCookieValue,
  isFieldValue,
  isToken,
} from './header-syntax.js';
import { compileBodyWriter, groupSchema, type BodyWriter } from './write-body.js';
import { compilePathWriter, type PathWriter } from './write-path.js';
import {
  compilePairWriter,
  RequestTooLarge,
  type PairParser,
  type PairWriter,
} from './write-query.js';

/** A request as a tool's arguments make it. */
export interface WrittenRequest {
  readonly ok: true;
  /** Path and query (RFC 9112, section 3.2.1: origin-form). */
  readonly url: string;
  /** Name, value, name, value, …; names in lower case. */
  readonly headers: readonly string[];
  readonly body: Buffer | undefined;
}

/** Arguments of which no request can be made. */
export interface Unwritable {
  readonly ok: false;
  /** Sentences that a model can act on, at least one. */
  readonly problems: readonly string[];
  /** Whether the request would be larger than it may: an answer of status 413. */
  readonly tooLarge: boolean;
}

export type RequestWriter = (
  args: Readonly<Record<string, unknown>>,
) => WrittenRequest | Unwritable;

export interface RequestTarget {
  readonly httpMethod: string;
  /** The path as the adapter got it. */
  readonly path: string;
  readonly input: RouteInput;
  /** The application's query parser. Without it lists are repeated, and nothing is read back. */
  readonly parseQuery?: PairParser | undefined;
  /** The application's parser of `application/x-www-form-urlencoded`, likewise. */
  readonly parseForm?: PairParser | undefined;
  /** How large the URL, the headers and the body may be together, in bytes. Default: 16 MiB. */
  readonly maxBytes?: number | undefined;
}

type Values = Readonly<Record<string, unknown>>;
type HeaderWriter = (values: Values | undefined, headers: string[], problems: string[]) => void;

/** The arguments, each in the place where the request carries it. */
interface Placed {
  path?: Values | undefined;
  query?: Values | undefined;
  header?: Values | undefined;
  cookie?: Values | undefined;
  body?: unknown;
}

/** Fields that frame or address the request, written by this module alone. */
export const FRAMING: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'content-type',
  'cookie',
  'expect',
  'host',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);
/** A long member name before each element of a long list grows with the square of the arguments. */
const MEMORY_BOUND = 16 * 1024 * 1024;
const PARAMETER_PLACES: readonly ParameterPlace[] = ['path', 'query', 'header', 'cookie'];

/**
 * Compiles the writer of a tool's requests. Only what cannot be written at all is a problem: whether the arguments fit
 * is for the argument check and the route's own pipes to say, after its guards.
 *
 * Members count that are own and enumerable, `__proto__` like any other. Headers and cookies are written only when the
 * route names them, so that a model cannot add credentials of its choice.
 *
 * @throws Error when the path cannot be read or a parameter has a name that no request can carry
 */
export function compileRequestWriter(target: RequestTarget): RequestWriter {
  const { input, maxBytes = MEMORY_BOUND } = target;
  const place = compilePlacement(input);
  const writers: Writers = {
    path: compilePathWriter(target.path, namesIn(input, 'path'), base(input, 'path')),
    query: compileQuery(target, maxBytes),
    header: compileHeaders(input),
    cookie: compileCookies(input),
    body: input.body && compileBodyWriter({ ...target, mediaType: input.body.mediaType, maxBytes }),
  };
  return (args) => {
    const problems: string[] = [];
    try {
      const written = write(writers, place(args, problems), problems);
      if (problems.length > 0) return { ok: false, problems, tooLarge: false };
      return sizeOf(written) > maxBytes ? tooLarge(maxBytes) : written;
    } catch (error) {
      if (error instanceof RequestTooLarge) return tooLarge(maxBytes);
      throw error;
    }
  };
}

interface Writers {
  readonly path: PathWriter;
  readonly query: PairWriter;
  readonly header: HeaderWriter;
  readonly cookie: HeaderWriter;
  readonly body: BodyWriter | undefined;
}

function write(writers: Writers, placed: Placed, problems: string[]): WrittenRequest {
  const path = writers.path(placed.path, problems);
  const query = placed.query === undefined ? '' : writers.query(placed.query, problems);
  const headers: string[] = [];
  writers.header(placed.header, headers, problems);
  writers.cookie(placed.cookie, headers, problems);
  const body = writers.body?.(placed.body, problems);
  if (body !== undefined) {
    headers.push('content-type', body.contentType, 'content-length', String(body.bytes.length));
  }
  return { ok: true, url: query === '' ? path : `${path}?${query}`, headers, body: body?.bytes };
}

function sizeOf({ url, headers, body }: WrittenRequest): number {
  let size = url.length + (body?.length ?? 0);
  for (const text of headers) size += text.length;
  return size;
}

function tooLarge(maxBytes: number): Unwritable {
  const problem = `the request that these arguments make is larger than ${maxBytes} bytes`;
  return { ok: false, problems: [problem], tooLarge: true };
}

function compilePlacement(input: RouteInput): (args: Values, problems: string[]) => Placed {
  return input.layout === 'flat' ? flatPlacement(input) : groupedPlacement(input);
}

function groupedPlacement(input: RouteInput): (args: Values, problems: string[]) => Placed {
  const bodyGroup = input.body && isFormType(input.body.mediaType) ? 'form' : 'body';
  return (args, problems) => {
    const placed: Placed = { body: Object.hasOwn(args, bodyGroup) ? args[bodyGroup] : undefined };
    for (const place of PARAMETER_PLACES) {
      const group = Object.hasOwn(args, place) ? args[place] : undefined;
      if (group === undefined) continue;
      if (isMembers(group)) placed[place] = group;
      else problems.push(`${place} must be an object`);
    }
    return placed;
  };
}

function flatPlacement(input: RouteInput): (args: Values) => Placed {
  const places = new Map(input.parameters.map(({ name, place }) => [name, place]));
  const emptyBody = input.body?.required === true;
  return (args) => {
    const placed: Record<ParameterPlace | 'body', Record<string, unknown>> = {
      path: members(),
      query: members(),
      header: members(),
      cookie: members(),
      body: members(),
    };
    let hasBody = emptyBody;
    for (const name of Object.keys(args)) {
      const place = places.get(name);
      placed[place ?? 'body'][name] = args[name];
      hasBody ||= place === undefined && args[name] !== undefined;
    }
    return hasBody ? placed : { ...placed, body: undefined };
  };
}

/** Without a prototype, so that `__proto__` is a member like any other. */
function members(): Record<string, unknown> {
  return Object.create(null) as Record<string, unknown>;
}

function compileQuery({ input, parseQuery }: RequestTarget, maxBytes: number): PairWriter {
  return compilePairWriter({
    base: base(input, 'query'),
    reader: 'query parser',
    known: new Set(namesIn(input, 'query')),
    // A member that the schema forbids is never the route's: the argument check refuses the call, but middleware and
    // guards run before that (`?_method=DELETE`).
    open: groupSchema(input, 'query')?.additionalProperties !== false,
    parse: parseQuery,
    maxBytes,
  });
}

function compileHeaders(input: RouteInput): HeaderWriter {
  const parameters = parametersIn(input, 'header');
  for (const { name } of parameters) {
    if (FRAMING.has(name)) throw unwritableName('header', name, 'this module writes it itself');
  }
  return (values, headers, problems) => {
    if (values === undefined) return;
    for (const { name, label } of parameters) {
      const text = parameterText(values, name, label, problems);
      if (text === undefined) continue;
      if (isFieldValue(text)) headers.push(name, text);
      else problems.push(`${label} ${FIELD_VALUE_RULE}`);
    }
  };
}

function compileCookies(input: RouteInput): HeaderWriter {
  const parameters = parametersIn(input, 'cookie');
  return (values, headers, problems) => {
    if (values === undefined) return;
    let cookies = '';
    for (const { name, label } of parameters) {
      const text = parameterText(values, name, label, problems);
      if (text === undefined) continue;
      // Readers of cookies decode percent signs, which RFC 6265 leaves to them.
      const written = text.replaceAll('%', '%25');
      if (isCookieValue(text)) cookies += `${cookies === '' ? '' : '; '}${name}=${written}`;
      else problems.push(`${label} ${COOKIE_VALUE_RULE}`);
    }
    if (cookies !== '') headers.push('cookie', cookies);
  };
}

function parameterText(
  values: Values,
  name: string,
  label: string,
  problems: string[],
): string | undefined {
  const value = Object.hasOwn(values, name) ? values[name] : undefined;
  if (value === undefined) return undefined;
  const text = scalarText(value);
  if (text === undefined) problems.push(`${label} must be a string, a number or a boolean`);
  return text;
}

function parametersIn(input: RouteInput, place: ParameterPlace): { name: string; label: string }[] {
  return namesIn(input, place).map((name) => {
    if (!isToken(name))
      throw unwritableName(place, name, 'it is no token (RFC 9110, section 5.6.2)');
    return { name, label: memberLabel(base(input, place), name) };
  });
}

function unwritableName(place: ParameterPlace, name: string, why: string): Error {
  return new Error(`The ${place} "${name}" cannot be an argument of a tool: ${why}.`);
}

function namesIn(input: RouteInput, place: ParameterPlace): string[] {
  const isThere = (parameter: RouteParameter) => parameter.place === place;
  return input.parameters.filter(isThere).map(({ name }) => name);
}

function base(input: RouteInput, place: ParameterPlace): string {
  return input.layout === 'flat' ? '' : place;
}

function isFormType(mediaType: string): boolean {
  return mediaType === 'multipart/form-data' || mediaType === 'application/x-www-form-urlencoded';
}
