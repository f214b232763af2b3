/** @file Measures the variants of a group, round by round, so that what slows the machine down slows all of them. */
import { ask, NotInstalled } from './processes.mjs';
import { Target } from './target.mjs';

/**
 * @param names the variants, the base first
 * @param context.load the load generator
 * @returns for each variant and concurrency the answers a second of each round; and which variants could not run
 */
export async function measureGroup(names, { variants, load, directory, settings, log }) {
  const { targets, missing } = await startAll(names, variants, directory);
  try {
    const [base] = targets;
    if (base?.name !== names[0]) return { rates: new Map(), missing };
    for (const target of targets) {
      const { idleSessions } = target.variant;
      if (idleSessions !== undefined) await target.openSessions(idleSessions, load);
      await load.run({ ...target.order(16), ...settings.firstWarmUp });
    }
    const rates = new Map(targets.map(({ name }) => [name, {}]));
    for (const concurrency of settings.concurrencies) {
      await measureRounds(targets, concurrency, rates, { load, settings, log });
    }
    return { rates, missing };
  } finally {
    await Promise.all(targets.map((target) => target.stop()));
  }
}

async function startAll(names, variants, directory) {
  const targets = [];
  const missing = [];
  for (const name of names) {
    try {
      targets.push(await Target.start(name, variants, directory));
    } catch (error) {
      if (!(error instanceof NotInstalled)) {
        await Promise.all(targets.map((target) => target.stop()));
        throw error;
      }
      missing.push(name);
    }
  }
  return { targets, missing };
}

async function measureRounds(targets, concurrency, rates, { load, settings, log }) {
  const { rounds } = settings;
  for (let round = 0; round < rounds; round++) {
    // Each round begins with another variant, so that none always follows the same one.
    for (let turn = 0; turn < targets.length; turn++) {
      const target = targets[(round + turn) % targets.length];
      const rate = await measureOnce(target, concurrency, { load, settings });
      (rates.get(target.name)[concurrency] ??= []).push(rate);
    }
    log(`  concurrency ${concurrency}, round ${round + 1} of ${rounds}`);
  }
}

async function measureOnce(target, concurrency, { load, settings: { warmUpMs, measureMs } }) {
  const order = target.order(concurrency);
  try {
    await load.run({ ...order, durationMs: warmUpMs });
    const before = await ask(target.child, 'cpu');
    const { perSecond, answers } = await load.run({ ...order, durationMs: measureMs });
    const after = await ask(target.child, 'cpu');
    return { perSecond, perCpuSecond: answers / ((after - before) / 1e6) };
  } catch (error) {
    throw new Error(`${target.name}: ${error.message}`, { cause: error });
  }
}

/**
 * One variant's rate over another's, round by round; nothing where they were not measured together.
 *
 * @param unit `perSecond`, or `perCpuSecond`: of processor time of the server
 */
export function ratiosOf(rates, [of, over], concurrency, unit = 'perSecond') {
  const above = rates.get(of)?.[concurrency];
  const below = rates.get(over)?.[concurrency];
  if (above === undefined || below === undefined) return [];
  return above.map((rate, round) => rate[unit] / below[round][unit]);
}
