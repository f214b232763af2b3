import { Logger, RequestMethod } from '@nestjs/common';
import { randomBytes } from 'node:crypto';
import { readToolOptions } from './tool-metadata.js';

/** Keys of `@nestjs/common` (its `constants.js`, which is no public entry) and of `@nestjs/swagger`. */
const KEYS = {
  path: 'path',
  method: 'method',
  status: '__httpCode__',
  excludeEndpoint: 'swagger/apiExcludeEndpoint',
} as const;

/** The segment under which tool-only methods are registered: unlike any path that somebody else would choose, or guess. */
const SEGMENT = `mcp-tool-only-${randomBytes(16).toString('hex')}`;

/**
 * Makes a route of a tool-only method, so that Nest builds its guards, pipes, interceptors and filters as those of any other.
 * Must run before Nest binds middleware to controllers.
 *
 * @returns what is wrong with the method, `undefined` when it is a route now
 */
export function makeToolOnlyRoute(method: object, name: string): string | undefined {
  const path = `${SEGMENT}/${name.replace(/[^\w$]/g, '-')}`;
  const given = Reflect.getMetadata(KEYS.path, method) as unknown;
  if (given !== undefined && given !== path) {
    return 'has @McpToolOnly() and an HTTP method decorator. Remove one of them.';
  }
  if (readToolOptions(method) === undefined) {
    return 'has @McpToolOnly() without @McpTool(), so that nothing serves it. Add @McpTool().';
  }
  Reflect.defineMetadata(KEYS.path, path, method);
  Reflect.defineMetadata(KEYS.method, RequestMethod.POST, method);
  Reflect.defineMetadata(KEYS.excludeEndpoint, { disable: true }, method);
  // 201 stands for what a POST has created; here nothing but the tool's result is meant.
  if (!Reflect.hasMetadata(KEYS.status, method)) Reflect.defineMetadata(KEYS.status, 200, method);
  return undefined;
}

/** A path without the segment that nobody is to see. */
export function withoutToolOnlySegment(path: string): string {
  return path.replace(`/${SEGMENT}`, '');
}

/**
 * Express gives a request to the first route that matches, such as `/orders/:a/:b/:c`. Tool-only routes come first, behind
 * every middleware. On other frameworks a plain path goes before one with parameters.
 *
 * @param instance the framework's application, before it has any route of Nest
 * @returns what to call after a tool-only route was registered
 */
export function toolOnlyRoutesFirst(instance: unknown): () => void {
  const { router } = instance as { router?: { stack?: unknown[] } };
  const stack = router?.stack;
  if (!Array.isArray(stack)) return () => undefined;
  const first = stack.length;
  return () => {
    const [layer] = stack.splice(-1);
    stack.splice(first, 0, layer);
  };
}

const LEVELS = ['log', 'warn', 'debug', 'verbose'] as const;
type Log = (message: unknown, ...rest: unknown[]) => void;

let silencers = 0;
let restoreLogger: () => void = () => undefined;

/**
 * Keeps Nest's log silent of the routes of tool-only methods, until the function that is returned is called. Nest logs a route
 * through a logger of its own, so that its class is the one place to stand in the way.
 */
export function silenceToolOnlyRoutes(): () => void {
  silencers += 1;
  if (silencers === 1) restoreLogger = patchLogger();
  let isOver = false;
  return () => {
    if (isOver) return;
    isOver = true;
    silencers -= 1;
    if (silencers === 0) restoreLogger();
  };
}

function patchLogger(): () => void {
  const prototype = Logger.prototype as unknown as Record<(typeof LEVELS)[number], Log>;
  const originals = LEVELS.map((level) => [level, prototype[level]] as const);
  for (const [level, original] of originals) {
    prototype[level] = function (this: Logger, message, ...rest) {
      if (typeof message === 'string' && message.includes(SEGMENT)) return;
      original.call(this, message, ...rest);
    };
  }
  return () => {
    for (const [level, original] of originals) prototype[level] = original;
  };
}
