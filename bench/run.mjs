/**
 * @file `npm run bench -- [--quick] [--json] [--check] [--only=TEXT]`: measures this package against the route itself and
 * against its peers, prints a report and, in full, writes it to `bench/RESULTS.md`.
 *
 * `--quick` takes less than two minutes. `--json` prints `{ "ratios": { … } }` as the last line. `--check` fails when
 * `express.call.vsDirectRoute` is under 0.5, where something is broken rather than noisy. `--only` measures the groups whose title
 * contains the text. A wrong answer always fails.
 */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { measureMemory, measureSessionBytes } from './lib/memory.mjs';
import { startLoad, stop } from './lib/processes.mjs';
import { report } from './lib/report.mjs';
import { measureGroup, ratiosOf } from './lib/rounds.mjs';
import { measureStartup } from './lib/startup.mjs';
import { median } from './lib/statistics.mjs';
import { GROUPS, LIMITS, RATIOS } from './groups.mjs';
import { VARIANTS } from './variants.mjs';

const FLOOR = { name: 'express.call.vsDirectRoute', least: 0.5 };
const MEMORY = ['express.direct', 'express.ours 2026-07-28'];
const SESSION = 'express.ours session';
const FULL = {
  rounds: 7,
  warmUpMs: 300,
  measureMs: 400,
  firstWarmUp: { answers: 10_000, durationMs: 5_000 },
  concurrencies: [1, 16],
  startupPairs: 5,
};
const QUICK = {
  ...FULL,
  rounds: 5,
  measureMs: 300,
  firstWarmUp: { answers: 8_000, durationMs: 2_000 },
  concurrencies: [16],
  startupPairs: 2,
};

const flag = { type: 'boolean', default: false };
const { values: given } = parseArgs({
  options: { quick: flag, json: flag, check: flag, only: { type: 'string', default: '' } },
});
const settings = given.quick ? QUICK : FULL;
const log = (text) => process.stderr.write(`${text}\n`);

requireBuild();
const directory = mkdtempSync(join(tmpdir(), 'mcp-bench-'));
const load = startLoad();
try {
  process.exitCode = await main();
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
} finally {
  await stop(load.child);
  rmSync(directory, { recursive: true, force: true });
}

async function main() {
  const context = { variants: VARIANTS, load, directory, settings, log };
  const groups = [];
  const missing = new Set();
  for (const group of GROUPS.filter(isWanted)) {
    log(group.title);
    const [base] = group.variants;
    const names = given.quick ? [base, ...group.quick] : group.variants;
    const measured = await measureGroup(names, context);
    for (const name of measured.missing) missing.add(name);
    groups.push({ title: group.title, names, rates: measured.rates });
  }
  const all = given.only === '';
  const full = all && !given.quick;
  const startup = all ? await measureStartup(settings.startupPairs, log) : undefined;
  const memory = full ? await measureMemory(MEMORY, context) : undefined;
  const sessionBytes = full ? await measureSessionBytes(SESSION, context) : undefined;
  const ratios = [
    ...RATIOS.map((ratio) => summarizeRatio(ratio, groups)),
    limited('startup.500tools.extraMs', startup?.extra.median),
    limited('session.bytes', sessionBytes),
  ];
  const text = report({ groups, ratios, startup, memory, missing: [...missing], settings });
  console.log(text);
  if (full) writeFileSync(new URL('RESULTS.md', import.meta.url), text);
  return finish(ratios);
}

function isWanted({ title, quick }) {
  return title.includes(given.only) && !(given.quick && quick.length === 0);
}

function limited(name, value) {
  return { name, goal: LIMITS[name], most: true, value: value && round(value, 0) };
}

/** Rounds of all groups count alike; where there are several to compare with, the fastest of them. */
function summarizeRatio({ name, of, over, time, goal }, groups) {
  const [concurrency] = settings.concurrencies.slice(-1);
  const medians = over
    .map((other) => groups.flatMap(({ rates }) => ratiosOf(rates, [of, other], concurrency)))
    .filter((ratios) => ratios.length > 0)
    .map((ratios) => median(ratios).median);
  const value = medians.length === 0 ? undefined : Math.min(...medians);
  return { name, goal, most: time, value: value && round(time ? 1 / value : value, 3) };
}

function round(value, digits) {
  return Number(value.toFixed(digits));
}

function finish(ratios) {
  const measured = ratios.filter(({ value }) => value !== undefined);
  if (given.json) {
    const values = Object.fromEntries(measured.map(({ name, value }) => [name, value]));
    console.log(JSON.stringify({ ratios: values }));
  }
  if (!given.check) return 0;
  const floor = measured.find(({ name }) => name === FLOOR.name);
  if (floor !== undefined && floor.value >= FLOOR.least) return 0;
  console.error(`${FLOOR.name} is ${floor?.value ?? 'not measured'}, not ${FLOOR.least} at least.`);
  return 1;
}

function requireBuild() {
  const dist = process.env.BENCH_DIST ?? new URL('../dist', import.meta.url).pathname;
  if (existsSync(join(dist, 'index.js'))) return;
  console.error(`There is no build in ${dist}: npm run build`);
  process.exit(1);
}
