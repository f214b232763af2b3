import {
  createMcpHandler,
  ProtocolError,
  Server,
  type CallToolResult,
  type Tool,
} from '@modelcontextprotocol/server';
import { isDeepStrictEqual } from 'node:util';
import type { FixtureApp } from '../support/fixture-app.js';
import { instructionsOf } from '../../src/endpoint/instructions.js';
import { DEFAULTS } from '../../src/mcp.options.js';

/** A request as both servers get it. */
export interface Exchange {
  readonly title: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What a server answered: its status, and its one message, whichever way it was sent. */
export interface Answered {
  readonly status: number;
  readonly message: unknown;
}

export type Ask = (exchange: Exchange) => Promise<Answered>;

/** The tools and results that both servers have. */
export interface Served {
  readonly tools: readonly Tool[];
  readonly results: Readonly<Record<string, CallToolResult>>;
}

/** The official SDK's server for the same tools. */
export function officialServer({ tools, results }: Served): Ask {
  const info = { name: DEFAULTS.name, version: DEFAULTS.version };
  const options = {
    capabilities: { tools: { listChanged: true } },
    instructions: instructionsOf(DEFAULTS),
  };
  const handler = createMcpHandler(() => {
    const server = new Server(info, options);
    server.setRequestHandler('tools/list', () => ({ tools: [...tools] }));
    server.setRequestHandler('tools/call', ({ params }) => {
      const result = results[params.name];
      if (result === undefined) throw new ProtocolError(-32602, `Unknown tool: ${params.name}`);
      return result;
    });
    return server;
  });
  return async ({ headers, body }) => {
    const request = new Request('http://localhost/mcp', { method: 'POST', headers, body });
    const response = await handler.fetch(request);
    const text = await response.text();
    return {
      status: response.status,
      message: messageOf(text, response.headers.get('content-type')),
    };
  };
}

/** This module's server. */
export function ownServer(app: FixtureApp): Ask {
  return async ({ headers, body }) => {
    const answer = await app.http('POST', app.path, { headers, body });
    return {
      status: answer.status,
      message: messageOf(answer.text, answer.headers.get('content-type')),
    };
  };
}

function messageOf(text: string, type: string | null): unknown {
  if (text === '') return undefined;
  if (type?.startsWith('text/event-stream') !== true) return JSON.parse(text);
  const [last] = [...text.matchAll(/^data: (.+)$/gm)].slice(-1);
  return JSON.parse(last?.[1] ?? 'null');
}

/** Where two values differ, as `path: ours ≠ theirs`. */
export function differences(ours: unknown, theirs: unknown, path = ''): string[] {
  if (isDeepStrictEqual(ours, theirs)) return [];
  if (isRecord(ours) && isRecord(theirs)) {
    // Lists of tools are compared tool by tool.
    if (path === 'message.result' && Array.isArray(ours['tools']) && Array.isArray(theirs['tools']))
      return differences(byName(ours), byName(theirs), path);
    const keys = [...new Set([...Object.keys(ours), ...Object.keys(theirs)])];
    return keys.flatMap((key) =>
      differences(ours[key], theirs[key], path === '' ? key : `${path}.${key}`),
    );
  }
  return [`${path}: ${JSON.stringify(ours)} ≠ ${JSON.stringify(theirs)}`];
}

function byName(result: Record<string, unknown>): object {
  const tools = (result['tools'] as Tool[]).map((tool) => [tool.name, tool]);
  return { ...result, tools: Object.fromEntries(tools) as object };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
