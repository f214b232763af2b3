import type { AgentCatalogDocument, AgentKeyRecord } from '../../src/agents/index.js';
import { envelope, message, modernHeaders, Stream } from '../protocol/wire.js';
import { PLATFORMS } from '../support/platforms.js';
import {
  AgentsApp,
  catalogOf,
  readOperation,
  SUPPORT,
  supportCatalog,
  until,
} from './agents.fixture.js';
import { CATALOGS, stopPostgres } from './catalogs.js';

const DEEP = process.env['MCP_DEEP'] !== undefined;
const CALLS_AT_A_TIME = 200;
const REFRESHES = DEEP ? 100 : 8;
const TOOLS = 5;

/** Catalog number n: every tool, description and upstream path of it carries n. */
function numbered(
  origin: string,
  number: number,
  keys: readonly AgentKeyRecord[],
): AgentCatalogDocument {
  const operations = Array.from({ length: TOOLS }, (_, index) => ({
    name: `tool_${index}`,
    versions: [
      {
        version: 1,
        status: 'published' as const,
        description: `Of catalog ${number}.`,
        rest: {
          method: 'GET' as const,
          url: `${origin}/n${number}/{id}`,
          parameters: [
            { name: 'id', in: 'path' as const, from: '/id' },
            { name: 'catalog', in: 'query' as const, value: String(number) },
          ],
          input: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] },
        },
      },
    ],
  }));
  const tools = operations.map(({ name }) => ({ operation: name }));
  return catalogOf(origin, operations, [{ ...SUPPORT, tools }], keys);
}

afterAll(stopPostgres);

describe.each(CATALOGS)('agents, $title: refresh', (open) => {
  let app: AgentsApp | undefined;
  afterEach(async () => {
    await app?.close();
    app = undefined;
  });
  const bearer = (): Record<string, string> => ({ authorization: `Bearer ${app?.key}` });
  const names = async (): Promise<string[]> => {
    const answer = await (app as AgentsApp).post('acme/support', bearer());
    const { result } = answer.json() as { result: { tools: { name: string }[] } };
    return result.tools.map(({ name }) => name);
  };

  it(`under ${CALLS_AT_A_TIME} calls at a time loses no call and mixes no catalogs`, async () => {
    const on = (app = await AgentsApp.start({
      catalog: await open.start(),
      document: (origin, keys) => numbered(origin, 0, keys),
    }));
    const { origin } = on.upstream;
    let done = false;
    let published = 0;
    let ended = 0;
    const faults: string[] = [];
    const caller = async (index: number): Promise<void> => {
      while (!done) {
        if (index % 20 === 0) {
          const answer = await on.post('acme/support', bearer());
          const catalogs = answer.text.match(/Of catalog \d+/g) ?? [];
          if (catalogs.length !== TOOLS || new Set(catalogs).size !== 1) faults.push(answer.text);
        } else {
          const result = await on.call(`tool_${index % TOOLS}`, { id: String(index) });
          const [, path, id, query] =
            /\/n(\d+)\/(\d+)\?catalog=(\d+)/.exec(String(result.envelope['url'])) ?? [];
          const isWhole = path === query && id === String(index) && Number(path) <= published;
          if (result.isError || !isWhole) faults.push(result.text);
        }
        ended += 1;
      }
    };
    const callers = Array.from({ length: CALLS_AT_A_TIME }, (_, index) => caller(index));
    for (let number = 1; number <= REFRESHES; number += 1) {
      const before = ended;
      published = number;
      await on.catalog.publish(numbered(origin, number, on.records));
      expect(await on.agents.refresh()).toEqual({ problems: [] });
      // Calls must be in flight while the next one comes.
      await until(() => ended > before || faults.length > 0, 'calls go on');
    }
    done = true;
    await Promise.all(callers);
    expect(faults).toEqual([]);
    expect(ended).toBeGreaterThan(REFRESHES);
    const last = await on.call('tool_0', { id: '1' });
    expect(last.envelope['path']).toBe(`/n${REFRESHES}/1`);
  }, 600_000);

  it('a call in flight ends on the catalog that it began with, though its tool is gone', async () => {
    const on = (app = await AgentsApp.start({ catalog: await open.start() }));
    let release = (): void => undefined;
    on.upstream.held = new Promise((resolve) => (release = resolve));
    const held = {
      name: 'held',
      versions: [
        {
          version: 1,
          status: 'published' as const,
          rest: {
            method: 'GET' as const,
            url: `${on.upstream.origin}/held`,
            input: { type: 'object' },
          },
        },
      ],
    };
    const agent = { ...SUPPORT, tools: [{ operation: 'held' }] };
    await on.catalog.publish(supportCatalog(on.upstream.origin, on.records, [held], agent));
    await on.agents.refresh();
    const call = on.call('held');
    await until(() => on.upstream.last?.url === '/held', 'the call reaches the upstream');
    await on.catalog.publish(supportCatalog(on.upstream.origin, on.records));
    await on.agents.refresh();
    expect(await names()).toEqual(['order', 'read_thing']);
    release();
    expect((await call).envelope).toMatchObject({ path: '/held' });
  });

  it('refuses a bad catalog, says so once, and serves the last good one on', async () => {
    const on = (app = await AgentsApp.start({ catalog: await open.start() }));
    const { origin } = on.upstream;
    const bad = supportCatalog(origin, on.records, [], {
      ...SUPPORT,
      tools: [{ operation: 'absent' }],
    });
    await on.catalog.publish(bad);
    const told = (): string[] =>
      on.logger.of('warn', 'McpAgentsModule').filter((line) => line.includes('is refused'));
    const problem = 'agent acme/support, tools[0]: there is no operation absent in its workspace.';
    for (let i = 0; i < 3; i += 1) {
      expect(await on.agents.refresh()).toEqual({ problems: [problem] });
    }
    expect(told()).toEqual([
      `The catalog is refused, and the last good one is served on:\n  - ${problem}`,
    ]);
    expect(await names()).toEqual(['order', 'read_thing']);
    await on.catalog.publish(supportCatalog(origin, on.records, [readOperation(origin, 'more')]));
    expect(await on.agents.refresh()).toEqual({ problems: [] });
    expect(on.logger.of('warn', 'McpAgentsModule').at(-1)).toBe(
      'The catalog is in order again, and is served.',
    );
  });

  it('a source that fails leaves the last good catalog', async () => {
    const on = (app = await AgentsApp.start({ catalog: await open.start() }));
    const load = on.catalog.source.load.bind(on.catalog.source);
    on.catalog.source.load = () => Promise.reject(new Error('no connection'));
    expect(await on.agents.refresh()).toEqual({
      problems: ['it could not be loaded: no connection'],
    });
    // As Node says it of a host with two addresses.
    const parts = [new Error('refused at ::1'), new Error('refused at 127.0.0.1')];
    on.catalog.source.load = () => Promise.reject(new AggregateError(parts));
    expect(await on.agents.refresh()).toEqual({
      problems: ['it could not be loaded: refused at ::1, refused at 127.0.0.1'],
    });
    expect(await names()).toEqual(['order', 'read_thing']);
    on.catalog.source.load = load;
    expect(await on.agents.refresh()).toEqual({ problems: [] });
  });

  it('without a notice, the next turn finds the change', async () => {
    const catalog = await open.start();
    catalog.source.watch = () => () => undefined;
    const on = (app = await AgentsApp.start({ catalog, options: { refreshMs: 50 } }));
    const agent = { ...SUPPORT, tools: [{ operation: 'read_thing', name: 'renamed' }] };
    await on.catalog.publish(supportCatalog(on.upstream.origin, on.records, [], agent));
    await until(async () => (await names()).join() === 'renamed', 'the timer loads the catalog');
  });
});

