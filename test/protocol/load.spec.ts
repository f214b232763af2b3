/** @file Many sessions, and clients that are slow on purpose: what they cost while they are there, and what they leave. */
import { jest } from '@jest/globals';
import type { Server, ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { DEFAULTS } from '../../src/mcp.options.js';
import { inProcessFetch } from '../../src/testing/in-process-fetch.js';
import { FixtureApp } from '../support/fixture-app.js';
import { PLATFORMS, type Platform } from '../support/platforms.js';
import { Gate, TOOLS } from './tools.fixture.js';
import {
  envelope,
  eventually,
  message,
  modernHeaders,
  notification,
  rawRequest,
  Session,
} from './wire.js';

jest.setTimeout(1_800_000);

const SESSIONS = process.env['MCP_DEEP'] === '1' ? 10_000 : 2_000;
const CALLS_AT_ONCE = 200;
const SLOW_CLIENTS = 20;
/** Of the clients that stop reading, those that asked for progress, far more than any buffer on the way takes. */
const tellsProgress = (client: number): boolean => client % 5 === 0;
const MAX_BYTES_A_SESSION = 4096;
const JSON_TYPE = { 'content-type': 'application/json' };
const BOTH = { ...JSON_TYPE, accept: 'application/json, text/event-stream' };

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

async function heap(): Promise<number> {
  for (let i = 0; i < 4; i++) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    collect();
  }
  return process.memoryUsage().heapUsed;
}

const start = (platform: Platform): Promise<FixtureApp> =>
  FixtureApp.start({ ...TOOLS, platform, mcp: { sessions: { max: 2 * SESSIONS } } });

/** Opens sessions from within, and ends them: what is measured is the server's, not a client's. */
class ManySessions {
  private readonly send: ReturnType<typeof inProcessFetch>;
  private readonly url: URL;
  private ids: string[] = [];

  constructor(app: FixtureApp) {
    this.send = inProcessFetch(app.app);
    this.url = new URL(app.path, 'http://localhost');
  }

  async open(count: number): Promise<void> {
    const begin = message('initialize', {
      protocolVersion: '2025-11-25',
      capabilities: { roots: { listChanged: true }, sampling: {} },
      clientInfo: { name: 'load', version: '1.0.0' },
    });
    await inTurns(count, async () => {
      const id = (await this.post(begin, {})).headers.get('mcp-session-id') as string;
      await this.post(notification('notifications/initialized'), { 'mcp-session-id': id });
      this.ids.push(id);
    });
  }

  async end(): Promise<void> {
    const ids = this.ids;
    this.ids = [];
    await inTurns(ids.length, async (i) => {
      const headers = { 'mcp-session-id': ids[i] as string };
      const answer = await this.send(this.url, { method: 'DELETE', headers });
      expect(answer.status).toBe(204);
    });
  }

  private async post(body: object, headers: Record<string, string>): Promise<Response> {
    const answer = await this.send(this.url, {
      method: 'POST',
      headers: { ...BOTH, ...headers },
      body: JSON.stringify(body),
    });
    expect([200, 202]).toContain(answer.status);
    await answer.text();
    return answer;
  }
}

async function inTurns(count: number, work: (i: number) => Promise<void>): Promise<void> {
  for (let i = 0; i < count; i += 50) {
    await Promise.all(Array.from({ length: Math.min(50, count - i) }, (_, j) => work(i + j)));
  }
}

/** A client whose socket is written to and never read from, once it is told so. */
function rawClient(app: FixtureApp, first: Buffer): Socket {
  const { port, hostname } = new URL(app.url);
  const socket = connect(Number(port), hostname, () => void socket.write(first));
  return socket.on('error', () => undefined);
}

function callRequest(app: FixtureApp, name: string, args: object, meta: object = {}): Buffer {
  const call = { name, arguments: args, _meta: envelope({ ...meta }) };
  const body = JSON.stringify(message('tools/call', call));
  const headers = { ...BOTH, ...modernHeaders('tools/call', name) };
  return rawRequest(
    `POST ${app.path}`,
    { ...headers, 'content-length': String(body.length) },
    body,
  );
}

