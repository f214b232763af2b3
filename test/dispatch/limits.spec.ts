import { jest } from '@jest/globals';
import {
  Body,
  Controller,
  Get,
  Post,
  Query,
  Req,
  Res,
  type INestApplication,
} from '@nestjs/common';
import { request, type IncomingMessage, type ServerResponse } from 'node:http';
import { McpCall, McpTool, type McpCallContext, type McpModuleOptions } from '../../src/index.js';
import { FixtureApp, textOf, type CallResult } from '../support/fixture-app.js';
import { PLATFORMS, type Platform } from '../support/platforms.js';

type Raw<T> = T | { raw: T };
const raw = <T extends object>(one: Raw<T>): T => ('raw' in one ? one.raw : one);

/** What a handler is waiting for, and what it saw of the end of its call. */
interface Latch {
  readonly opened: Promise<void>;
  open(): void;
}
function latch(): Latch {
  let open!: () => void;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open };
}

jest.setTimeout(30_000);

let begun: Latch;
let released: Latch;
let saw: string[];
let ended: Latch;
let lateSignal: Promise<boolean>;

beforeEach(() => {
  [begun, released, ended] = [latch(), latch(), latch()];
  saw = [];
});

function watch(name: string, happened: (listener: () => void) => unknown): void {
  happened(() => {
    saw.push(name);
    if (saw.length === 4) ended.open();
  });
}

@Controller('work')
class WorkController {
  @McpTool('hold') @Get('hold') async hold(): Promise<object> {
    begun.open();
    await released.opened;
    return { held: true };
  }
  @McpTool('quick') @Get('quick') quick(): object {
    return { quick: true };
  }
  @McpTool({ name: 'impatient', timeoutMs: 30 }) @Get('impatient') impatient(
    @McpCall() call?: McpCallContext,
  ): Promise<never> {
    lateSignal = new Promise((resolve) => setTimeout(() => resolve(call!.signal.aborted), 80));
    return new Promise(() => undefined);
  }
  @McpTool({ name: 'patient', timeoutMs: 5_000 }) @Get('patient') async patient(): Promise<object> {
    await new Promise((resolve) => setTimeout(resolve, 120));
    return { patient: true };
  }
  @McpTool('watched') @Get('watched') watched(
    @Req() request: Raw<IncomingMessage>,
    @Res() response: Raw<ServerResponse>,
    @McpCall() call?: McpCallContext,
  ): void {
    const [req, res] = [raw(request), raw(response)];
    watch('request', (listener) => req.once('close', listener));
    watch('response', (listener) => res.once('close', listener));
    watch('socket', (listener) => req.socket.once('close', listener));
    watch('signal', (listener) => call?.signal.addEventListener('abort', listener));
    begun.open();
  }
  /** Writes until its client goes away, as an event stream does. */
  @McpTool('ticker') @Get('ticker') ticker(
    @Req() request: Raw<IncomingMessage>,
    @Res() response: Raw<ServerResponse>,
  ): void {
    const [req, res] = [raw(request), raw(response)];
    res.writeHead(200, { 'content-type': 'text/event-stream' });
    const timer = setInterval(() => res.write('data: tick\n\n'), 5);
    req.once('close', () => {
      clearInterval(timer);
      saw.push('stopped');
      ended.open();
    });
  }
  @McpTool('echo') @Post('echo') echo(@Body() body: object): object {
    return body;
  }
  @McpTool('search') @Get('search') search(@Query() query: object): object {
    saw.push('searched');
    return { members: Object.keys(query) };
  }
}

const NOBODY_KNOWS = 'x-caller';
const principal = (request: object): string | null => {
  const name = raw(request as Raw<IncomingMessage>).headers[NOBODY_KNOWS];
  return typeof name === 'string' ? name : null;
};

function start(platform: Platform, mcp: McpModuleOptions = {}): Promise<FixtureApp> {
  return FixtureApp.start({
    platform,
    controllers: [WorkController],
    mcp: { sessions: { principal }, ...mcp },
  });
}

