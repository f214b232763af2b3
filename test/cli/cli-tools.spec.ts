import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { runCommand } from '../../src/cli/command.js';
import type { ToolsReport } from '../../src/cli/tools-report.js';
import { has } from '../support/needs.js';

const FIXTURE = fileURLToPath(new URL('app.fixture.ts', import.meta.url));

describe('cli: nestjs-mcp-routes tools', () => {
  it('prints tools, routes that are none, and what may confuse a model', async () => {
    const { code, output, errors } = await runCommand(['tools', FIXTURE]);
    expect([code, errors]).toEqual([0, '']);
    expect(output).toMatch(/^Endpoint "mcp": 2 tools, \d+ bytes\n/);
    expect(output).toMatch(
      /^ {2}add_note {2}POST \/notes {5,}KeyGuard {2}body\.text, body\.pinned\? +\d+$/m,
    );
    expect(output).toMatch(/^ {2}get_note {2}GET \/notes\/:id {2}KeyGuard {2}path\.id +\d+$/m);
    expect(output).toContain('NotesController.list (GET /notes)');
    expect(output).toContain('it is hidden by @McpHidden()');
    expect(output).toContain('- @Req() is used, and what it reads of a request is not known');
    expect(output).toContain(
      '- add_note: it has no description, so a model only has the name to go by.',
    );
    expect(output).not.toContain('- get_note');
  });

  it('gives the same as JSON, after what main.ts would do', async () => {
    const { code, output } = await runCommand(['tools', FIXTURE, '--configure', FIXTURE, '--json']);
    expect(code).toBe(0);
    const report = JSON.parse(output) as ToolsReport;
    expect(report.endpoints[0]?.tools.map(({ bytes: _, ...tool }) => tool)).toEqual([
      {
        name: 'add_note',
        route: 'POST /api/notes',
        handler: 'NotesController.add',
        guards: ['KeyGuard'],
        arguments: ['body.text', 'body.pinned?'],
      },
      {
        name: 'get_note',
        route: 'GET /api/notes/:id',
        handler: 'NotesController.get',
        guards: ['KeyGuard'],
        arguments: ['path.id'],
      },
    ]);
    expect(report.notTools.map(({ route }) => route)).toEqual([
      'NotesController.list (GET /api/notes)',
      'NotesController.remove (DELETE /api/notes/:id)',
    ]);
  });

  it('ends with 1 and the problems of an application that cannot start', async () => {
    const { code, output, errors } = await runCommand([
      'tools',
      FIXTURE,
      '--export',
      'BrokenModule',
    ]);
    expect([code, output]).toEqual([1, '']);
    expect(errors).toContain('BrokenController.get (GET /broken): the tool name "not a name"');
  });

  it.each([
    [['tools', FIXTURE, '--export', 'PlainModule'], 'has no MCP endpoint'],
    [
      ['tools', FIXTURE, '--export', 'NoModule'],
      'exports no module "NoModule". Its modules are: AppModule, BrokenModule, PlainModule.',
    ],
    [['tools', 'nowhere.js'], 'nowhere.js. Build the application first.'],
  ])('ends with 1 and says why: %j', async (args, message) => {
    const { code, errors } = await runCommand(args);
    expect(code).toBe(1);
    expect(errors).toContain(message);
  });

  it.each([
    [['list'], 'There is no command "list".'],
    [['tools'], 'The module is missing.'],
    [['tools', 'a.js', 'b.js'], 'What is "b.js" for?'],
    [['tools', 'a.js', '--colour'], "Unknown option '--colour'"],
  ])('ends with 2 and shows its usage: %j', async (args, message) => {
    const { code, errors } = await runCommand(args);
    expect(code).toBe(2);
    expect(errors).toContain(message);
    expect(errors).toContain('nestjs-mcp-routes tools <module> [options]');
  });

  it('shows its usage when asked', async () => {
    expect(await runCommand(['--help'])).toMatchObject({ code: 0, errors: '' });
  });
});

const BUILT = [
  'dist/cli/main.js',
  'sample/shop/dist/app.module.js',
  'sample/shop/dist/configure.js',
].map((file) => fileURLToPath(new URL(`../../${file}`, import.meta.url)));

describe('cli: the command on the built sample', () => {
  (has(BUILT, 'npm run demo builds it') ? it : it.skip)(
    'prints its tools',
    () => {
      const [main = '', module = '', configure = ''] = BUILT;
      const printed = execFileSync(
        process.execPath,
        [main, 'tools', module, '--configure', configure, '--json'],
        { encoding: 'utf8', timeout: 50_000 },
      );
      const { endpoints } = JSON.parse(printed) as ToolsReport;
      const tools = endpoints.flatMap((endpoint) => endpoint.tools);
      expect(tools.map(({ name, route }) => `${name} ${route}`)).toContain(
        'get_order GET /api/v1/orders/:id',
      );
    },
    60_000,
  );
});
