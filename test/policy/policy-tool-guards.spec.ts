import { Catch, HttpException, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { McpModuleOptions } from '../../src/index.js';
import { FixtureApp, textOf, type CallResult } from '../support/fixture-app.js';
import { PLATFORMS, type Platform } from '../support/platforms.js';
import {
  BehavingGuard,
  Directory,
  RecordingGuard,
  RequestScopedGuard,
  RolesGuard,
  SignedIn,
  ThingsController,
} from './policy.fixture.js';
import { PolicyModule } from './policy.module.js';

@Catch(HttpException)
class OwnFilter implements ExceptionFilter {
  catch(error: HttpException, host: ArgumentsHost): void {
    const response = host
      .switchToHttp()
      .getResponse<{ status(code: number): { send(body: unknown): void } }>();
    response.status(error.getStatus()).send({ own: error.getStatus() });
  }
}

const start = (platform: Platform, mcp: McpModuleOptions): Promise<FixtureApp> =>
  FixtureApp.start({
    imports: [PolicyModule],
    controllers: [ThingsController],
    mcp: { imports: [PolicyModule], guards: [SignedIn], ...mcp },
    configure: (app) => void app.useGlobalFilters(new OwnFilter()),
    platform,
  });

const as = (user: string): Record<string, string> => ({ 'x-user': user });

async function names(app: FixtureApp, user: string): Promise<string[]> {
  const answer = await app.request('tools/list', {}, as(user));
  const { result } = answer.json() as { result?: { tools: { name: string }[] } };
  if (result === undefined) throw new Error(answer.text);
  return result.tools.map(({ name }) => name);
}

const ALL = ['add_note', 'admin_only', 'fails', 'misfit', 'nothing', 'open', 'person', 'slow'];
const without = (name: string): string[] => ALL.filter((one) => one !== name);

describe.each(PLATFORMS)('policy on $name: tool guards', (platform) => {
  let app: FixtureApp;
  afterEach(() => app.close());

  it("show two users different lists by the application's own roles guard", async () => {
    app = await start(platform, { toolGuards: [RolesGuard] });
    expect(await names(app, 'ann')).toEqual(ALL);
    expect(await names(app, 'bob')).toEqual(without('admin_only'));
  });

  it('refuse a hidden tool that is called by name, in the envelope of the application, and nothing runs', async () => {
    app = await start(platform, { toolGuards: [RolesGuard] });
    const result = await app.call('admin_only', {}, as('bob'));
    expect(result.isError).toBe(true);
    expect(textOf(result)).toBe('{"own":403}');
    expect(app.app.get(Directory).ran).toEqual([]);
    expect(textOf(await app.call('admin_only', {}, as('ann')))).toContain('of the admin');
  });

  it('are shown nothing of a request at a list, and the arguments at a call', async () => {
    const guard = new RecordingGuard();
    app = await start(platform, { toolGuards: [guard] });
    await names(app, 'ann');
    expect(guard.seen).toHaveLength(ALL.length);
    expect(guard.seen[0]).toEqual({
      tool: 'addNote',
      params: {},
      query: {},
      body: {},
      user: { sub: 'ann' },
    });
    guard.seen.length = 0;
    await app.call('add_note', { path: { id: '7' }, body: { text: 'hi' } }, as('bob'));
    expect(guard.seen).toEqual([
      {
        tool: 'addNote',
        params: { id: '7' },
        query: {},
        body: { text: 'hi' },
        user: { sub: 'bob' },
      },
    ]);
  });

  it.each(['later', 'observed'])('that allow (%s) show and call', async (behaviour) => {
    app = await start(platform, { toolGuards: [new BehavingGuard(behaviour)] });
    expect(await names(app, 'ann')).toEqual(ALL);
    expect((await app.call('open', {}, as('ann'))).structuredContent).toEqual({ open: true });
  });

  it.each(['laterNo', 'observedNo', 'throws401', 'throws403', 'throws404', 'truthy'])(
    'that refuse (%s) hide the tool and refuse its call',
    async (behaviour) => {
      app = await start(platform, { toolGuards: [new BehavingGuard(behaviour)] });
      expect(await names(app, 'ann')).toEqual(without('open'));
      expect((await app.call('open', {}, as('ann'))).isError).toBe(true);
      expect(app.app.get(Directory).ran).toEqual([]);
    },
  );

  it.each(['throws500', 'throws503', 'throwsNull', 'throwsText'])(
    'that fail (%s) fail the whole list with a reference, refuse the call, and tell nothing',
    async (behaviour) => {
      app = await start(platform, { toolGuards: [new BehavingGuard(behaviour)] });
      const list = await app.request('tools/list', {}, as('ann'));
      expect(list.json()).toMatchObject({
        error: { code: -32603, data: { ref: expect.stringMatching(/^[0-9a-f]{12}$/) as string } },
      });
      const result = await app.call('open', {}, as('ann'));
      expect(result.isError).toBe(true);
      expect(app.app.get(Directory).ran).toEqual([]);
      expect(list.text + textOf(result)).not.toMatch(/10\.0\.0\.7|secret text/);
    },
  );

  it('that hang are bounded by the call timeout', async () => {
    app = await start(platform, { toolGuards: [new BehavingGuard('hangs')], callTimeoutMs: 50 });
    expect((await app.request('tools/list', {}, as('ann'))).json()).toMatchObject({
      error: { code: -32603 },
    });
    const result = await app.call('open', {}, as('ann'));
    expect(textOf(result)).toContain('no answer within 50 ms');
    expect(app.app.get(Directory).ran).toEqual([]);
  });

  it('may be request-scoped', async () => {
    app = await start(platform, { toolGuards: [RequestScopedGuard] });
    expect(await names(app, 'ann')).toEqual(ALL);
    expect(await names(app, 'bob')).toEqual([]);
    const before = RequestScopedGuard.built;
    const results: CallResult[] = [
      await app.call('open', {}, as('ann')),
      await app.call('open', {}, as('bob')),
    ];
    expect(results.map(({ isError }) => isError === true)).toEqual([false, true]);
    expect(RequestScopedGuard.built).toBeGreaterThanOrEqual(before + 2);
  });

  it('make pages of what is left, and cursors that are good for one caller only', async () => {
    app = await start(platform, { toolGuards: [RolesGuard], pageSize: 2 });
    const page = async (
      user: string,
      cursor?: string,
    ): Promise<{ tools?: string[]; next?: string; code?: number }> => {
      const answer = await app.request(
        'tools/list',
        cursor === undefined ? {} : { cursor },
        as(user),
      );
      const { result, error } = answer.json() as {
        result?: { tools: { name: string }[]; nextCursor?: string };
        error?: { code: number };
      };
      if (error !== undefined) return { code: error.code };
      const next = result?.nextCursor === undefined ? {} : { next: result.nextCursor };
      return { tools: result?.tools.map(({ name }) => name) ?? [], ...next };
    };
    const first = await page('bob');
    expect(first.tools).toEqual(['add_note', 'fails']);
    expect((await page('bob', first.next)).tools).toEqual(['misfit', 'nothing']);
    expect(await page('ann', first.next)).toEqual({ code: -32602 });
  });

  it('work in a session of 2025-11-25, too', async () => {
    app = await start(platform, { toolGuards: [RolesGuard], sessions: {} });
    const client = await app.client({ headers: as('bob'), revision: '2025-11-25' });
    expect((await client.listTools()).map(({ name }) => name)).toEqual(without('admin_only'));
    expect(await client.expectToolError('admin_only')).toEqual({ own: 403 });
  });
});
