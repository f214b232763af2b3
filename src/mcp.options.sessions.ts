import { SESSION_DEFAULTS } from './mcp.options.js';
import { show } from './mcp.options.show.js';
import type { McpEventBus } from './sessions/event-bus.js';
import type { McpSessionStore } from './sessions/session-store.js';

/** The sessions of the 2025 revisions. */
export interface McpSessionsOptions {
  /** Sessions at the most; beyond it the one that was idle longest goes. Default 10 000. */
  readonly max?: number;
  /** How long a session may be idle, in milliseconds. Default 24 hours. */
  readonly idleTimeoutMs?: number;
  /** Where sessions are kept. Default: in the memory of the process. */
  readonly store?: McpSessionStore;
  /** Carries events between instances. Default: within the process. */
  readonly bus?: McpEventBus;
  /**
   * Who calls, as one comparable string, of the framework's request as the guards left it; `null` for nobody.
   * Default: scheme, issuer and subject of `request.auth` or `request.user`, else its scheme and id.
   */
  readonly principal?: (request: object) => string | null;
}

/** The options of sessions with every default in place. */
export type ResolvedSessions = Required<Pick<McpSessionsOptions, 'max' | 'idleTimeoutMs'>> &
  McpSessionsOptions;

/** The whole-number options of sessions and their ranges, both ends included. */
const RANGES = {
  max: [1, 10_000_000],
  idleTimeoutMs: [1_000, 365 * 24 * 3_600_000],
} as const;

/** The methods that make an object a store or a bus: checked by name, since it may come from another copy of this module. */
const METHODS = {
  store: ['open', 'touch', 'onForgotten', 'close'],
  bus: ['publish', 'subscribe', 'close'],
} as const;

/** Lays the options of sessions over their defaults, and gives a sentence for each bad one. */
export function resolveSessions(given: unknown): {
  sessions: false | ResolvedSessions;
  problems: string[];
} {
  if (given === false) return { sessions: false, problems: [] };
  if (typeof given !== 'object' || given === null) {
    const problem = `option sessions: ${show(given)} is neither false nor an object. Give { } for sessions with the defaults.`;
    return { sessions: false, problems: [problem] };
  }
  const options = given as McpSessionsOptions;
  const problems = Object.entries(options).flatMap(([name, value]) =>
    value === undefined ? [] : memberProblem(name, value),
  );
  return { sessions: { ...SESSION_DEFAULTS, ...withoutUndefined(options) }, problems };
}

function memberProblem(name: string, value: unknown): string[] {
  if (name === 'max' || name === 'idleTimeoutMs') {
    const [least, most] = RANGES[name];
    if (Number.isInteger(value) && Number(value) >= least && Number(value) <= most) return [];
    return [
      `option sessions.${name}: ${show(value)} is not an integer from ${least} to ${most}. Give a number in that range, or leave it out for ${SESSION_DEFAULTS[name]}.`,
    ];
  }
  if (name === 'store' || name === 'bus') {
    const missing = METHODS[name].filter(
      (method) => typeof (value as Record<string, unknown> | null)?.[method] !== 'function',
    );
    if (missing.length === 0) return [];
    return [
      `option sessions.${name}: it has no ${missing.join(', ')}. Extend Mcp${name === 'store' ? 'SessionStore' : 'EventBus'}.`,
    ];
  }
  if (name === 'principal') {
    return typeof value === 'function'
      ? []
      : [`option sessions.principal: it is not a function. Give one, or leave it out.`];
  }
  return [
    `option sessions.${name}: there is no such option. There are: max, idleTimeoutMs, store, bus, principal.`,
  ];
}

function withoutUndefined(options: McpSessionsOptions): McpSessionsOptions {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}
