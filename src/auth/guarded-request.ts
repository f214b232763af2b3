import type { ExecutionContext } from '@nestjs/common';
import type { IncomingMessage } from 'node:http';

/** A request of Express or Fastify, with what a guard leaves on it. */
export interface GuardedRequest {
  readonly headers: IncomingMessage['headers'];
  readonly raw?: IncomingMessage;
  readonly rawHeaders?: readonly string[];
  auth?: unknown;
  user?: unknown;
}

/** How often a header was sent: of `Authorization` Node keeps the first and says nothing of the others. */
export function timesSent(request: GuardedRequest, name: string): number {
  const raw = request.raw?.rawHeaders ?? request.rawHeaders ?? [];
  return raw.filter((text, index) => index % 2 === 0 && text.toLowerCase() === name).length;
}

/** Sets a header of the answer, in the way that Express and Fastify share. */
export function setHeader(context: ExecutionContext, name: string, value: string): void {
  const response = context
    .switchToHttp()
    .getResponse<{ header(name: string, value: string): unknown }>();
  response.header(name, value);
}
