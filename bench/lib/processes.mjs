/** @file The processes of the bench: servers, and the load generator. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const bench = (file) => fileURLToPath(new URL(`../${file}`, import.meta.url));

/** A package that is not installed: its variants are left out. */
export class NotInstalled extends Error {}

/** What a module says that imports a package nobody installed; a file that is missing reads otherwise. */
const NO_PACKAGE = /Cannot find package/;
const KEPT_OUTPUT = 4_000;

/**
 * @param variant of `variants.mjs`
 * @param execArgv for Node
 * @returns the server's port, how long it took to start, in milliseconds since its process began, and its process
 */
export async function startServer({ server, options = {} }, execArgv = []) {
  const stdio = ['ignore', 'ignore', 'pipe', 'ipc'];
  const child = fork(bench('server.mjs'), [bench(server), JSON.stringify(options)], {
    execArgv,
    stdio,
  });
  keepErrors(child);
  const { port, startedMs, failure } = await nextMessage(child);
  if (failure === undefined) return { port, startedMs, child };
  child.kill();
  throw NO_PACKAGE.test(failure) ? new NotInstalled(failure) : new Error(failure);
}

export async function stop(child) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.disconnect();
  await gone;
}

/** Starts the load generator. `run(order)` is described in `load.mjs`; a wrong answer rejects. */
export function startLoad() {
  const child = fork(bench('load.mjs'));
  return {
    child,
    run: async (order) => {
      const result = await ask(child, order);
      if (result.failure !== undefined) throw new Error(result.failure);
      return result;
    },
  };
}

export function ask(child, message) {
  child.send(message);
  return nextMessage(child);
}

/** What a server says on the way is of interest only when it dies. */
function keepErrors(child) {
  child.errors = '';
  child.stderr.setEncoding('utf8');
  child.stderr.on('data', (text) => {
    child.errors = (child.errors + text).slice(-KEPT_OUTPUT);
  });
}

async function nextMessage(child) {
  const gone = new AbortController();
  const died = once(child, 'exit', { signal: gone.signal }).then(([code, signal]) => {
    throw new Error(`A process of the bench ended (${signal ?? code}). ${child.errors ?? ''}`);
  });
  died.catch(() => undefined);
  try {
    const [message] = await Promise.race([once(child, 'message'), died]);
    return message;
  } finally {
    gone.abort();
  }
}