async function withApp(
  platform: Platform,
  mcp: McpModuleOptions,
  body: (app: FixtureApp) => Promise<void>,
): Promise<void> {
  const app = await start(platform, mcp);
  try {
    await body(app);
  } finally {
    released.open();
    await app.close();
  }
}

const messageOf = (result: CallResult): { statusCode: number; message: string } =>
  JSON.parse(textOf(result)) as { statusCode: number; message: string };

describe.each(PLATFORMS)('dispatch on $name: how many calls run at a time', (platform) => {
  const ann = { [NOBODY_KNOWS]: 'ann' };
  const bob = { [NOBODY_KNOWS]: 'bob' };

  it('is bounded for each principal, and a call beyond it is told when to come again', () =>
    withApp(platform, { maxConcurrentCalls: 1, callTimeoutMs: 60_000 }, async (app) => {
      const held = app.call('hold', {}, ann);
      await begun.opened;
      const refused = await app.call('quick', {}, ann);
      expect(refused.isError).toBe(true);
      expect(messageOf(refused).statusCode).toBe(429);
      expect(messageOf(refused).message).toMatch(
        /^A call of yours is running, and one may at a time\. Nothing was done: call again when one has ended, which takes \d+ s at the most\.$/,
      );
      expect((await app.call('quick', {}, bob)).isError).not.toBe(true);
      expect((await app.call('quick')).isError).not.toBe(true);
      released.open();
      expect((await held).isError).not.toBe(true);
      expect((await app.call('quick', {}, ann)).isError).not.toBe(true);
    }));

  it('counts all callers that are nobody together', () =>
    withApp(platform, { maxConcurrentCalls: 2 }, async (app) => {
      const held = [app.call('hold'), app.call('hold')];
      await begun.opened;
      expect(messageOf(await app.call('quick')).message).toContain(
        '2 calls of yours are running, and no more may at a time',
      );
      released.open();
      await Promise.all(held);
    }));

  it('counts a call that timed out no longer', () =>
    withApp(platform, { maxConcurrentCalls: 1 }, async (app) => {
      expect(messageOf(await app.call('impatient')).statusCode).toBe(504);
      expect((await app.call('quick')).isError).not.toBe(true);
    }));

  it('is not bounded without the option', () =>
    withApp(platform, {}, async (app) => {
      const held = Array.from({ length: 20 }, () => app.call('hold'));
      await begun.opened;
      expect((await app.call('quick')).isError).not.toBe(true);
      released.open();
      for (const result of await Promise.all(held)) expect(result.isError).not.toBe(true);
    }));
});

describe.each(PLATFORMS)('dispatch on $name: how a call that is cut off ends', (platform) => {
  it('a tool has a time of its own, shorter or longer than the others', () =>
    withApp(platform, { callTimeoutMs: 60 }, async (app) => {
      expect(messageOf(await app.call('impatient')).message).toContain('within 30 ms');
      expect((await app.call('patient')).structuredContent).toEqual({ patient: true });
    }));

  it('a handler that asks for the signal afterwards finds it aborted', () =>
    withApp(platform, {}, async (app) => {
      await app.call('impatient');
      expect(await lateSignal).toBe(true);
    }));

  it('a never-ending stream is stopped by its own time-out', () =>
    withApp(platform, { callTimeoutMs: 60 }, async (app) => {
      expect(messageOf(await app.call('ticker')).statusCode).toBe(504);
      await ended.opened;
      expect(saw).toEqual(['stopped']);
    }));

  it('A8: 2026-07-28, a client that disconnects aborts the inner request', () =>
    withApp(platform, {}, async (app) => {
      const client = new AbortController();
      const call = post(app, 'watched', '2026-07-28', client.signal);
      await begun.opened;
      client.abort();
      await expect(call).rejects.toThrow();
      await ended.opened;
      expect(saw.sort()).toEqual(['request', 'response', 'signal', 'socket']);
    }));

  it('A8: a 2025 revision, a client that disconnects does not', () =>
    withApp(platform, { sessions: false, callTimeoutMs: 150 }, async (app) => {
      const client = new AbortController();
      const call = post(app, 'watched', '2025-11-25', client.signal);
      await begun.opened;
      client.abort();
      await expect(call).rejects.toThrow();
      await new Promise((resolve) => setTimeout(resolve, 50));
      expect(saw).toEqual([]);
      // Only its time-out ends it.
      await ended.opened;
    }));

  it('A8: a 2025 session, notifications/cancelled aborts the inner request', () =>
    withApp(platform, {}, async (app) => {
      const client = await app.client({ revision: '2025-11-25' });
      const stop = new AbortController();
      const call = client.client.callTool(
        { name: 'watched', arguments: {} },
        { signal: stop.signal },
      );
      const outcome = expect(call).rejects.toThrow();
      await begun.opened;
      stop.abort();
      await outcome;
      await ended.opened;
      expect(saw.sort()).toEqual(['request', 'response', 'signal', 'socket']);
    }));
});

