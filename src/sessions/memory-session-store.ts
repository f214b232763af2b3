import { LRUCache } from 'lru-cache';
import { McpSessionStore, type McpSession } from './session-store.js';

/** Keeps the sessions of one process. */
export class MemorySessionStore extends McpSessionStore {
  private readonly sessions: LRUCache<string, McpSession>;
  private readonly listeners: ((id: string) => void)[] = [];

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
      // A session whose time is over must not be served for want of a timer, nor cost a timer of its own.
      ttlAutopurge: false,
      ttlResolution: 1000,
      dispose: (session, _id, reason) => {
        if (reason === 'evict' || reason === 'expire') this.forgotten(session.id);
      },
    });
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
    this.listeners.length = 0;
    this.sessions.clear();
  }

  private forgotten(id: string): void {
    for (const listener of this.listeners) listener(id);
  }
}
