import { Injectable, Module } from '@nestjs/common';
import {
  McpAgentsModule,
  McpCatalogSource,
  type McpAgentsFactoryOptions,
  type McpAgentsOptions,
  type McpAgentsOptionsFactory,
} from '../../src/agents/index.js';
import { McpSetupError } from '../../src/index.js';
import { FixtureApp } from '../support/fixture-app.js';
import { PLATFORMS } from '../support/platforms.js';
import { AgentsApp, until } from './agents.fixture.js';

const bearer = (key: string): Record<string, string> => ({ authorization: `Bearer ${key}` });

/** A catalog that a test makes. */
class GivenSource extends McpCatalogSource {
  closed = false;
  constructor(private readonly give: () => unknown) {
    super();
  }
  load(): Promise<unknown> {
    return Promise.resolve(this.give());
  }
  override close(): void {
    this.closed = true;
  }
}

const EMPTY = new GivenSource(() => ({ workspaces: [] }));

async function problemsOf(options: object, source: unknown = EMPTY): Promise<readonly string[]> {
  const module = McpAgentsModule.forRoot({ source, ...options } as never);
  const app = await FixtureApp.create({ mcp: { module } });
  const outcome = await app.init().then(
    () => 'it started',
    (error: unknown) => error,
  );
  await app.close();
  if (!(outcome instanceof McpSetupError)) throw new Error(`No set-up error: ${String(outcome)}`);
  return outcome.problems;
}

describe('agents: set-up', () => {
  afterEach(() => delete process.env['MCP_CATALOG_REFRESH_MS']);

  it('says at once everything that is wrong with the options', async () => {
    const problems = await problemsOf(
      {
        refreshMs: 49,
        maxAttempts: 0,
        keyHeader: 'Authorization',
        credentials: { 'orders-api': 'hunter2' },
        connections: { maxPerOrigin: 0, lookup: 'dns', ca: 7, proxy: 'http://p' },
        stepUp: true,
        requireResponseGuard: true,
        pageSize: 0,
        sessions: { max: 0 },
        colour: 'red',
      },
      { read: 1 },
    );
    expect(problems).toEqual([
      'option pageSize: 0 is not an integer from 1 to 10000. Give a number in that range, or leave it out for 100.',
      expect.stringMatching(/^option colour: "red" is given to an option that does not exist/),
      expect.stringMatching(/^option sessions.max: 0/),
      'option resource: agents take static keys, and no other tokens. Leave it and stepUp out.',
      'option refreshMs: 49 is not an integer from 50 to 86400000. Give a number in that range, or leave it out for 30000.',
      'option maxAttempts: 0 is not an integer from 1 to 1000000. Give a number in that range, or leave it out for 30.',
      'option source: {"read":1} is no source of a catalog. Give a JsonFileCatalogSource, a PostgresCatalogSource, or your own McpCatalogSource.',
      'option keyHeader: "Authorization" is not the name of a header other than Authorization. Give one, or leave it out.',
      'option credentials: it has no function resolve. Give a CredentialSource: { resolve: ({ ref }) => ({ secret, origins }) }.',
      'option connections.maxPerOrigin: 0 is not an integer from 1 to 65535. Give one, or leave it out.',
      'option connections.lookup: "dns" is not a function. Give one, or leave it out.',
      'option connections.ca: 7 is not the text of a certificate in PEM, or a list of such. Give one, or leave it out.',
      'option connections.proxy: there is no such option. There are: lookup, maxPerOrigin, ca.',
      'option requireResponseGuard: it is true, but there is no responseGuard. Give one.',
    ]);
  });

  it.each([
    [{ resource: { url: 'https://a.example' } }, /^option resource: agents take static keys/],
    [{ stepUp: false }, /^option resource: agents take static keys/],
    [{ keyHeader: 'a b' }, /^option keyHeader: "a b"/],
    [{ keyHeader: 7 }, /^option keyHeader: 7/],
    [{ refreshMs: '100' }, /^option refreshMs: "100" is not/],
    [{ maxAttempts: 1.5 }, /^option maxAttempts: 1.5 is not/],
    [{ credentials: null }, /^option credentials: it has no function resolve/],
    [{ connections: 'fast' }, /^option connections: "fast" is not an object/],
    [{ connections: null }, /^option connections: null is not an object/],
    [{ path: '/a//b' }, /^option path: /],
    [{ source: null }, /^option source: null is no source/],
    [{ responseGuard: { check: () => true } }, /^option responseGuard: it needs recheck/],
    [{ maxConcurrentCalls: 0 }, /^option maxConcurrentCalls: 0/],
    [{ allowedHosts: 'a' }, /^option allowedHosts: "a"/],
  ])('refuses %j', async (options, problem) => {
    expect(await problemsOf(options)).toEqual([expect.stringMatching(problem)]);
  });

  it.each(['soon', '1e3', '10', '-1'])(
    'refuses the environment MCP_CATALOG_REFRESH_MS=%s, and names it',
    async (text) => {
      process.env['MCP_CATALOG_REFRESH_MS'] = text;
      const [problem, ...more] = await problemsOf({});
      expect(problem).toMatch(/^environment variable MCP_CATALOG_REFRESH_MS: .*not an integer/);
      expect(problem).toContain(text);
      expect(more).toEqual([]);
    },
  );

  it('loads as often as the environment says, unless the options do', async () => {
    process.env['MCP_CATALOG_REFRESH_MS'] = '50';
    let loads = 0;
    const count = (): object => {
      loads += 1;
      return { workspaces: [] };
    };
    const start = (options: object): Promise<FixtureApp> => {
      const source = new GivenSource(count);
      return FixtureApp.start({ mcp: { module: McpAgentsModule.forRoot({ source, ...options }) } });
    };
    const often = await start({});
    await until(() => loads > 4, 'it loads again and again');
    await often.close();
    loads = 0;
    const seldom = await start({ refreshMs: 3_600_000 });
    await until(() => loads === 2, 'it loads for the start, and after the watch');
    await seldom.close();
  });

  it.each([
    ['nothing', undefined, 'catalog of agents: '],
    ['null', null, 'catalog of agents: '],
    ['a list', [], 'catalog of agents: '],
    ['what throws', new Error('the disk is gone'), 'it could not be loaded: the disk is gone'],
  ])('does not start on a source that gives %s, and closes it', async (_, given, problem) => {
    const source = new GivenSource(() => {
      if (given instanceof Error) throw given;
      return given;
    });
    expect(await problemsOf({}, source)).toEqual([expect.stringContaining(problem)]);
    expect(source.closed).toBe(true);
  });

  it('starts on a source that cannot be watched, says so, and loads it at each turn', async () => {
    const app = await AgentsApp.start({
      options: { refreshMs: 50 },
      mount: (options) => {
        options.source.watch = () => {
          throw new Error('ENOSPC: no more watchers');
        };
        return McpAgentsModule.forRoot(options);
      },
    });
    expect(app.logger.of('warn', 'McpAgentsModule')).toContain(
      'The watch of the catalog failed: ENOSPC: no more watchers',
    );
    await app.catalog.publish({ workspaces: [], keys: app.records });
    await until(() => app.agents.agents.length === 0, 'the timer finds the change');
    await app.close();
  });

  it('an unknown member of a key, such as an end that is misspelt, refuses that key alone', async () => {
    const app = await AgentsApp.start();
    const [own, rival] = app.records;
    const broken = { ...own, expires: '2020-01-01T00:00:00Z' };
    await app.catalog.publish({ workspaces: [], keys: [broken, rival] as never });
    expect((await app.agents.refresh()).problems).toEqual([
      'keys[0]: it has an unknown member "expires"',
    ]);
    expect((await app.post('acme/support', bearer(app.key))).status).toBe(401);
    expect((await app.post('rival/support', bearer(app.rivalKey))).status).toBe(200);
    await app.close();
  });
});

