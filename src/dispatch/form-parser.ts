import { EventEmitter } from 'node:events';
import type { PairParser } from './write-query.js';

const FORM = 'application/x-www-form-urlencoded';

interface ExpressApplication {
  readonly router?: { readonly stack?: readonly ExpressLayer[] };
}
interface ExpressLayer {
  readonly name?: string;
  readonly handle?: Middleware;
}
type Middleware = (request: object, response: object, next: () => void) => void;

/**
 * The form parser of an Express application: its own body parser, fed with the text as a request would be, so that what it
 * was configured with counts.
 *
 * @returns `undefined` where the application has none
 */
export function expressFormParser(application: unknown): PairParser | undefined {
  const { stack = [] } = (application as ExpressApplication).router ?? {};
  const parse = stack.find(({ name }) => name === 'urlencodedParser')?.handle;
  if (parse === undefined) return undefined;
  return working((text) => {
    const request = new FormRequest(text);
    let isRead = false;
    parse(request, {}, () => (isRead = true));
    request.send(text);
    return isRead ? request.body : undefined;
  });
}

/** As much of a request as body-parser asks for. What it does with the bytes, it does while they are sent. */
class FormRequest extends EventEmitter {
  readonly method = 'POST';
  readonly headers: Readonly<Record<string, string>>;
  body: unknown;

  constructor(text: string) {
    super();
    this.headers = { 'content-type': FORM, 'content-length': String(Buffer.byteLength(text)) };
  }

  send(text: string): void {
    if (text !== '') this.emit('data', Buffer.from(text));
    this.emit('end');
  }

  pipe(): void {}
  unpipe(): void {}
  pause(): void {}
  resume(): void {}
}

interface ContentTypeParsers {
  getParser(contentType: string): ContentTypeParser | undefined;
}
interface ContentTypeParser {
  readonly asString: boolean;
  readonly asBuffer: boolean;
  readonly fn: (
    request: object,
    body: string | Buffer,
    done: (error: unknown, body?: unknown) => void,
  ) => unknown;
}

/**
 * The form parser of a Fastify instance. Fastify has no public way to reach it, so it is looked for under the symbol that
 * Fastify keeps it under.
 *
 * @returns `undefined` where the instance has none, or hides it
 */
export function fastifyFormParser(instance: unknown): PairParser | undefined {
  const parsers = fastifyMember(instance, 'fastify.contentTypeParser') as
    ContentTypeParsers | undefined;
  const parser = parsers?.getParser(FORM);
  if (parser === undefined || !(parser.asString || parser.asBuffer)) return undefined;
  return working((text) => {
    let read: unknown;
    void parser.fn({ headers: {} }, parser.asString ? text : Buffer.from(text), (error, body) => {
      if (error === null || error === undefined) read = body;
    });
    return read;
  });
}

/** What Fastify keeps of itself under a symbol of that name. */
export function fastifyMember(instance: unknown, name: string): unknown {
  const symbol = Object.getOwnPropertySymbols(instance).find(
    ({ description }) => description === name,
  );
  return symbol === undefined ? undefined : (instance as Record<symbol, unknown>)[symbol];
}

/** A parser that does not even read `a=1` is not one that can be asked, an asynchronous one for example. */
function working(parse: PairParser): PairParser | undefined {
  try {
    const read = parse('a=1') as { readonly a?: unknown } | undefined;
    return read?.a === undefined ? undefined : parse;
  } catch {
    return undefined;
  }
}
