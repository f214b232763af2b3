import type { IncomingMessage, ServerResponse } from 'node:http';
import { parse } from 'node:url';
import { takeBody } from './body-intake.js';
import { challengeUnauthorized } from './challenge.hook.js';
import type { ProtectedResource } from './protected-resource.js';
import { mayBeMetadata, serveMetadata } from './well-known.js';
import { writeRefusal } from './write-answer.js';

/** How long a client whose message is refused may go on sending it, in milliseconds. */
const LINGER_MS = 2_000;

/** Finds out whether a request goes to an endpoint, and how many bytes that one takes. */
export interface EndpointPaths {
  /** @param path as the router registered it */
  maxBytesOf(path: string): number | undefined;
  /** @param path as the router registered it */
  resourceAt(path: string): ProtectedResource | undefined;
  readonly paths: Iterable<string>;
  /** The root endpoint's first. */
  readonly resources: readonly ProtectedResource[];
}

type Next = (error?: unknown) => void;
type ExpressMiddleware = (request: IncomingMessage, response: ServerResponse, next: Next) => void;

export interface ExpressApplication {
  use(middleware: ExpressMiddleware): void;
  /** The settings of the application count until this is made; from then on they are here. */
  readonly router: { readonly caseSensitive?: boolean; readonly strict?: boolean };
}

/**
 * Express: a middleware that stands before everything else. A body parser that finds a drained request leaves it alone.
 * Paths are compared as Express compares them: without case and with or without a slash at the end, unless told otherwise.
 */
export function installOnExpress(application: ExpressApplication, endpoints: EndpointPaths): void {
  const normalize = (path: string): string => {
    const { caseSensitive, strict } = application.router;
    const cased = caseSensitive === true ? path : path.toLowerCase();
    return strict === true || cased === '/' ? cased : cased.replace(/\/$/, '');
  };
  let registered: ((path: string) => string | undefined) | undefined;
  application.use((request, response, next) => {
    if (answersMetadata(request, response, endpoints)) return;
    registered ??= registeredPaths(endpoints, normalize);
    const path = registered(normalize(pathOf(request.url ?? '')));
    const limit = path === undefined ? undefined : endpoints.maxBytesOf(path);
    if (path === undefined || limit === undefined) return next();
    protect(request, response, endpoints.resourceAt(path));
    take(request, response, limit, next);
  });
}

interface FastifyRequest {
  readonly raw: IncomingMessage;
  readonly routeOptions: { readonly url?: string };
  headers: Record<string, string | string[] | undefined>;
}
type FastifyHook = (request: FastifyRequest, reply: FastifyReply, next: Next) => void;
interface FastifyReply {
  readonly raw: ServerResponse;
  hijack(): void;
}

export interface FastifyInstance {
  addHook(name: 'onRequest', hook: FastifyHook): void;
}

/**
 * Fastify: a hook before parsing. A request without a content type and length is handed to the handler without being parsed,
 * so that Fastify's own answers to a missing type, an empty body or its own limit never take the place of ours.
 */
export function installOnFastify(instance: FastifyInstance, endpoints: EndpointPaths): void {
  instance.addHook('onRequest', (request, reply, next) => {
    const { url } = request.routeOptions;
    const limit = url === undefined ? undefined : endpoints.maxBytesOf(url);
    if (url === undefined || limit === undefined) {
      if (answersMetadata(request.raw, reply.raw, endpoints)) reply.hijack();
      else next();
      return;
    }
    protect(request.raw, reply.raw, endpoints.resourceAt(url));
    // The setter lays these over the headers that parsing sees; the raw ones stay.
    request.headers = {
      'content-type': undefined,
      'content-length': undefined,
      'transfer-encoding': undefined,
    };
    take(request.raw, reply.raw, limit, next, () => reply.hijack());
  });
}

/** The documents stand before the application: its prefix, guards and parsers are for its routes. */
function answersMetadata(
  request: IncomingMessage,
  response: ServerResponse,
  endpoints: EndpointPaths,
): boolean {
  if (!mayBeMetadata(request.url)) return false;
  return serveMetadata(pathOf(request.url ?? ''), request, response, endpoints.resources);
}

function protect(
  request: IncomingMessage,
  response: ServerResponse,
  resource: ProtectedResource | undefined,
): void {
  if (resource !== undefined) challengeUnauthorized(request, response, resource);
}

function take(
  request: IncomingMessage,
  response: ServerResponse,
  limit: number,
  next: Next,
  beforeRefusal?: () => void,
): void {
  takeBody(request, limit, (intake) => {
    if (intake.ok) return next();
    beforeRefusal?.();
    response.once('finish', () => linger(request));
    writeRefusal(response, intake.status, intake.message);
  });
}

/**
 * Node reads on and throws away what still comes. A connection that is cut at once can lose the answer on its way, but one
 * that goes on sending is not kept for it.
 */
function linger(request: IncomingMessage): void {
  if (request.complete) return;
  const timer = setTimeout(() => request.destroy(), LINGER_MS);
  timer.unref();
  request.once('close', () => clearTimeout(timer));
}

/** The path of a request target, as Express reads it: an absolute one and one with a fragment are paths, too. */
function pathOf(url: string): string {
  if (/^\/[^\s#\u00a0\ufeff]*$/.test(url)) return url.split('?', 1)[0] as string;
  try {
    return parse(url).pathname ?? '';
  } catch {
    return '';
  }
}

/** @returns a function that gives the registered path that a path leads to, `undefined` where it leads to no endpoint */
function registeredPaths(
  { paths }: EndpointPaths,
  normalize: (path: string) => string,
): (path: string) => string | undefined {
  const plain = new Map<string, string>();
  const patterns: { readonly pattern: RegExp; readonly registered: string }[] = [];
  for (const registered of paths) {
    if (registered.includes('/:'))
      patterns.push({ pattern: patternOf(registered, normalize), registered });
    else plain.set(normalize(registered), registered);
  }
  return (path) =>
    plain.get(path) ?? patterns.find(({ pattern }) => pattern.test(path))?.registered;
}

/** Parameters are whole segments, and everything else is plain: `/mcp/v1/:workspaceSlug/:agentSlug`. */
function patternOf(path: string, normalize: (path: string) => string): RegExp {
  const segments = path
    .split('/')
    .map((one) => (one.startsWith(':') ? '[^/]+' : normalize(one).replace(/[.~]/g, '\\$&')));
  return new RegExp(`^${segments.join('/')}$`);
}
