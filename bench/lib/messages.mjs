/** @file The requests that the load generator sends, as the bytes of HTTP/1.1. */
import { ORDER_ID, TOKEN, TOOL } from './order.mjs';

const MODERN = '2026-07-28';
export const DATED = '2025-11-25';
const PREFIX = 'io.modelcontextprotocol/';

/** What a variant is asked. Each takes the JSON-RPC id, which is the connection's own, and gives a request. */
export const MESSAGES = {
  directOrder: () => request('GET', `/orders/${ORDER_ID}`),
  staticAnswer: () => request('GET', '/static'),
  modernCall: (id, { toolArguments }) =>
    modern({ id, method: 'tools/call', params: call(toolArguments) }),
  datedCall: (id, { toolArguments, session }) =>
    dated({ id, method: 'tools/call', params: call(toolArguments) }, session),
  ping: (id) => dated({ id, method: 'ping' }),
  modernList: (id) => modern({ id, method: 'tools/list', params: {} }),
};

export function initialize() {
  const clientInfo = { name: 'bench', version: '1.0.0' };
  const params = { protocolVersion: DATED, capabilities: {}, clientInfo };
  return dated({ id: 0, method: 'initialize', params });
}

export function initialized(session) {
  return dated({ method: 'notifications/initialized' }, session);
}

function call(toolArguments) {
  return { name: TOOL.name, arguments: toolArguments };
}

function modern({ id, method, params }) {
  const _meta = {
    [`${PREFIX}protocolVersion`]: MODERN,
    [`${PREFIX}clientInfo`]: { name: 'bench', version: '1.0.0' },
    [`${PREFIX}clientCapabilities`]: {},
  };
  const headers = { 'mcp-protocol-version': MODERN, 'mcp-method': method };
  if (params.name !== undefined) headers['mcp-name'] = params.name;
  return post({ jsonrpc: '2.0', id, method, params: { ...params, _meta } }, headers);
}

function dated(message, session) {
  const headers = message.method === 'initialize' ? {} : { 'mcp-protocol-version': DATED };
  if (session !== undefined) headers['mcp-session-id'] = session;
  return post({ jsonrpc: '2.0', ...message }, headers);
}

function post(message, headers) {
  const accept = 'application/json, text/event-stream';
  const all = { accept, 'content-type': 'application/json', ...headers };
  return request('POST', '/mcp', all, JSON.stringify(message));
}

function request(method, path, headers = {}, body = '') {
  const all = { host: 'localhost', authorization: TOKEN, 'user-agent': 'bench', ...headers };
  if (body !== '') all['content-length'] = String(Buffer.byteLength(body));
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  return [`${method} ${path} HTTP/1.1`, ...lines, '', body].join('\r\n');
}
