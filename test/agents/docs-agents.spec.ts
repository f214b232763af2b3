import { Ajv2020 } from 'ajv/dist/2020.js';
import { readFile } from 'node:fs/promises';
import { AGENT_CATALOG_SCHEMA, REST_OPERATION_SCHEMA } from '../../src/agents/index.js';
import { STATUS_OF_CODE } from '../../src/agents/operation-call.js';
import { AGENTS_DEFAULTS } from '../../src/agents/agents.options.js';
import { runCommand } from '../../src/cli/command.js';
import { BLOCKS, codeIn, tableAfter } from '../docs/markdown.js';
import { AgentsApp, catalogOf, jsonCatalog, readOperation, SUPPORT } from './agents.fixture.js';

const blockOf = (isIt: (words: ReadonlyMap<string, string>) => boolean): unknown => {
  const block = BLOCKS.find(
    ({ document, language, words }) =>
      document === 'docs/agents.md' && language === 'json' && isIt(words),
  );
  return JSON.parse(block?.text ?? '');
};

describe('agents: docs/agents.md', () => {
  const catalog = blockOf((words) => words.size === 0) as { workspaces: object[] };
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  const validate = ajv.compile(AGENT_CATALOG_SCHEMA);

  it('shows a catalog that an application serves as it stands', async () => {
    const app = await AgentsApp.start({
      document: (_, keys) => ({ ...catalog, keys }) as never,
    });
    expect(app.agents.agents).toEqual([
      { workspace: 'acme', agent: 'support', tools: ['get_order'] },
    ]);
    await app.close();
  });

  it('shows a catalog that fits the schema, which refuses what the application refuses', async () => {
    expect(ajv.validateSchema(AGENT_CATALOG_SCHEMA)).toBe(true);
    expect(validate(catalog)).toBe(true);
    const sample = JSON.parse(await readFile('sample/mcp-server/agents.json', 'utf8')) as object;
    expect(validate(sample)).toBe(true);
    const origin = 'https://api.example.com';
    const good = catalogOf(origin, [readOperation(origin)], [SUPPORT]);
    expect(validate(good)).toBe(true);
    const without = readOperation(origin) as unknown as { versions: { rest: object }[] };
    Object.assign(without.versions[0]?.rest ?? {}, { script: 'x' });
    expect(validate(catalogOf(origin, [without as never], [SUPPORT]))).toBe(false);
    expect(validate({ workspaces: [], keys: [{ prefix: 'x' }] })).toBe(false);
  });

  it('shows the JSON Schema of the mapping, and the command that prints the whole', async () => {
    const { $defs } = REST_OPERATION_SCHEMA;
    expect(blockOf((words) => words.has('mapping-schema'))).toEqual($defs?.['mapping']);
    const printed = await runCommand(['catalog', 'schema']);
    expect(printed).toMatchObject({ code: 0, errors: '' });
    expect(JSON.parse(printed.output)).toEqual(AGENT_CATALOG_SCHEMA);
  });

  it('says of a catalog that names its schema the same as of one that does not', async () => {
    const file = await jsonCatalog();
    await file.publish({ $schema: './agents.schema.json', ...catalog } as never);
    const checked = await runCommand(['catalog', 'check', '--catalog', file.path]);
    expect(checked).toMatchObject({ code: 0, output: 'acme/support: get_order' });
    await file.close();
  });

  it('has the defaults in its table', () => {
    const rows = new Map(
      tableAfter('docs/agents.md', 'option `sessions` also').map(([name = '', value = '']) => [
        codeIn(name)[0],
        value,
      ]),
    );
    expect(rows.get('maxAttempts')).toBe(String(AGENTS_DEFAULTS.maxAttempts));
    expect(rows.get('refreshMs')).toContain(String(AGENTS_DEFAULTS.refreshMs));
  });
});

describe('agents: docs/errors.md', () => {
  it('has each code of an operation, with the status that it stands for, and no other', () => {
    const rows = tableAfter('docs/errors.md', '### Errors of an agent').map(
      ([code = '', statuses = '']) => [codeIn(code)[0], statuses] as const,
    );
    expect(rows.map(([code]) => code).sort()).toEqual(Object.keys(STATUS_OF_CODE).sort());
    for (const [code, statuses] of rows) {
      expect(statuses).toContain(String(STATUS_OF_CODE[code as keyof typeof STATUS_OF_CODE]));
    }
  });
});
