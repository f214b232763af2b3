/**
 * @file A server process: `server.mjs FILE OPTIONS`. The file's `start(options)` gives the port that its server listens on.
 * The parent is told it, and may ask for the processor time and the memory used.
 */
import { pathToFileURL } from 'node:url';

const [file, options] = process.argv.slice(2);

const QUESTIONS = {
  /** Microseconds of all threads, so that what other processes do counts for little. */
  cpu: () => {
    const { user, system } = process.cpuUsage();
    return user + system;
  },
  memory: () => {
    globalThis.gc();
    const { heapUsed, rss } = process.memoryUsage();
    return { heapUsed, rss };
  },
};

process.on('message', (question) => process.send(QUESTIONS[question]()));
process.on('disconnect', () => process.exit());

try {
  const { start } = await import(pathToFileURL(file).href);
  const port = await start(JSON.parse(options));
  // Since the process began: what a user waits for.
  process.send({ port, startedMs: performance.now() });
} catch (error) {
  process.send({ failure: error.stack ?? String(error) });
}
