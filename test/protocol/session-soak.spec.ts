import { jest } from '@jest/globals';
import { Controller, Get, Param } from '@nestjs/common';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { McpTool } from '../../src/index.js';
import { inProcessFetch } from '../../src/testing/in-process-fetch.js';
import { FixtureApp, textOf, type CallResult } from '../support/fixture-app.js';
import { DATED, envelope, message, modernHeaders, notification } from './wire.js';

jest.setTimeout(3_600_000);

const DEEP = process.env['MCP_DEEP'] === '1';
/** Calls, and a session for every tenth; the first tenth warms up. */
const CALLS = Number(process.env['MCP_SOAK_CALLS'] ?? (DEEP ? 200_000 : 4_000));
const WARM_UP = CALLS / 10;
/** How many sessions are kept: fewer than are opened, so that what goes at the cap is seen to go. */
const MAX = CALLS / 40;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

@Controller('echo')
class EchoController {
  @McpTool('echo') @Get(':text') echo(@Param('text') text: string): object {
    return { text };
  }
}

async function heap(): Promise<number> {
  for (let i = 0; i < 4; i++) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    collect();
  }
  return process.memoryUsage().heapUsed;
}

describe(`protocol: ${CALLS} calls in ${CALLS / 10} sessions and without`, () => {
  let app: FixtureApp;
  let send: (body: object, headers: Record<string, string>) => Promise<Response>;
  beforeAll(async () => {
    app = await FixtureApp.start({
      controllers: [EchoController],
      mcp: { sessions: { max: MAX } },
    });
    const within = inProcessFetch(app.app);
    send = (body, headers) =>
      within(new URL(app.path, 'http://localhost'), {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json', ...headers },
        body: JSON.stringify(body),
      });
  });
  afterAll(() => app.close());

  const open = async (i: number): Promise<Record<string, string>> => {
    const protocolVersion = DATED[i % DATED.length] as string;
    const params = {
      protocolVersion,
      capabilities: { elicitation: {}, roots: { listChanged: true } },
      clientInfo: { name: 'soak', version: '1.0.0' },
    };
    const answer = await send(message('initialize', params), {});
    const headers = {
      'mcp-session-id': answer.headers.get('mcp-session-id') ?? '',
      'mcp-protocol-version': protocolVersion,
    };
    await send(notification('notifications/initialized'), headers);
    return headers;
  };
  const call = async (text: string, session?: Record<string, string>): Promise<void> => {
    const params = { name: 'echo', arguments: { path: { text } } };
    const answer = await (session === undefined
      ? send(
          message('tools/call', { ...params, _meta: envelope() }),
          modernHeaders('tools/call', 'echo'),
        )
      : send(message('tools/call', params), session));
    const { result } = (await answer.json()) as { result?: CallResult };
    if (result === undefined || textOf(result) !== JSON.stringify({ text }))
      throw new Error(`Call ${text} was answered with ${answer.status} ${JSON.stringify(result)}`);
  };
  /** Ten calls: five in a session of their own, which one in three ends itself, and five without. */
  const round = async (i: number): Promise<void> => {
    const session = await open(i);
    for (let j = 0; j < 5; j++)
      await Promise.all([call(`${i}-${j}`, session), call(`${i}-${j}-m`)]);
    if (i % 3 === 0)
      await inProcessFetch(app.app)(new URL(app.path, 'http://localhost'), {
        method: 'DELETE',
        headers: session,
      });
  };

  it('leave the heap as it was after the first tenth', async () => {
    for (let i = 0; i < WARM_UP / 10; i++) await round(i);
    const before = await heap();
    const begun = performance.now();
    for (let i = WARM_UP / 10; i < CALLS / 10; i++) await round(i);
    const seconds = (performance.now() - begun) / 1_000;
    const after = await heap();
    console.log(
      `soak: ${CALLS} calls, ${CALLS / 10} sessions: heap ${before} bytes after the first tenth, ${after} at the end; ${Math.round((CALLS - WARM_UP) / seconds)} calls a second, one after the other`,
    );
    expect(after).toBeLessThan(before * 1.1);
  });

  it('and a session has its price', async () => {
    const other = await FixtureApp.start({ controllers: [EchoController], mcp: { sessions: {} } });
    const within = inProcessFetch(other.app);
    send = (body, headers) =>
      within(new URL(other.path, 'http://localhost'), {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json', ...headers },
        body: JSON.stringify(body),
      });
    for (let i = 0; i < 100; i++) await open(i);
    const before = await heap();
    const count = Math.min(5_000, CALLS / 4);
    for (let i = 0; i < count; i++) await open(i);
    const bytes = ((await heap()) - before) / count;
    console.log(`soak: ${Math.round(bytes)} bytes a session in memory`);
    expect(bytes).toBeLessThan(4_096);
    await other.close();
  });
});
