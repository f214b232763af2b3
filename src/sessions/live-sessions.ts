import type { JsonRpcId } from '../protocol/json-rpc-error.js';
import type { McpEvent } from './event-bus.js';
import type { McpSession } from './session-store.js';

/** Something of a session that this instance runs, and that ends with it. */
export interface Live {
  end(): void;
}

/** A stream that a session holds open to hear of changes. */
export interface LiveStream extends Live {
  send(message: string): void;
}

interface LiveSession {
  readonly session: McpSession;
  /** The newest last. */
  readonly streams: Set<LiveStream>;
  /** By the JSON text of the id: a client may have several calls with one id in flight. */
  readonly calls: Map<string, Set<Live>>;
  /** Who waits for an answer of the client, by the JSON text of the id. */
  readonly expected: Map<string, (result: unknown) => void>;
}

/** The calls and streams of sessions on this instance. A session that has none here has no entry. */
export class LiveSessions {
  private readonly sessions = new Map<string, LiveSession>();

  /** @returns a function that takes the stream away again */
  addStream(session: McpSession, stream: LiveStream): () => void {
    this.of(session).streams.add(stream);
    return () => {
      this.sessions.get(session.id)?.streams.delete(stream);
      this.tidy(session.id);
    };
  }

  /** @returns a function that takes the call away again */
  addCall(session: McpSession, requestId: JsonRpcId, call: Live): () => void {
    const { calls } = this.of(session);
    const key = JSON.stringify(requestId);
    const same = calls.get(key) ?? new Set();
    calls.set(key, same.add(call));
    return () => {
      same.delete(call);
      if (same.size === 0 && calls.get(key) === same) calls.delete(key);
      this.tidy(session.id);
    };
  }

  /**
   * Waits for the client's answer to a request of the server's.
   *
   * @param whenOver is given what to call when nobody waits any more; the answer is then `undefined`
   */
  expect(
    session: McpSession,
    requestId: JsonRpcId,
    whenOver: (forget: () => void) => void,
  ): Promise<unknown> {
    const { expected } = this.of(session);
    const key = JSON.stringify(requestId);
    return new Promise((resolve) => {
      const settle = (result: unknown): void => {
        expected.delete(key);
        this.tidy(session.id);
        resolve(result);
      };
      expected.set(key, settle);
      whenOver(() => settle(undefined));
    });
  }

  streamsOf(session: string): number {
    return this.sessions.get(session)?.streams.size ?? 0;
  }

  /** The sessions that have something here. */
  all(): McpSession[] {
    return [...this.sessions.values()].map(({ session }) => session);
  }

  /** Sends a message to every session that listens: on one stream of each (2025-11-25, "Multiple Connections"). */
  tell(message: string): void {
    // The newest is the one that the client has least likely lost.
    for (const { streams } of this.sessions.values()) [...streams].at(-1)?.send(message);
  }

  /** Ends every stream, and leaves the calls. */
  endStreams(): void {
    for (const { streams } of [...this.sessions.values()])
      for (const stream of [...streams]) stream.end();
  }

  /** Acts on what another instance, or this one, published. */
  handle(event: McpEvent): void {
    if (event.type === 'session-ended') this.endSession(event.session);
    if (event.type === 'answered') {
      const { expected } = this.sessions.get(event.session) ?? {};
      expected?.get(JSON.stringify(event.requestId))?.(event.result);
    }
    if (event.type !== 'cancelled') return;
    const calls = this.sessions.get(event.session)?.calls.get(JSON.stringify(event.requestId));
    for (const call of [...(calls ?? [])]) call.end();
  }

  endSession(session: string): void {
    const live = this.sessions.get(session);
    if (live === undefined) return;
    this.sessions.delete(session);
    for (const calls of live.calls.values()) for (const call of [...calls]) call.end();
    for (const stream of [...live.streams]) stream.end();
  }

  private of(session: McpSession): LiveSession {
    let live = this.sessions.get(session.id);
    if (live === undefined) {
      live = { session, streams: new Set(), calls: new Map(), expected: new Map() };
      this.sessions.set(session.id, live);
    }
    return live;
  }

  private tidy(session: string): void {
    const live = this.sessions.get(session);
    if (live === undefined) return;
    const { streams, calls, expected } = live;
    if (streams.size + calls.size + expected.size === 0) this.sessions.delete(session);
  }
}
