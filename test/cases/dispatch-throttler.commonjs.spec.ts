import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Controller, Get, type INestApplication } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { SkipThrottle, Throttle, ThrottlerGuard, ThrottlerModule } from '@nestjs/throttler';
import { request as httpRequest, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { McpTool } from '../../src/index.js';
import { FixtureApp, textOf, type CallResult } from '../support/fixture-app.js';
import { EXPRESS, FASTIFY, type Platform } from '../support/platforms.js';

@Controller('scarce')
class ScarceController {
  @McpTool('by_proxy')
  @Get('by-proxy')
  @Throttle({ default: { limit: 2, ttl: 3_600_000 } })
  byProxy(): object {
    return { served: true };
  }

  @McpTool('by_socket')
  @Get('by-socket')
  @Throttle({ default: { limit: 2, ttl: 3_600_000 } })
  bySocket(): object {
    return { served: true };
  }
}

/** Trusts the proxy in front of it, as an application behind one does. */
const TRUSTING: readonly (Platform & { trust?: (app: INestApplication) => void })[] = [
  {
    ...EXPRESS,
    trust: (app) =>
      (app.getHttpAdapter().getInstance() as { set(name: string, value: unknown): void }).set(
        'trust proxy',
        'loopback',
      ),
  },
  {
    ...FASTIFY,
    create: (module, options) =>
      module.createNestApplication(new FastifyAdapter({ trustProxy: '127.0.0.1' }), {
        ...options,
        logger: false,
      }),
  },
];

const start = (platform: Platform & { trust?: (app: INestApplication) => void }) =>
  FixtureApp.start({
    platform,
    imports: [ThrottlerModule.forRoot([{ ttl: 3_600_000, limit: 1000 }])],
    controllers: [ScarceController],
    providers: [{ provide: APP_GUARD, useClass: ThrottlerGuard }],
    mcp: { decorators: [SkipThrottle()] },
    configure: (nest) => platform.trust?.(nest),
  });

/** A call over a connection of its own, which the server takes for one from that address. */
function callFrom(
  app: FixtureApp,
  address: string,
  tool: string,
  headers: Record<string, string> = {},
): Promise<CallResult> {
  const server = app.app.getHttpServer() as Server;
  server.prependOnceListener('connection', (socket: Socket) =>
    Object.defineProperty(socket, 'remoteAddress', { value: address }),
  );
  const message = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: tool, arguments: {} },
  });
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      new URL(app.path, app.url),
      {
        method: 'POST',
        agent: false,
        headers: { 'content-type': 'application/json', accept: 'application/json', ...headers },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => {
          const { result } = JSON.parse(Buffer.concat(chunks).toString()) as { result: CallResult };
          resolve(result);
        });
      },
    );
    request.on('error', reject);
    request.end(message);
  });
}

const served = (result: CallResult): unknown =>
  result.isError === true ? JSON.parse(textOf(result)) : textOf(result);
const SERVED = '{"served":true}';
const TOO_MANY = { statusCode: 429, message: 'ThrottlerException: Too Many Requests' };

describe.each(TRUSTING)('dispatch on $name: R4, a throttled route', (platform) => {
  let app: FixtureApp;
  beforeAll(async () => {
    app = await start(platform);
  });
  afterAll(() => app.close());

  it('counts by the client that a trusted proxy names', async () => {
    const from = (client: string): Promise<CallResult> =>
      app.call('by_proxy', {}, { 'x-forwarded-for': client });
    const answers: unknown[] = [];
    for (let call = 0; call < 3; call++) answers.push(served(await from('203.0.113.1')));
    expect(answers).toEqual([SERVED, SERVED, TOO_MANY]);
    expect(served(await from('203.0.113.2'))).toBe(SERVED);
  });

  it('shares the count with plain HTTP', async () => {
    const http = await app.http('GET', '/scarce/by-proxy', {
      headers: { 'x-forwarded-for': '203.0.113.1' },
    });
    expect(http.status).toBe(429);
    expect(http.json()).toEqual(TOO_MANY);
  });

  it('counts by the address of the socket', async () => {
    const from = (client: string): Promise<CallResult> => callFrom(app, client, 'by_socket');
    const answers: unknown[] = [];
    for (let call = 0; call < 3; call++) answers.push(served(await from('198.51.100.1')));
    expect(answers).toEqual([SERVED, SERVED, TOO_MANY]);
    expect(served(await from('198.51.100.2'))).toBe(SERVED);
  });

  it('does not believe a forwarded address from a socket that is no trusted proxy', async () => {
    const answers: unknown[] = [];
    for (const claimed of ['203.0.113.11', '203.0.113.12', '203.0.113.13']) {
      const headers = { 'x-forwarded-for': claimed };
      answers.push(served(await callFrom(app, '198.51.100.3', 'by_socket', headers)));
    }
    expect(answers).toEqual([SERVED, SERVED, TOO_MANY]);
  });
});
