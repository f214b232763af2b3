import { IncomingMessage, ServerResponse } from 'node:http';
import type { ExchangeConstructors } from './exchange-constructors.js';

/** What an HTTP server tells its listeners with a request of its own making. */
const WITH_REQUEST = ['request', 'upgrade', 'connect', 'checkContinue', 'checkExpectation'];

/** From this one on, V8 lets objects share their shape after their prototype was replaced. */
const FIRST_NODE_THAT_SHARES = 24;

interface NodeServer {
  listenerCount(event: string): number;
  on(event: 'newListener', listener: (event: string | symbol) => void): unknown;
  off(event: 'newListener', listener: (event: string | symbol) => void): unknown;
}

/**
 * Lets a server make its requests and responses with the prototypes that Express gives them anyway.
 *
 * Express replaces the prototype of each request and response. In V8 before Node 24 such an object shares its shape with no
 * other: each member that is added makes a shape anew, and all code that reads it is slow, for every route of the
 * application. An object that has the prototype from the start costs a fraction.
 *
 * Only while Express is the server's one listener. Whoever else listens (WebSockets, say) would find Express's members on
 * requests that never went through Express, some of which cannot be assigned to; so from then on, everything is as before.
 *
 * @returns whether the server uses them
 */
export function useConstructors(
  server: object,
  { Request, Response }: ExchangeConstructors,
  nodeVersion: string = process.versions.node,
): boolean {
  if (Number.parseInt(nodeVersion, 10) >= FIRST_NODE_THAT_SHARES) return false;
  const slots = slotsOf(server);
  if (slots === undefined || !hasOneListener(server as NodeServer)) return false;
  const events = server as NodeServer;
  const set = (request: unknown, response: unknown): void => {
    Object.assign(server, { [slots.request]: request, [slots.response]: response });
  };
  const giveBack = (event: string | symbol): void => {
    if (!WITH_REQUEST.includes(event as string)) return;
    events.off('newListener', giveBack);
    set(IncomingMessage, ServerResponse);
  };
  events.on('newListener', giveBack);
  set(Request, Response);
  return true;
}

/**
 * Where Node keeps what the options `IncomingMessage` and `ServerResponse` of `http.createServer()` say: under symbols, which
 * have to be found by their names. Nothing is touched that somebody else has chosen, or that is not there.
 */
function slotsOf(server: object): { request: symbol; response: symbol } | undefined {
  const members = server as Record<symbol, unknown>;
  const find = (name: string, value: unknown): symbol | undefined =>
    Object.getOwnPropertySymbols(server).find(
      (symbol) => symbol.description === name && members[symbol] === value,
    );
  const request = find('IncomingMessage', IncomingMessage);
  const response = find('ServerResponse', ServerResponse);
  return request === undefined || response === undefined ? undefined : { request, response };
}

function hasOneListener(server: NodeServer): boolean {
  return WITH_REQUEST.every(
    (event) => server.listenerCount(event) === (event === 'request' ? 1 : 0),
  );
}
