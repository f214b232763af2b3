/**
 * @file `npm run test:cluster`: three instances that share nothing but a Redis, behind a proxy that knows no sessions, real
 * clients of both eras that call steadily, and one fault after the other. Every run of an operation is counted outside of what
 * fails. The last lines are the totals; it fails when a call was answered wrongly, had no end or ran twice, or when one was
 * refused outside of the times that a fault takes.
 */
import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { RedisServer } from '../support/redis-server.js';
import { connectV1, connectV2 } from './clients.js';
import { Instance } from './instance.js';
import { Ledger } from './ledger.js';
import { RoundRobin } from './proxy.js';
import { report, type FaultWindow } from './report.js';
import { Worker, type Made } from './traffic.js';

/** How long traffic runs between faults, in milliseconds. */
const STEADY_MS = 2_000;

const begun = performance.now();
const ledger = await Ledger.start();
const redis = await RedisServer.start('--appendonly', 'yes', '--appendfsync', 'always');
const environment = {
  REDIS_URL: redis.url,
  LEDGER_URL: ledger.url,
  CLUSTER_SECRET: 'the same for every instance',
};
const instances = await Promise.all(
  ['express', 'fastify', 'express'].map((PLATFORM) => Instance.start({ ...environment, PLATFORM })),
);
const proxy = await RoundRobin.start(instances);
const workers = [connectV1, connectV2, connectV1, connectV2, connectV1, connectV2].map(
  (connect, i) => new Worker(`w${i}`, `${proxy.url}/mcp`, connect),
);
const windows: FaultWindow[] = [];
let ok: boolean;
try {
  await Promise.all(workers.map((worker) => worker.start()));
  say('three instances, six clients');
  await delay(STEADY_MS);
  await listChange('off', workers);
  await rollingRestart();
  await fault('kill -9 of an instance', async () => {
    await instances[1]?.kill();
    await delay(500);
    await instances[1]?.start();
  });
  await fault('Redis restarts', async () => {
    await redis.kill();
    await delay(500);
    await redis.start();
  });
  await fault('Redis stands still for 5 s', async () => {
    redis.pause();
    await delay(5_000);
    redis.resume();
  });
  const fresh = [connectV1, connectV2].map(
    (connect, i) => new Worker(`fresh${i}`, `${proxy.url}/mcp`, connect),
  );
  await Promise.all(fresh.map((worker) => worker.start()));
  workers.push(...fresh);
  await listChange('on', fresh);
  await delay(STEADY_MS);
  await Promise.all(workers.map((worker) => worker.stop()));
  const made: Made[] = workers.flatMap((worker) => worker.made);
  say('fault windows:');
  ok = report(made, ledger.runs, windows);
} finally {
  redis.resume();
  await Promise.all(instances.map((instance) => instance.kill()));
  await proxy.close();
  await redis.stop();
  ledger.close();
}
process.exit(ok ? 0 : 1);

/** Something goes away. The window ends when every client is served again. */
async function fault(name: string, action: () => Promise<void>): Promise<void> {
  say(name);
  const start = performance.now();
  await action();
  const restored = performance.now();
  await until(`every client is served again after: ${name}`, () =>
    workers.every((worker) => worker.isWellSince(restored)),
  );
  windows.push({ name, begun: start, ended: performance.now() });
  await delay(STEADY_MS);
}

/** Each instance is told to end while it runs calls that take long, one on each instance, and started again. */
async function rollingRestart(): Promise<void> {
  for (const [i, instance] of instances.entries()) {
    await fault(`rolling restart, instance ${i + 1}`, async () => {
      const long = workers.slice(0, instances.length * 2).map((worker, n) => {
        const operation = `large-${i}-${n}`;
        return worker.call('place_large_order', operation).then(() => operation);
      });
      await delay(500);
      await instance.terminate();
      const operations = await Promise.all(long);
      const drained = workers
        .flatMap(({ made }) => made)
        .filter(
          ({ operation, outcome }) => operations.includes(operation) && outcome.kind === 'right',
        );
      assert.equal(drained.length, operations.length, 'calls in flight end as always');
      await instance.start();
      for (const name of await toolsOf(instance)) assert.notEqual(name, 'refund_order');
    });
  }
}

/** One instance switches a tool: clients at every instance are told, and every instance lists the same. */
async function listChange(state: 'on' | 'off', listeners: readonly Worker[]): Promise<void> {
  say(`refund_order is switched ${state}`);
  // A stream is opened behind connect(); until all listen, a change that is told is no proof.
  await delay(1_000);
  const before = listeners.map(({ told }) => told);
  await fetch(`${(instances[0] as Instance).url}/refunds/${state}`, { method: 'POST' });
  await until('every client is told of the change', () =>
    listeners.every(({ told }, i) => told > (before[i] ?? 0)),
  );
  for (const instance of instances) {
    const names = await toolsOf(instance);
    assert.equal(names.includes('refund_order'), state === 'on');
  }
}

async function toolsOf(instance: Instance): Promise<string[]> {
  const client = await connectV2(`${instance.url}/mcp`, () => undefined);
  const names = await client.tools();
  await client.close();
  return names;
}

async function until(what: string, condition: () => boolean): Promise<void> {
  const deadline = performance.now() + 60_000;
  while (!condition()) {
    assert.ok(performance.now() < deadline, `within a minute: ${what}`);
    await delay(20);
  }
}

function say(text: string): void {
  console.log(`[${((performance.now() - begun) / 1_000).toFixed(1).padStart(5)} s] ${text}`);
}
