import { jest } from '@jest/globals';
import { Body, Controller, Get, Post, Req, Res, StreamableFile } from '@nestjs/common';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { McpCall, McpTool, type McpCallContext } from '../../src/index.js';
import { inProcessFetch } from '../../src/testing/in-process-fetch.js';
import { FixtureApp } from '../support/fixture-app.js';
import { PLATFORMS } from '../support/platforms.js';

jest.setTimeout(3_600_000);

const DEEP = process.env['MCP_DEEP'] === '1';
const CALLS = DEEP ? 50_000 : 2_000;
/** After which everything that is made once is made, and the heap is measured for the first time. */
const WARM_UP = DEEP ? 5_000 : 1_000;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

type Raw<T> = T | { raw: T };

@Controller('leak')
class LeakController {
  @McpTool('read') @Get('read') read(@McpCall() call?: McpCallContext): object {
    // A handler that listens, and leaves its listener to the signal.
    call?.signal.addEventListener('abort', () => undefined);
    return { text: 'x'.repeat(1000) };
  }
  @McpTool('write') @Post('write') write(
    @Body() body: object,
    @Req() request: Raw<IncomingMessage>,
  ): object {
    const raw = 'raw' in request ? request.raw : request;
    raw.on('close', () => undefined);
    raw.socket.on('close', () => undefined);
    return body;
  }
  @McpTool('stream') @Get('stream') stream(): StreamableFile {
    return new StreamableFile(Readable.from(['a', 'b', 'c']), { type: 'text/plain' });
  }
  @McpTool('fail') @Get('fail') fail(): never {
    throw new Error('on purpose');
  }
  @McpTool({ name: 'hang', timeoutMs: 1 }) @Get('hang') hang(): Promise<never> {
    return new Promise(() => undefined);
  }
  @McpTool('torn') @Get('torn') torn(@Res() response: Raw<ServerResponse>): void {
    ('raw' in response ? response.raw : response).destroy();
  }
}

const TOOLS = ['read', 'write', 'stream', 'fail', 'hang', 'torn', 'unwritable'];

/** What keeps a process alive, by kind, and who listens to what outlives a call. */
function held(server: Server): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const kind of process.getActiveResourcesInfo()) counts[kind] = (counts[kind] ?? 0) + 1;
  for (const [name, emitter] of Object.entries({ server, process })) {
    for (const event of emitter.eventNames()) {
      counts[`${name} ${String(event)}`] = emitter.listenerCount(event);
    }
  }
  return counts;
}

describe.each(PLATFORMS)(`dispatch on $name: what ${CALLS} calls leave behind`, (platform) => {
  it('is nothing', async () => {
    const app = await FixtureApp.start({
      platform,
      controllers: [LeakController],
      mcp: { maxConcurrentCalls: 1_000 },
    });
    const server = app.app.getHttpServer() as Server;
    const fetchInside = inProcessFetch(app.app);
    const call = async (tool: string): Promise<void> => {
      const args = tool === 'write' ? { body: { a: [1, 2, { b: 'c' }] } } : {};
      const params =
        tool === 'unwritable'
          ? { name: 'write', arguments: { query: 'x' } }
          : { name: tool, arguments: args };
      const response = await fetchInside(new URL(app.path, 'http://localhost'), {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
      });
      expect(response.status).toBe(200);
      await response.text();
    };
    const run = async (count: number): Promise<void> => {
      for (let i = 0; i < count; i += 20) {
        await Promise.all(Array.from({ length: 20 }, (_, j) => call(TOOLS[(i + j) % 7] as string)));
      }
    };
    const heap = async (): Promise<number> => {
      for (let i = 0; i < 4; i++) {
        await new Promise((resolve) => setTimeout(resolve, 50));
        collect();
      }
      return process.memoryUsage().heapUsed;
    };

    await run(WARM_UP);
    const heapBefore = await heap();
    const before = held(server);
    await run(CALLS - WARM_UP);
    const heapAfter = await heap();
    console.info(
      `${CALLS} calls on ${platform.name}: heap × ${(heapAfter / heapBefore).toFixed(3)} of that after ${WARM_UP}`,
    );
    expect(held(server)).toEqual(before);
    expect(heapAfter).toBeLessThan(heapBefore * 1.1);
    await app.close();
  });
});
