/**
 * @file Packs this package as npm would publish it, installs the tarball into a copy of each consumer application, compiles
 * it and runs it. Run it after `npm run build`; it exits with 1 when a consumer fails. Needs the npm registry.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('.', import.meta.url));
const root = join(here, '../..');
const consumers = process.argv.length > 2 ? process.argv.slice(2) : ['nest11', 'nest12'];

const work = mkdtempSync(join(tmpdir(), 'mcp-consumers-'));
let failed = false;
try {
  const tarball = pack();
  for (const consumer of consumers) {
    try {
      runConsumer(consumer, tarball);
    } catch (error) {
      failed = true;
      console.error(`✗ ${consumer}: ${error.message}`);
    }
  }
} finally {
  rmSync(work, { recursive: true, force: true });
}
process.exitCode = failed ? 1 : 0;

function pack() {
  run('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', work], root);
  return join(
    work,
    readdirSync(work).find((name) => name.endsWith('.tgz')),
  );
}

function runConsumer(name, tarball) {
  const directory = join(work, name);
  for (const file of ['package.json', 'tsconfig.json']) {
    cpSync(join(here, name, file), join(directory, file));
  }
  cpSync(join(here, name, 'main.ts'), join(directory, 'src', name, 'main.ts'));
  cpSync(join(here, 'app'), join(directory, 'src/app'), { recursive: true });
  run('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', tarball], directory);
  run(process.execPath, ['node_modules/typescript/bin/tsc', '-p', '.'], directory);
  run(process.execPath, [join('dist', name, 'main.js')], directory);
}

function run(command, args, cwd) {
  execFileSync(command, args, { cwd, stdio: ['ignore', 'inherit', 'inherit'] });
}
