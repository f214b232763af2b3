import { readFile, writeFile } from 'node:fs/promises';
import { runCommand } from '../../src/cli/command.js';
import { catalogOf, jsonCatalog, readOperation, SUPPORT } from './agents.fixture.js';
import { CATALOGS, postgresServer, stopPostgres } from './catalogs.js';
import { HAS_POSTGRES, postgresCatalog } from './postgres.fixture.js';

const ORIGIN = 'https://api.example.com';
const AGENT = { ...SUPPORT, tools: [{ operation: 'read_thing' }] };
const DOCUMENT = catalogOf(ORIGIN, [readOperation(ORIGIN)], [AGENT]);
const OF_SUPPORT = ['--workspace', 'acme', '--agent', 'support'];

afterAll(stopPostgres);
afterEach(() => delete process.env['DATABASE_URL']);

const PLACES: readonly [string, () => Promise<{ args: string[]; close: () => Promise<void> }>][] = [
  [
    'JSON file',
    async () => {
      const catalog = await jsonCatalog();
      await catalog.publish(DOCUMENT);
      return { args: ['--catalog', catalog.path], close: () => catalog.close() };
    },
  ],
  ...(HAS_POSTGRES
    ? [
        [
          'PostgreSQL',
          async () => {
            const server = await postgresServer();
            const catalog = postgresCatalog(server);
            await catalog.publish(DOCUMENT);
            process.env['DATABASE_URL'] = server.url();
            const args = ['--database', '--schema', catalog.schema];
            return { args, close: () => catalog.close() };
          },
        ] as [string, () => Promise<{ args: string[]; close: () => Promise<void> }>],
      ]
    : []),
];

describe.each(PLACES)('agents: commands on %s', (_, open) => {
  it('create, list and revoke keys, which are shown once', async () => {
    const { args, close } = await open();
    const created = await runCommand(['key', 'create', ...args, ...OF_SUPPORT, '--days', '30']);
    expect(created).toMatchObject({ code: 0, errors: '' });
    const key = created.output;
    expect(key).toMatch(/^mcpk_[0-9a-f]{16}_[\w-]{43}$/);
    const prefix = key.slice(5, 21);
    const listed = await runCommand(['key', 'list', ...args]);
    expect(listed.output).toMatch(new RegExp(`^${prefix} {2}acme/support {2}valid .* expires `));
    expect(listed.output).not.toContain(key.slice(22));
    expect((await runCommand(['key', 'revoke', prefix, ...args])).code).toBe(0);
    expect((await runCommand(['key', 'list', ...args])).output).toContain('revoked');
    expect(await runCommand(['key', 'revoke', '0'.repeat(16), ...args])).toMatchObject({
      code: 1,
      errors: `There is no key with the prefix "${'0'.repeat(16)}".`,
    });
    const nobody = ['--workspace', 'acme', '--agent', 'nobody'];
    expect(await runCommand(['key', 'create', ...args, ...nobody])).toMatchObject({
      code: 1,
      errors: 'There is no agent "nobody" in a workspace "acme".',
    });
    await close();
  });

  it('check a catalog', async () => {
    const { args, close } = await open();
    expect(await runCommand(['catalog', 'check', ...args])).toEqual({
      code: 0,
      output: 'acme/support: read_thing\nrival/support: no tools',
      errors: 'warning: agent rival/support: it is published, but has no tools.',
    });
    await close();
  });
});

describe('agents: commands', () => {
  it('refuse a catalog with a hostile pattern, and say which', async () => {
    const catalog = await jsonCatalog();
    const operation = structuredClone(readOperation(ORIGIN)) as never as {
      versions: { rest: { input: object } }[];
    };
    const [version] = operation.versions;
    if (version !== undefined) {
      const id = { type: 'string', pattern: '^(?=(a+)+$)\\1' };
      version.rest.input = { type: 'object', properties: { id } };
    }
    await catalog.publish(catalogOf(ORIGIN, [operation as never], [AGENT]));
    const checked = await runCommand(['catalog', 'check', '--catalog', catalog.path]);
    expect(checked.code).toBe(1);
    expect(checked.errors).toContain('cannot run in linear time');
    await catalog.close();
  });

  it('keep every key of commands that run at once', async () => {
    const catalog = await jsonCatalog();
    await catalog.publish(DOCUMENT);
    const create = (): Promise<{ code: number }> =>
      runCommand(['key', 'create', '--catalog', catalog.path, ...OF_SUPPORT]);
    const created = await Promise.all([create(), create(), create(), create()]);
    expect(created.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
    const kept = JSON.parse(await readFile(catalog.path, 'utf8')) as { keys: unknown[] };
    expect(kept.keys).toHaveLength(4);
    await catalog.close();
  });

  it.each([
    [['key'], 'Say what to do'],
    [['key', 'create'], 'Give either --catalog'],
    [['key', 'create', '--catalog', 'x', '--database'], 'Give either --catalog'],
    [['key', 'list', '--database'], 'DATABASE_URL'],
    [['catalog', 'mend'], 'Say what to do: check or schema.'],
  ])('%j is a wrong call', async (args, problem) => {
    const { code, errors } = await runCommand(args);
    expect(code).toBe(2);
    expect(errors).toContain(problem);
  });

  it('name a file that is not there, and the line at which one stops being JSON', async () => {
    const catalog = await jsonCatalog();
    const check = (path: string): ReturnType<typeof runCommand> =>
      runCommand(['catalog', 'check', '--catalog', path]);
    expect((await check(catalog.path)).errors).toBe(`There is no file ${catalog.path}.`);
    for (const [text, line] of [
      ['{\n  "workspaces": [\n', 3],
      ['{\n  "workspaces": [],\n}\n', 3],
    ] as const) {
      await writeFile(catalog.path, text);
      const { code, errors } = await check(catalog.path);
      expect({ code, place: errors.split(', ').at(-1) }).toEqual({
        code: 1,
        place: `line ${line}`,
      });
    }
    await catalog.close();
  });

  it('have every kind of source', () => {
    expect(PLACES).toHaveLength(CATALOGS.length);
  });
});
