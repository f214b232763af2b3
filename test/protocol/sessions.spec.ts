import { FixtureApp } from '../support/fixture-app.js';
import { PLATFORMS } from '../support/platforms.js';
import { as, Gate, TOOLS, UserGuard } from './tools.fixture.js';
import { DATED, eventually, message, rpc, Session, verdict } from './wire.js';

const other = 'not-a-session-0000000000000000000';

describe.each(PLATFORMS)('protocol on $name: sessions', (platform) => {
  let app: FixtureApp;
  let gate: Gate;
  beforeEach(async () => {
    const mcp = { sessions: {}, guards: [UserGuard] };
    app = await FixtureApp.start({ ...TOOLS, platform, mcp });
    gate = app.app.get(Gate);
  });
  afterEach(async () => {
    gate.releaseAll();
    await app.close();
  });

  it('400 without an id, 404 for an unknown one, for every method', async () => {
    for (const [headers, status] of [
      [{}, 400],
      [{ 'mcp-session-id': other }, 404],
      [{ 'mcp-session-id': '' }, 404],
    ] as const) {
      expect(verdict(await app.post(message('ping'), headers))).toEqual([status, -32600]);
      expect((await app.post({ jsonrpc: '2.0', method: 'x' }, headers)).status).toBe(status);
      for (const method of ['GET', 'DELETE']) {
        const answer = await app.http(method, app.path, {
          headers: { accept: 'text/event-stream', ...headers },
        });
        expect(verdict(answer)).toEqual([status, -32600]);
      }
    }
  });

  it('two session ids are none', async () => {
    const { id } = await Session.open(app);
    const answer = await app.post(message('ping'), { 'mcp-session-id': `${id}, ${id}` });
    expect(answer.status).toBe(404);
  });

  it('P6: another principal, and nobody, are told that there is no such session', async () => {
    const session = await Session.open(app, as('ann'));
    expect((await session.request('ping')).status).toBe(200);
    for (const who of [as('bob'), { authorization: '' }]) {
      const headers = { ...session.headers, ...who };
      const refused = [
        await app.post(message('tools/list'), headers),
        await app.post({ jsonrpc: '2.0', method: 'notifications/initialized' }, headers),
        await app.http('GET', app.path, { headers: { ...headers, accept: 'text/event-stream' } }),
        await session.end(who),
      ];
      const unknown = await app.post(message('tools/list'), {
        ...headers,
        'mcp-session-id': other,
      });
      for (const answer of refused) {
        expect(answer.status).toBe(404);
        expect(rpc(answer).error).toEqual(rpc(unknown).error);
      }
    }
    expect((await session.request('ping')).status).toBe(200);
  });

  it('P6: the session of nobody is nobody’s only', async () => {
    const session = await Session.open(app);
    expect((await session.request('ping')).status).toBe(200);
    expect((await session.request('ping', undefined, 1, as('ann'))).status).toBe(404);
  });

  it('before notifications/initialized only ping is served', async () => {
    const session = await Session.begin(app);
    expect(verdict(await session.request('ping'))).toEqual([200, undefined]);
    for (const method of ['tools/list', 'tools/call', 'resources/list'])
      expect(verdict(await session.request(method, { name: 'echo' }))).toEqual([400, -32600]);
    await session.notify('notifications/initialized');
    expect(verdict(await session.request('tools/list'))).toEqual([200, undefined]);
    // Said again, it changes nothing.
    expect((await session.notify('notifications/initialized')).status).toBe(202);
  });

  it.each(DATED)('holds a session to %s', async (revision) => {
    const session = await Session.open(app, {}, revision);
    const withVersion = (version: string): Record<string, string> => ({
      'mcp-protocol-version': version,
    });
    for (const version of DATED) {
      const answer = await session.request('ping', undefined, 1, withVersion(version));
      expect([version, ...verdict(answer)]).toEqual(
        version === revision ? [version, 200, undefined] : [version, 400, -32600],
      );
    }
    const bad = withVersion('2024-11-05');
    expect(verdict(await session.request('ping', undefined, 1, bad))).toEqual([400, -32600]);
    expect((await session.end(bad)).status).toBe(400);
    // Without the header the session itself says which revision it is.
    const bare = { 'mcp-session-id': session.id };
    const listed = rpc(await app.post(message('tools/list'), bare)).result?.['tools'] as object[];
    const described = listed.find((tool) => 'name' in tool && tool.name === 'described');
    expect(Object.hasOwn(described ?? {}, 'icons')).toBe(revision === '2025-11-25');
    expect(Object.hasOwn(described ?? {}, 'title')).toBe(revision !== '2025-03-26');
  });

  it('DELETE ends it: its calls are cancelled, its streams closed, and it is unknown', async () => {
    const session = await Session.open(app);
    const bystander = await Session.open(app);
    const streams = [await session.stream(), await session.stream()];
    const untouched = await bystander.stream();
    const calls = [session.call('slow', {}, 1), session.call('slow', {}, 2)];
    const spared = bystander.call('slow', {}, 1);
    await eventually(() => gate.started === 3);

    expect((await session.end()).status).toBe(204);
    for (const call of calls) {
      const answer = await call;
      expect([answer.status, rpc(answer).result?.['isError']]).toEqual([200, true]);
    }
    for (const stream of streams) expect(await stream.ended()).not.toContain('data:');
    expect(gate.aborted).toBe(2);
    expect((await session.request('ping')).status).toBe(404);
    expect((await session.end()).status).toBe(404);

    gate.releaseAll();
    expect(rpc(await spared).result?.['isError']).toBeUndefined();
    untouched.close();
  });

  it('another initialize opens another session and leaves the first', async () => {
    const first = await Session.open(app);
    const second = await Session.open(app, { 'mcp-session-id': first.id });
    expect(second.id).not.toBe(first.id);
    expect((await first.request('ping')).status).toBe(200);
  });

  it('P1: 200 calls with the id 1 in one session each get their own answer', async () => {
    const session = await Session.open(app);
    const texts = Array.from({ length: 200 }, (_, i) => `text-${i}`);
    const answers = await Promise.all(
      texts.map((text) => session.call('echo', { path: { text } }, 1)),
    );
    for (const [i, answer] of answers.entries()) {
      expect(rpc(answer)).toMatchObject({
        id: 1,
        result: { structuredContent: { text: texts[i] } },
      });
    }
  });

  it('P1: notifications/cancelled ends every call in flight with that id, in that session only', async () => {
    const [session, stranger] = [await Session.open(app), await Session.open(app)];
    const calls = [session.call('slow', {}, 1), session.call('slow', {}, 1)];
    const textual = session.call('slow', {}, '1');
    const foreign = stranger.call('slow', {}, 1);
    await eventually(() => gate.started === 4);
    for (const nonsense of [undefined, null, {}, 'absent', 7]) {
      expect((await session.cancel(nonsense)).status).toBe(202);
    }
    expect((await session.cancel(1)).status).toBe(202);
    for (const call of calls)
      expect(rpc(await call)).toMatchObject({ id: 1, result: { isError: true } });
    expect(gate.aborted).toBe(2);
    gate.releaseAll();
    for (const call of [textual, foreign])
      expect(rpc(await call).result?.['isError']).toBeUndefined();
    // Late, for a call that has ended.
    expect((await session.cancel('1')).status).toBe(202);
  });
});
