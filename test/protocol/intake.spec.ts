import { jest } from '@jest/globals';
import { ExpressAdapter } from '@nestjs/platform-express';
import express from 'express';
import type { IncomingMessage, Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { FixtureApp } from '../support/fixture-app.js';
import { EXPRESS, FASTIFY, PLATFORMS, type Platform } from '../support/platforms.js';
import { TOOLS } from './tools.fixture.js';
import { eventually, message, rawExchange, rawRequest, verdict } from './wire.js';

const LIMIT = 2048;
const PING = JSON.stringify(message('ping'));
const JSON_TYPE = { 'content-type': 'application/json' };
const padded = (length: number): string => PING + ' '.repeat(length - PING.length);
const chunk = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n`;

function statusOf(answer: string): number {
  return Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1]);
}

describe.each(PLATFORMS)('protocol on $name: the intake of a message', (platform) => {
  let app: FixtureApp;
  beforeAll(async () => {
    app = await FixtureApp.start({ ...TOOLS, platform, mcp: { maxRequestBytes: LIMIT } });
  });
  afterEach(() => jest.useRealTimers());
  afterAll(() => app.close());

  const target = (): string => `POST ${app.path}`;

  it('takes a message of exactly maxRequestBytes, and refuses one byte more', async () => {
    expect(verdict(await app.post(padded(LIMIT)))).toEqual([200, undefined]);
    expect(verdict(await app.post(padded(LIMIT + 1)))).toEqual([413, -32600]);
  });

  it('refuses by Content-Length before the body has come', async () => {
    const headers = { ...JSON_TYPE, 'content-length': '1000000' };
    const socket = connectTo(app, rawRequest(target(), headers, PING));
    await socket.until(/\r\n\r\n.+/s);
    expect(statusOf(socket.text())).toBe(413);
    expect(socket.text()).toContain('"code":-32600');
    socket.destroy();
  });

  it('refuses a chunked message once it is too large', async () => {
    const headers = { ...JSON_TYPE, 'transfer-encoding': 'chunked' };
    const body = chunk(padded(LIMIT)) + chunk('   ');
    const socket = connectTo(app, rawRequest(target(), headers, body));
    await socket.until(/\r\n\r\n.+/s);
    expect(statusOf(socket.text())).toBe(413);
    socket.destroy();
  });

  it('a client that sends all of a far too large message still reads the refusal', async () => {
    for (let i = 0; i < 5; i++) {
      const answer = await app.post(padded(8_000_000));
      expect(verdict(answer)).toEqual([413, -32600]);
    }
  });

  it('ends a client that sends one byte now and then within the intake’s time', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
    const headers = { ...JSON_TYPE, 'content-length': String(PING.length) };
    const head = rawRequest(target(), headers, '{');
    const before = jest.getTimerCount();
    const socket = connectTo(app, head);
    await eventually(() => jest.getTimerCount() > before);
    jest.advanceTimersByTime(20_000);
    socket.write('"');
    jest.advanceTimersByTime(9_999);
    expect(socket.text()).toBe('');
    jest.advanceTimersByTime(1);
    await socket.until(/\r\n\r\n.+/s);
    expect(statusOf(socket.text())).toBe(408);
    jest.advanceTimersByTime(2_000);
    await socket.closed();
  });

  it('a client that goes away in the middle of a message leaves nothing behind', async () => {
    const headers = { ...JSON_TYPE, 'content-length': String(PING.length) };
    const server = app.app.getHttpServer() as Server;
    const arrived = new Promise<IncomingMessage>((resolve) => server.once('request', resolve));
    const socket = connectTo(app, rawRequest(target(), headers, '{"json'));
    const request = await arrived;
    socket.destroy();
    await eventually(() => request.destroyed);
    expect((await app.post(PING)).status).toBe(200);
  });

  it.each([
    ['no body', '', 400],
    ['no content type', undefined, 415],
  ])('%s', async (_, body, status) => {
    const headers = { 'content-length': '0', ...(body === undefined ? {} : JSON_TYPE) };
    const answer = await rawExchange(app, rawRequest(target(), headers));
    expect(statusOf(answer)).toBe(status);
    expect(answer).toContain('{"jsonrpc":"2.0","error":{"code":-32');
  });

  it('a message without Content-Length and chunks is empty', async () => {
    const answer = await rawExchange(app, rawRequest(target(), JSON_TYPE));
    expect([statusOf(answer), answer.includes('-32700')]).toEqual([400, true]);
  });

  it.each([
    '/mcp',
    '/mcp?a=1',
    '/mcp/',
    '/MCP',
    '/%6dcp',
    '//mcp',
    '/mcp#x',
    '/mcp?a#b',
    '/x/../mcp',
    'http://localhost/mcp',
    'http://localhost/mcp?x',
    '/mcp/#',
    '/mcp;a=1',
  ])(
    'the target %s is the endpoint, by the intake and the router alike, or is none',
    async (path) => {
      const duplicate = '{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}';
      for (const body of [PING, duplicate]) {
        const headers = { ...JSON_TYPE, accept: '*/*', 'content-length': String(body.length) };
        const answer = await rawExchange(app, rawRequest(`POST ${path}`, headers, body));
        const status = statusOf(answer);
        if (status === 404) continue;
        expect([path, status]).toEqual([path, body === PING ? 200 : 400]);
        expect(answer).toContain(body === PING ? '"result":{}' : '"code":-32600');
      }
    },
  );

  it('the plain target and one with a query are served', async () => {
    for (const path of ['/mcp', '/mcp?a=1'])
      expect((await app.post(PING, {}, path)).status).toBe(200);
  });
});

describe('protocol: the paths of each framework', () => {
  const statuses = async (app: FixtureApp, paths: readonly string[]): Promise<number[]> => {
    const answers = [];
    for (const path of paths) answers.push((await app.post(PING, {}, path)).status);
    return answers;
  };
  /** Settings that count, since the router is made after them, and settings that come too late. */
  const strictly = (when: 'before' | 'after'): Platform => ({
    name: 'express',
    create: (module) => {
      const instance = express();
      const set = (): void =>
        void instance.enable('case sensitive routing').enable('strict routing');
      if (when === 'before') set();
      const app = module.createNestApplication(new ExpressAdapter(instance), { logger: false });
      if (when === 'after') set();
      return app;
    },
  });

  it('Express: without letter case and with or without a slash, unless told otherwise', async () => {
    const app = await FixtureApp.start({ ...TOOLS, platform: EXPRESS });
    expect(await statuses(app, ['/mcp', '/mcp/', '/MCP/', '/Mcp'])).toEqual([200, 200, 200, 200]);
    await app.close();
    const strict = await FixtureApp.start({ ...TOOLS, platform: strictly('before') });
    expect(await statuses(strict, ['/mcp', '/mcp/', '/MCP'])).toEqual([200, 404, 404]);
    await strict.close();
    const late = await FixtureApp.start({ ...TOOLS, platform: strictly('after') });
    expect(await statuses(late, ['/mcp', '/mcp/', '/MCP'])).toEqual([200, 200, 200]);
    await late.close();
  });

  it('Fastify: exactly, and decoded', async () => {
    const app = await FixtureApp.start({ ...TOOLS, platform: FASTIFY });
    expect(await statuses(app, ['/mcp', '/%6dcp', '/mcp/', '/MCP'])).toEqual([200, 200, 404, 404]);
    await app.close();
  });
});

interface OpenSocket {
  text(): string;
  write(text: string): void;
  until(pattern: RegExp): Promise<void>;
  closed(): Promise<void>;
  destroy(): void;
}

function connectTo(app: FixtureApp, first: Buffer): OpenSocket {
  const { port, hostname } = new URL(app.url);
  let received = '';
  const socket: Socket = connect(Number(port), hostname, () => socket.write(first));
  socket.on('error', () => undefined);
  socket.on('data', (data) => (received += data.toString()));
  const over = new Promise<void>((resolve) => socket.on('close', () => resolve()));
  return {
    text: () => received,
    write: (text) => void socket.write(text),
    until: (pattern) => eventually(() => pattern.test(received)),
    closed: () => over,
    destroy: () => void socket.destroy(),
  };
}
