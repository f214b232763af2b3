/** @file Compiles the cluster test and runs it; `run.ts` says what it does. Needs `npm run build` before. */
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('.', import.meta.url));
const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc');
for (const args of [[tsc, '-p', here], [`${here}dist/cluster/run.js`]]) {
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
