/**
 * @file `node bench/cost.mjs [express|fastify] [EXTRA]`: what a call is made of, in microseconds, without sockets: the route
 * itself, a message that calls nothing, and a call. Requests are handed to the server in-process, so that neither the network
 * nor the load generator counts. `EXTRA` of `lib/extras.mjs` is added to the application. Of many rounds the fastest
 * twentieth counts, which a busy machine disturbs least.
 */
import { createExchangeFactory } from '../dist/dispatch/in-process-exchange.js';
import { httpFramework } from '../dist/dispatch/http-framework.js';
import { InProcessSocket } from '../dist/dispatch/in-process-socket.js';
import { CHECKS } from './lib/checks.mjs';
import { MESSAGES } from './lib/messages.mjs';
import { createApp } from './servers/nest.mjs';

const ROUNDS = 1500;
const AT_ONCE = 20;
const LIMIT = 2 ** 20;
const [platform = 'express', extra] = process.argv.slice(2);
const GROUPED = { toolArguments: { path: { id: 'ord_1042' } } };

const app = await createApp({ platform, mcp: {}, extra });
const adapter = app.getHttpAdapter();
const { constructors } = httpFramework(adapter.getType(), adapter.getInstance());
const createExchange = createExchangeFactory(constructors);

const CASES = {
  'the route, called directly': { request: readRequest(MESSAGES.directOrder()), check: 'order' },
  'a message that calls nothing': { request: readRequest(MESSAGES.ping(1)), check: 'accepted' },
  'a tool call': { request: readRequest(MESSAGES.modernCall(1, GROUPED)), check: 'toolResult' },
};

const times = Object.fromEntries(Object.keys(CASES).map((name) => [name, []]));
for (let round = 0; round < ROUNDS; round++) {
  for (const [name, { request, check }] of Object.entries(CASES)) {
    const begin = performance.now();
    const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => send(request)));
    times[name].push(((performance.now() - begin) * 1000) / AT_ONCE);
    const problem = answers.map((answer) => CHECKS[check](answer, 1)).find(Boolean);
    if (problem !== undefined) throw new Error(`${name}: ${problem}`);
  }
}
for (const [name, list] of Object.entries(times)) {
  // What comes before is warm-up.
  const [best] = list
    .slice(ROUNDS / 3)
    .sort((a, b) => a - b)
    .slice(ROUNDS / 30);
  console.log(`${name.padEnd(30)} ${best.toFixed(0).padStart(4)} µs`);
}
await app.close();

function send({ method, url, rawHeaders, body }) {
  return new Promise((resolve, reject) => {
    const head = { method, url, rawHeaders: [...rawHeaders], socket: InProcessSocket.loopback() };
    const exchange = createExchange(head, body, LIMIT, {
      answered: resolve,
      overflowed: () => reject(new Error('The answer is too large.')),
      closed: () => reject(new Error('The request was cut off.')),
    });
    app.getHttpServer().emit('request', exchange.request, exchange.response);
  });
}

/** @param text a request as it goes over a connection */
function readRequest(text) {
  const [head, body] = text.split('\r\n\r\n');
  const [first, ...lines] = head.split('\r\n');
  const [method, url] = first.split(' ');
  const rawHeaders = lines.flatMap((line) => line.split(/: (.*)/s, 2));
  return { method, url, rawHeaders, body: body ? Buffer.from(body) : undefined };
}
