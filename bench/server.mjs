/**
 * @file A server process: `server.mjs FILE OPTIONS`. The file's `start(options)` gives the port that its server listens on.
 * The parent is told it, and may ask for the memory in use.
 */
import { pathToFileURL } from 'node:url';

const [file, options] = process.argv.slice(2);

process.on('message', (message) => {
  if (message !== 'memory') return;
  globalThis.gc();
  const { heapUsed, rss } = process.memoryUsage();
  process.send({ heapUsed, rss });
});
process.on('disconnect', () => process.exit());

try {
  const { start } = await import(pathToFileURL(file).href);
  const port = await start(JSON.parse(options));
  // Since the process began: what a user waits for.
  process.send({ port, startedMs: performance.now() });
} catch (error) {
  process.send({ failure: error.stack ?? String(error), code: error.code });
}
