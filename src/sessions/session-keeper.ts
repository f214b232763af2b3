import { randomBytes } from 'node:crypto';
import type { JsonRpcId } from '../protocol/json-rpc-error.js';
import type { DatedRevision } from '../protocol/revision.js';
import type { Announcer } from './announcer.js';
import type { McpSession, McpSessionStore } from './session-store.js';
import { SessionStoreFailure, withinTime } from './within-time.js';

/**
 * The sessions of one endpoint: opened for, and shown to, one principal each. Every method rejects with a
 * `SessionStoreFailure` when the store fails or does not answer.
 */
export class SessionKeeper {
  /** @param endpoint its path: a session of another endpoint on the same store is none of ours */
  constructor(
    private readonly endpoint: string,
    private readonly store: McpSessionStore,
    private readonly announcer: Announcer,
  ) {
    store.onForgotten((session) => void announcer.publish({ type: 'session-ended', session }));
  }

  async open(
    revision: DatedRevision,
    principal: string | null,
    capabilities: Readonly<Record<string, unknown>>,
  ): Promise<McpSession> {
    const id = randomBytes(24).toString('base64url');
    const session = {
      id,
      endpoint: this.endpoint,
      revision,
      principal,
      capabilities,
      initialized: false,
    };
    await this.ask((store) => store.open(session));
    return session;
  }

  /** @returns the session when it exists and belongs to this caller; nobody matches nobody only */
  async find(id: string, principal: string | null): Promise<McpSession | undefined> {
    const session = await this.ask((store) => store.touch(id));
    if (session?.endpoint !== this.endpoint || session.principal !== principal) return undefined;
    return session;
  }

  async initialized(session: McpSession): Promise<void> {
    if (!session.initialized)
      await this.ask((store) => store.update({ ...session, initialized: true }));
  }

  /** Cancels every call of the session with that id, on whatever instance it runs. */
  async cancel(session: McpSession, requestId: unknown): Promise<void> {
    if (typeof requestId !== 'string' && typeof requestId !== 'number') return;
    await this.announcer.publish({
      type: 'cancelled',
      session: session.id,
      requestId: requestId satisfies JsonRpcId,
    });
  }

  /** Hands a client's answer to the instance that asked. */
  async answered(session: McpSession, requestId: JsonRpcId, result: unknown): Promise<void> {
    await this.announcer.publish({ type: 'answered', session: session.id, requestId, result });
  }

  async end(id: string): Promise<void> {
    await this.ask((store) => store.end(id));
    await this.announcer.publish({ type: 'session-ended', session: id });
  }

  private async ask<T>(question: (store: McpSessionStore) => T | Promise<T>): Promise<T> {
    try {
      return await withinTime(() => question(this.store));
    } catch (error) {
      throw new SessionStoreFailure(error);
    }
  }
}
