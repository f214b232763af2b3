import {
  Client as ClientV2,
  StreamableHTTPClientTransport as TransportV2,
} from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

const CLIENT_INFO = { name: 'demo', version: '1.0.0' };

export interface ToolSummary {
  name: string;
  description?: string;
}

export interface ToolAnswer {
  isError: boolean;
  text: string;
  structured: unknown;
}

/** What the demonstration asks of either official client. */
export interface DemoClient {
  /** The revision of the protocol that client and server agreed on. */
  readonly revision: string | undefined;
  readonly server: string;
  listTools(): Promise<ToolSummary[]>;
  callTool(name: string, args: Record<string, unknown>): Promise<ToolAnswer>;
  close(): Promise<void>;
}

export type Connect = (url: string, headers: Record<string, string>) => Promise<DemoClient>;

/** `@modelcontextprotocol/client`, held to 2026-07-28: any other revision fails to connect. */
export const connectV2: Connect = async (url, headers) => {
  const client = new ClientV2(CLIENT_INFO, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
  await client.connect(new TransportV2(new URL(url), { requestInit: { headers } }));
  return {
    revision: client.getNegotiatedProtocolVersion(),
    server: serverName(client.getServerVersion()),
    listTools: async () => (await client.listTools()).tools,
    callTool: async (name, args) => answerOf(await client.callTool({ name, arguments: args })),
    close: () => client.close(),
  };
};

/** `@modelcontextprotocol/sdk`, which most hosts run today. */
export const connectV1: Connect = async (url, headers) => {
  const client = new ClientV1(CLIENT_INFO);
  const transport = new TransportV1(new URL(url), { requestInit: { headers } });
  await client.connect(transport);
  return {
    revision: transport.protocolVersion,
    server: serverName(client.getServerVersion()),
    listTools: async () => (await client.listTools()).tools,
    callTool: async (name, args) => answerOf(await client.callTool({ name, arguments: args })),
    close: () => client.close(),
  };
};

function serverName(server: { name: string; version: string } | undefined): string {
  return server ? `${server.name} ${server.version}` : 'nameless';
}

function answerOf(result: Record<string, unknown>): ToolAnswer {
  const blocks = result.content as readonly { type: string; text?: string }[];
  return {
    isError: result.isError === true,
    text: blocks.map(({ type, text }) => text ?? `[${type}]`).join('\n'),
    structured: result.structuredContent,
  };
}
