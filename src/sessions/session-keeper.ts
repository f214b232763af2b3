import { randomBytes } from 'node:crypto';
import type { JsonRpcId } from '../protocol/json-rpc-error.js';
import type { DatedRevision } from '../protocol/revision.js';
import type { Announcer } from './announcer.js';
import type { LiveSessions } from './live-sessions.js';
import type {
  McpSession,
  McpSessionBounds,
  McpSessionChange,
  McpSessionStore,
} from './session-store.js';
import { SessionStoreFailure, withinTime } from './within-time.js';

/** What `open` makes. Anything else needs no store to be unknown. */
const ID = /^[\w-]{32}$/;

/**
 * The sessions of one endpoint: opened for, and shown to, one principal each. Every method rejects with a
 * `SessionStoreFailure` when the store fails or does not answer.
 */
export class SessionKeeper {
  /** @param endpoint its path: a session of another endpoint on the same store is none of ours */
  constructor(
    private readonly endpoint: string,
    private readonly store: McpSessionStore,
    private readonly bounds: McpSessionBounds,
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
    await this.ask((store) => store.open(session, this.bounds));
    return session;
  }

  /**
   * @param revision the one that the message names
   * @param change made in the same step, unless that revision is not the session's
   * @returns the session when it exists and belongs to this caller; nobody matches nobody only
   */
  async find(
    id: string,
    principal: string | null,
    revision?: DatedRevision,
    change?: McpSessionChange,
  ): Promise<McpSession | undefined> {
    if (!ID.test(id)) return undefined;
    const claim = { id, endpoint: this.endpoint, principal, revision };
    return this.ask((store) => store.touch(claim, this.bounds, change));
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

  /** Tells every instance that a session has ended. */
  async ended({ id }: McpSession): Promise<void> {
    await this.announcer.publish({ type: 'session-ended', session: id });
  }

  /**
   * Ends what this instance runs of sessions that are no more: their end may have been told while the bus was cut off. One
   * after the other, since all instances ask at the same time.
   */
  async verify(live: LiveSessions): Promise<void> {
    for (const { id, principal } of live.all()) {
      if ((await this.find(id, principal)) === undefined) live.endSession(id);
    }
  }

  private async ask<T>(question: (store: McpSessionStore) => T | Promise<T>): Promise<T> {
    try {
      return await withinTime(() => question(this.store));
    } catch (error) {
      throw new SessionStoreFailure(error);
    }
  }
}
