import {
  Client,
  StreamableHTTPClientTransport,
  type CallToolResult,
  type Tool,
} from '@modelcontextprotocol/client';
import type { INestApplication } from '@nestjs/common';
import { EndpointIntake } from '../endpoint-intake.js';
import { inProcessFetch } from './in-process-fetch.js';

const MODERN_REVISION = '2026-07-28';

export interface McpTestClientOptions {
  /** Sent with every request: `{ authorization: 'Bearer …' }`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The protocol revision to speak. Default `'2026-07-28'`. */
  readonly revision?: '2025-03-26' | '2025-06-18' | '2025-11-25' | '2026-07-28';
  /** The endpoint's path with prefix. Default: that of the application's first endpoint. */
  readonly path?: string;
}

/** The envelope of an error result, as the application's exception filter wrote it. */
export type ToolError = Readonly<Record<string, unknown>> & { readonly statusCode?: number };

/**
 * An official MCP client, connected to a Nest application in-process: no port, no network.
 *
 * @example
 * const client = await McpTestClient.connect(app, { headers: { authorization: 'Bearer test' } });
 * expect(await client.callTool('get_order', { path: { id: 1 } })).toEqual({ id: 1, status: 'open' });
 * expect(await client.expectToolError('get_order', { path: { id: 9 } })).toMatchObject({ statusCode: 404 });
 */
export class McpTestClient {
  private constructor(
    /** The official client, for all that has no helper here. */
    readonly client: Client,
  ) {}

  /**
   * @param app an application; initialized here when it is not yet
   * @throws when the endpoint refuses the connection
   */
  static async connect(
    app: INestApplication,
    options: McpTestClientOptions = {},
  ): Promise<McpTestClient> {
    const { headers = {}, revision = MODERN_REVISION } = options;
    await app.init();
    await readyFastify(app);
    const path = options.path ?? defaultPath(app);
    const transport = new StreamableHTTPClientTransport(new URL(path, 'http://localhost'), {
      fetch: inProcessFetch(app),
      requestInit: { headers: { ...headers } },
    });
    const client = new Client(
      { name: 'mcp-test-client', version: '0.0.0' },
      revision === MODERN_REVISION
        ? { versionNegotiation: { mode: { pin: revision } } }
        : { supportedProtocolVersions: [revision] },
    );
    await client.connect(transport);
    return new McpTestClient(client);
  }

  /** Every tool, on however many pages. */
  async listTools(): Promise<Tool[]> {
    const { tools } = await this.client.listTools();
    return tools;
  }

  /**
   * Calls a tool that must succeed.
   *
   * @returns its structured content, else its text
   * @throws when the result is an error, with its text
   */
  async callTool(name: string, args: Record<string, unknown> = {}): Promise<unknown> {
    const result = await this.rawCall(name, args);
    if (result.isError === true) throw new Error(`The tool ${name} failed: ${textOf(result)}`);
    return result.structuredContent ?? textOf(result);
  }

  /**
   * Calls a tool that must fail.
   *
   * @returns the error's envelope; `{ text }` when it is not JSON
   * @throws when the result is no error
   */
  async expectToolError(name: string, args: Record<string, unknown> = {}): Promise<ToolError> {
    const result = await this.rawCall(name, args);
    const text = textOf(result);
    if (result.isError !== true) throw new Error(`The tool ${name} succeeded with ${text}`);
    try {
      return JSON.parse(text) as ToolError;
    } catch {
      return { text };
    }
  }

  /** Calls a tool and returns the result as the official client read it. */
  rawCall(name: string, args: Record<string, unknown> = {}): Promise<CallToolResult> {
    return this.client.callTool({ name, arguments: args });
  }

  async close(): Promise<void> {
    await this.client.close();
  }
}

function textOf({ content }: CallToolResult): string {
  return content
    .map((block) => (block.type === 'text' ? block.text : JSON.stringify(block)))
    .join('\n');
}

function defaultPath(app: INestApplication): string {
  const [path] = app.get(EndpointIntake, { strict: false }).paths;
  if (path === undefined)
    throw new Error('The application has no MCP endpoint: import McpModule.forRoot().');
  return path;
}

/** Fastify routes nothing before it is ready. */
async function readyFastify(app: INestApplication): Promise<void> {
  const adapter = app.getHttpAdapter();
  if (adapter.getType() !== 'fastify') return;
  await (adapter.getInstance() as { ready(): PromiseLike<unknown> }).ready();
}
