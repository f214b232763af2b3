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
  const numbers = {
    refreshMs: refreshMs ?? environmentRefreshMs() ?? AGENTS_DEFAULTS.refreshMs,
    maxAttempts: maxAttempts ?? AGENTS_DEFAULTS.maxAttempts,
  };
  const problems = [
    ...base.problems,
    ...(resource === undefined && stepUp === undefined
      ? []
      : [
          'option resource: agents take static keys, and no other tokens. Leave it and stepUp out.',
        ]),
    ...Object.entries(numbers).flatMap(([name, value]) =>
      rangeProblem(name as keyof typeof RANGES, value),
    ),
    ...sourceProblem(source),
    ...(keyHeader === undefined || isKeyHeader(keyHeader)
      ? []
      : [
          `option keyHeader: ${show(keyHeader)} is not the name of a header other than Authorization. Give one, or leave it out.`,
        ]),
  ];
  return {
    options: {
      options: base.options,
      source,
      credentials,
      ...numbers,
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

function isKeyHeader(name: unknown): boolean {
  return typeof name === 'string' && TOKEN.test(name) && name.toLowerCase() !== 'authorization';
}

function environmentRefreshMs(): number | undefined {
  const text = process.env['MCP_CATALOG_REFRESH_MS'];
  return text === undefined || text === '' ? undefined : Number(text);
}

function rangeProblem(name: keyof typeof RANGES, value: number): string[] {
  const [least, most] = RANGES[name];
  if (Number.isInteger(value) && value >= least && value <= most) return [];
  return [
    `option ${name}: ${show(value)} is not an integer from ${least} to ${most}. Give a number in that range, or leave it out for ${AGENTS_DEFAULTS[name]}.`,
  ];
}
