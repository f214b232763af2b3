import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { McpToolCatalog } from '../../src/index.js';
import type { FixtureApp } from '../support/fixture-app.js';
import { endpointOf, NAMES, SETUPS, startFixture, stopFixture } from './fixture.js';

const INFO = { name: 'test', version: '1.0.0' };
const ECHO = { name: 'echo', arguments: { path: { text: 'hello' } } };

describe.each(SETUPS)('clients on $title', (setup) => {
  let app: FixtureApp;
  beforeEach(async () => {
    app = await startFixture(setup);
  });
  afterEach(() => stopFixture(app));

  it.each([
    ['pin', { mode: { pin: '2026-07-28' } }, '2026-07-28'],
    ['auto', { mode: 'auto' }, '2026-07-28'],
    ['legacy', { mode: 'legacy' }, '2025-11-25'],
  ] as const)('SDK v2, %s: connects, lists, calls', async (_, versionNegotiation, revision) => {
    const client = new Client(INFO, { versionNegotiation });
    await client.connect(new StreamableHTTPClientTransport(new URL(endpointOf(app))));
    expect(client.getNegotiatedProtocolVersion()).toBe(revision);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(NAMES);
    const result = await client.callTool(ECHO);
    expect(result.structuredContent).toEqual({ text: 'hello' });
    expect(await client.callTool({ name: 'missing' })).toMatchObject({ isError: true });
    await expect(client.callTool({ name: 'absent' })).rejects.toThrow(/Unknown tool/);
    const seen: number[] = [];
    const steps = [1, 2, 3];
    await client.callTool(
      { name: 'progress', arguments: { body: { steps } } },
      { onprogress: ({ progress }) => void seen.push(progress) },
    );
    expect(seen).toEqual(steps);
    await client.close();
  });

  it('SDK v1: connects, lists page by page, calls, cancels', async () => {
    const client = new ClientV1(INFO);
    const transport = new TransportV1(new URL(endpointOf(app)));
    await client.connect(transport);
    expect(transport.protocolVersion).toBe('2025-11-25');
    expect(transport.sessionId !== undefined).toBe(setup.sessions !== false);
    const names: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await client.listTools(cursor === undefined ? {} : { cursor });
      names.push(...page.tools.map(({ name }) => name));
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    expect(names).toEqual(NAMES);
    expect((await client.callTool(ECHO)).structuredContent).toEqual({ text: 'hello' });
    const controller = new AbortController();
    const slow = client.callTool({ name: 'slow' }, CallToolResultSchema, {
      signal: controller.signal,
    });
    controller.abort();
    await expect(slow).rejects.toThrow();
    if (setup.sessions !== false) await transport.terminateSession();
    await client.close();
  });

  it.each([
    ['pin', { mode: { pin: '2026-07-28' } }],
    ['legacy', { mode: 'legacy' }],
  ] as const)(
    'SDK v2, %s: hears of changes of the list, where there is a stream for it',
    async (mode, versionNegotiation) => {
      if (mode === 'legacy' && setup.sessions === false) return;
      const catalog = app.app.get(McpToolCatalog, { strict: false });
      let heard = false;
      const listChanged = {
        tools: { autoRefresh: false, debounceMs: 0, onChanged: () => void (heard = true) },
      };
      const client = new Client(INFO, { versionNegotiation, listChanged });
      await client.connect(new StreamableHTTPClientTransport(new URL(endpointOf(app))));
      // The stream is opened behind connect(): each change is a chance to hear of it.
      for (let i = 0; i < 200 && !heard; i++) {
        catalog.disable('large');
        await client.ping?.().catch(() => undefined);
        catalog.enable('large');
        await new Promise((resolve) => setImmediate(resolve));
      }
      expect(heard).toBe(true);
      await client.close();
    },
  );
});
