import { newAgentKey } from '../../src/agents/key.js';
import { PLATFORMS } from '../support/platforms.js';
import { AgentsApp, catalogOf, readOperation, SUPPORT, until } from './agents.fixture.js';

const bearer = (key: string): Record<string, string> => ({ authorization: `Bearer ${key}` });
const PATHS = ['acme/support', 'acme/draft', 'acme/nobody', 'rival/support', 'nowhere/support'];

describe.each(PLATFORMS)('agents on $name: authentication', (platform) => {
  let app: AgentsApp | undefined;
  const start = async (options: object = {}): Promise<AgentsApp> => {
    const draft = { ...SUPPORT, slug: 'draft', status: 'draft' } as const;
    app = await AgentsApp.start({
      platform,
      options: { maxAttempts: 1_000, ...options },
      document: (origin, keys) =>
        catalogOf(origin, [readOperation(origin)], [SUPPORT, draft], keys),
    });
    return app;
  };
  afterEach(async () => {
    await app?.close();
    app = undefined;
  });

  it('no key: the same 401 for every path, with a challenge', async () => {
    const { fixture } = await start();
    const answers = await Promise.all(
      PATHS.flatMap((path) =>
        ['GET', 'POST', 'DELETE', 'PUT'].map((method) =>
          fixture.http(method, `/mcp/v1/${path}`, method === 'GET' ? {} : { body: {} }),
        ),
      ),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401]));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers[0]?.headers.get('www-authenticate')).toBe('Bearer realm="mcp"');
    expect(answers[0]?.text).toContain('Authorization: Bearer <key>');
  });

  it('a bad key: the same 401 for every path, whether its prefix is known or not', async () => {
    const on = await start();
    const unknown = newAgentKey({ workspace: 'acme', agent: 'support' }).key;
    const halfRight = `${on.key.slice(0, 30)}${'A'.repeat(on.key.length - 30)}`;
    const answers = await Promise.all(
      [unknown, halfRight].flatMap((key) => PATHS.map((path) => on.post(path, bearer(key)))),
    );
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(answers[0]?.status).toBe(401);
  });

  it.each([
    ['Basic', { authorization: 'Basic YTpi' }],
    ['a JWT', { authorization: 'Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.' }],
    ['DPoP', { authorization: 'DPoP abc' }],
    ['a header that the options do not name', { 'x-api-key': 'KEY' }],
    ['a key under another scheme', { authorization: 'Token KEY' }],
    ['two keys', { authorization: 'Bearer KEY KEY' }],
  ])('refuses %s, and says what is supported', async (_, headers) => {
    const on = await start();
    const sent = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, value.replaceAll('KEY', on.key)]),
    );
    const answer = await on.post('acme/support', sent);
    expect(answer.status).toBe(401);
    expect(answer.text).toContain('A static key of this agent (mcpk_…) is supported');
  });

  it("a valid key on another agent's path: the same 404 as a missing agent", async () => {
    const on = await start();
    const paths = ['acme/draft', 'acme/nobody', 'rival/support', 'nowhere/support', 'acme/SUPPORT'];
    const own = await Promise.all(paths.map((path) => on.post(path, bearer(on.key))));
    const rival = await on.post('acme/support', bearer(on.rivalKey));
    expect(new Set([...own, rival].map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(rival.status).toBe(404);
    expect((await on.post('acme/support', bearer(on.key))).status).toBe(200);
    expect((await on.post('rival/support', bearer(on.rivalKey))).status).toBe(200);
  });

  it('takes a key from the header of the options, but not two that differ', async () => {
    const on = await start({ keyHeader: 'X-Agent-Key' });
    const statuses = [];
    for (const headers of [
      { 'x-agent-key': on.key },
      bearer(on.key),
      { 'x-agent-key': on.key, ...bearer(on.key) },
      { 'x-agent-key': on.rivalKey, ...bearer(on.key) },
      { 'x-agent-key': on.key, authorization: 'Basic YTpi' },
    ]) {
      statuses.push((await on.post('acme/support', headers)).status);
    }
    expect(statuses).toEqual([200, 200, 200, 401, 401]);
  });

  it('an expired and a revoked key are refused, a malformed record is no key', async () => {
    const past = new Date(Date.now() - 1000).toISOString();
    const grant = { workspace: 'acme', agent: 'support' };
    const [expired, revoked, future] = [newAgentKey(grant), newAgentKey(grant), newAgentKey(grant)];
    const on = await start();
    const { origin } = on.upstream;
    const keys = [
      { ...expired.record, expiresAt: past },
      { ...revoked.record, revokedAt: past },
      { ...future.record, expiresAt: new Date(Date.now() + 600_000).toISOString() },
      ...on.records,
    ];
    await on.catalog.publish(catalogOf(origin, [readOperation(origin)], [SUPPORT], keys));
    await on.agents.refresh();
    const status = async (key: string): Promise<number> =>
      (await on.post('acme/support', bearer(key))).status;
    expect(await status(future.key)).toBe(200);
    expect(await status(expired.key)).toBe(401);
    expect(await status(revoked.key)).toBe(401);
    const broken = { ...future.record, expiresAt: 'soon' };
    await on.catalog.publish(
      catalogOf(origin, [readOperation(origin)], [SUPPORT], [broken, ...on.records]),
    );
    expect((await on.agents.refresh()).problems).toEqual([
      'keys[0]: expiresAt or revokedAt is not an ISO 8601 time',
    ]);
    expect(await status(future.key)).toBe(401);
    expect(await status(on.key)).toBe(200);
  });

  it('a revoked key counts at once, even while the catalog around it is refused, and its streams end', async () => {
    const on = await start({ sessions: {} });
    const { key, record } = await on.agents.createKey({ workspace: 'acme', agent: 'support' });
    const client = await on.connect('legacy', { key });
    let ended = false;
    const stream = await fetch(on.url(), {
      headers: {
        ...bearer(key),
        accept: 'text/event-stream',
        'mcp-session-id': (client.transport as { sessionId?: string }).sessionId ?? '',
      },
    });
    expect(stream.status).toBe(200);
    void stream.text().then(
      () => (ended = true),
      () => (ended = true),
    );
    await on.catalog.publish({
      workspaces: [{ slug: 'NO SLUG' }],
      keys: [...on.records, { ...record, revokedAt: new Date().toISOString() }],
    });
    expect((await on.agents.refresh()).problems).toEqual([
      expect.stringContaining('workspaces[0].slug must match pattern'),
    ]);
    await until(() => ended, 'the stream of the revoked key ends');
    expect((await on.post('acme/support', bearer(key))).status).toBe(401);
    // The other key is asked for its session, and so was taken.
    expect((await on.post('acme/support', bearer(on.key))).status).toBe(400);
    await client.close().catch(() => undefined);
  });

  it('the session of one key is unknown to another key of the same agent', async () => {
    const on = await start({ sessions: {} });
    const other = await on.agents.createKey({ workspace: 'acme', agent: 'support' });
    const client = await on.connect('legacy');
    const id = (client.transport as { sessionId?: string }).sessionId ?? '';
    const as = (key: string): Promise<{ status: number }> =>
      on.post('acme/support', { ...bearer(key), 'mcp-session-id': id });
    expect((await as(on.key)).status).toBe(200);
    expect((await as(other.key)).status).toBe(404);
    await client.close();
  });

  it('refuses an address after too many attempts, with a valid key, too, and says for how long', async () => {
    const on = await start({ maxAttempts: 3 });
    const statuses = [];
    for (let i = 0; i < 4; i += 1) statuses.push((await on.post('acme/support')).status);
    const answer = await on.post('acme/support', bearer(on.key));
    expect([...statuses, answer.status]).toEqual([401, 401, 401, 429, 429]);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  });
});
