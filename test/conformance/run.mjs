/**
 * @file `npm run conformance`: lets the client of this package run the suite's client scenarios that need no OAuth, all of which
 * must pass without a warning. Then starts the fixture application, runs the official suite against it for each revision that
 * has a frozen set of requirements, and says in the last line how many of the required scenarios pass whole. A warning
 * that is not expected fails the run. What may fail is listed check by check in `expected-<revision>.yml`; a listed check that passes fails
 * the run as well. Needs `npm run build` before. `node run.mjs --verbose` prints what the suite says.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const REVISIONS = ['2025-11-25', '2026-07-28'];
const here = fileURLToPath(new URL('.', import.meta.url));
const root = join(here, '../..');
const suite = join(root, 'node_modules/@modelcontextprotocol/conformance');
const verbose = process.argv.includes('--verbose');

await run(
  process.execPath,
  [createRequire(import.meta.url).resolve('typescript/bin/tsc'), '-p', here],
  'inherit',
);
const clientCounts = [];
for (const revision of REVISIONS) clientCounts.push(await judgeClient(revision));
const app = await startApplication();
const results = mkdtempSync(join(tmpdir(), 'mcp-conformance-'));
const counts = [];
try {
  for (const revision of REVISIONS) counts.push(await judge(revision));
} finally {
  rmSync(results, { recursive: true, force: true });
  await app.stop();
}
if ([...counts, ...clientCounts].some(({ ok }) => !ok)) process.exitCode = 1;
console.log(`conformance of the client, without OAuth: ${shown(clientCounts)}`);
console.log(`conformance: ${shown(counts)}`);

function shown(list) {
  return list
    .map(({ revision, passed, required }) => `${revision} ${passed}/${required}`)
    .join(', ');
}

/** Runs the client scenarios of one revision, one after the other: `sse-retry` measures time. */
async function judgeClient(revision) {
  const scenarios = clientScenarios(revision);
  let passed = 0;
  for (const scenario of scenarios) {
    const command = `${process.execPath} ${join(here, 'dist/client.js')}`;
    const { code, output } = await run(process.execPath, [
      ...['--import', join(here, 'node-20.mjs'), join(suite, 'dist/index.js'), 'client'],
      ...['--command', command, '--scenario', scenario, '--spec-version', revision],
    ]);
    const [, failed, warned] = /(\d+) failed, (\d+) warnings/.exec(output) ?? [];
    const ok = code === 0 && failed === '0' && warned === '0';
    if (ok) passed++;
    if (verbose || !ok) console.log(`${revision}, client, ${scenario}:\n${output}`);
  }
  return { revision, ok: passed === scenarios.length, required: scenarios.length, passed };
}

/** @returns the names of the scenarios that the revision requires of a client without OAuth, and one that was added later */
function clientScenarios(revision) {
  const scenarios = requirements(revision, 'client').filter((name) => !name.startsWith('auth/'));
  return [...scenarios, 'json-schema-2020-12-preservation'];
}

/** Runs the suite for one revision. `ok` is its own verdict, in the light of what is expected to fail. */
async function judge(revision) {
  const directory = join(results, revision);
  const expected = join(here, `expected-${revision}.yml`);
  const { code, output } = await run(process.execPath, [
    ...[
      '--import',
      join(here, 'node-20.mjs'),
      join(suite, 'dist/index.js'),
      'server',
      '--url',
      app.url,
    ],
    ...['--requirements', revision, '--expected-failures', expected, '-o', directory],
  ]);
  const required = requirements(revision, 'server');
  const failed = failures(directory, required);
  if (verbose || code !== 0) console.log(output);
  console.log(
    `\n${revision}: ${required.length - failed.size} of ${required.length} required scenarios pass whole`,
  );
  for (const [scenario, checks] of failed) console.log(`  ${scenario}: ${[...checks].join(', ')}`);
  return {
    revision,
    ok: code === 0,
    required: required.length,
    passed: required.length - failed.size,
  };
}

/** @returns the names of the scenarios that the revision requires of a server or a client */
function requirements(revision, side) {
  const text = readFileSync(join(suite, 'requirements', `${revision}.yaml`), 'utf8');
  const [, list = ''] = new RegExp(`^${side}:\n((?: {2}- .*\n)+)`, 'm').exec(text) ?? [];
  return [...list.matchAll(/^ {2}- (\S+)/gm)].map(([, name]) => name);
}

/**
 * @returns the required scenarios that do not pass whole, each with what is wrong: a scenario without results is missing. A
 * warning is a SHOULD that is not met: it does not make the suite fail a scenario, but it has to be expected by name.
 */
function failures(directory, required) {
  const wrong = new Map(required.map((scenario) => [scenario, new Set(['not run'])]));
  for (const name of readdirSync(directory)) {
    const scenario = required.find((one) => new RegExp(`^server-${one}-\\d{4}-`).test(name));
    if (scenario === undefined) continue;
    const checks = JSON.parse(readFileSync(join(directory, name, 'checks.json'), 'utf8'));
    const bad = checks.filter(({ status }) => status === 'FAILURE');
    wrong.set(scenario, new Set(bad.map(({ id }) => id)));
    const warned = checks.filter(({ status }) => status === 'WARNING');
    if (warned.length > 0)
      console.log(`  ${scenario} warns: ${warned.map(({ id }) => id).join(', ')}`);
  }
  return new Map([...wrong].filter(([, checks]) => checks.size > 0));
}

async function startApplication() {
  const child = spawn(process.execPath, [join(here, 'dist/main.js')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  process.once('exit', () => child.kill('SIGKILL'));
  const url = await new Promise((resolve, reject) => {
    child.once('exit', () =>
      reject(new Error('The fixture application ended before it listened.')),
    );
    createInterface({ input: child.stdout }).on('line', (line) => {
      const [, address] = /^listening: (\S+)/.exec(line) ?? [];
      if (address !== undefined) resolve(address);
      else console.log(line);
    });
  });
  return {
    url,
    stop: async () => {
      child.kill('SIGTERM');
      if (child.exitCode === null) await once(child, 'exit');
    },
  };
}

async function run(command, args, output = 'pipe') {
  const child = spawn(command, args, { stdio: ['ignore', output, output] });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (data) => (text += data));
  const [code] = await once(child, 'close');
  if (code !== 0 && output === 'inherit') process.exit(1);
  return { code, output: text };
}