describe.each(PLATFORMS)('dispatch on $name: a request that is written', (platform) => {
  it('is held to maxRequestBytes: few bytes of arguments can become many, and nothing runs', () =>
    withApp(platform, { maxRequestBytes: 4_000 }, async (app) => {
      // The name of the member stands before each of its elements.
      const query = { ['n'.repeat(1_000)]: ['a', 'b', 'c', 'd'] };
      const refused = await app.call('search', { query });
      expect(refused.isError).toBe(true);
      expect(messageOf(refused).statusCode).toBe(413);
      expect(messageOf(refused).message).toContain('4000 bytes');
      expect(saw).toEqual([]);
      const fits = await app.call('search', { query: { n: ['a', 'b', 'c', 'd'] } });
      expect(fits.structuredContent).toEqual({ members: ['n'] });
    }));
});

describe.each(PLATFORMS)('dispatch on $name: how a request ends that is answered', (platform) => {
  const closings: string[] = [];
  const listen = (nest: INestApplication): void => {
    nest.use((request: IncomingMessage, response: ServerResponse, next: () => void) => {
      if (!(request.url ?? '').startsWith('/work')) return next();
      request.once('close', () => closings.push('request'));
      response.once('finish', () => closings.push('finish'));
      response.once('close', () => closings.push('response'));
      next();
    });
  };

  it.each([
    ['quick', {}, 'GET', '/work/quick', undefined],
    ['echo', { body: { a: 1 } }, 'POST', '/work/echo', { a: 1 }],
  ] as const)(
    '%s: its streams close as those of HTTP do',
    async (tool, args, method, path, body) => {
      const app = await FixtureApp.start({
        platform,
        controllers: [WorkController],
        configure: listen,
      });
      const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 50));
      try {
        closings.length = 0;
        await app.http(method, path, body === undefined ? {} : { body });
        await settled();
        const http = closings.splice(0).sort();
        await app.call(tool, args);
        await settled();
        expect(closings.sort()).toEqual(http);
        expect(http).toEqual(['finish', 'request', 'response']);
      } finally {
        await app.close();
      }
    },
  );
});

/** A call of a client that can go away in the middle of it. */
function post(app: FixtureApp, name: string, revision: string, signal: AbortSignal): Promise<void> {
  const isModern = revision === '2026-07-28';
  const meta = {
    'io.modelcontextprotocol/protocolVersion': revision,
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const params = { name, arguments: {}, ...(isModern ? { _meta: meta } : {}) };
  return new Promise((resolve, reject) => {
    // Not `fetch`, which opens another connection after an abort and so keeps the server from closing.
    const client = request(new URL(app.path, app.url), {
      method: 'POST',
      signal,
      agent: false,
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': revision,
        ...(isModern ? { 'mcp-method': 'tools/call', 'mcp-name': name } : {}),
      },
    });
    client.once('response', () => resolve());
    client.once('error', reject);
    client.end(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }));
  });
}
