import type { INestApplication } from '@nestjs/common';
import type { Server } from 'node:http';
import { httpFramework } from '../dispatch/http-framework.js';
import { createExchangeFactory } from '../dispatch/in-process-exchange.js';
import { InProcessSocket } from '../dispatch/in-process-socket.js';

/** The largest answer that is read, in bytes. */
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;

/** `fetch`, for a client that talks to one application. */
export type InProcessFetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

/**
 * A `fetch` that hands requests to an application's own HTTP server, which need not listen.
 *
 * @param app initialized (Fastify: ready, too)
 */
export function inProcessFetch(app: INestApplication): InProcessFetch {
  const adapter = app.getHttpAdapter();
  const server = app.getHttpServer() as Server;
  const { constructors } = httpFramework(adapter.getType(), adapter.getInstance());
  const createExchange = createExchangeFactory(constructors);

  return async (url, init) => {
    const request = new Request(url, init);
    const { host, pathname, search } = new URL(request.url);
    const body = Buffer.from(await request.arrayBuffer());
    const rawHeaders = ['host', host, ...[...request.headers].flat()];
    if (body.length > 0) rawHeaders.push('content-length', String(body.length));
    const head = {
      method: request.method,
      url: pathname + search,
      rawHeaders,
      socket: InProcessSocket.loopback(),
    };
    return new Promise((resolve, reject) => {
      const failed = (reason: string) => () => reject(new TypeError(`fetch failed: ${reason}`));
      const exchange = createExchange(head, body.length > 0 ? body : undefined, MAX_ANSWER_BYTES, {
        answered: (answer) => resolve(toResponse(exchange.response.getHeaders(), answer)),
        overflowed: failed('the answer is too large'),
        closed: failed('the application closed the connection'),
      });
      request.signal.addEventListener('abort', () => {
        exchange.abort();
        reject(new DOMException('The operation was aborted.', 'AbortError'));
      });
      server.emit('request', exchange.request, exchange.response);
    });
  };
}

function toResponse(
  headers: NodeJS.Dict<number | string | string[]>,
  { status, body }: { status: number; body: Buffer },
): Response {
  const list = Object.entries(headers).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map((one): [string, string] => [name, String(one)]),
  );
  return new Response(body.length > 0 ? new Uint8Array(body) : null, { status, headers: list });
}
