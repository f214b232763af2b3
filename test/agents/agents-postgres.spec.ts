import { jest } from '@jest/globals';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import {
  McpAgentsModule,
  PostgresCatalogSource,
  type AgentCatalogDocument,
} from '../../src/agents/index.js';
import { freePort } from '../auth/free-port.js';
import { FixtureApp } from '../support/fixture-app.js';
import { AgentsApp, catalogOf, readOperation, SUPPORT, until } from './agents.fixture.js';
import { postgresServer, stopPostgres } from './catalogs.js';
import { HAS_POSTGRES, postgresCatalog, type PostgresServer } from './postgres.fixture.js';

jest.setTimeout(60_000);

/** So long that nothing is found by waiting for the next turn. */
const NEVER_MS = 24 * 3_600_000;
const SECRET = 'geheim-4711';

// Without a PostgreSQL there is nothing to test: HAS_POSTGRES says so loudly, and fails where CI runs.
(HAS_POSTGRES ? describe : describe.skip)('agents on PostgreSQL', () => {
  let server: PostgresServer;
  let app: AgentsApp | undefined;
  beforeAll(async () => (server = await postgresServer()));
  afterAll(stopPostgres);
  afterEach(async () => {
    await app?.close();
    app = undefined;
  });

  const sql = async (text: string, values: unknown[] = []): Promise<Record<string, unknown>[]> => {
    const client = new pg.Client({ connectionString: server.url() });
    await client.connect();
    try {
      return (await client.query<Record<string, unknown>>(text, values)).rows;
    } finally {
      await client.end();
    }
  };
  const start = async (): Promise<AgentsApp & { schema: string }> => {
    const catalog = postgresCatalog(server);
    app = await AgentsApp.start({ catalog, options: { refreshMs: NEVER_MS } });
    return Object.assign(app, { schema: catalog.schema });
  };
  const served = (on: AgentsApp): string =>
    on.agents.agents.map(({ agent, tools }) => `${agent}: ${tools.join()}`).join('; ');
  const rename = (schema: string, name: string): Promise<unknown> =>
    sql(`update ${schema}.bindings set name = $1 where operation is not null`, [name]);
  /** The sessions of the database that listen for the schema. */
  const listeners = (schema: string): Promise<Record<string, unknown>[]> =>
    sql(`select pid from pg_stat_activity where query = 'listen ${schema}_catalog'`);
  const renamed = async (on: AgentsApp & { schema: string }, name: string): Promise<void> => {
    await rename(on.schema, name);
    await until(() => served(on).includes(name), `the change to ${name} is served`);
  };

  it('what SQL changes is served without waiting for the next turn', async () => {
    const on = await start();
    await renamed(on, 'read_one');
    await renamed(on, 'read_two');
    const client = await on.connect('legacy');
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['order', 'read_two']);
    await client.close();
  });

  it('a listener that the server ends listens again, and hears what it missed', async () => {
    const on = await start();
    await until(async () => (await listeners(on.schema)).length === 1, 'it listens');
    for (const name of ['read_one', 'read_two']) {
      const [{ pid } = {}] = await listeners(on.schema);
      await sql('select pg_terminate_backend($1)', [pid]);
      // At once, so that nobody may be listening yet.
      await renamed(on, name);
      await until(async () => (await listeners(on.schema)).length === 1, 'it listens again');
      expect(await listeners(on.schema)).not.toEqual([{ pid }]);
      await renamed(on, `${name}_again`);
    }
    const told = on.logger.of('warn', 'McpAgentsModule');
    expect(told.filter((line) => line.includes('The watch of the catalog failed'))).toHaveLength(2);
  });

  it('a watch that ends while it connects leaves no connection behind', async () => {
    const schema = 'mcp_short_watch';
    for (let turns = 0; turns < 20; turns += 1) {
      const source = new PostgresCatalogSource({ connectionString: server.url(), schema });
      const ended = source.watch(
        () => undefined,
        () => undefined,
      );
      // Each time a little later into connecting.
      for (let ticks = 0; ticks < turns; ticks += 1) await new Promise(setImmediate);
      await ended();
      await source.close();
    }
    await until(async () => (await listeners(schema)).length === 0, 'nobody listens');
    const mine =
      'select count(*)::integer as count from pg_stat_activity where application_name = $1';
    await until(
      async () => (await sql(mine, ['nestjs-mcp-routes']))[0]?.['count'] === 0,
      'no connection is left',
    );
  });

  it('servers that start at once on an empty database all succeed, and migrate it once', async () => {
    const schema = 'mcp_at_once';
    const connectionString = server.url();
    const sources = Array.from(
      { length: 6 },
      () => new PostgresCatalogSource({ connectionString, schema }),
    );
    const loaded = await Promise.all(sources.map((source) => source.load()));
    expect(loaded).toEqual(sources.map(() => ({ workspaces: [], keys: [] })));
    expect(await sql(`select version from ${schema}.migrations`)).toEqual([{ version: 1 }]);
    const document = catalogOf('https://api.example.com', [], []);
    await Promise.all(sources.map((source) => source.replaceCatalog(document)));
    const { workspaces } = (await sources[0]?.load()) as AgentCatalogDocument;
    expect(workspaces.map(({ slug }) => slug)).toEqual(['acme', 'rival']);
    await Promise.all(sources.map((source) => source.close()));
  });

  it('while the database is away the last good catalog is served, which is said once, and then it goes on', async () => {
    const on = await start();
    await until(async () => (await listeners(on.schema)).length === 1, 'it listens');
    await server.down();
    try {
      const problems = [expect.stringMatching(/^it could not be loaded: \S/) as unknown];
      await on.agents.refresh();
      for (let turns = 0; turns < 3; turns += 1) {
        expect(await on.agents.refresh()).toEqual({ problems });
      }
      expect((await on.call('read_thing', { id: '7' })).envelope).toMatchObject({
        path: '/things/7',
      });
      const told = on.logger.of('warn', 'McpAgentsModule');
      const ofLoads = told.filter((line) => line.includes('ECONNREFUSED'));
      expect(ofLoads.filter((line) => line.includes('the last good one'))).toHaveLength(1);
      expect(told.filter((line) => line.includes('The watch of the catalog failed'))).toHaveLength(
        1,
      );
      await expect(on.agents.createKey({ workspace: 'acme', agent: 'support' })).rejects.toThrow();
    } finally {
      await server.up();
    }
    await renamed(on, 'read_later');
    expect(on.logger.of('warn', 'McpAgentsModule').at(-1)).toBe(
      'The catalog is in order again, and is served.',
    );
  });

  describe('a start that cannot be', () => {
    const startError = async (options: object): Promise<string> => {
      const source = new PostgresCatalogSource(options as { connectionString: string });
      const module = McpAgentsModule.forRoot({ source });
      const fixture = await FixtureApp.create({ mcp: { module } });
      const thrown: unknown = await fixture.init().then(
        () => undefined,
        (error: unknown) => error,
      );
      await fixture.close().catch(() => undefined);
      expect(thrown).toBeInstanceOf(Error);
      const text = String((thrown as Error).stack);
      expect(text).toContain('catalog of agents: it could not be loaded: ');
      expect(text).not.toContain(SECRET);
      return (thrown as Error).message;
    };
    const withPassword = (host: string, database = 'postgres'): string =>
      `postgres://locked:${SECRET}@${host}/${database}`;

    it.each(['127.0.0.1', 'localhost', '[::1]'])('nobody listens at %s', async (host) => {
      const port = await freePort();
      const connectionString = withPassword(`${host}:${port}`);
      const message = await startError({ connectionString });
      expect(message).toMatch(
        new RegExp(`no connection to PostgreSQL: .*(?:ECONNREFUSED|EADDRNOTAVAIL).*:${port}`),
      );
    });

    it('there is no such host', async () => {
      const connectionString = withPassword('no-such-host.invalid');
      expect(await startError({ connectionString })).toMatch(/no-such-host\.invalid/);
    });

    it('there is no such database', async () => {
      const connectionString = server.url('absent');
      expect(await startError({ connectionString })).toMatch(/database "absent" does not exist/);
    });

    it('the password is wrong', async () => {
      await sql(`create role locked login password 'another'`);
      const rules = 'host all locked all scram-sha-256\nhost all all all trust\n';
      await writeFile(join(server.data, 'pg_hba.conf'), rules);
      await sql('select pg_reload_conf()');
      const connectionString = withPassword(`127.0.0.1:${server.port}`);
      expect(await startError({ connectionString })).toMatch(
        /password authentication failed for user "locked"/,
      );
    });

    it.each([
      '',
      undefined,
      `postgres://locked:${SECRET}@host:port/x`,
      `postgresql://locked:${SECRET}@[/x`,
    ])('the connection string is none: %s', (connectionString) => {
      const make = (): unknown => new PostgresCatalogSource({ connectionString } as never);
      expect(make).toThrow(/^connectionString: it is not of the form/);
      expect(make).not.toThrow(SECRET);
    });

    it('the tables are left to migrate(), which nobody called', async () => {
      const connectionString = server.url();
      const message = await startError({ connectionString, schema: 'mcp_bare', migrate: false });
      expect(message).toMatch(/migrate\(\)/);
    });

    it('the tables are of a later version', async () => {
      const schema = 'mcp_later';
      const connectionString = server.url();
      const source = new PostgresCatalogSource({ connectionString, schema });
      await source.migrate();
      await source.close();
      await sql(`insert into ${schema}.migrations (version) values (99)`);
      expect(await startError({ connectionString, schema })).toMatch(/Update the package/);
    });
  });

  it('a large catalog with every kind of field comes back as it went in', async () => {
    const catalog = postgresCatalog(server);
    const origin = 'https://api.example.com';
    const operations = Array.from({ length: 300 }, (_, index) =>
      readOperation(origin, `op_${index}`),
    );
    const tools = operations.map(({ name }) => ({ operation: name, version: 1, title: 'Ünï "q"' }));
    const document = catalogOf(origin, operations, [{ ...SUPPORT, tools }]);
    await catalog.publish(document);
    const { workspaces } = (await catalog.publisher.load()) as AgentCatalogDocument;
    const acme = workspaces.find(({ slug }) => slug === 'acme');
    const byName = (a: { name: string }, b: { name: string }): number => (a.name < b.name ? -1 : 1);
    expect(acme?.operations?.toSorted(byName)).toEqual(operations.toSorted(byName));
    expect(acme?.agents).toEqual([{ ...SUPPORT, tools }]);
    await catalog.close();
  });
});
