/** @file The official SDK of the first generation behind Express: a server for each request, or one for each session. */
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import express from 'express';
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { findOrder, ORDER_ID_PATTERN, TOKEN, TOOL } from '../lib/order.mjs';

const inputSchema = { id: z.string().regex(ORDER_ID_PATTERN) };

/** @param options.stateful with sessions */
export function start({ stateful }) {
  const app = express();
  const serve = stateful ? withSessions() : serveOnce;
  app.post('/mcp', express.json(), (request, response) => {
    if (request.headers.authorization !== TOKEN) response.sendStatus(401);
    else void serve(request, response);
  });
  return new Promise((resolve) => {
    const server = app.listen(0, '127.0.0.1', () => resolve(server.address().port));
  });
}

async function serveOnce(request, response) {
  const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true });
  const server = createServer();
  response.on('close', () => void server.close());
  await server.connect(transport);
  await transport.handleRequest(request, response, request.body);
}

function withSessions() {
  const transports = new Map();
  return async (request, response) => {
    let transport = transports.get(request.headers['mcp-session-id']);
    if (transport === undefined) {
      transport = new StreamableHTTPServerTransport({
        enableJsonResponse: true,
        sessionIdGenerator: randomUUID,
        onsessioninitialized: (id) => transports.set(id, transport),
      });
      await createServer().connect(transport);
    }
    await transport.handleRequest(request, response, request.body);
  };
}

function createServer() {
  const server = new McpServer({ name: 'bench', version: '1.0.0' });
  const { name, description } = TOOL;
  server.registerTool(name, { description, inputSchema }, ({ id }) => ({
    content: [{ type: 'text', text: JSON.stringify(findOrder(id)) }],
  }));
  return server;
}
