/**
 * @file The program that the official suite runs as a client, with a server's URL as its argument: it pins what the server lists,
 * as `nestjs-mcp-routes digests` prints it, and calls the tools that the scenario is about through `McpToolClient`.
 */
import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import {
  McpClientModule,
  McpToolClient,
  type McpClientInputHandler,
} from 'nestjs-mcp-routes/client';

interface Listed {
  readonly tools: readonly {
    readonly name: string;
    readonly inputSchemaDigest: string;
    readonly inputSchema: {
      readonly properties?: Readonly<Record<string, { readonly type?: string }>>;
    };
  }[];
}

interface ToolCall {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

const url = process.argv.at(-1) ?? '';
const scenario = process.env['MCP_CONFORMANCE_SCENARIO'] ?? '';
const context = JSON.parse(process.env['MCP_CONFORMANCE_CONTEXT'] ?? '{}') as {
  toolCalls?: ToolCall[];
};
const { tools } = list();

/** Those that must be refused: a client drops a tool with a wrong `x-mcp-header`, and fetches no `$ref`. */
const REFUSED: Readonly<Record<string, RegExp>> = {
  'http-invalid-tool-headers': /^invalid_/,
  'json-schema-ref-no-deref': /./,
};
const INPUT: Readonly<Record<string, McpClientInputHandler>> = {
  'elicitation-sep1034-client-defaults': () => ({ action: 'accept', content: {} }),
  'sep-2322-client-request-state': () => ({ action: 'accept', content: { confirmed: true } }),
};

if (tools.length > 0) await callAll();

function list(): Listed {
  const main = fileURLToPath(new URL('../../../dist/cli/main.js', import.meta.url));
  const args = [main, 'digests', url, '--allow-insecure-loopback', '--json'];
  return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' })) as Listed;
}

async function callAll(): Promise<void> {
  const input = INPUT[scenario];
  const server = {
    id: 'suite',
    endpoint: url,
    tools: tools.map(({ name, inputSchemaDigest }) => ({
      name,
      inputSchemaDigest,
      readOnly: true,
    })),
    ...(input === undefined ? {} : { input }),
  };
  const module = McpClientModule.forRoot({ servers: [server], allowInsecureLoopback: true });
  const app = await NestFactory.createApplicationContext(module, { logger: ['error'] });
  const client = app.get(McpToolClient);
  for (const call of context.toolCalls?.map(withoutNulls) ?? tools.map(callOf))
    await callOne(client, call);
  await app.close();
}

async function callOne(client: McpToolClient, { name, arguments: args }: ToolCall): Promise<void> {
  const action = {
    version: 'mcp.tool/v1',
    server_id: 'suite',
    tool_name: name,
    arguments: args,
  } as const;
  const refused = REFUSED[scenario]?.test(name) === true;
  try {
    await client.execute(action, `${scenario}-${name}`);
    if (refused) throw new Error(`${name} was called`);
  } catch (error) {
    if (!refused || (error as Error).name !== 'McpClientError') throw error;
  }
}

/** The suite gives null for an argument whose schema takes none, which the client refuses. */
function withoutNulls({ name, arguments: args }: ToolCall): ToolCall {
  const members = Object.entries(args).filter(([, value]) => value !== null);
  return { name, arguments: Object.fromEntries(members) };
}

/** A call with something for each argument; the echo of a schema gets the schema of the other tool. */
function callOf({ name, inputSchema: { properties = {} } }: Listed['tools'][number]): ToolCall {
  const schema = tools.find((tool) => tool.name === 'json_schema_2020_12_tool')?.inputSchema;
  if (name === 'json_schema_echo') return { name, arguments: { schema } };
  if (name === 'json_schema_2020_12_tool') return { name, arguments: { email: 'a@example.com' } };
  const values: Readonly<Record<string, unknown>> = {
    number: 1.5,
    integer: 1,
    boolean: true,
    object: {},
    array: [],
    null: null,
  };
  const members = Object.entries(properties).map(([key, { type = '' }]) => [
    key,
    Object.hasOwn(values, type) ? values[type] : 'a',
  ]);
  return { name, arguments: Object.fromEntries(members) as Record<string, unknown> };
}
