/** @file Measures the variants of a group, round by round, so that what slows the machine down slows all of them. */
import { NotInstalled } from './processes.mjs';
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
      await load.run({ ...target.order(16), answers: settings.warmUpAnswers });
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
  const { rounds, warmUpMs, measureMs } = settings;
  for (let round = 0; round < rounds; round++) {
    // Each round begins with another variant, so that none always follows the same one.
    for (let turn = 0; turn < targets.length; turn++) {
      const target = targets[(round + turn) % targets.length];
      const { perSecond } = await load
        .run({ ...target.order(concurrency), warmUpMs, measureMs })
        .catch((error) => {
          throw new Error(`${target.name}: a wrong answer. ${error.message}`);
        });
      (rates.get(target.name)[concurrency] ??= []).push(perSecond);
    }
    log(`  concurrency ${concurrency}, round ${round + 1} of ${rounds}`);
  }
}

/** One variant's rate over another's, round by round; nothing where they were not measured together. */
export function ratiosOf(rates, of, over, concurrency) {
  const above = rates.get(of)?.[concurrency];
  const below = rates.get(over)?.[concurrency];
  if (above === undefined || below === undefined) return [];
  return above.map((rate, round) => rate / below[round]);
}
