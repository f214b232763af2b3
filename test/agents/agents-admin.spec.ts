import { McpCatalogSource } from '../../src/agents/index.js';
import { envelope, message, modernHeaders, Stream } from '../protocol/wire.js';
import { AgentsApp, SUPPORT, supportCatalog, until, type TestCatalog } from './agents.fixture.js';
import { CATALOGS, stopPostgres } from './catalogs.js';

const OF_SUPPORT = { workspace: 'acme', agent: 'support' };
const bearer = (key: string): Record<string, string> => ({ authorization: `Bearer ${key}` });

afterAll(stopPostgres);

describe.each(CATALOGS)('agents, $title: administration by McpAgents', (open) => {
  let app: AgentsApp;
  let catalog: TestCatalog;
  beforeEach(async () => {
    catalog = await open.start();
    app = await AgentsApp.start({ catalog, options: { sessions: {} } });
  });
  afterEach(() => app.close());
  const status = async (key: string): Promise<number> =>
    (await app.post('acme/support', bearer(key), 'initialize', INITIALIZE)).status;

  it('creates a key, which is shown once, stored as a hash and good at once', async () => {
    const { key, record } = await app.agents.createKey({ ...OF_SUPPORT, label: 'for Ann' });
    expect(key).toMatch(/^mcpk_[0-9a-f]{16}_[\w-]{43}$/);
    expect(await status(key)).toBe(200);
    const stored = JSON.stringify(await app.catalog.source.load(AbortSignal.timeout(20_000)));
    const [, prefix = '', ...secret] = key.split('_');
    expect(stored).toContain(prefix);
    expect(stored).toContain(record.hash);
    expect(stored).not.toContain(secret.join('_'));
    const listed = await app.agents.listKeys(OF_SUPPORT);
    expect(listed).toHaveLength(2);
    expect(JSON.stringify(listed)).not.toContain(record.hash);
    expect(listed).toContainEqual({
      ...OF_SUPPORT,
      prefix,
      createdAt: record.createdAt,
      label: 'for Ann',
      state: 'valid',
    });
  });

  it('lists by workspace and agent', async () => {
    const agents = async (filter?: object): Promise<string[]> =>
      (await app.agents.listKeys(filter)).map(({ workspace, agent }) => `${workspace}/${agent}`);
    expect((await agents()).sort()).toEqual(['acme/support', 'rival/support']);
    expect(await agents({ workspace: 'rival' })).toEqual(['rival/support']);
    expect(await agents({ agent: 'nobody' })).toEqual([]);
  });

  it('revokes a key at once: its streams, its sessions and what it has open end', async () => {
    const { key, record } = await app.agents.createKey(OF_SUPPORT);
    const client = await app.connect('legacy', { key });
    const id = (client.transport as { sessionId?: string }).sessionId ?? '';
    const { pathname } = app.url();
    const session = { ...bearer(key), 'mcp-session-id': id };
    const modern = { ...bearer(key), ...modernHeaders('subscriptions/listen') };
    const notifications = { toolsListChanged: true };
    const listen = message('subscriptions/listen', { notifications, _meta: envelope() });
    const streams = [
      await Stream.open(app.fixture, 'GET', session, undefined, pathname),
      await Stream.open(app.fixture, 'POST', modern, listen, pathname),
    ];
    expect(streams.map((stream) => stream.status)).toEqual([200, 200]);
    await app.agents.revokeKey(record.prefix);
    await Promise.all(streams.map((stream) => stream.ended()));
    expect(await status(key)).toBe(401);
    expect((await app.post('acme/support', session, 'ping')).status).toBe(401);
    expect(await status(app.key)).toBe(200);
    const states = (await app.agents.listKeys()).map(({ prefix, state }) => [prefix, state]);
    expect(states).toContainEqual([record.prefix, 'revoked']);
    await client.close().catch(() => undefined);
  });

  it('revokes a key at once even when the catalog cannot be loaded any more', async () => {
    const { key, record } = await app.agents.createKey(OF_SUPPORT);
    const load = catalog.source.load.bind(catalog.source);
    catalog.source.load = () => Promise.reject(new Error('the database is busy'));
    await app.agents.revokeKey(record.prefix);
    expect(await status(key)).toBe(401);
    catalog.source.load = load;
    expect(await app.agents.refresh()).toEqual({ problems: [] });
    expect(await status(key)).toBe(401);
  });

  it('a key revoked twice keeps its first time; one that nobody has is an error', async () => {
    const { record } = await app.agents.createKey(OF_SUPPORT);
    const revokedAt = async (): Promise<string | undefined> =>
      (await app.agents.listKeys()).find(({ prefix }) => prefix === record.prefix)?.revokedAt;
    await app.agents.revokeKey(record.prefix);
    const first = await revokedAt();
    expect(first).toMatch(/^\d{4}-/);
    await until(() => Date.now() > Date.parse(first ?? ''), 'time passes');
    await app.agents.revokeKey(record.prefix);
    expect(await revokedAt()).toBe(first);
    await expect(app.agents.revokeKey('0123456789abcdef')).rejects.toThrow(
      'There is no key with the prefix "0123456789abcdef".',
    );
  });

  it('a key expires by itself, and the list says so', async () => {
    const expiresAt = new Date(Date.now() + 500);
    const { key, record } = await app.agents.createKey({ ...OF_SUPPORT, expiresAt });
    const headers = { ...bearer(key), ...modernHeaders('subscriptions/listen') };
    const notifications = { toolsListChanged: true };
    const listen = message('subscriptions/listen', { notifications, _meta: envelope() });
    const stream = await Stream.open(app.fixture, 'POST', headers, listen, app.url().pathname);
    await until(() => Date.now() >= expiresAt.getTime(), 'the key has expired');
    expect(await status(key)).toBe(401);
    await app.agents.refresh();
    await stream.ended();
    const states = (await app.agents.listKeys()).map(({ prefix, state }) => [prefix, state]);
    expect(states).toContainEqual([record.prefix, 'expired']);
  });

  it('refuses a key of an agent that is not there, and one that has expired already', async () => {
    for (const [grant, problem] of [
      [{ workspace: 'acme', agent: 'nobody' }, 'There is no agent "nobody" in a workspace "acme".'],
      [{ workspace: 'x', agent: 'support' }, 'There is no agent "support" in a workspace "x".'],
      [{ ...OF_SUPPORT, expiresAt: new Date(0) }, 'must be in the future'],
      [{ ...OF_SUPPORT, expiresAt: new Date(NaN) }, 'must be in the future'],
    ] as const) {
      await expect(app.agents.createKey(grant)).rejects.toThrow(problem);
    }
    expect(await app.agents.listKeys()).toHaveLength(2);
  });

  it('a draft may have keys, which are good when it is published', async () => {
    const publish = async (state: 'draft' | 'published', keys = app.records): Promise<void> => {
      const { origin } = app.upstream;
      const draft = { ...SUPPORT, slug: 'soon', status: state };
      const { workspaces, ...rest } = supportCatalog(origin, app.records);
      const [acme, ...others] = workspaces;
      const agents = [...(acme?.agents ?? []), draft];
      await catalog.publish({
        ...rest,
        workspaces: [{ slug: 'acme', ...acme, agents }, ...others],
        keys,
      });
      expect(await app.agents.refresh()).toEqual({ problems: [] });
    };
    await publish('draft');
    const made = await app.agents.createKey({ workspace: 'acme', agent: 'soon' });
    const asked = async (): Promise<number> =>
      (await app.post('acme/soon', bearer(made.key), 'initialize', INITIALIZE)).status;
    expect(await asked()).toBe(404);
    await publish('published', [...app.records, made.record]);
    expect(await asked()).toBe(200);
  });
});

describe('agents: administration of a source that keeps no keys', () => {
  it('says so', async () => {
    const app = await AgentsApp.start();
    const { source } = app.catalog;
    Object.assign(source, { addKey: undefined, revokeKey: undefined });
    const said = 'The source keeps no keys: add or revoke them where it has them from.';
    await expect(app.agents.createKey(OF_SUPPORT)).rejects.toThrow(said);
    await expect(app.agents.revokeKey('0123456789abcdef')).rejects.toThrow(said);
    expect(source).toBeInstanceOf(McpCatalogSource);
    await app.close();
  });

  it('lists what can be read of keys that are not in order', async () => {
    const app = await AgentsApp.start();
    const [own] = app.records;
    for (const [keys, listed] of [
      [[null, { ...own, hash: 'x' }, own], 1],
      ['none', 0],
    ] as const) {
      await app.catalog.publish({ workspaces: [], keys } as never);
      expect(await app.agents.listKeys()).toHaveLength(listed);
    }
    await app.close();
  });
});

const INITIALIZE = {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'test', version: '1.0.0' },
};
