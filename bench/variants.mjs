/** @file What is measured: the variants, the small groups that they are measured in, and the ratios that are reported. */

/**
 * `ask`: the message of `lib/messages.mjs`; `check`: of `lib/checks.mjs`; `session`: opens one first. Our arguments are grouped,
 * those of the others are flat.
 */
const order = { ask: 'directOrder', check: 'order' };
const GROUPED = { path: { id: 'ord_1042' } };
const FLAT = { id: 'ord_1042' };
const modern = (toolArguments) => ({ ask: 'modernCall', check: 'toolResult', toolArguments });
const dated = (toolArguments) => ({ ask: 'datedCall', check: 'toolResult', toolArguments });
const list = (tools) => ({ ask: 'modernList', check: 'list', expected: { tools } });
const ours = (options = {}) => ({ server: 'servers/nest.mjs', options: { mcp: {}, ...options } });
/** The order lookup and as many tools of other routes, in one page. */
const withTools = (tools) => ours({ mcp: { pageSize: 1000 }, routes: tools, tools: tools - 1 });
const rekog = (options) => ({ server: 'rekog/server.mjs', options });
const sdk = (options) => ({ server: 'servers/sdk.mjs', options });
const sdkV1 = (options) => ({ server: 'servers/sdk-v1.mjs', options });
/** The bytes of another variant's answer, as a route that does nothing else. */
const staticOf = (name) => ({
  server: 'servers/nest.mjs',
  staticOf: name,
  ask: 'staticAnswer',
  check: 'bytes',
});

export const VARIANTS = {
  'express.direct': { server: 'servers/nest.mjs', ...order },
  'express.direct, again': { server: 'servers/nest.mjs', ...order },
  'express.ours 2026-07-28': { ...ours(), ...modern(GROUPED) },
  'express.ours 2025-11-25': { ...ours(), ...dated(GROUPED) },
  'express.loopback HTTP': { server: 'servers/loopback.mjs', ...dated(FLAT) },

  'fastify.direct': { server: 'servers/nest.mjs', options: { platform: 'fastify' }, ...order },
  'fastify.direct, again': {
    server: 'servers/nest.mjs',
    options: { platform: 'fastify' },
    ...order,
  },
  'fastify.ours 2026-07-28': { ...ours({ platform: 'fastify' }), ...modern(GROUPED) },
  'fastify.ours 2025-11-25': { ...ours({ platform: 'fastify' }), ...dated(GROUPED) },

  'rekog modern': { ...rekog({ protocol: 'modern-only' }), ...modern(FLAT) },
  'rekog legacy': { ...rekog({ protocol: 'legacy-only' }), ...dated(FLAT) },
  'rekog session': {
    ...rekog({ protocol: 'legacy-only', stateful: true }),
    ...dated(FLAT),
    session: true,
  },

  'sdk modern': { ...sdk({ legacy: 'reject' }), ...modern(FLAT) },
  'sdk legacy leg': { ...sdk({ legacy: 'stateless' }), ...dated(FLAT) },
  'sdk v1 stateless': { ...sdkV1({ stateful: false }), ...dated(FLAT) },
  'sdk v1 session': { ...sdkV1({ stateful: true }), ...dated(FLAT), session: true },

  'nest11.direct': { server: 'nest11/server.mjs', options: { mcp: false }, ...order },
  '@nestjs-mcp/server session': {
    server: 'nest11/server.mjs',
    options: { mcp: true },
    ...dated(FLAT),
    session: true,
  },
  'fastmcp stateless': {
    server: 'servers/fastmcp.mjs',
    options: { stateful: false },
    ...dated(FLAT),
  },
  'fastmcp session': {
    server: 'servers/fastmcp.mjs',
    options: { stateful: true },
    ...dated(FLAT),
    session: true,
  },

  'list 50 ours': { ...withTools(50), ...list(50) },
  'list 50 static': staticOf('list 50 ours'),
  'list 50 rekog': { ...rekog({ protocol: 'modern-only', tools: 49 }), ...list(50) },
  'list 50 sdk': { ...sdk({ legacy: 'reject', tools: 49 }), ...list(50) },
  'list 500 ours': { ...withTools(500), ...list(500) },
  'list 500 static': staticOf('list 500 ours'),
  'list 500 static, again': staticOf('list 500 ours'),
  'list 500 rekog': { ...rekog({ protocol: 'modern-only', tools: 499 }), ...list(500) },

  'call with 5 tools': { ...withTools(10), ...modern(GROUPED) },
  'call with 500 tools': { ...withTools(500), ...modern(GROUPED) },
};