describe.each(PLATFORMS)('agents on $name: forRootAsync', (platform) => {
  let app: AgentsApp | undefined;
  afterEach(async () => {
    await app?.close();
    app = undefined;
  });

  const serves = async (on: AgentsApp, base = '/mcp/v1'): Promise<void> => {
    const answer = await on.fixture.post(
      { jsonrpc: '2.0', id: 1, method: 'tools/list' },
      { 'x-agent-key': on.key },
      `${base}/acme/support`,
    );
    expect(answer.status).toBe(200);
    expect(answer.text).toContain('read_thing');
  };

  it('takes options of a factory, with what it injects', async () => {
    @Injectable()
    class Settings {
      readonly keyHeader = 'x-agent-key';
    }
    @Module({ providers: [Settings], exports: [Settings] })
    class SettingsModule {}
    app = await AgentsApp.start({
      platform,
      mount: (options) =>
        McpAgentsModule.forRootAsync({
          path: 'agents',
          imports: [SettingsModule],
          useFactory: async ({ keyHeader }: Settings) => {
            await Promise.resolve();
            return { ...options, keyHeader };
          },
          inject: [Settings],
        }),
    });
    await serves(app, '/agents');
  });

  it.each(['useClass', 'useExisting'] as const)('takes options of a class: %s', async (way) => {
    let made: McpAgentsOptions | undefined;
    @Injectable()
    class Factory implements McpAgentsOptionsFactory {
      createMcpAgentsOptions(): McpAgentsFactoryOptions {
        return { ...(made as McpAgentsOptions), keyHeader: 'x-agent-key' };
      }
    }
    @Module({ providers: [Factory], exports: [Factory] })
    class FactoryModule {}
    app = await AgentsApp.start({
      platform,
      mount: (options) => {
        made = options;
        return McpAgentsModule.forRootAsync({ imports: [FactoryModule], [way]: Factory });
      },
    });
    await serves(app);
  });

  it('collects what a factory gives wrong, and what it gives too late', async () => {
    const module = McpAgentsModule.forRootAsync({
      useFactory: () =>
        ({ source: EMPTY, refreshMs: 1, guards: [], path: 'elsewhere' }) as McpAgentsFactoryOptions,
    });
    const starting = await FixtureApp.create({ platform, mcp: { module } });
    await expect(starting.init()).rejects.toMatchObject({
      problems: [
        expect.stringMatching(/^option guards: a factory makes it too late/),
        expect.stringMatching(/^option path: a factory makes it too late/),
        expect.stringMatching(/^option refreshMs: 1 is not/),
      ],
    });
    await starting.close();
  });

  it('needs something that makes the options', () => {
    expect(() => McpAgentsModule.forRootAsync({})).toThrow(
      'McpAgentsModule.forRootAsync() needs one of useFactory, useClass and useExisting.',
    );
  });
});
