import { show } from '../mcp.options.show.js';
import { isObject } from '../protocol/codec.js';
import { checkServer } from './check-client-server.js';
import {
  CLIENT_DEFAULTS,
  type ExchangeLimits,
  type McpClientModuleOptions,
  type ResolvedClientOptions,
  type ResolvedServer,
} from './client-options.js';
import { httpFetch, type McpFetch } from './http-fetch.js';

const MIB = 1024 * 1024;

/** The whole-number options and their ranges, both ends included. */
export const CLIENT_RANGES: Readonly<Record<keyof ExchangeLimits, readonly [number, number]>> = {
  requestTimeoutMs: [1, 3_600_000],
  cancelTimeoutMs: [1, 60_000],
  maxResultBytes: [1024, 8 * MIB],
  maxEventBytes: [1024, 8 * MIB],
  maxHeaderBytes: [1024, MIB],
  maxPages: [1, 1_000],
  maxTools: [1, 100_000],
};

const NAMES: readonly string[] = ['servers', ...Object.keys(CLIENT_DEFAULTS)];

/**
 * Lays the options over the defaults and checks each one.
 *
 * @returns the frozen options, and a sentence for each bad one that names the option, the value and what to do; the options
 *   are good for use only when there is none
 */
export function resolveClientOptions(given: unknown): {
  readonly options: ResolvedClientOptions;
  readonly problems: readonly string[];
} {
  const problems: string[] = [];
  const all: Record<string, unknown> = isObject(given) ? given : {};
  if (!isObject(given)) problems.push(`the options: ${show(given)} is not an object.`);
  for (const name of Object.keys(all)) {
    if (NAMES.includes(name)) continue;
    problems.push(`option ${name}: there is no such option. The options are: ${NAMES.join(', ')}.`);
  }
  const options: ResolvedClientOptions = {
    ...readLimits(all, problems),
    fetch: readFetch(all['fetch'], problems),
    servers: readServers(all, problems),
  };
  return { options: Object.freeze(options), problems };
}

function readLimits(given: Record<string, unknown>, problems: string[]): ExchangeLimits {
  const limits: Record<string, number> = {};
  for (const [name, [least, most]] of Object.entries(CLIENT_RANGES)) {
    const initial = CLIENT_DEFAULTS[name as keyof ExchangeLimits];
    const value = given[name] === undefined ? initial : given[name];
    const isGood =
      Number.isInteger(value) && (value as number) >= least && (value as number) <= most;
    limits[name] = isGood ? (value as number) : initial;
    if (isGood) continue;
    problems.push(
      `option ${name}: ${show(value)} is not an integer from ${least} to ${most}. Give a number in that range, or leave it out for ${initial}.`,
    );
  }
  return limits as unknown as ExchangeLimits;
}

function readFetch(value: unknown, problems: string[]): McpFetch {
  if (value === undefined) return httpFetch;
  if (typeof value === 'function') return value as McpFetch;
  problems.push(
    `option fetch: ${show(value)} is not a function. Give one that takes (url, init) and answers as fetch does, or leave it out.`,
  );
  return httpFetch;
}

function readServers(
  given: Record<string, unknown>,
  problems: string[],
): ReadonlyMap<string, ResolvedServer> {
  const { servers: list, allowInsecureLoopback: insecure = CLIENT_DEFAULTS.allowInsecureLoopback } =
    given as Partial<McpClientModuleOptions>;
  if (typeof insecure !== 'boolean') {
    problems.push(`option allowInsecureLoopback: ${show(insecure)} is not true or false.`);
  }
  const servers = new Map<string, ResolvedServer>();
  if (!Array.isArray(list) || list.length === 0) {
    problems.push(
      `option servers: ${show(list)} is not a list with a server in it. Give each server that may be called.`,
    );
    return servers;
  }
  for (const [index, one] of (list as unknown[]).entries()) {
    const { server, problems: more } = checkServer(
      one,
      `option servers[${index}]`,
      insecure === true,
    );
    problems.push(...more);
    if (servers.has(server.id)) {
      problems.push(
        `option servers[${index}].id: ${show(server.id)} is another server's. Give each its own.`,
      );
    }
    servers.set(server.id, server);
  }
  return servers;
}
