import fc from 'fast-check';
import type { McpToolClient, McpToolOutput } from 'nestjs-mcp-routes/client';
import {
  clientOf,
  closeClients,
  descriptor,
  ended,
  ERAS,
  serverAt,
  type Ended,
  type Era,
} from './client.fixture.js';
import { FAULTS, HANGING, LIMITS } from './hostile.cases.js';
import { answerWell, ScriptedServer, type Reaction, type Step } from './scripted-server.js';

/** An exchange over sockets takes some milliseconds, so there are fewer runs than of a pure property. */
const numRuns = Math.ceil(Number(process.env['MCP_FUZZ_RUNS'] ?? 2000) / 25);
const seed = Number(process.env['MCP_FUZZ_SEED'] ?? Date.now() & 0x7fffffff);

const STATUS_FAULTS: Readonly<Record<string, Reaction>> = Object.fromEntries(
  [307, 401, 404, 421, 500, 503].map((status) => [
    `status ${status}`,
    (x) => x.send('{}', { 'retry-after': '0', location: '/mcp' }, status),
  ]),
);
const RESUMED: Readonly<Record<string, Reaction>> = {
  'the stream ends and may be resumed': (x) => void x.stream().end('retry: 0\nid: a\n\n'),
  'the tool says that it failed': (x) => x.send(x.text({ content: [], isError: true })),
};
/** What a server does instead of answering; `''`: it answers. Those that only cost time are in the hostile suite. */
const ALL: Readonly<Record<string, Reaction>> = {
  '': answerWell,
  ...FAULTS,
  ...STATUS_FAULTS,
  ...RESUMED,
};
const SLOW = [
  ...HANGING,
  'the answer is a gzip bomb',
  'the stream has requests for ever',
  'the stream has notifications for ever',
];
const names = Object.keys(ALL).filter((name) => !SLOW.includes(name));
/** Mostly well, so that faults late in an exchange are reached. */
const fault = fc.oneof(
  { weight: 6, arbitrary: fc.constant('') },
  { weight: 4, arbitrary: fc.constantFrom(...names) },
);
const STEPS: readonly Step[] = [
  'server/discover',
  'initialize',
  'notifications/initialized',
  'tools/list',
  'tools/call',
  'status',
  'GET',
  'DELETE',
];
const attempt = fc.record({
  faults: fc.record(
    Object.fromEntries(STEPS.map((step) => [step, fault])) as Record<Step, typeof fault>,
  ),
  /** When the caller gives up: before a step is answered, after it, or never. */
  givesUpAt: fc.option(fc.constantFrom(...STEPS), { freq: 5, nil: undefined }),
});
const plan = fc.record({
  revision: fc.constantFrom<Era | 'auto'>(...ERAS, 'auto'),
  performs: fc.boolean(),
  execute: attempt,
  reconciles: fc.array(attempt, { minLength: 1, maxLength: 3 }),
});
type Attempt = typeof attempt extends fc.Arbitrary<infer A> ? A : never;

describe('client property: execute, then reconcile', () => {
  let server: ScriptedServer;
  const clients = {} as Record<Era | 'auto', McpToolClient>;
  beforeAll(async () => {
    server = await ScriptedServer.start();
    for (const revision of [...ERAS, 'auto'] as const) {
      clients[revision] = await clientOf(serverAt(server.url, { revision }), LIMITS);
    }
  });
  afterAll(async () => {
    await closeClients();
    await server.close();
  });

  function run(
    { faults, givesUpAt }: Attempt,
    act: (signal: AbortSignal) => Promise<McpToolOutput>,
  ): Promise<Ended> {
    const caller = new AbortController();
    for (const step of STEPS) {
      server.reactions[step] = (x) => {
        ALL[faults[step]]?.(x);
        if (step === givesUpAt) setImmediate(() => caller.abort());
      };
    }
    return ended(act(caller.signal));
  }

  it('success means done, nothing is done twice, and nothing submitted means nothing done', async () => {
    let count = 0;
    const seen: Record<string, number> = {};
    const property = fc.asyncProperty(plan, async ({ revision, performs, execute, reconciles }) => {
      const id = `op-${++count}`;
      const client = clients[revision];
      server.reset();
      server.performs = () => performs;
      const first = await run(execute, (signal) => client.execute(descriptor(), id, signal));
      seen[first.outcome] = (seen[first.outcome] ?? 0) + 1;
      const submissions = server.submissions();
      const done = server.ledger.get(id) ?? 0;
      expect(submissions).toBeLessThanOrEqual(1);
      expect(done).toBe(performs ? submissions : 0);
      if (first.outcome === 'success') expect([submissions, done]).toEqual([1, 1]);
      if (first.outcome === 'nothing submitted') expect(submissions).toBe(0);
      if (first.outcome === 'terminal') expect(submissions).toBe(1);
      for (const one of reconciles) {
        const { outcome } = await run(one, (signal) => client.reconcile(descriptor(), id, signal));
        seen[`reconcile: ${outcome}`] = (seen[`reconcile: ${outcome}`] ?? 0) + 1;
        expect(['success', 'uncertain']).toContain(outcome);
        if (outcome === 'success') expect(server.ledger.get(id)).toBe(1);
      }
      expect(server.submissions()).toBe(submissions);
      expect(server.ledger.get(id) ?? 0).toBe(done);
    });
    await fc.assert(property, { numRuns, seed });
    // Each outcome was reached, so that the property says something of it.
    expect(Object.keys(seen)).toEqual(
      expect.arrayContaining([
        'success',
        'uncertain',
        'nothing submitted',
        'terminal',
        'reconcile: success',
        'reconcile: uncertain',
      ]),
    );
  }, 600_000);
});
