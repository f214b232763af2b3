import type { DatedRevision } from '../protocol/revision.js';

/** A session as it is kept: plain data, so that any store can hold it. */
export interface McpSession {
  /** Visible ASCII from a cryptographic source (2025-11-25, basic/transports, "Session Management"). */
  readonly id: string;
  /** The endpoint that opened it. */
  readonly endpoint: string;
  readonly revision: DatedRevision;
  /** Who opened it; `null` for nobody. */
  readonly principal: string | null;
  /** What the client said in `initialize` that it can do. */
  readonly capabilities: Readonly<Record<string, unknown>>;
  /** The client has sent `notifications/initialized`. */
  readonly initialized: boolean;
}

/**
 * Where sessions are kept. An implementation forgets a session that was idle for longer than `idleTimeoutMs`, and when it
 * is full, the one that was idle longest.
 */
export abstract class McpSessionStore {
  /** Keeps a new session. */
  abstract open(session: McpSession): void | Promise<void>;
  /** @returns the session, now counted as used; `undefined` when it is unknown, ended or forgotten */
  abstract touch(id: string): McpSession | undefined | Promise<McpSession | undefined>;
  /** Replaces a session that is still kept. Does nothing when it is not. */
  abstract update(session: McpSession): void | Promise<void>;
  /** Ends a session. @returns whether it was kept */
  abstract end(id: string): boolean | Promise<boolean>;
  /** Calls back for each session that the store forgets by itself. A store that cannot tell does nothing. */
  abstract onForgotten(listener: (id: string) => void): void;
  /** Releases what the store holds. */
  abstract close(): void | Promise<void>;
}
