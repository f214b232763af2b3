import { randomBytes } from 'node:crypto';
import type { JsonRpcId } from '../protocol/json-rpc-error.js';
import type { DatedRevision } from '../protocol/revision.js';
import type { McpEventBus } from './event-bus.js';
import type { McpSession, McpSessionStore } from './session-store.js';

/** The sessions of one endpoint: opened for, and shown to, one principal each. */
export class SessionKeeper {
  /** @param endpoint its path: a session of another endpoint on the same store is none of ours */
  constructor(
    private readonly endpoint: string,
    private readonly store: McpSessionStore,
    private readonly bus: McpEventBus,
  ) {
    store.onForgotten((session) => void bus.publish({ type: 'session-ended', session }));
  }

  async open(revision: DatedRevision, principal: string | null): Promise<McpSession> {
    const id = randomBytes(24).toString('base64url');
    const session = { id, endpoint: this.endpoint, revision, principal, initialized: false };
    await this.store.open(session);
    return session;
  }

  /** @returns the session when it exists and belongs to this caller; nobody matches nobody only */
  async find(id: string, principal: string | null): Promise<McpSession | undefined> {
    const session = await this.store.touch(id);
    if (session?.endpoint !== this.endpoint || session.principal !== principal) return undefined;
    return session;
  }

  async initialized(session: McpSession): Promise<void> {
    if (!session.initialized) await this.store.update({ ...session, initialized: true });
  }

  /** Cancels every call of the session with that id, on whatever instance it runs. */
  async cancel(session: McpSession, requestId: unknown): Promise<void> {
    if (typeof requestId !== 'string' && typeof requestId !== 'number') return;
    await this.bus.publish({
      type: 'cancelled',
      session: session.id,
      requestId: requestId satisfies JsonRpcId,
    });
  }

  async end(id: string): Promise<void> {
    await this.store.end(id);
    await this.bus.publish({ type: 'session-ended', session: id });
  }
}
