import { LRUCache } from 'lru-cache';
import { McpSessionStore, type McpSession } from './session-store.js';

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

  touch(id: string): McpSession | undefined {
    return this.sessions.get(id);
  }

  update(session: McpSession): void {
    if (this.sessions.has(session.id)) this.sessions.set(session.id, session);
  }

  end(id: string): boolean {
    return this.sessions.delete(id);
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
