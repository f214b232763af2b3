import { callOf } from './call.js';

type Handler = (request: object, response: object, next?: () => void) => unknown;

/** Fastify's way to say that there is no such route. */
interface FastifyReply {
  callNotFound(): void;
}

/**
 * The handler of a route that is there for tool calls alone: to any other request it is not there, and the application's own
 * 404 answers.
 */
export function onlyForCalls(handler: Handler): Handler {
  const own: Handler = (request, response, next) => {
    if (callOf(request) !== undefined) return handler(request, response, next);
    if (next !== undefined) return next();
    return (response as FastifyReply).callNotFound();
  };
  // Adapters read options of a route from its handler: its version, and metadata that Nest has put there.
  for (const key of Reflect.getMetadataKeys(handler) as string[]) {
    Reflect.defineMetadata(key, Reflect.getMetadata(key, handler), own);
  }
  return Object.assign(own, handler);
}
