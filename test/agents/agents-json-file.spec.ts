import { mkdir, mkdtemp, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { JsonFileCatalogSource, type AgentCatalogDocument } from '../../src/agents/index.js';
import { AgentsApp, jsonCatalog, SUPPORT, supportCatalog, until } from './agents.fixture.js';

/** So long that nothing is found by waiting for the next turn. */
const options = { refreshMs: 24 * 3_600_000 };

describe('agents: a catalog in a file', () => {
  let app: AgentsApp;
  afterEach(() => app.close());

  const named = (name: string): AgentCatalogDocument =>
    supportCatalog(app.upstream.origin, app.records, [], {
      ...SUPPORT,
      tools: [{ operation: 'read_thing', name }],
    });
  const served = (): string => app.agents.agents.flatMap(({ tools }) => tools).join();
  const isServed = (name: string): Promise<void> =>
    until(() => served() === name, `the file with ${name} is served`);

  it('is seen when it is written in place, replaced, taken away and put back', async () => {
    const catalog = await jsonCatalog();
    app = await AgentsApp.start({ catalog, options });
    await writeFile(catalog.path, JSON.stringify(named('in_place')));
    await isServed('in_place');
    await catalog.publish(named('replaced'));
    await isServed('replaced');
    const told = (): string[] => app.logger.of('warn', 'McpAgentsModule');
    const before = told().length;
    await rename(catalog.path, `${catalog.path}.away`);
    await until(() => told().length > before, 'the log says that the file is gone');
    expect(told().at(-1)).toMatch(/could not be loaded: There is no file/);
    expect(served()).toBe('replaced');
    await catalog.publish(named('put_back'));
    await isServed('put_back');
  });

  it('is refused while it is half written, and served when it is whole', async () => {
    const catalog = await jsonCatalog();
    app = await AgentsApp.start({ catalog, options });
    const text = JSON.stringify(named('whole'));
    await writeFile(catalog.path, text.slice(0, text.length / 2));
    expect((await app.agents.refresh()).problems).toEqual([
      expect.stringContaining('it could not be loaded: '),
    ]);
    expect((await app.call('read_thing', { id: '1' })).envelope).toMatchObject({
      path: '/things/1',
    });
    await writeFile(catalog.path, text);
    await isServed('whole');
  });

  it('is seen when a ConfigMap of Kubernetes changes, which swaps a link beside it', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'mcp-configmap-'));
    const path = join(folder, 'agents.json');
    const put = async (version: string, text: string): Promise<void> => {
      await mkdir(join(folder, version));
      await writeFile(join(folder, version, 'agents.json'), text);
      await symlink(version, join(folder, '..data_tmp'));
      await rename(join(folder, '..data_tmp'), join(folder, '..data'));
    };
    await symlink('..data/agents.json', path);
    const catalog = {
      name: 'ConfigMap',
      source: new JsonFileCatalogSource(path),
      publish: (document: AgentCatalogDocument) => put('..first', JSON.stringify(document)),
      close: () => rm(folder, { recursive: true, force: true }),
    };
    app = await AgentsApp.start({ catalog, options });
    await put('..second', JSON.stringify(named('from_config')));
    await isServed('from_config');
    expect(await readFile(path, 'utf8')).toContain('from_config');
  });
});
