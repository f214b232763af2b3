import type { JsonRpcId } from '../protocol/json-rpc-error.js';
import type { Watcher } from './watch.js';

/** What an audit is told: one event for each call and each list, when its answer goes out. */
export interface McpAuditEvent {
  readonly kind: 'call' | 'list';
  /** The tool's name, for a call. */
  readonly tool: string | undefined;
  /** The slugs of workspace and agent, where the endpoint is an agent's. */
  readonly agent?: { readonly workspace: string; readonly agent: string } | undefined;
  /** Who called; `null` for nobody. */
  readonly principal: string | null;
  readonly requestId: JsonRpcId;
  /** `error`: an error result, or a list that failed. */
  readonly outcome: 'ok' | 'error';
  /** The HTTP status that the answer stands for. */
  readonly status: number;
  /** From message to answer, in milliseconds. */
  readonly durationMs: number;
  /** The size of the message, in bytes. */
  readonly bytesIn: number;
  /** The size of the result, in bytes. */
  readonly bytesOut: number;
  /** Finds the cause of an internal failure in the log. */
  readonly ref: string | undefined;
  /** The arguments of a call, with the members that `redact` names blackened; only where `observeArguments` asks. */
  readonly arguments: Readonly<Record<string, unknown>> | undefined;
}

/**
 * Is told of every call and list. What it throws is logged once, and costs nothing but its event.
 *
 * @example
 * @Injectable()
 * class Audit extends McpObserver {
 *   observe({ tool, principal, status }: McpAuditEvent): void { this.log.write({ tool, principal, status }); }
 * }
 */
export abstract class McpObserver {
  abstract observe(event: McpAuditEvent): void | Promise<void>;
}

/** Which arguments an audit sees. */
export type ObserveArguments = false | { readonly redact: readonly string[] };

const REDACTED = '[redacted]';
/** Messages are bounded in depth, but not the copy of them that is made here. */
const MAX_DEPTH = 1000;

/** Turns an observer into a watcher. @param report is told of what the observer throws */
export function auditWatcher(
  observer: McpObserver,
  observeArguments: ObserveArguments,
  report: (error: unknown) => void,
): Watcher {
  const redact =
    observeArguments === false
      ? undefined
      : new Set(observeArguments.redact.map((name) => name.toLowerCase()));
  return {
    begin: ({ method, tool, principal, requestId, bytesIn, arguments: args, agent }) => {
      const begun = performance.now();
      return {
        end: ({ outcome, status, bytesOut, ref }) => {
          const event: McpAuditEvent = {
            kind: method === 'tools/call' ? 'call' : 'list',
            tool,
            ...(agent === undefined ? {} : { agent }),
            principal,
            requestId,
            outcome,
            status,
            durationMs: performance.now() - begun,
            bytesIn,
            bytesOut,
            ref,
            arguments:
              redact === undefined
                ? undefined
                : (blacken(args, redact, 0) as Record<string, unknown> | undefined),
          };
          void Promise.resolve(observer.observe(event)).catch(report);
        },
      };
    },
  };
}

/** A copy in which the values of the named members, at any depth, are gone. */
function blacken(value: unknown, names: ReadonlySet<string>, depth: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (depth > MAX_DEPTH) return REDACTED;
  if (Array.isArray(value)) return value.map((item) => blacken(item, names, depth + 1));
  // `Object.fromEntries` makes an own member of `__proto__`, too.
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      names.has(name.toLowerCase()) ? REDACTED : blacken(member, names, depth + 1),
    ]),
  );
}
