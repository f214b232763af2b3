import { compileArgumentCheck } from '../dispatch/argument-check.js';
import type { JsonSchemaObject } from '../schema/json-schema.js';
import { REST_OPERATION_SCHEMA } from '../upstream/operation-schema.js';
import { linearPattern } from '../upstream/patterns.js';
import type { AgentCatalogDocument } from './catalog-document.js';

const STATUS = { enum: ['draft', 'published'] };
const TEXT = { type: 'string', maxLength: 10_000 };
const NAME = { type: 'string', minLength: 1, maxLength: 128 };
const SLUG = {
  description: 'Lower-case letters, digits and -, 64 at most.',
  type: 'string',
  pattern: '^[a-z0-9][a-z0-9-]{0,63}$',
};
const TIME = { description: 'ISO 8601, in UTC.', type: 'string' };
const ANNOTATIONS = {
  type: 'object',
  additionalProperties: false,
  properties: {
    title: TEXT,
    readOnlyHint: { type: 'boolean' },
    destructiveHint: { type: 'boolean' },
    idempotentHint: { type: 'boolean' },
    openWorldHint: { type: 'boolean' },
  },
};

function list(items: JsonSchemaObject, maxItems: number): JsonSchemaObject {
  return { type: 'array', maxItems, items };
}

function record(required: readonly string[], properties: Record<string, JsonSchemaObject>) {
  return { type: 'object', required: [...required], additionalProperties: false, properties };
}

const VERSION = record(['version', 'status', 'rest'], {
  version: { type: 'integer', minimum: 1 },
  status: STATUS,
  title: TEXT,
  description: TEXT,
  annotations: ANNOTATIONS,
  rest: { $ref: '#/$defs/operation' },
});

const BINDING = record([], {
  operation: { ...NAME, description: 'The name of an operation of the workspace; or a route.' },
  version: { type: 'integer', minimum: 1, description: 'The newest published one by default.' },
  route: { ...NAME, description: "The name of a tool of the application's own routes." },
  name: NAME,
  title: TEXT,
  description: TEXT,
  annotations: ANNOTATIONS,
});

const WORKSPACE = record(['slug'], {
  slug: SLUG,
  policy: record(['origins'], {
    origins: list({ type: 'string', maxLength: 500 }, 1_000),
    allowLoopback: { type: 'boolean' },
    allowedAddresses: list({ type: 'string', maxLength: 100 }, 1_000),
    maxResponseBytes: { type: 'integer' },
    timeoutMs: { type: 'integer' },
  }),
  operations: list(
    record(['name', 'versions'], { name: NAME, versions: list(VERSION, 1_000) }),
    10_000,
  ),
  agents: list(
    record(['slug', 'status'], {
      slug: SLUG,
      status: STATUS,
      title: TEXT,
      instructions: TEXT,
      tools: list(BINDING, 10_000),
    }),
    10_000,
  ),
});

const { $schema, $defs, ...OPERATION } = REST_OPERATION_SCHEMA;

/** The JSON Schema (2020-12) of a catalog, operations included. */
export const AGENT_CATALOG_SCHEMA: JsonSchemaObject = {
  $schema,
  title: 'Catalog of agents',
  $defs: { ...$defs, operation: OPERATION },
  ...record(['workspaces'], {
    $schema: { type: 'string' },
    workspaces: list(WORKSPACE, 10_000),
    keys: list(
      record(['prefix', 'hash', 'workspace', 'agent', 'createdAt'], {
        prefix: { type: 'string', pattern: '^[0-9a-f]{16}$' },
        hash: { type: 'string', pattern: '^[0-9a-f]{64}$' },
        workspace: SLUG,
        agent: SLUG,
        createdAt: TIME,
        expiresAt: TIME,
        revokedAt: TIME,
        label: TEXT,
        mode: { const: 'static' },
      }),
      1_000_000,
    ),
  }),
};

// Keys are read one by one, since a bad one must not keep the others from being revoked, and so are operations, each of which
// says in its own place what is wrong with it.
const check = compileArgumentCheck(
  {
    ...AGENT_CATALOG_SCHEMA,
    $defs: { operation: { type: 'object' } },
    properties: { ...AGENT_CATALOG_SCHEMA.properties, keys: true },
  },
  { patterns: linearPattern },
);

/**
 * Reads a catalog of unknown origin.
 *
 * @returns a sentence for each place that is not as `AGENT_CATALOG_SCHEMA` says, ten at most
 */
export function readCatalog(
  value: unknown,
): { readonly catalog: AgentCatalogDocument } | { readonly problems: readonly string[] } {
  const problems = check(value);
  return problems.length > 0 ? { problems } : { catalog: value as AgentCatalogDocument };
}