/**
 * At most six servers each: with more, each of them runs its window cold. The first variant is the base, which every other is
 * divided by. `quick` are the others that `--quick` measures.
 */
export const GROUPS = [
  {
    title: 'Express',
    variants: [
      'express.direct',
      'express.direct, again',
      'express.ours 2026-07-28',
      'express.ours 2025-11-25',
      'express.loopback HTTP',
    ],
    quick: ['express.direct, again', 'express.ours 2026-07-28'],
  },
  {
    title: 'Fastify',
    variants: [
      'fastify.direct',
      'fastify.direct, again',
      'fastify.ours 2026-07-28',
      'fastify.ours 2025-11-25',
    ],
    quick: ['fastify.ours 2026-07-28'],
  },
  {
    title: '@rekog/mcp-nest',
    variants: [
      'express.direct',
      'express.ours 2026-07-28',
      'rekog modern',
      'rekog legacy',
      'rekog session',
    ],
    quick: ['express.ours 2026-07-28', 'rekog modern', 'rekog legacy', 'rekog session'],
  },
  {
    title: 'Official SDK without Nest',
    variants: [
      'express.direct',
      'express.ours 2026-07-28',
      'sdk modern',
      'sdk legacy leg',
      'sdk v1 stateless',
      'sdk v1 session',
    ],
    quick: ['express.ours 2026-07-28', 'sdk modern'],
  },
  {
    title: 'Others',
    variants: [
      'express.direct',
      'nest11.direct',
      '@nestjs-mcp/server session',
      'fastmcp stateless',
      'fastmcp session',
    ],
    quick: [],
  },
  {
    title: 'Lists of 50 tools',
    variants: ['list 50 static', 'list 50 ours', 'list 50 rekog', 'list 50 sdk'],
    quick: [],
  },
  {
    title: 'Lists of 500 tools',
    variants: ['list 500 static', 'list 500 static, again', 'list 500 ours', 'list 500 rekog'],
    quick: ['list 500 ours'],
  },
  {
    title: 'Growth',
    variants: ['call with 5 tools', 'call with 500 tools'],
    quick: ['call with 500 tools'],
  },
];

/**
 * The ratios of `--json`: requests a second of `of` over those of `over`, the fastest where there are several; `time` turns the
 * ratio round. All at the highest concurrency.
 */
export const RATIOS = [
  {
    name: 'express.call.vsDirectRoute',
    of: 'express.ours 2026-07-28',
    over: ['express.direct'],
    goal: 0.75,
  },
  {
    name: 'fastify.call.vsDirectRoute',
    of: 'fastify.ours 2026-07-28',
    over: ['fastify.direct'],
    goal: 0.55,
  },
  {
    name: 'express.call.vsRekog',
    of: 'express.ours 2026-07-28',
    over: ['rekog modern', 'rekog legacy', 'rekog session'],
    goal: 1.7,
  },
  {
    name: 'express.call.vsSdkAlone',
    of: 'express.ours 2026-07-28',
    over: ['sdk modern'],
    goal: 2.0,
  },
  { name: 'list50.vsStatic', of: 'list 50 ours', over: ['list 50 static'] },
  { name: 'list500.vsStatic', of: 'list 500 ours', over: ['list 500 static'], goal: 0.95 },
  {
    name: 'growth.500tools',
    of: 'call with 500 tools',
    over: ['call with 5 tools'],
    time: true,
    goal: 1.05,
  },
];
