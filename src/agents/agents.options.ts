import { MOUNT_OPTIONS, type McpModuleOptions, type ResolvedOptions } from '../mcp.options.js';
import { resolveOptions } from '../mcp.options.check.js';
import { show } from '../mcp.options.show.js';
import type { UpstreamConnectionsOptions } from '../upstream/connections.js';
import type { CredentialSource } from '../upstream/credential-source.js';
import type { McpCatalogSource } from './catalog-source.js';

/** The options of agents: those of an endpoint, which hold for every agent, and their own. */
export interface McpAgentsOptions extends Omit<
  McpModuleOptions,
  'isGlobal' | 'resource' | 'stepUp'
> {
  /** What the paths of agents begin with. Default `'mcp/v1'`, for `/mcp/v1/:workspaceSlug/:agentSlug`. */
  readonly path?: string;
  /** Where the catalog is kept. Closed with the application. */
  readonly source: McpCatalogSource;
  /** Finds the secrets that operations name, at each call. Without it the call of an operation that names one is an error result. */
  readonly credentials?: CredentialSource;
  /** How often the catalog is loaded, in ms. Default: `MCP_CATALOG_REFRESH_MS` of the environment, else 30 000. */
  readonly refreshMs?: number;
  /** A header that keys are taken from beside `Authorization: Bearer`, such as `x-api-key`. Default: none. */
  readonly keyHeader?: string;
  /** How many requests without a valid key an address may send within a minute, before it is refused. Default 30. */
  readonly maxAttempts?: number;
  /** How upstreams are reached. */
  readonly connections?: UpstreamConnectionsOptions;
}

/** The options with every default in place. */
export interface ResolvedAgentsOptions {
  readonly options: ResolvedOptions;
  readonly source: McpCatalogSource;
  readonly credentials: CredentialSource | undefined;
  readonly refreshMs: number;
  readonly keyHeader: string | undefined;
  readonly maxAttempts: number;
  readonly connections: UpstreamConnectionsOptions | undefined;
}

export const AGENTS_DEFAULTS = { path: 'mcp/v1', refreshMs: 30_000, maxAttempts: 30 } as const;

const RANGES = { refreshMs: [50, 24 * 3_600_000], maxAttempts: [1, 1_000_000] } as const;
const REFRESH_VARIABLE = 'MCP_CATALOG_REFRESH_MS';
/** RFC 9110, section 5.6.2: a token. */
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/** Lays the options over the defaults, and gives a sentence for each bad one. */
export function resolveAgentsOptions(given: McpAgentsOptions): {
  options: ResolvedAgentsOptions;
  problems: string[];
} {
  const { source, credentials, refreshMs, keyHeader, maxAttempts, connections, ...all } = given;
  const { resource, stepUp, ...rest } = all as McpModuleOptions;
  const mounting = Object.fromEntries(
    MOUNT_OPTIONS.filter((name) => name !== 'path').map((name) => [name, undefined]),
  );
  const base = resolveOptions({
    ...rest,
    ...mounting,
    path: rest.path ?? AGENTS_DEFAULTS.path,
  });
  const refresh = refreshOf(refreshMs);
  const attempts = numberOf('maxAttempts', maxAttempts);
  const problems = [
    ...base.problems,
    ...(resource === undefined && stepUp === undefined
      ? []
      : [
          'option resource: agents take static keys, and no other tokens. Leave it and stepUp out.',
        ]),
    ...refresh.problems,
    ...attempts.problems,
    ...sourceProblem(source),
    ...keyHeaderProblem(keyHeader),
    ...credentialsProblem(credentials),
    ...connectionsProblems(connections),
  ];
  return {
    options: {
      options: base.options,
      source,
      credentials,
      refreshMs: refresh.value,
      maxAttempts: attempts.value,
      keyHeader: typeof keyHeader === 'string' ? keyHeader.toLowerCase() : undefined,
      connections,
    },
    problems,
  };
}

function sourceProblem(source: unknown): string[] {
  if (typeof (source as McpCatalogSource | null | undefined)?.load === 'function') return [];
  return [
    `option source: ${show(source)} is no source of a catalog. Give a JsonFileCatalogSource, a PostgresCatalogSource, or your own McpCatalogSource.`,
  ];
}

function keyHeaderProblem(name: unknown): string[] {
  if (name === undefined) return [];
  if (typeof name === 'string' && TOKEN.test(name) && name.toLowerCase() !== 'authorization')
    return [];
  return [
    `option keyHeader: ${show(name)} is not the name of a header other than Authorization. Give one, or leave it out.`,
  ];
}

function credentialsProblem(credentials: unknown): string[] {
  const { resolve } = Object(credentials) as Partial<Record<'resolve', unknown>>;
  if (credentials === undefined || typeof resolve === 'function') return [];
  return [
    // What is given may be the secrets themselves.
    'option credentials: it has no function resolve. Give a CredentialSource: { resolve: ({ ref }) => ({ secret, origins }) }.',
  ];
}

const CONNECTIONS: Readonly<Record<keyof UpstreamConnectionsOptions, [Check, string]>> = {
  lookup: [(value) => typeof value === 'function', 'is not a function'],
  maxPerOrigin: [
    (value) => Number.isInteger(value) && Number(value) >= 1 && Number(value) <= 65_535,
    'is not an integer from 1 to 65535',
  ],
  ca: [
    (value) => [value].flat().every((one) => typeof one === 'string'),
    'is not the text of a certificate in PEM, or a list of such',
  ],
};
type Check = (value: unknown) => boolean;

function connectionsProblems(given: unknown): string[] {
  if (given === undefined) return [];
  if (typeof given !== 'object' || given === null) {
    return [`option connections: ${show(given)} is not an object. Give one, or leave it out.`];
  }
  return Object.entries(given).flatMap(([name, value]) => {
    if (value === undefined) return [];
    if (!Object.hasOwn(CONNECTIONS, name)) {
      const known = Object.keys(CONNECTIONS).join(', ');
      return [`option connections.${name}: there is no such option. There are: ${known}.`];
    }
    const [isRight, wrong] = CONNECTIONS[name as keyof UpstreamConnectionsOptions];
    if (isRight(value)) return [];
    return [`option connections.${name}: ${show(value)} ${wrong}. Give one, or leave it out.`];
  });
}

interface ReadNumber {
  readonly value: number;
  readonly problems: readonly string[];
}

/** The option, or what the environment says where there is none. */
function refreshOf(given: unknown): ReadNumber {
  const text = process.env[REFRESH_VARIABLE];
  if (given !== undefined || text === undefined || text === '') return numberOf('refreshMs', given);
  const value = /^\d+$/.test(text) ? Number(text) : text;
  return numberOf('refreshMs', value, `environment variable ${REFRESH_VARIABLE}`);
}

/** @param what names it in the problem */
function numberOf(name: keyof typeof RANGES, given: unknown, what = `option ${name}`): ReadNumber {
  const otherwise = AGENTS_DEFAULTS[name];
  const [least, most] = RANGES[name];
  if (given === undefined) return { value: otherwise, problems: [] };
  if (Number.isInteger(given) && Number(given) >= least && Number(given) <= most) {
    return { value: Number(given), problems: [] };
  }
  const problem = `${what}: ${show(given)} is not an integer from ${least} to ${most}. Give a number in that range, or leave it out for ${otherwise}.`;
  return { value: otherwise, problems: [problem] };
}
