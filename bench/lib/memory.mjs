/** @file What calls leave behind: heap after a collection, and resident memory. */
import { ask } from './processes.mjs';
import { Target } from './target.mjs';

const WARM_UP = 5_000;
const CALLS = 50_000;

/** @returns bytes after 5,000 calls and after 50,000 more, for each variant */
export async function measureMemory(names, { variants, load, directory }) {
  const rows = [];
  for (const name of names) {
    const target = await Target.start(name, variants, directory, ['--expose-gc']);
    await load.run({ ...target.order(16), answers: WARM_UP });
    const before = await ask(target.child, 'memory');
    await load.run({ ...target.order(16), answers: CALLS });
    const after = await ask(target.child, 'memory');
    await target.stop();
    rows.push({ name, before, after });
  }
  return rows;
}
