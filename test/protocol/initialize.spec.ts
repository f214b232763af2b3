import { FixtureApp } from '../support/fixture-app.js';
import { PLATFORMS } from '../support/platforms.js';
import { TOOLS } from './tools.fixture.js';
import { DATED, message, rpc, Session, verdict } from './wire.js';

const icons = [{ src: 'https://example.com/i.svg', sizes: ['any'] }];
const identity = {
  name: 'shop',
  version: '1.2.3',
  title: 'The shop',
  icons,
  instructions: 'Be kind.',
};
const initialize = (protocolVersion: unknown): Record<string, unknown> =>
  message('initialize', {
    protocolVersion,
    capabilities: {},
    clientInfo: { name: 'x', version: '1' },
  });

describe.each(PLATFORMS)('protocol on $name: initialize', (platform) => {
  describe.each([false, true])('with sessions: %s', (withSessions) => {
    let app: FixtureApp;
    beforeAll(async () => {
      const mcp = { ...identity, sessions: withSessions ? {} : (false as const) };
      app = await FixtureApp.start({ ...TOOLS, platform, mcp });
    });
    afterAll(() => app.close());

    it.each(DATED)('echoes %s', async (revision) => {
      const { result } = rpc(await app.post(initialize(revision)));
      expect(result).toMatchObject({ protocolVersion: revision, serverInfo: { name: 'shop' } });
    });

    it.each(['2024-11-05', '2026-07-28', '2099-01-01', '1.0', ''])(
      'answers 2025-11-25 to %s',
      async (revision) => {
        const answer = await app.post(initialize(revision));
        expect(rpc(answer).result).toMatchObject({ protocolVersion: '2025-11-25' });
      },
    );

    it.each([
      ['no version', undefined],
      ['a version that is no string', 20251125],
    ])('refuses %s', async (_, version) => {
      expect(verdict(await app.post(initialize(version)))).toEqual([200, -32602]);
    });

    it('says of the server what each revision knows', async () => {
      const info = async (revision: string): Promise<unknown> =>
        rpc(await app.post(initialize(revision))).result?.['serverInfo'];
      expect(await info('2025-03-26')).toEqual({ name: 'shop', version: '1.2.3' });
      expect(await info('2025-06-18')).toEqual({
        name: 'shop',
        version: '1.2.3',
        title: 'The shop',
      });
      expect(await info('2025-11-25')).toEqual({
        name: 'shop',
        version: '1.2.3',
        title: 'The shop',
        icons,
      });
    });

    it('gives instructions, and declares what it keeps', async () => {
      const { result } = rpc(await app.post(initialize('2025-11-25')));
      expect(result?.['instructions']).toMatch(/isError[^]*Be kind\.$/);
      expect(result?.['capabilities']).toEqual({
        tools: withSessions ? { listChanged: true } : {},
      });
    });

    it('gives a session id exactly where there are sessions', async () => {
      const id = (await app.post(initialize('2025-11-25'))).headers.get('mcp-session-id');
      if (withSessions) expect(id).toMatch(/^[\x21-\x7e]{32,}$/);
      else expect(id).toBeNull();
    });

    it('opens no session for a refused initialize', async () => {
      const answer = await app.post(initialize(1));
      expect(answer.headers.get('mcp-session-id')).toBeNull();
    });
  });

  it('server/discover says the same in 2026-07-28', async () => {
    const app = await FixtureApp.start({ ...TOOLS, platform, mcp: { ...identity, listTtlMs: 5 } });
    const { result } = rpc(await app.request('server/discover'));
    expect(result).toEqual({
      resultType: 'complete',
      supportedVersions: ['2026-07-28'],
      capabilities: { tools: { listChanged: true } },
      instructions: expect.stringMatching(/Be kind\.$/) as unknown,
      ttlMs: 5,
      cacheScope: 'private',
      _meta: {
        'io.modelcontextprotocol/serverInfo': {
          name: 'shop',
          version: '1.2.3',
          title: 'The shop',
          icons,
        },
      },
    });
    await app.close();
  });

  it('gives every session another id', async () => {
    const app = await FixtureApp.start({ ...TOOLS, platform, mcp: { sessions: {} } });
    const sessions = await Promise.all(Array.from({ length: 20 }, () => Session.begin(app)));
    expect(new Set(sessions.map(({ id }) => id)).size).toBe(20);
    await app.close();
  });
});
