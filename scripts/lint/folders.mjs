/**
 * @file The ways through the house: which folder of `src` may import which, and why. `CONTRIBUTING.md` shows the picture.
 * ESLint makes rules of this table (`direction-rules.mjs`); `test/lint/rules.spec.ts` shows that they bite.
 *
 * A rule that is in the way of better code is changed here, in the same commit, with its reason.
 */

/** Root files that any stage may read: they hold fixed strings, errors, option types with their defaults, and scopes. */
const ROOT_LEAVES = ['mcp.constants.ts', 'mcp.errors.ts', 'mcp.options.ts', 'mcp.scopes.ts'];

/**
 * @typedef {object} FolderRule
 * @property {string[]} [root] root files that it may import; `ROOT_LEAVES` when left out
 * @property {string[]} [imports] folders or files of `src` that it may import
 * @property {string[]} [types] folders or files of `src` of which it may import types only (`import type`)
 * @property {string[]} [pure] files that may not reach the network, the file system or Nest's container; `['**']` for all
 * @property {string[]} [peers] optional peer packages that it may import statically
 * @property {string} reason
 */

/** @type {Record<string, FolderRule>} */
export const FOLDERS = {
  decorators: {
    // `@McpCall()` asks by which call a request was made. Only that file knows the mark, so that none can be forged.
    imports: ['dispatch/call.ts'],
    types: ['discovery', 'schema', 'dispatch', 'policy'],
    reason:
      'Decorators only write metadata. What reads it stays out of every controller that carries one.',
  },
  discovery: {
    types: ['decorators'],
    reason:
      'Discovery is the first stage: it records routes and knows nothing of what is made of them.',
  },
  schema: {
    types: ['discovery', 'decorators'],
    pure: ['**'],
    reason:
      'Schemas are made of metadata alone, so that they are tested without a Nest application.',
  },
  catalog: {
    imports: ['discovery', 'schema'],
    types: ['decorators', 'protocol'],
    reason:
      'The catalog makes tools of routes and schemas. Who asks for them, and how they are called, is not its concern.',
  },
  result: {
    root: ['mcp.constants.ts', 'mcp.errors.ts'],
    types: ['schema/json-schema.ts'],
    pure: ['**'],
    reason:
      'A result is made of a recorded response and a schema alone, so that its table is tested without a request.',
  },
  policy: {
    imports: ['catalog', 'discovery', 'result'],
    types: ['schema', 'dispatch', 'protocol/channel.ts', 'protocol/json-rpc-error.ts'],
    reason:
      'Policy judges tools, calls and results as plain values, and makes refusals of them. It starts neither a dispatch nor an answer.',
  },
  dispatch: {
    imports: ['catalog', 'schema', 'discovery', 'policy'],
    types: ['decorators', 'result', 'protocol/json-rpc-error.ts', 'protocol/input-port.ts'],
    // The argument writer.
    pure: [
      'write-*.ts',
      'argument-text.ts',
      'parse-path.ts',
      'path-segment.ts',
      'header-syntax.ts',
    ],
    reason:
      'Dispatch makes a request of a call and records its response. It knows no protocol revision and no endpoint.',
  },
  protocol: {
    imports: ['catalog', 'result', 'policy'],
    types: ['dispatch', 'schema', 'discovery', 'sessions'],
    reason:
      'The protocol turns bytes into calls and values into messages. It meets dispatch through its interface, and HTTP not at all.',
  },
  sessions: {
    types: ['protocol'],
    reason:
      'A session store keeps values. It must be replaceable by one that another process holds.',
  },
  endpoint: {
    imports: ['protocol', 'sessions'],
    types: ['dispatch'],
    reason:
      'The endpoint turns HTTP into bytes and back. Everything about MCP is behind the protocol stage.',
  },
  auth: {
    root: [...ROOT_LEAVES, 'mcp.options.show.ts'],
    types: ['catalog', 'discovery', 'dispatch'],
    peers: ['jose'],
    reason: 'A guard is set through the options and may be left out, so it takes no stage with it.',
  },
  agents: {
    // The module mounts an endpoint as McpModule does, and each agent runs as an endpoint does.
    root: [
      ...ROOT_LEAVES,
      'mcp-core.module.ts',
      'mcp.options.check.ts',
      'mcp.options.show.ts',
      'mcp.providers.ts',
      'endpoint-drain.ts',
      'endpoint-policy.ts',
      'endpoint-registry.ts',
      'endpoint-runtime.ts',
    ],
    imports: [
      'decorators',
      'discovery',
      'schema',
      'catalog',
      'result',
      'policy',
      'dispatch',
      'protocol',
      'sessions',
      'endpoint',
      'upstream',
    ],
    reason: 'Agents choose among tools and use the stages as they are. No stage knows of agents.',
  },
  upstream: {
    imports: [
      // The check of arguments and the syntax of what is written are those of a route's request.
      'dispatch/argument-check.ts',
      'dispatch/argument-text.ts',
      'dispatch/header-syntax.ts',
      'dispatch/path-segment.ts',
      'dispatch/write-multipart.ts',
      'protocol/json-number.ts',
      'protocol/strict-json.ts',
      'result/media-type.ts',
    ],
    types: ['schema'],
    pure: ['write-*.ts', 'mapping.ts', 'pointer.ts', 'serialize.ts'],
    peers: ['undici', 're2js'],
    reason:
      'Upstream sends the request of a REST operation and reads its answer. It knows no tool, no agent and no protocol.',
  },
  openapi: {
    imports: ['upstream', 'dispatch/argument-text.ts', 'dispatch/header-syntax.ts'],
    types: ['schema'],
    peers: ['@readme/openapi-parser'],
    reason: 'The import makes operations of a document, and is done before anything is served.',
  },
  client: {
    root: [...ROOT_LEAVES, 'mcp.options.show.ts'],
    imports: ['protocol'],
    types: ['schema', 'result'],
    reason:
      'The client stands at the other end of the wire: it shares the strict reading of messages and nothing of the server.',
  },
  redis: {
    imports: ['sessions'],
    reason: 'The Redis implementations fill the session seams and see nothing but them.',
  },
  cli: {
    root: ['endpoint-registry.ts', ...ROOT_LEAVES],
    imports: ['agents', 'catalog', 'client', 'discovery', 'dispatch', 'protocol', 'openapi'],
    types: ['schema'],
    reason:
      'The command line looks at an application that is made as always. Nothing of it is in the way of a call.',
  },
  testing: {
    root: ['index.ts', 'endpoint-intake.ts', ...ROOT_LEAVES],
    imports: ['dispatch'],
    peers: ['@modelcontextprotocol/client'],
    reason:
      'A test helper uses what users use, the public names, beside the in-process transport of dispatch.',
  },
};

export const DEFAULT_ROOT = ROOT_LEAVES;

/** Root files that are read everywhere and so read nothing but one another and types. */
export const LEAF_REASON =
  'This file is read by every stage. If it imported one, each stage would depend on that one.';

/** Packages that a user may not have. Loaded when asked for, never with the root entry. */
export const OPTIONAL_PEERS = [
  '@modelcontextprotocol/*',
  '@nestjs/platform-*',
  '@nestjs/swagger',
  '@fastify/*',
  'class-transformer',
  'class-validator',
  'express',
  'fastify',
  'ioredis',
  'jose',
  'pg',
  'redis',
  'undici',
  're2js',
  '@readme/openapi-parser',
  'jest',
  '@jest/*',
];

export const PEER_REASON =
  'It is an optional peer: an application without it must be able to import this package. Load it with import() as src/schema/optional-peers.ts does, or import its types only.';
