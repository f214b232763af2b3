import type { DatedRevision } from '../protocol/revision.js';

/** A session as it is kept: plain data, so that any store can hold it. */
export interface McpSession {
  /** Visible ASCII from a cryptographic source (2025-11-25, basic/transports, "Session Management"). */
  readonly id: string;
  /** The path of the endpoint that opened it. */
  readonly endpoint: string;
  readonly revision: DatedRevision;
  /** Who opened it; `null` for nobody. */
  readonly principal: string | null;
  /** What the client said in `initialize` that it can do. */
  readonly capabilities: Readonly<Record<string, unknown>>;
  /** The client has sent `notifications/initialized`. */
  readonly initialized: boolean;
}

/** How many sessions an endpoint keeps, and how long an idle one, in milliseconds: the options of the same names. */
export interface McpSessionBounds {
  readonly max: number;
  readonly idleTimeoutMs: number;
}

/** A message that says to belong to a session. */
export interface McpSessionClaim {
  readonly id: string;
  readonly endpoint: string;
  readonly principal: string | null;
  /** The revision that the message names, `undefined` when it names none. */
  readonly revision: DatedRevision | undefined;
}

/** What a message does to its session beside using it. */
export type McpSessionChange = 'initialized' | 'ended';

/**
 * Where sessions are kept. An implementation keeps each session of an endpoint until it was idle for `idleTimeoutMs`, and
 * forgets it soon after: by a tenth later, and by a minute at the most, so that it need not write for each message. When an
 * endpoint has `max` sessions and opens another, the one that was idle longest goes.
 */
export abstract class McpSessionStore {
  /** Keeps a new session. */
  abstract open(session: McpSession, bounds: McpSessionBounds): void | Promise<void>;
  /**
   * Finds the session of a message and counts it as used: the one question that a message asks.
   *
   * @param change made with the same step, where the claim names the session's revision or none
   * @returns the session as it was before; `undefined` when it is unknown, ended, forgotten, another endpoint's or another
   *   principal's
   */
  abstract touch(
    claim: McpSessionClaim,
    bounds: McpSessionBounds,
    change?: McpSessionChange,
  ): McpSession | undefined | Promise<McpSession | undefined>;
  /** Calls back for each session that the store forgets by itself. A store that cannot tell does nothing. */
  abstract onForgotten(listener: (id: string) => void): void;
  /** Releases what the store holds. */
  abstract close(): void | Promise<void>;
}