describe.each(PLATFORMS)('protocol on $name: load', (platform) => {
  let app: FixtureApp;
  /** The same application, which nobody bothers. */
  let quiet: FixtureApp;
  beforeAll(async () => {
    app = await start(platform);
    quiet = await start(platform);
  });
  afterEach(() => jest.useRealTimers());
  afterAll(async () => {
    await app.close();
    await quiet.close();
  });

  async function manyCallsOfOneId(): Promise<void> {
    const gate = app.app.get(Gate);
    const session = await Session.open(app);
    const { started } = gate;
    const calls = Array.from({ length: CALLS_AT_ONCE }, () => session.call('slow'));
    await eventually(() => gate.started === started + CALLS_AT_ONCE);
    gate.waiting.splice(0).forEach(({ release }, i) => release(`call ${i}`));
    const answers = await Promise.all(calls);
    expect(answers.map(({ status }) => status)).toEqual(Array(CALLS_AT_ONCE).fill(200));
    // Each call has an answer of its own, whatever their one id.
    const values = answers.map((answer) => /call \d+/.exec(answer.text)?.[0]);
    expect(new Set(values).size).toBe(CALLS_AT_ONCE);
    await session.end();
  }

  /** @returns the bytes that wait for each of the clients, by the kind of its answer */
  async function clientsThatStopReading(): Promise<Record<'json' | 'stream', number[]>> {
    const server = app.app.getHttpServer() as Server;
    const responses: ServerResponse[] = [];
    const keep = (_: unknown, response: ServerResponse): void => void responses.push(response);
    server.prependListener('request', keep);
    const clients = Array.from({ length: SLOW_CLIENTS }, (_, i) =>
      rawClient(
        app,
        tellsProgress(i)
          ? callRequest(app, 'progress', { body: { upTo: 40_000 } }, { progressToken: 1 })
          : callRequest(app, 'large', {}),
      ).pause(),
    );
    const outer = (): ServerResponse[] => responses.filter(({ req }) => req.url === app.path);
    await eventually(
      () => outer().length === SLOW_CLIENTS && outer().every((one) => one.writableEnded),
    );
    const waiting = { json: [] as number[], stream: [] as number[] };
    for (const one of outer()) {
      const kind = one.getHeader('content-type') === 'application/json' ? 'json' : 'stream';
      waiting[kind].push(one.writableLength);
    }
    // Others are served while they hang on.
    expect((await app.call('echo', { path: { text: 'a' } })).structuredContent).toEqual({
      text: 'a',
    });
    server.off('request', keep);
    for (const client of clients) client.destroy();
    await eventually(() => outer().every(({ closed }) => closed));
    return waiting;
  }

  /** One byte a second, of a message that would take a minute and more. */
  async function clientsThatSendSlowly(): Promise<string[]> {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
    const body = JSON.stringify(message('tools/call', { name: 'echo', arguments: {} }));
    const head = { ...JSON_TYPE, 'content-length': String(body.length) };
    const before = jest.getTimerCount();
    const received: string[] = [];
    const clients = Array.from({ length: SLOW_CLIENTS }, (_, i) => {
      received[i] = '';
      const client = rawClient(app, rawRequest(`POST ${app.path}`, head, body.slice(0, 1)));
      return client.on('data', (data) => (received[i] += data.toString()));
    });
    const closed = clients.map((one) => new Promise((resolve) => one.once('close', resolve)));
    await eventually(() => jest.getTimerCount() >= before + SLOW_CLIENTS);
    for (let second = 1; second <= 30; second++) {
      for (const client of clients) client.write(body.charAt(second));
      jest.advanceTimersByTime(1_000);
    }
    await eventually(() => received.every((text) => text.includes('\r\n\r\n')));
    jest.advanceTimersByTime(2_000);
    await Promise.all(closed);
    jest.useRealTimers();
    return received;
  }

  it('what a client does not read is bounded, and progress is left out for it', async () => {
    const { json, stream } = await clientsThatStopReading();
    // A whole result may wait: once as text, whose quotes are escaped, and once as structured content.
    expect(Math.max(...json)).toBeLessThan(3 * DEFAULTS.maxResultBytes);
    expect(Math.max(...stream)).toBeLessThan(128 * 1024);
  });

  it("clients that send a byte a second are ended within the intake's time", async () => {
    for (const text of await clientsThatSendSlowly()) expect(text).toMatch(/^HTTP\/1\.1 408 /);
  });

  it(`${SESSIONS} idle sessions beside all of it leave nothing, and a call takes as long as before`, async () => {
    const sessions = new ManySessions(app);
    const everything = async (): Promise<void> => {
      await manyCallsOfOneId();
      await clientsThatStopReading();
      await clientsThatSendSlowly();
    };
    await sessions.open(200);
    await everything();
    await sessions.end();
    await pairedMedians(app, quiet);

    const before = await heap();
    await sessions.open(SESSIONS);
    const bytes = Math.round(((await heap()) - before) / SESSIONS);
    await everything();
    // Both applications share the machine's other work, call by call, and what is left of it is measured once more.
    let ratio = Infinity;
    for (let attempt = 0; attempt < 3 && ratio > 2; attempt++) {
      const [loaded, unloaded] = await pairedMedians(app, quiet);
      ratio = loaded / unloaded;
    }
    await sessions.end();
    const growth = (await heap()) / before;
    console.info(
      `load on ${platform.name}: ${bytes} bytes an idle session of ${SESSIONS}, ` +
        `heap × ${growth.toFixed(3)}, a call × ${ratio.toFixed(2)}`,
    );
    expect(bytes).toBeLessThan(MAX_BYTES_A_SESSION);
    expect(growth).toBeLessThan(1.1);
    expect(ratio).toBeLessThanOrEqual(2);
  });
});

/** The median time of a call in each application, measured in turns. */
async function pairedMedians(one: FixtureApp, other: FixtureApp): Promise<[number, number]> {
  const times: [number[], number[]] = [[], []];
  const apps = [one, other].map((app) => ({
    url: new URL(app.path, 'http://localhost'),
    send: inProcessFetch(app.app),
  }));
  const call = { name: 'echo', arguments: { path: { text: 'a' } }, _meta: envelope() };
  const headers = { ...BOTH, ...modernHeaders('tools/call', 'echo') };
  const body = JSON.stringify(message('tools/call', call));
  for (let i = 0; i < 400; i++) {
    const at = i % 2;
    const { url, send } = apps[at] as (typeof apps)[number];
    const began = performance.now();
    const answer = await send(url, { method: 'POST', headers, body });
    const text = await answer.text();
    times[at]?.push(performance.now() - began);
    expect(text).toContain('"structuredContent":{"text":"a"}');
  }
  return [median(times[0]), median(times[1])];
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] as number;
}
