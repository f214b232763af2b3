/** @file The official SDK by itself: `createMcpHandler` behind Express, without Nest. */
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import express from 'express';
import { z } from 'zod';
import { findOrder, ORDER_ID_PATTERN, TOKEN, TOOL } from '../lib/order.mjs';

const inputSchema = z.object({ id: z.string().regex(ORDER_ID_PATTERN) });
const fillerSchema = z.object({
  id: z.string(),
  limit: z.int().min(1).max(100).optional(),
  sort: z.enum(['asc', 'desc']).optional(),
});

/**
 * @param options.legacy `stateless` or `reject`: whether 2025 revisions are served
 * @param options.tools how many further tools
 */
export function start({ legacy, tools = 0 }) {
  const handler = createMcpHandler(() => createServer(tools), { legacy, responseMode: 'json' });
  const handle = toNodeHandler(handler);
  const app = express();
  app.post('/mcp', express.json(), (request, response) => {
    if (request.headers.authorization !== TOKEN) response.sendStatus(401);
    else void handle(request, response, request.body);
  });
  return new Promise((resolve) => {
    const server = app.listen(0, '127.0.0.1', () => resolve(server.address().port));
  });
}

function createServer(tools) {
  const server = new McpServer({ name: 'bench', version: '1.0.0' });
  const { name, description } = TOOL;
  server.registerTool(name, { description, inputSchema }, ({ id }) => ({
    content: [{ type: 'text', text: JSON.stringify(findOrder(id)) }],
  }));
  for (let index = 0; index < tools; index++) {
    const config = { description: `Tool ${index} of many.`, inputSchema: fillerSchema };
    server.registerTool(`filler${index}`, config, () => ({ content: [] }));
  }
  return server;
}
