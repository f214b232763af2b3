import type {
  McpSession,
  McpSessionBounds,
  McpSessionClaim,
  McpSessionStore,
} from '../../src/index.js';

export const BOUNDS: McpSessionBounds = { max: 3, idleTimeoutMs: 60_000 };

/** A store under test, as several instances hold it. */
export interface StoreUnderTest {
  /** At least one; each is of another instance. */
  readonly stores: readonly [McpSessionStore, ...McpSessionStore[]];
  /** Lets so much time pass for everything that is kept, in milliseconds. */
  age(ms: number): void | Promise<void>;
  close(): Promise<void>;
}

let made = 0;

export function newSession(more: Partial<McpSession> = {}): McpSession {
  return {
    id: `session-${made++}`,
    endpoint: 'mcp',
    revision: '2025-11-25',
    principal: 'ann',
    capabilities: {},
    initialized: false,
    ...more,
  };
}

export function claimOf(
  { id, endpoint, principal }: McpSession,
  more: Partial<McpSessionClaim> = {},
): McpSessionClaim {
  return { id, endpoint, principal, revision: undefined, ...more };
}

/** What every session store does. @param begin makes an empty store */
export function describeSessionStore(name: string, begin: () => Promise<StoreUnderTest>): void {
  describe(`${name}: what every session store does`, () => {
    let under: StoreUnderTest;
    let store: McpSessionStore;
    let other: McpSessionStore;
    const forgotten: string[] = [];
    beforeEach(async () => {
      under = await begin();
      [store] = under.stores;
      other = under.stores.at(-1) as McpSessionStore;
      forgotten.length = 0;
      for (const one of under.stores) one.onForgotten((id) => forgotten.push(id));
    });
    afterEach(() => under.close());
    const opened = async (more: Partial<McpSession> = {}): Promise<McpSession> => {
      const session = newSession(more);
      await store.open(session, BOUNDS);
      return session;
    };
    const found = async (session: McpSession, more: Partial<McpSessionClaim> = {}) =>
      (await other.touch(claimOf(session, more), BOUNDS)) !== undefined;

    it.each([
      [{}],
      [{ principal: null }],
      [{ revision: '2025-03-26' }],
      [{ endpoint: 'api/v1/mcp-2', principal: '["bearer","https://i.example","sub","ä\u2028"]' }],
      [{ capabilities: { elicitation: { form: {}, url: {} }, roots: { listChanged: true } } }],
      [{ capabilities: { 'x-empty': [], nested: { a: [1, null, 'ü', { b: {} }] } } }],
    ] as Partial<McpSession>[][])('gives back %j as it was', async (more = {}) => {
      const session = await opened(more);
      expect(await other.touch(claimOf(session), BOUNDS)).toEqual(session);
    });

    it('knows nothing of what nobody opened, and of another endpoint’s', async () => {
      const session = await opened();
      expect(await found(newSession())).toBe(false);
      expect(await found(session, { endpoint: 'other' })).toBe(false);
      expect(await found(session, { endpoint: '' })).toBe(false);
    });

    it.each([
      ['ann', ['bob', null, '', 'Ann', 'ann ', '"ann"', 'null']],
      [null, ['null', '', 'undefined', 'ann']],
      ['', [null, ' ']],
      ['null', [null]],
    ])('shows the session of %j to nobody else', async (principal, others) => {
      const session = await opened({ principal });
      for (const foreign of others) {
        for (const change of [undefined, 'initialized', 'ended'] as const) {
          const claim = claimOf(session, { principal: foreign });
          expect(await other.touch(claim, BOUNDS, change)).toBeUndefined();
        }
      }
      expect(await other.touch(claimOf(session), BOUNDS)).toEqual(session);
    });

    it('initializes and ends in the same step, and says how it was before', async () => {
      const session = await opened();
      const before = await other.touch(claimOf(session), BOUNDS, 'initialized');
      expect(before).toEqual(session);
      const initialized = { ...session, initialized: true };
      expect(await store.touch(claimOf(session), BOUNDS, 'initialized')).toEqual(initialized);
      expect(await other.touch(claimOf(session), BOUNDS, 'ended')).toEqual(initialized);
      for (const change of [undefined, 'initialized', 'ended'] as const)
        expect(await store.touch(claimOf(session), BOUNDS, change)).toBeUndefined();
      expect(forgotten).toEqual([]);
    });

    it('changes nothing for a claim of another revision', async () => {
      const session = await opened();
      const claim = claimOf(session, { revision: '2025-06-18' });
      expect(await other.touch(claim, BOUNDS, 'initialized')).toEqual(session);
      expect(await other.touch(claim, BOUNDS, 'ended')).toEqual(session);
      expect(await other.touch(claim, BOUNDS)).toEqual(session);
      const right = claimOf(session, { revision: '2025-11-25' });
      await other.touch(right, BOUNDS, 'ended');
      expect(await found(session)).toBe(false);
    });

    it('keeps what is used, and forgets what is idle', async () => {
      const used = await opened();
      const idle = await opened();
      for (let i = 0; i < 3; i++) {
        await under.age(40_000);
        expect(await found(used)).toBe(true);
      }
      await until(() => forgotten.includes(idle.id));
      expect(forgotten).toEqual([idle.id]);
      expect(await found(idle)).toBe(false);
    });

    it('counts neither another principal’s nor another endpoint’s message as use', async () => {
      const session = await opened();
      await under.age(50_000);
      expect(await found(session, { principal: 'bob' })).toBe(false);
      expect(await found(session, { endpoint: 'other' })).toBe(false);
      await under.age(20_000);
      expect(await found(session)).toBe(false);
    });

    it('at max the one that was idle longest goes', async () => {
      const sessions: McpSession[] = [];
      for (let i = 0; i < 3; i++) {
        sessions.push(await opened());
        await under.age(10_000);
      }
      const [first, second, third] = sessions as [McpSession, McpSession, McpSession];
      await found(first);
      const fourth = await opened();
      expect(forgotten).toEqual([second.id]);
      expect(await found(second)).toBe(false);
      for (const one of [first, third, fourth]) expect(await found(one)).toBe(true);
    });

    it('an ended session leaves its place', async () => {
      const sessions = [await opened(), await opened(), await opened()];
      await other.touch(claimOf(sessions[1] as McpSession), BOUNDS, 'ended');
      await opened();
      expect(forgotten).toEqual([]);
      expect(await found(sessions[0] as McpSession)).toBe(true);
    });

    it('never has more than max, however many are opened at once', async () => {
      const sessions = Array.from({ length: 40 }, () => newSession());
      const stores = under.stores;
      await Promise.all(
        sessions.map(async (session, i) => stores[i % stores.length]?.open(session, BOUNDS)),
      );
      const kept = [];
      for (const session of sessions) if (await found(session)) kept.push(session.id);
      expect(kept).toHaveLength(BOUNDS.max);
      expect([...kept, ...forgotten].sort()).toEqual(sessions.map(({ id }) => id).sort());
    });
  });
}

/** Waits until a condition holds. The test's own time-out is the bound. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setImmediate(resolve));
}
