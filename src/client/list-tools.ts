import { isObject } from '../protocol/codec.js';
import { digestOf } from './canonical-json.js';
import type { ExchangeLimits, PinnedTool } from './client-options.js';
import { resultOf, type Connection } from './connection.js';
import { ExchangeError } from './exchange-error.js';

/** A tool as a server lists it. */
export interface ListedTool {
  readonly name: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
}

/**
 * Every tool of a server, on all pages.
 *
 * @throws ExchangeError when there are too many, when a page is none, or when a name stands twice
 */
export async function listTools(
  connection: Connection,
  { maxPages, maxTools }: ExchangeLimits,
): Promise<ReadonlyMap<string, ListedTool>> {
  const tools = new Map<string, ListedTool>();
  let cursor: string | undefined;
  for (let page = 0; page < maxPages; page++) {
    const params = cursor === undefined ? {} : { cursor };
    const result = resultOf(await connection.request({ method: 'tools/list', params }));
    for (const tool of toolsIn(result)) {
      if (tools.has(tool.name)) throw new ExchangeError('the server lists two tools of one name');
      tools.set(tool.name, tool);
      if (tools.size > maxTools) throw new ExchangeError(`the server lists over ${maxTools} tools`);
    }
    const { nextCursor } = result;
    if (nextCursor === undefined) return tools;
    if (typeof nextCursor !== 'string') throw unreadable();
    cursor = nextCursor;
  }
  throw new ExchangeError(`the server lists its tools on over ${maxPages} pages`);
}

/**
 * The tool that the options pin, among those that the server lists.
 *
 * @throws ExchangeError when it is not there, or takes other arguments than when it was pinned
 */
export function findPinned(
  tools: ReadonlyMap<string, ListedTool>,
  { name, digest }: PinnedTool,
): ListedTool {
  const tool = tools.get(name);
  if (tool === undefined) throw new ExchangeError('the server does not list the tool');
  const listed = digestOrNone(tool);
  if (listed !== digest) {
    throw new ExchangeError(
      `the input schema of the tool is not the pinned one, its digest is ${listed ?? 'none'}`,
    );
  }
  return tool;
}

/** The digest that pins a tool; `undefined` for a schema that has none, such as one with 1e400. */
export function digestOrNone({ inputSchema }: ListedTool): string | undefined {
  try {
    return digestOf(inputSchema);
  } catch {
    return undefined;
  }
}

function toolsIn({
  tools,
  resultType = 'complete',
}: Readonly<Record<string, unknown>>): ListedTool[] {
  if (!Array.isArray(tools) || resultType !== 'complete') throw unreadable();
  return (tools as unknown[]).map((tool) => {
    if (!isObject(tool) || typeof tool['name'] !== 'string' || !isObject(tool['inputSchema'])) {
      throw unreadable();
    }
    return { name: tool['name'], inputSchema: tool['inputSchema'] };
  });
}

function unreadable(): ExchangeError {
  return new ExchangeError('the list of tools cannot be read');
}
