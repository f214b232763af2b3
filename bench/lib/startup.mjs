/** @file How long an application with 1,000 routes takes to start, half of them tools, against the same without the module. */
import { startServer, stop } from './processes.mjs';
import { median } from './statistics.mjs';

const ROUTES = 1000;
const TOOLS = 500;
const server = 'servers/nest.mjs';
const WITHOUT = { server, options: { routes: ROUTES } };
const WITH = { server, options: { routes: ROUTES, tools: TOOLS - 1, mcp: {} } };

/** @returns milliseconds from the start of the process, with the module and without, and the medians of the differences */
export async function measureStartup(pairs, log) {
  const samples = [];
  for (let pair = 0; pair < pairs; pair++) {
    const first = await timeToListen(pair % 2 === 0 ? WITHOUT : WITH);
    const second = await timeToListen(pair % 2 === 0 ? WITH : WITHOUT);
    const [without, withModule] = pair % 2 === 0 ? [first, second] : [second, first];
    samples.push({ without, withModule, extra: withModule - without });
    log(`  start-up, pair ${pair + 1} of ${pairs}`);
  }
  return {
    without: median(samples.map((sample) => sample.without)),
    withModule: median(samples.map((sample) => sample.withModule)),
    extra: median(samples.map((sample) => sample.extra)),
  };
}

async function timeToListen(variant) {
  const { startedMs, child } = await startServer(variant);
  await stop(child);
  return startedMs;
}
