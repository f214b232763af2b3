/** @file fastmcp on its own HTTP server. */
import { FastMCP } from 'fastmcp';
import { createServer } from 'node:net';
import { z } from 'zod';
import { findOrder, ORDER_ID_PATTERN, TOKEN, TOOL } from '../lib/order.mjs';

const SILENT = Object.fromEntries(
  ['debug', 'error', 'info', 'log', 'warn'].map((level) => [level, () => undefined]),
);

/** @param options.stateful with sessions */
export async function start({ stateful }) {
  const server = new FastMCP({
    name: 'bench',
    version: '1.0.0',
    logger: SILENT,
    authenticate: ({ headers }) => {
      if (headers.authorization !== TOKEN) throw new Response(null, { status: 401 });
      return Promise.resolve({});
    },
  });
  server.addTool({
    ...TOOL,
    parameters: z.object({ id: z.string().regex(ORDER_ID_PATTERN) }),
    execute: ({ id }) => Promise.resolve(JSON.stringify(findOrder(id))),
  });
  const port = await freePort();
  const httpStream = { port, host: '127.0.0.1', stateless: !stateful, enableJsonResponse: true };
  await server.start({
    transportType: 'httpStream',
    httpStream: { ...httpStream, endpoint: '/mcp' },
  });
  return port;
}

/** fastmcp does not tell the port that the system gave it. */
function freePort() {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}
