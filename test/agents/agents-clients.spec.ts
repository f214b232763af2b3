import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { PLATFORMS } from '../support/platforms.js';
import { AgentsApp, SUPPORT, supportCatalog, until } from './agents.fixture.js';
import { CATALOGS, stopPostgres } from './catalogs.js';

const CASES = PLATFORMS.flatMap((platform) =>
  CATALOGS.map((open) => ({ title: `${open.title} on ${platform.name}`, platform, open })),
);

afterAll(stopPostgres);

describe.each(CASES)('agents: official clients, $title', ({ platform, open }) => {
  let app: AgentsApp;
  beforeEach(async () => {
    const catalog = await open.start();
    app = await AgentsApp.start({ platform, catalog, options: { sessions: {} } });
  });
  afterEach(() => app.close());

  it.each(['2026-07-28', 'legacy'] as const)('SDK v2, %s: lists and calls', async (pin) => {
    const client = await app.connect(pin);
    expect(client.getInstructions()).toContain('Be kind.');
    const { tools } = await client.listTools();
    expect(tools.map(({ name, title }) => [name, title])).toEqual([
      ['order', 'An order'],
      ['read_thing', 'Read a thing'],
    ]);
    const thing = await client.callTool({ name: 'read_thing', arguments: { id: '7' } });
    expect(thing.structuredContent).toMatchObject({ path: '/things/7' });
    const order = await client.callTool({ name: 'order', arguments: { path: { id: '9' } } });
    expect(order.structuredContent).toEqual({ order: '9' });
    await expect(client.callTool({ name: 'secret_route' })).rejects.toThrow(/Unknown tool/);
    await client.close();
  });

  it('SDK v1: lists, calls, ends its session', async () => {
    const client = new ClientV1({ name: 'test', version: '1.0.0' });
    const requestInit = { headers: { authorization: `Bearer ${app.key}` } };
    const transport = new TransportV1(app.url(), { requestInit });
    await client.connect(transport);
    expect(client.getServerVersion()).toMatchObject({ title: 'Support' });
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual([
      'order',
      'read_thing',
    ]);
    const result = await client.callTool({ name: 'read_thing', arguments: { id: 'a/b' } });
    expect(result.structuredContent).toMatchObject({ path: '/things/a%2Fb' });
    await transport.terminateSession();
    await client.close();
  });

  it.each(['2026-07-28', 'legacy'] as const)(
    'SDK v2, %s: hears of a publish, and sees it, without a restart',
    async (pin) => {
      let heard = 0;
      const onChanged = (): void => void (heard += 1);
      const tools = { autoRefresh: false, debounceMs: 0, onChanged };
      const client = await app.connect(pin, { listChanged: { tools } });
      // The stream is opened behind connect(): each publish is a chance to hear of it.
      let version = 0;
      await until(async () => {
        version += 1;
        const tool = { operation: 'read_thing', name: `read_v${version}` };
        const agent = { ...SUPPORT, tools: [tool] };
        await app.catalog.publish(supportCatalog(app.upstream.origin, app.records, [], agent));
        await until(
          () => app.agents.agents.some(({ tools: names }) => names.includes(`read_v${version}`)),
          'the source tells of the publish',
        );
        return heard > 0;
      }, 'a stream hears of a publish');
      const names = (await client.listTools()).tools.map(({ name }) => name);
      expect(names).toEqual([`read_v${version}`]);
      await client.close();
    },
  );
});