describe.each(PLATFORMS)('agents on $name: who hears of a change', (platform) => {
  let app: AgentsApp;
  afterEach(() => app.close());

  it.each(['2026-07-28', '2025-11-25'] as const)(
    'the streams of the agent that changed, once, and of no other; not when no list changed (%s)',
    async (revision) => {
      app = await AgentsApp.start({ platform, options: { sessions: {} } });
      const own = await listen(app, revision, 'acme/support', app.key);
      const rival = await listen(app, revision, 'rival/support', app.rivalKey);
      const { origin } = app.upstream;
      const publish = async (name: string, instructions: string): Promise<void> => {
        const agent = { ...SUPPORT, instructions, tools: [{ operation: 'read_thing', name }] };
        await app.catalog.publish(supportCatalog(origin, app.records, [], agent));
        expect(await app.agents.refresh()).toEqual({ problems: [] });
      };
      await publish('read_one', 'Be kind.');
      await publish('read_one', 'Be short.');
      await publish('read_two', 'Be short.');
      await until(() => changesOn(own) === 2, 'both changes of the list are told');
      expect({ own: changesOn(own), rival: changesOn(rival) }).toEqual({ own: 2, rival: 0 });
      const next = await app.connect();
      expect(next.getInstructions()).toContain('Be short.');
      own.close();
      rival.close();
      await next.close();
    },
  );

  it('an agent that is taken away is a 404, its streams end, and it can come back', async () => {
    app = await AgentsApp.start({ platform, options: { sessions: {} } });
    const client = await app.connect('legacy');
    const id = (client.transport as { sessionId?: string }).sessionId ?? '';
    const headers = { authorization: `Bearer ${app.key}` };
    let over = false;
    const stream = await fetch(app.url(), {
      headers: { ...headers, accept: 'text/event-stream', 'mcp-session-id': id },
    });
    expect(stream.status).toBe(200);
    void stream.text().then(() => (over = true));
    const draft = { ...SUPPORT, status: 'draft' as const };
    await app.catalog.publish(supportCatalog(app.upstream.origin, app.records, [], draft));
    await app.agents.refresh();
    await until(() => over, 'the stream ends');
    expect((await app.post('acme/support', headers)).status).toBe(404);
    await app.catalog.publish(supportCatalog(app.upstream.origin, app.records));
    await app.agents.refresh();
    const again = await app.connect('legacy');
    expect((await again.listTools()).tools).toHaveLength(2);
    await Promise.all([client.close(), again.close()]);
  });
});

/** Opens a stream that hears of changes; it is open when this resolves. */
async function listen(
  app: AgentsApp,
  revision: '2026-07-28' | '2025-11-25',
  path: string,
  key: string,
): Promise<Stream> {
  const authorization = `Bearer ${key}`;
  const { pathname } = app.url(path);
  if (revision === '2025-11-25') {
    const client = await app.connect('legacy', { key, path });
    const id = (client.transport as { sessionId?: string }).sessionId ?? '';
    const headers = { authorization, 'mcp-session-id': id };
    const stream = await Stream.open(app.fixture, 'GET', headers, undefined, pathname);
    expect(stream.status).toBe(200);
    return stream;
  }
  const notifications = { toolsListChanged: true };
  const body = message('subscriptions/listen', { notifications, _meta: envelope() });
  const headers = { authorization, ...modernHeaders('subscriptions/listen') };
  const stream = await Stream.open(app.fixture, 'POST', headers, body, pathname);
  await until(() => stream.messages.length === 1, 'the stream is acknowledged');
  return stream;
}

function changesOn(stream: Stream): number {
  return stream.messages.filter(({ method }) => method === 'notifications/tools/list_changed')
    .length;
}
