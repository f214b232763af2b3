/**
 * @file What is measured, each in a server of its own. `ask`: the message of `lib/messages.mjs`; `check`: of `lib/checks.mjs`;
 * `session`: opens one first; `idleSessions`: so many more that nobody uses. Our arguments are grouped, those of the others flat.
 */
const order = { ask: 'directOrder', check: 'order' };
const GROUPED = { path: { id: 'ord_1042' } };
const FLAT = { id: 'ord_1042' };
const modern = (toolArguments) => ({ ask: 'modernCall', check: 'toolResult', toolArguments });
const dated = (toolArguments) => ({ ask: 'datedCall', check: 'toolResult', toolArguments });
const list = (tools) => ({ ask: 'modernList', check: 'list', expected: { tools } });
const ours = (options = {}) => ({ server: 'servers/nest.mjs', options: { mcp: {}, ...options } });
/** The order lookup and as many tools of other routes, in one page. */
const withTools = (tools, routes = Math.ceil(tools / 10) * 10) =>
  ours({ mcp: { pageSize: 1000 }, routes, tools: tools - 1 });
/** With sessions, in one of them. */
const inSession = (options = {}) => ({
  ...ours({ mcp: { sessions: { max: 20_000 } }, ...options }),
  ...dated(GROUPED),
  session: true,
});
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

/** With one thing more around the route, and the route itself with the same. */
function withExtras(extras) {
  return Object.fromEntries(
    extras.flatMap((extra) => [
      [`ours, ${extra}`, { ...ours({ extra }), ...modern(GROUPED) }],
      [`direct, ${extra}`, { server: 'servers/nest.mjs', options: { extra }, ...order }],
    ]),
  );
}

export const VARIANTS = {
  'express.direct': { server: 'servers/nest.mjs', ...order },
  'express.direct, again': { server: 'servers/nest.mjs', ...order },
  // On Node before 24 the module makes every request of an Express application cheaper, see docs/performance.md.
  'express.direct, module imported': { ...ours(), ...order },
  'express.ours 2026-07-28': { ...ours(), ...modern(GROUPED) },
  'express.ours 2025-11-25': { ...ours(), ...dated(GROUPED) },
  'express.ours session': inSession(),
  ...withExtras(['policy', 'audit', 'middleware', 'session', 'logging', 'request scope']),
  'express.loopback HTTP': { server: 'servers/loopback.mjs', ...dated(FLAT) },

  'fastify.direct': { server: 'servers/nest.mjs', options: { platform: 'fastify' }, ...order },
  'fastify.direct, again': {
    server: 'servers/nest.mjs',
    options: { platform: 'fastify' },
    ...order,
  },
  'fastify.ours 2026-07-28': { ...ours({ platform: 'fastify' }), ...modern(GROUPED) },
  'fastify.ours 2025-11-25': { ...ours({ platform: 'fastify' }), ...dated(GROUPED) },
  'fastify.ours session': inSession({ platform: 'fastify' }),

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

  // Of as many routes each: class-validator goes through all classes of an application for each value.
  'call with 5 tools': { ...withTools(5, 500), ...modern(GROUPED) },
  'call with 500 tools': { ...withTools(500), ...modern(GROUPED) },
  'call in the only session': inSession(),
  'call among 10,000 sessions': { ...inSession(), idleSessions: 10_000 },
};
