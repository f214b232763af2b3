import { Controller, Get, Req, type INestApplication } from '@nestjs/common';
import { once } from 'node:events';
import * as http from 'node:http';
import { createServer, IncomingMessage, ServerResponse, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exchangeConstructors } from '../../src/dispatch/exchange-constructors.js';
import { useConstructors } from '../../src/dispatch/server-constructors.js';
import { McpTool } from '../../src/index.js';
import { FixtureApp } from '../support/fixture-app.js';
import { EXPRESS, FASTIFY } from '../support/platforms.js';

const NODE = Number.parseInt(process.versions.node, 10);

/** What the server makes its requests with. */
function madeWith(server: object): unknown {
  const slot = Object.getOwnPropertySymbols(server).find(
    ({ description }) => description === 'IncomingMessage',
  );
  return (server as Record<symbol, unknown>)[slot as symbol];
}

@Controller()
class PrototypesController {
  @McpTool()
  @Get('seen')
  seen(@Req() request: IncomingMessage & { raw?: IncomingMessage }): object {
    const incoming = request.raw ?? request;
    return {
      isNodes: incoming instanceof IncomingMessage,
      maker: incoming.constructor.name,
      own: Object.keys(incoming).includes('query'),
      agent: incoming.headers['user-agent'],
    };
  }
}

const serverOf = ({ app }: { app: INestApplication }) => app.getHttpServer() as Server;

describe('the constructors of the server’s requests', () => {
  const fixture = { controllers: [PrototypesController] };
  let app: FixtureApp | undefined;
  let server: Server | undefined;
  afterEach(async () => {
    await app?.close();
    server?.close();
    app = server = undefined;
  });

  it('are ours on Express where V8 needs it, and Node’s otherwise; routes see no difference', async () => {
    const seen = { isNodes: true, maker: 'IncomingMessage', own: false, agent: 'a' };
    for (const platform of [EXPRESS, FASTIFY]) {
      const running = await FixtureApp.start({ ...fixture, platform });
      const changed = platform === EXPRESS && NODE < 24;
      expect(madeWith(serverOf(running)) === IncomingMessage).toBe(!changed);
      const answer = await running.http('GET', '/seen', { headers: { 'user-agent': 'a' } });
      expect(answer.json()).toEqual(seen);
      await running.close();
    }
  });

  it.each(['upgrade', 'connect', 'request', 'checkContinue', 'checkExpectation'])(
    'are Node’s once somebody else listens for %s',
    async (event) => {
      app = await FixtureApp.start(fixture);
      const listener = () => undefined;
      serverOf(app).on(event, listener);
      expect(madeWith(serverOf(app))).toBe(IncomingMessage);
      expect((await app.http('GET', '/seen')).status).toBe(200);
      expect(serverOf(app).listeners('newListener')).toEqual([]);
    },
  );

  it('stay for listeners that get no request', async () => {
    app = await FixtureApp.start(fixture);
    const before = madeWith(serverOf(app));
    serverOf(app).on('clientError', () => undefined);
    serverOf(app).on('connection', () => undefined);
    expect(madeWith(serverOf(app))).toBe(before);
  });

  it('let a WebSocket library put members of its own on a request, as before', async () => {
    app = await FixtureApp.start(fixture);
    const upgraded = new Promise<unknown>((resolve) => {
      serverOf(app as FixtureApp).on('upgrade', (incoming: IncomingMessage, socket) => {
        // Express has `query` as a getter alone: assigning to it throws.
        (incoming as unknown as { query: object }).query = { own: true };
        resolve([(incoming as unknown as { query: object }).query, 'get' in incoming]);
        socket.destroy();
      });
    });
    const client = http.request(app.url, {
      headers: { connection: 'Upgrade', upgrade: 'websocket' },
    });
    client.on('error', () => undefined).end();
    expect(await upgraded).toEqual([{ own: true }, false]);
  });

  describe('of any server', () => {
    const proto = {
      request: Object.create(IncomingMessage.prototype, { added: { value: 1 } }) as object,
      response: Object.create(ServerResponse.prototype, { added: { value: 2 } }) as object,
    };
    const constructors = exchangeConstructors(proto);

    it('make requests and responses that have their prototypes from the start', async () => {
      server = createServer((incoming, answer) => {
        const has = [incoming, answer].map((one) => (one as unknown as { added: number }).added);
        answer.end(JSON.stringify([...has, incoming.url, answer.writableHighWaterMark > 0]));
      });
      expect(useConstructors(server, constructors, '20.19.0')).toBe(true);
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      const { port } = server.address() as AddressInfo;
      const answer = await fetch(`http://127.0.0.1:${port}/x`);
      expect(await answer.json()).toEqual([1, 2, '/x', true]);
    });

    it('are left alone from Node 24 on', () => {
      expect(
        useConstructors(
          createServer(() => undefined),
          constructors,
          '24.0.0',
        ),
      ).toBe(false);
      expect(
        useConstructors(
          createServer(() => undefined),
          constructors,
          '22.12.0',
        ),
      ).toBe(true);
    });

    it('are left alone where somebody chose others, or listens already', () => {
      class Own extends IncomingMessage {}
      const chosen = createServer({ IncomingMessage: Own }, () => undefined);
      expect(useConstructors(chosen, constructors, '20.19.0')).toBe(false);
      expect(madeWith(chosen)).toBe(Own);
      const shared = createServer(() => undefined).on('upgrade', () => undefined);
      expect(useConstructors(shared, constructors, '20.19.0')).toBe(false);
      const twice = createServer(() => undefined).on('request', () => undefined);
      expect(useConstructors(twice, constructors, '20.19.0')).toBe(false);
      expect(useConstructors({}, constructors, '20.19.0')).toBe(false);
    });
  });
});
