import { Test, type TestingModule } from '@nestjs/testing';
import {
  InvalidDescriptorError,
  McpClientError,
  McpClientModule,
  McpToolClient,
  TerminalToolError,
  UnauthorizedServerToolError,
  UncertainError,
  type McpClientModuleOptions,
  type McpClientServer,
  type McpToolDescriptor,
  type McpToolOutput,
} from 'nestjs-mcp-routes/client';
import { digestOf } from '../../src/client/canonical-json.js';
import { PAY_SCHEMA, READ_SCHEMA, ScriptedServer, STATUS_SCHEMA } from './scripted-server.js';

/** Both eras, and what a client says to get them. */
export const ERAS = ['2025-11-25', '2026-07-28'] as const;
export type Era = (typeof ERAS)[number];

export type Outcome =
  | 'success'
  | 'terminal'
  | 'uncertain'
  | 'nothing submitted'
  | 'invalid descriptor'
  | 'unauthorized';

/** A server's options with the tools of the scripted server. */
export function serverAt(endpoint: string, more: Partial<McpClientServer> = {}): McpClientServer {
  return {
    id: 'bank',
    endpoint,
    tools: [
      { name: 'pay', inputSchemaDigest: digestOf(PAY_SCHEMA), operationId: '/operation_id' },
      { name: 'read', inputSchemaDigest: digestOf(READ_SCHEMA), readOnly: true },
    ],
    reconcile: {
      name: 'status',
      inputSchemaDigest: digestOf(STATUS_SCHEMA),
      operationId: '/operation_id',
    },
    ...more,
  };
}

const opened: TestingModule[] = [];

/** The scripted server of a file of tests. After each of them it forgets, and clients are closed. */
export async function scriptedServer(): Promise<ScriptedServer> {
  const server = await ScriptedServer.start();
  afterEach(async () => {
    await closeClients();
    server.reset();
  });
  afterAll(() => server.close());
  return server;
}

/** A client as an application gets it. */
export async function clientOf(
  server: McpClientServer,
  more: Partial<McpClientModuleOptions> = {},
): Promise<McpToolClient> {
  const options = { servers: [server], allowInsecureLoopback: true, ...more };
  const module = await Test.createTestingModule({
    imports: [McpClientModule.forRoot(options)],
  }).compile();
  opened.push(module);
  return module.get(McpToolClient);
}

export async function closeClients(): Promise<void> {
  await Promise.all(opened.splice(0).map((module) => module.close()));
}

export function descriptor(
  toolName = 'pay',
  args: Record<string, unknown> = { amount: 5 },
  serverId = 'bank',
): McpToolDescriptor {
  return { version: 'mcp.tool/v1', server_id: serverId, tool_name: toolName, arguments: args };
}

/** How an operation ended: exactly one of the five errors, or a success. */
export interface Ended {
  readonly outcome: Outcome;
  readonly output?: McpToolOutput;
  readonly error?: Error;
}

const ERRORS: readonly [(error: unknown) => boolean, Outcome][] = [
  [(error) => error instanceof InvalidDescriptorError, 'invalid descriptor'],
  [(error) => error instanceof UnauthorizedServerToolError, 'unauthorized'],
  [(error) => error instanceof TerminalToolError, 'terminal'],
  [(error) => error instanceof UncertainError, 'uncertain'],
  [(error) => error instanceof McpClientError, 'nothing submitted'],
];

export async function ended(operation: Promise<McpToolOutput>): Promise<Ended> {
  try {
    return { outcome: 'success', output: await operation };
  } catch (error) {
    const kinds = ERRORS.filter(([isOne]) => isOne(error)).map(([, outcome]) => outcome);
    const [outcome] = kinds;
    if (outcome === undefined || kinds.length > 1 || !(error instanceof Error)) throw error;
    return { outcome, error };
  }
}
