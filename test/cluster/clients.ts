import {
  Client as ClientV2,
  StreamableHTTPClientTransport as TransportV2,
} from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  CallToolResultSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';

const INFO = { name: 'cluster-client', version: '1.0.0' };

/** How long a client waits: longer than any fault of the script, so that a call without an end is seen as one. */
const TIMEOUT_MS = 30_000;

/** What the script asks of a client of either era. */
export interface ClusterClient {
  readonly era: string;
  call(tool: string, operation: string): Promise<Record<string, unknown>>;
  tools(): Promise<string[]>;
  close(): Promise<void>;
}

export type Connect = (url: string, onListChanged: () => void) => Promise<ClusterClient>;

/** `@modelcontextprotocol/sdk` in a session of 2025-11-25. */
export const connectV1: Connect = async (url, onListChanged) => {
  const client = new ClientV1(INFO);
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => onListChanged());
  const transport = new TransportV1(new URL(url), {
    reconnectionOptions: {
      maxRetries: 100,
      initialReconnectionDelay: 200,
      maxReconnectionDelay: 1_000,
      reconnectionDelayGrowFactor: 1.5,
    },
  });
  await client.connect(transport, { timeout: TIMEOUT_MS });
  return {
    era: '2025-11-25',
    call: (name, operation) =>
      client.callTool({ name, arguments: { path: { operation } } }, CallToolResultSchema, {
        timeout: TIMEOUT_MS,
      }),
    tools: () => names((cursor) => client.listTools(cursor === undefined ? {} : { cursor })),
    close: () => client.close(),
  };
};

/** `@modelcontextprotocol/client`, held to 2026-07-28. */
export const connectV2: Connect = async (url, onListChanged) => {
  const client = new ClientV2(INFO, {
    versionNegotiation: { mode: { pin: '2026-07-28' } },
    listChanged: { tools: { autoRefresh: false, debounceMs: 0, onChanged: onListChanged } },
  });
  await client.connect(new TransportV2(new URL(url)), { timeout: TIMEOUT_MS });
  return {
    era: '2026-07-28',
    call: (name, operation) =>
      client.callTool({ name, arguments: { path: { operation } } }, { timeout: TIMEOUT_MS }),
    tools: () => names((cursor) => client.listTools(cursor === undefined ? {} : { cursor })),
    close: () => client.close(),
  };
};

type Page = { tools: { name: string }[]; nextCursor?: string | undefined };

async function names(page: (cursor?: string) => Promise<Page>): Promise<string[]> {
  const found: string[] = [];
  let cursor: string | undefined;
  do {
    const { tools, nextCursor } = await page(cursor);
    found.push(...tools.map(({ name }) => name));
    cursor = nextCursor;
  } while (cursor !== undefined);
  return found;
}
