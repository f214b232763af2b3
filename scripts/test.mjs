/**
 * @file `npm test -- [pattern] [Jest's options]`: runs Jest, passes its output and exit code on, and closes with the line
 * `N passed, N failed` on standard output. A run without a test is a failure. With `MCP_TEST_LINE` set, that line is
 * written to the file it names as well.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const directory = mkdtempSync(join(tmpdir(), 'mcp-test-'));
const totalsFile = join(directory, 'totals.json');

const code = await runJest(process.argv.slice(2));
const { passed, failed } = closingTotals(code);
rmSync(directory, { recursive: true, force: true });

const line = `${passed} passed, ${failed} failed`;
if (process.env.MCP_TEST_LINE) writeFileSync(process.env.MCP_TEST_LINE, `${line}\n`);
console.log(line);
process.exitCode = code === 0 && failed > 0 ? 1 : code;

/** Jest's reporters come last: its command line takes any pattern that follows them for one more reporter. */
function runJest(args) {
  const jest = join(root, 'node_modules/jest/bin/jest.js');
  const reporters = ['default', join(root, 'scripts/totals-reporter.cjs')];
  const child = spawn(
    process.execPath,
    ['--experimental-vm-modules', '--no-warnings', jest, ...args, '--reporters', ...reporters],
    { cwd: root, stdio: 'inherit', env: { ...process.env, MCP_TEST_TOTALS: totalsFile } },
  );
  // The terminal sends an interrupt to Jest as well; this process waits for it and still says how far it came.
  process.on('SIGINT', () => {});
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (exitCode, signal) => resolve(signal ? 1 : (exitCode ?? 1)));
  });
}

/** Jest fails for reasons that are no test (a bad option, no test found, a crash): each counts as one failure. */
function closingTotals(exitCode) {
  const totals = readTotals();
  const ran = totals.passed + totals.failed > 0;
  if (totals.failed === 0 && (exitCode !== 0 || !ran)) return { ...totals, failed: 1 };
  return totals;
}

function readTotals() {
  try {
    return JSON.parse(readFileSync(totalsFile, 'utf8'));
  } catch {
    return { passed: 0, failed: 0 };
  }
}
