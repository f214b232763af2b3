import { LRUCache } from 'lru-cache';
import {
  McpSessionStore,
  type McpSession,
  type McpSessionBounds,
  type McpSessionChange,
  type McpSessionClaim,
} from './session-store.js';

/** How often idle sessions are looked for at the least, in milliseconds. */
const SWEEP_MS = 60_000;

/** Keeps the sessions of one process. */
export class MemorySessionStore extends McpSessionStore {
  private readonly sessions: LRUCache<string, McpSession>;
  private readonly listeners: ((id: string) => void)[] = [];
  private readonly sweep: NodeJS.Timeout;

  /**
   * @param max sessions at the most; beyond it the one that was idle longest goes
   * @param idleTimeoutMs how long a session may be idle, in milliseconds
   */
  constructor(max: number, idleTimeoutMs: number) {
    super();
    this.sessions = new LRUCache({
      max,
      ttl: idleTimeoutMs,
      updateAgeOnGet: true,
      // A session whose time is over is not served, and costs no timer of its own: the sweep below finds it.
      ttlAutopurge: false,
      ttlResolution: 1000,
      // Looked up at each call, so that a test's clock counts.
      perf: { now: () => performance.now() },
      dispose: (session, _id, reason) => {
        if (reason === 'evict' || reason === 'expire') this.forgotten(session.id);
      },
    });
    // A client that only holds a stream open never asks: its session, and so its stream, would never end.
    this.sweep = setInterval(() => this.sessions.purgeStale(), Math.min(idleTimeoutMs, SWEEP_MS));
    this.sweep.unref();
  }

  open(session: McpSession): void {
    this.sessions.set(session.id, session);
  }

  touch(
    { id, endpoint, principal, revision }: McpSessionClaim,
    _bounds: McpSessionBounds,
    change?: McpSessionChange,
  ): McpSession | undefined {
    // Whoever it is not for does not keep it from being forgotten.
    const kept = this.sessions.peek(id);
    if (kept?.endpoint !== endpoint || kept.principal !== principal) return undefined;
    const session = this.sessions.get(id);
    if (session === undefined) return undefined;
    const mayChange = revision === undefined || revision === session.revision;
    if (change === 'ended' && mayChange) this.sessions.delete(id);
    if (change === 'initialized' && mayChange)
      this.sessions.set(id, { ...session, initialized: true });
    return session;
  }

  onForgotten(listener: (id: string) => void): void {
    this.listeners.push(listener);
  }

  close(): void {
    clearInterval(this.sweep);
    this.listeners.length = 0;
    this.sessions.clear();
  }

  private forgotten(id: string): void {
    for (const listener of this.listeners) listener(id);
  }
}
