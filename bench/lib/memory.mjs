/** @file What calls leave behind, and what idle sessions take: heap after a collection, and resident memory. */
import { ask } from './processes.mjs';
import { Target } from './target.mjs';

const WARM_UP = 5_000;
const CALLS = 50_000;
const FIRST_SESSIONS = 2_000;
const SESSIONS = 10_000;

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

/** @returns the bytes of heap that one idle session takes */
export async function measureSessionBytes(name, { variants, load, directory }) {
  const target = await Target.start(name, variants, directory, ['--expose-gc']);
  await target.openSessions(FIRST_SESSIONS, load);
  const before = await ask(target.child, 'memory');
  await target.openSessions(SESSIONS, load);
  const after = await ask(target.child, 'memory');
  await target.stop();
  return (after.heapUsed - before.heapUsed) / SESSIONS;
}
