import type { IncomingMessage } from 'node:http';
import type { JsonRpcId } from '../protocol/json-rpc-error.js';

/** What is known of a call or a list when it begins. */
export interface Started {
  /** `tools/call` or `tools/list`. */
  readonly method: 'tools/call' | 'tools/list';
  /** The tool's name, for a call. */
  readonly tool: string | undefined;
  readonly arguments: Readonly<Record<string, unknown>> | undefined;
  readonly principal: string | null;
  readonly requestId: JsonRpcId;
  readonly revision: string;
  /** The size of the message, in bytes. */
  readonly bytesIn: number;
  /** The MCP request. */
  readonly outer: IncomingMessage;
  /** Whose catalog it is, where an endpoint has several. */
  readonly agent?: AgentLabel | undefined;
}

/** The slugs that name the catalog of an agent. */
export interface AgentLabel {
  readonly workspace: string;
  readonly agent: string;
}

/** What is known of it when its answer goes out. */
export interface Ended {
  readonly outcome: 'ok' | 'error';
  /** The HTTP status that the answer stands for. */
  readonly status: number;
  /** The size of the result, in bytes. */
  readonly bytesOut: number;
  readonly ref: string | undefined;
}

/** Something that watches calls and lists from beginning to end: an audit, a trace. */
export interface Watcher {
  /** Whether `begin` is worth its call at the moment. Always, without it. */
  isWatching?(): boolean;
  begin(started: Started): Watched;
}

/** One call or list that is being watched. */
export interface Watched {
  /** Trace headers for the call's own request, names and values in turn, in place of the caller's. */
  readonly traceHeaders?: readonly string[];
  end(ended: Ended): void;
}

/** Watches with all of them. One that throws costs nothing but what it would have seen. */
export function watchAll(watchers: readonly Watcher[], report: (error: unknown) => void): Watcher {
  return {
    isWatching: () => watchers.some(isActive),
    begin: (started) => {
      const watched = watchers
        .filter(isActive)
        .flatMap((watcher) => guarded(() => watcher.begin(started), report));
      const traceHeaders = watched.find((one) => one.traceHeaders !== undefined)?.traceHeaders;
      return {
        ...(traceHeaders === undefined ? {} : { traceHeaders }),
        end: (ended) => {
          for (const one of watched) guarded(() => one.end(ended), report);
        },
      };
    },
  };
}

function guarded<T>(work: () => T, report: (error: unknown) => void): T[] {
  try {
    return [work()];
  } catch (error) {
    report(error);
    return [];
  }
}

function isActive(watcher: Watcher): boolean {
  return watcher.isWatching?.() ?? true;
}
