/** @file `npm run corpus`: judges the differential corpus of schemas and routes, and prints what was found. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const directory = mkdtempSync(join(tmpdir(), 'mcp-corpus-'));
const target = join(directory, 'report.txt');
const { status } = spawnSync(
  process.execPath,
  [
    '--experimental-vm-modules',
    '--no-warnings',
    join(root, 'node_modules/jest/bin/jest.js'),
    'test/schema/schema-corpus',
  ],
  {
    cwd: root,
    // The report is on standard output; how the tests went is on standard error.
    stdio: ['ignore', 2, 2],
    env: { ...process.env, MCP_CORPUS_REPORT: target },
  },
);
try {
  process.stdout.write(readFileSync(target, 'utf8'));
} catch {
  console.error('The corpus could not be judged: the output above tells why.');
}
rmSync(directory, { recursive: true, force: true });
process.exitCode = status ?? 1;
