import type { Revision } from '../protocol/revision.js';
import { endpointProblem } from './check-client-server.js';
import { CLIENT_DEFAULTS } from './client-options.js';
import { McpClientError } from './errors.js';
import { ExchangeError } from './exchange-error.js';
import { httpFetch } from './http-fetch.js';
import { digestOrNone, listTools } from './list-tools.js';
import { openConnection } from './open-connection.js';
import { deadline } from './read-body.js';
import { Wire } from './wire.js';

export interface ListDigestsOptions {
  readonly revision?: Revision | 'auto';
  /** The `Authorization` header of every request. */
  readonly authorization?: string;
  readonly allowInsecureLoopback?: boolean;
}

export interface ListedDigests {
  /** What was spoken. Another revision may list other schemas. */
  readonly revision: Revision;
  readonly tools: readonly {
    readonly name: string;
    /** `undefined` for a schema that has no canonical form, so that the tool cannot be pinned. */
    readonly inputSchemaDigest: string | undefined;
    /** What is pinned: to be read before it is. */
    readonly inputSchema: Readonly<Record<string, unknown>>;
  }[];
}

/**
 * The tools of a server with the digests that pin them, as the client of the options sees them.
 *
 * @throws McpClientError when the endpoint is none, or the server does not list its tools
 */
export async function listDigests(
  endpoint: string,
  { revision = 'auto', authorization, allowInsecureLoopback = false }: ListDigestsOptions = {},
): Promise<ListedDigests> {
  const problem = endpointProblem(endpoint, allowInsecureLoopback);
  if (problem !== undefined)
    throw McpClientError.create(`the endpoint: ${problem.replace(/\.$/, '')}`);
  const credentials =
    authorization === undefined ? {} : { credentials: { authorization: () => authorization } };
  const server = {
    id: 'server',
    endpoint,
    revision,
    tools: new Map(),
    reconcile: undefined,
    ...credentials,
  };
  const options = { ...CLIENT_DEFAULTS, servers: new Map(), fetch: httpFetch };
  const wire = new Wire(server, options, undefined);
  const time = deadline(CLIENT_DEFAULTS.requestTimeoutMs, undefined);
  try {
    const connection = await openConnection(wire);
    const tools = [...(await listTools(connection, options)).values()];
    return {
      revision: connection.revision,
      tools: tools.map((tool) => ({ ...tool, inputSchemaDigest: digestOrNone(tool) })),
    };
  } catch (error) {
    throw error instanceof ExchangeError ? McpClientError.create(error.reason) : error;
  } finally {
    await wire.endSession(time.signal).catch(() => {});
    time.clear();
  }
}
