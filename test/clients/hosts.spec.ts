import { createMCPClient } from '@ai-sdk/mcp';
import { MultiServerMCPClient } from '@langchain/mcp-adapters';
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { FixtureApp } from '../support/fixture-app.js';
import { endpointOf, NAMES, SETUPS, startFixture, stopFixture } from './fixture.js';

const CLI = fileURLToPath(
  new URL('../../node_modules/@modelcontextprotocol/inspector/cli/build/cli.js', import.meta.url),
);

describe.each(SETUPS)('hosts on $title', (setup) => {
  let app: FixtureApp;
  beforeEach(async () => {
    app = await startFixture(setup);
  });
  afterEach(() => stopFixture(app));

  const inspect = async (...args: string[]): Promise<unknown> => {
    const all = [CLI, '--cli', endpointOf(app), '--transport', 'http', ...args];
    const { stdout } = await promisify(execFile)(process.execPath, all);
    return JSON.parse(stdout) as unknown;
  };

  it('the inspector’s command line', async () => {
    const listed = await inspect('--method', 'tools/list');
    const { tools } = listed as { tools: { name: string }[] };
    expect(tools.map(({ name }) => name)).toContain('echo');
    const call = [
      '--method',
      'tools/call',
      '--tool-name',
      'echo',
      '--tool-arg',
      'path={"text":"hello"}',
    ];
    expect(await inspect(...call)).toMatchObject({ structuredContent: { text: 'hello' } });
  }, 30_000);

  it('the AI SDK’s client', async () => {
    const client = await createMCPClient({ transport: { type: 'http', url: endpointOf(app) } });
    const tools = await client.tools();
    expect(NAMES).toEqual(expect.arrayContaining(Object.keys(tools)));
    const { echo } = tools;
    const result = await echo?.execute(
      { path: { text: 'hello' } },
      { toolCallId: '1', messages: [] },
    );
    expect(result).toMatchObject({ structuredContent: { text: 'hello' } });
    await client.close();
  });

  it('LangChain’s adapters', async () => {
    const client = new MultiServerMCPClient({
      mcpServers: { fixture: { transport: 'http', url: endpointOf(app) } },
    });
    const tools = await client.getTools();
    expect(tools.map(({ name }) => name).sort()).toEqual(NAMES);
    const echo = tools.find(({ name }) => name === 'echo');
    expect(JSON.stringify(await echo?.invoke({ path: { text: 'hello' } }))).toContain('hello');
    await client.close();
  });
});
