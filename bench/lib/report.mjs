/** @file The results as Markdown, for people on a terminal as well. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { cpus, totalmem } from 'node:os';
import { ratiosOf } from './rounds.mjs';
import { median } from './statistics.mjs';

const PACKAGES = ['@nestjs/core', 'express', 'fastify', 'rxjs', 'class-validator'];
const NEST11 = ['@nestjs/core', '@nestjs-mcp/server', '@modelcontextprotocol/sdk'];

export function report({ groups, ratios, startup, memory, missing, settings }) {
  return [
    '# Bench',
    '',
    ...conditions(settings),
    '',
    '## Goals',
    '',
    ...goalsTable(ratios),
    ...groups.flatMap((group) => ['', `## ${group.title}`, '', ...groupTable(group, settings)]),
    ...startupLines(startup),
    ...memoryLines(memory),
    ...(missing.length === 0 ? [] : ['', `Not installed, left out: ${missing.join(', ')}.`]),
    '',
  ].join('\n');
}

function conditions({ rounds, warmUpMs, measureMs }) {
  const [cpu] = cpus();
  const bench = manifest('../package.json').dependencies;
  const peers = Object.keys(bench).map((name) => versionOf(name, '../package.json'));
  return [
    `${new Date().toISOString().slice(0, 10)}, Node ${process.version}, ${cpus().length} × ${cpu?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GiB.`,
    `${PACKAGES.map((name) => versionOf(name, '../../package.json')).join(', ')}.`,
    `Peers: ${peers.join(', ')}; on Nest 11: ${NEST11.map((name) => versionOf(name, '../nest11/package.json')).join(', ')}.`,
    '',
    'Requests a second of each variant over those of the first of its table in the same round; the median of the rounds with the',
    `quartiles. ${rounds} rounds of ${measureMs} ms after ${warmUpMs} ms to warm up. How far "again" is from 1 is the noise.`,
    'The ratio by processor time counts answers for each second that the server spent on a processor: it holds on a busy machine.',
    'Absolute rates are there for orientation only: they move by a factor of two within minutes.',
  ];
}

function goalsTable(ratios) {
  const rows = ratios.map(({ name, value, goal, most }) => {
    if (value === undefined) return [name, 'not measured', goal ?? ''];
    const met = goal === undefined ? '' : (most ? value <= goal : value >= goal) ? 'yes' : 'no';
    return [name, String(value), goal === undefined ? '' : `${most ? '≤' : '≥'} ${goal}`, met];
  });
  return table(['name', 'value', 'goal', 'met'], rows);
}

function groupTable({ names, rates }, { concurrencies }) {
  const [base] = names;
  const cells = (name, concurrency) => [
    interval(median(ratiosOf(rates, [name, base], concurrency))),
    interval(median(ratiosOf(rates, [name, base], concurrency, 'perCpuSecond'))),
    String(Math.round(median(rates.get(name)[concurrency].map((rate) => rate.perSecond)).median)),
  ];
  const rows = names
    .filter((name) => rates.has(name))
    .map((name) => [name, ...concurrencies.flatMap((concurrency) => cells(name, concurrency))]);
  const heads = concurrencies.flatMap((concurrency) => [
    `ratio at ${concurrency} connection${concurrency === 1 ? '' : 's'}`,
    'by processor time',
    'a second',
  ]);
  return table(['variant', ...heads], rows);
}

function startupLines(startup) {
  if (startup === undefined) return [];
  const { without, withModule, extra } = startup;
  const rows = [
    ['without the module', interval(without, 0)],
    ['with the module', interval(withModule, 0)],
    ['difference', interval(extra, 0)],
  ];
  const title = '## Start-up with 1,000 routes, 500 of them tools';
  return ['', title, '', ...table(['', 'ms until it listens'], rows)];
}

function memoryLines(memory) {
  if (memory === undefined) return [];
  const mebibytes = (bytes) => (bytes / 2 ** 20).toFixed(1);
  const rows = memory.map(({ name, before, after }) => [
    name,
    `${mebibytes(before.heapUsed)} → ${mebibytes(after.heapUsed)}`,
    `${mebibytes(before.rss)} → ${mebibytes(after.rss)}`,
  ]);
  const title = '## Memory before and after 50,000 calls';
  return ['', title, '', ...table(['variant', 'heap in MiB', 'resident in MiB'], rows)];
}

function table(head, rows) {
  const line = (cells) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)];
}

function interval(value, digits = 2) {
  const [middle, low, high] = [value.median, value.low, value.high].map((one) =>
    one.toFixed(digits),
  );
  return `${middle} (${low} to ${high})`;
}

function manifest(path) {
  return JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8'));
}

function versionOf(name, from) {
  const paths = createRequire(new URL(from, import.meta.url)).resolve.paths(name) ?? [];
  for (const path of paths) {
    try {
      const { version } = JSON.parse(readFileSync(`${path}/${name}/package.json`, 'utf8'));
      return `${name} ${version}`;
    } catch {
      // Not in this folder: the next one up.
    }
  }
  return `${name} not installed`;
}
