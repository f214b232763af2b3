import { Controller, Get } from '@nestjs/common';
import { EndpointRegistry } from '../../src/endpoint-registry.js';
import { McpModule, McpTool } from '../../src/index.js';
import { FixtureApp, type HttpAnswer } from '../support/fixture-app.js';
import { PLATFORMS, type Platform } from '../support/platforms.js';
import { as, UserGuard } from './tools.fixture.js';
import { envelope, message, modernHeaders, rpc, verdict } from './wire.js';

@Controller('many')
class ManyController {}
const NAMES = ['c', 'a', 'g', 'b', 'f', 'd', 'e'];
for (const name of NAMES) {
  const { prototype } = ManyController;
  Object.defineProperty(prototype, name, { value: () => ({}), writable: true, configurable: true });
  const method = Object.getOwnPropertyDescriptor(prototype, name) as PropertyDescriptor;
  McpTool({ name, description: name })(prototype, name, method);
  Get(name)(prototype, name, method);
}

const SECRET = 'a secret of sixteen and more';
const start = (platform: Platform, mcp: object = {}): Promise<FixtureApp> =>
  FixtureApp.start({
    controllers: [ManyController],
    platform,
    imports: [
      McpModule.forFeature({ path: 'other', pageSize: 3, secret: SECRET, include: () => true }),
    ],
    mcp: { pageSize: 3, guards: [UserGuard], ...mcp },
  });

interface Page {
  readonly tools: { name: string }[];
  readonly nextCursor?: string;
}
const ask = (app: FixtureApp, params: object, who = 'ann', path = '/mcp'): Promise<HttpAnswer> =>
  app.post(
    message('tools/list', { ...params, _meta: envelope() }),
    { ...modernHeaders('tools/list'), ...as(who) },
    path,
  );
const list = async (app: FixtureApp, cursor?: unknown, who = 'ann'): Promise<Page> => {
  const params = cursor === undefined ? {} : { cursor };
  const { result, error } = rpc(await ask(app, params, who));
  if (result === undefined) throw new Error(error?.message);
  return result as unknown as Page;
};

describe.each(PLATFORMS)('protocol on $name: pages of the list', (platform) => {
  let app: FixtureApp;
  beforeAll(async () => {
    app = await start(platform, { secret: SECRET, listTtlMs: 1234, listScope: 'public' });
  });
  afterAll(() => app.close());

  it('in order of the names, page by page, to the last one without a cursor', async () => {
    const pages: string[][] = [];
    let cursor: string | undefined;
    do {
      const page = await list(app, cursor);
      pages.push(page.tools.map(({ name }) => name));
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    expect(pages).toEqual([['a', 'b', 'c'], ['d', 'e', 'f'], ['g']]);
  });

  it('the same over both eras, each with its own members', async () => {
    const { nextCursor: cursor } = await list(app);
    const dated = rpc(await app.post(message('tools/list', { cursor }), as('ann'), '/mcp')).result;
    const modern = rpc(await ask(app, { cursor })).result;
    expect(Object.keys(dated ?? {}).sort()).toEqual(['nextCursor', 'tools']);
    expect(modern).toMatchObject({ resultType: 'complete', ttlMs: 1234, cacheScope: 'public' });
    expect(dated?.['tools']).toEqual(modern?.['tools']);
  });

  it('a page stays right when tools come and go', async () => {
    const { endpoints } = app.app.get(EndpointRegistry, { strict: false });
    const { catalog } = endpoints.find(({ kind }) => kind === 'root') ?? {};
    if (catalog === undefined) throw new Error('No endpoint');
    const { nextCursor } = await list(app);
    for (const name of ['a', 'c', 'e']) catalog.disable(name);
    expect((await list(app, nextCursor)).tools.map(({ name }) => name)).toEqual(['d', 'f', 'g']);
    for (const name of ['a', 'c', 'e']) catalog.enable(name);
    expect((await list(app, nextCursor)).tools.map(({ name }) => name)).toEqual(['d', 'e', 'f']);
  });

  it.each([5, 0, null, {}, [], true, '', 'c', 'AAAA', '=', 'ä', 'x'.repeat(10_000)])(
    'P7: refuses the cursor %j',
    async (cursor) => {
      const answer = await ask(app, { cursor });
      expect(verdict(answer)).toEqual([200, -32602]);
      expect(rpc(answer).error).toEqual({
        code: -32602,
        message: 'params.cursor is not a cursor of this list',
      });
    },
  );

  it('P7: refuses a cursor that is altered in any one character, cut or lengthened', async () => {
    const { nextCursor: cursor = '' } = await list(app);
    const altered = [...cursor].map((char, i) => {
      const other = char === 'A' ? 'B' : 'A';
      return cursor.slice(0, i) + other + cursor.slice(i + 1);
    });
    for (const one of [
      ...altered,
      cursor.slice(1),
      cursor.slice(0, -1),
      `${cursor}A`,
      `${cursor}=`,
    ]) {
      await expect(list(app, one)).rejects.toThrow('not a cursor');
    }
  });

  it('P7: refuses the cursor of another principal and of another endpoint', async () => {
    const { nextCursor: cursor } = await list(app);
    await expect(list(app, cursor, 'bob')).rejects.toThrow('not a cursor');
    const other = await ask(app, { cursor }, 'ann', '/other');
    expect(verdict(other)).toEqual([200, -32602]);
  });

  it('reads with the same secret what another instance wrote', async () => {
    const second = await start(platform, { secret: SECRET });
    const { nextCursor } = await list(app);
    expect((await list(second, nextCursor)).tools.map(({ name }) => name)).toEqual(['d', 'e', 'f']);
    await second.close();
  });

  it('P7: without a secret a cursor is good for its process only', async () => {
    const [before, after] = [await start(platform), await start(platform)];
    const { nextCursor } = await list(before);
    expect((await list(before, nextCursor)).tools).toHaveLength(3);
    await expect(list(after, nextCursor)).rejects.toThrow('not a cursor');
    await Promise.all([before.close(), after.close()]);
  });
});
