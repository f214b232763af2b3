import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { runCommand } from '../../src/cli/command.js';
import { digestOf } from '../../src/client/canonical-json.js';
import { PAY_SCHEMA, ScriptedServer } from '../client/scripted-server.js';
import { has } from '../support/needs.js';

let server: ScriptedServer;
beforeAll(async () => {
  server = await ScriptedServer.start();
});
afterEach(() => server.reset());
afterAll(() => server.close());

const run = (args: readonly string[]) =>
  runCommand(['digests', server.url, '--allow-insecure-loopback', ...args]);

describe('cli: nestjs-mcp-routes digests', () => {
  it('prints each tool with the digest that pins it', async () => {
    const { code, output, errors } = await run([]);
    expect([code, errors]).toEqual([0, '']);
    const [head, ...lines] = output.split('\n');
    expect(head).toBe('3 tools, revision 2026-07-28');
    expect(lines[0]).toBe(`  ${digestOf(PAY_SCHEMA)}  pay`);
    expect(server.methods()).toEqual(['server/discover', 'tools/list']);
  });

  it.each(['2025-03-26', '2025-11-25'])(
    'gives the same as JSON, as %s lists it, and ends the session',
    async (revision) => {
      const { code, output } = await run(['--revision', revision, '--json']);
      expect(code).toBe(0);
      const { tools, ...rest } = JSON.parse(output) as { tools: unknown[] };
      expect(rest).toEqual({ revision });
      expect(tools[0]).toEqual({
        name: 'pay',
        inputSchemaDigest: digestOf(PAY_SCHEMA),
        inputSchema: PAY_SCHEMA,
      });
      expect(server.methods()).toEqual([
        'initialize',
        'notifications/initialized',
        'tools/list',
        'DELETE',
      ]);
    },
  );

  it('sends the authorization of the environment with each request', async () => {
    process.env['MCP_AUTHORIZATION'] = 'Bearer a';
    await run([]).finally(() => delete process.env['MCP_AUTHORIZATION']);
    expect(server.received.map(({ headers }) => headers.authorization)).toEqual([
      'Bearer a',
      'Bearer a',
    ]);
  });

  it('says of a tool that it cannot be pinned, and prints no control character of its name', async () => {
    server.reactions['tools/list'] = (x) =>
      x.send(
        x
          .text({ tools: [{ name: '\u001b[2J', inputSchema: { maximum: 77 } }] })
          .replace('77', '1e999'),
      );
    const { output } = await run([]);
    expect(output).toMatch(/^ {2}cannot be pinned {57}\\u001b\[2J$/m);
  });

  it.each([
    [['digests'], 'The URL is missing.'],
    [['digests', 'https://a.example', 'b'], 'What is "b" for?'],
    [
      ['digests', 'https://a.example', '--revision', '2024-11-05'],
      'The revision "2024-11-05" is none of auto, 2026-07-28',
    ],
    [['digests', 'shop'], '"shop" is no URL.'],
    [['digests', 'http://127.0.0.1:1/mcp'], 'or --allow-insecure-loopback for a server on this'],
    [['digests', 'https://a.example', '--export', 'A'], "Unknown option '--export'"],
  ])('ends with 2 and shows its usage: %j', async (args, message) => {
    const { code, errors } = await runCommand(args);
    expect(code).toBe(2);
    expect(errors).toContain(message);
    expect(errors).toContain('nestjs-mcp-routes digests <url> [options]');
  });

  it('ends with 1 and says why', async () => {
    const elsewhere = ['digests', 'http://a.example/mcp', '--allow-insecure-loopback'];
    expect(await runCommand(elsewhere)).toMatchObject({
      code: 1,
      errors: expect.stringContaining('is http. Give an https URL') as string,
    });
    server.reactions['server/discover'] = (x) => x.send('', {}, 401);
    expect(await run([])).toMatchObject({
      code: 1,
      errors: expect.stringContaining('HTTP 401') as string,
    });
  });

  it('shows its usage when asked', async () => {
    expect(await runCommand(['digests', '--help'])).toMatchObject({ code: 0, errors: '' });
  });
});

const MAIN = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));

describe('cli: the built command', () => {
  (has([MAIN], 'npm run build builds it') ? it : it.skip)(
    'ends with 1 where nobody listens',
    () => {
      const call = (): string =>
        execFileSync(
          process.execPath,
          [MAIN, 'digests', 'http://127.0.0.1:1/', '--allow-insecure-loopback'],
          {
            encoding: 'utf8',
            stdio: 'pipe',
            timeout: 50_000,
          },
        );
      expect(call).toThrow('could not be reached');
    },
    60_000,
  );
});
