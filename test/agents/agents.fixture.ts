import { Controller, Get, Param, type DynamicModule } from '@nestjs/common';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import type { Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  JsonFileCatalogSource,
  McpAgents,
  McpAgentsModule,
  type AgentCatalogDocument,
  type AgentDocument,
  type AgentKeyRecord,
  type McpAgentsOptions,
  type McpCatalogSource,
  type OperationDocument,
} from '../../src/agents/index.js';
import { newAgentKey } from '../../src/agents/key.js';
import { McpTool } from '../../src/index.js';
import { RecordingLogger } from '../module/recording-logger.js';
import { FixtureApp, type Fixture, type HttpAnswer } from '../support/fixture-app.js';
import { EXPRESS, type Platform } from '../support/platforms.js';
import { Upstream } from './upstream.fixture.js';

@Controller('orders')
export class OrdersController {
  /** Finds an order. */
  @McpTool({ name: 'find_order', description: 'Finds an order by its id.' })
  @Get(':id')
  find(@Param('id') id: string): object {
    return { order: id };
  }

  /** A route tool that no agent binds. */
  @McpTool({ name: 'secret_route', description: 'Nobody binds it.' })
  @Get()
  secret(): object {
    return { secret: true };
  }
}

/** A place to publish catalogs in, and what reads them. */
export interface TestCatalog {
  readonly name: string;
  readonly source: McpCatalogSource;
  publish(document: AgentCatalogDocument): Promise<void>;
  close(): Promise<void>;
}

/** A catalog in a file of its own. */
export async function jsonCatalog(): Promise<TestCatalog & { readonly path: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'mcp-agents-'));
  const path = join(folder, 'catalog.json');
  return {
    name: 'JSON file',
    path,
    source: new JsonFileCatalogSource(path),
    publish: async (document) => {
      await writeFile(`${path}.new`, JSON.stringify(document, undefined, 2));
      await rename(`${path}.new`, path);
    },
    close: () => rm(folder, { recursive: true, force: true }),
  };
}

const SCHEMA = { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] };

/** An operation that reads one thing by its id. */
export function readOperation(origin: string, name = 'read_thing', version = 1): OperationDocument {
  return {
    name,
    versions: [
      {
        version,
        status: 'published',
        title: 'Read a thing',
        description: 'Reads a thing by its id.',
        rest: {
          method: 'GET',
          url: `${origin}/things/{id}`,
          parameters: [{ name: 'id', in: 'path', from: '/id' }],
          input: SCHEMA,
        },
      },
    ],
  };
}

/** An operation without arguments at a path. */
export function plainOperation(
  origin: string,
  name: string,
  path: string,
  rest: object = {},
): OperationDocument {
  const input = { type: 'object', properties: {} };
  return {
    name,
    versions: [
      {
        version: 1,
        status: 'published',
        description: `Asks for ${path}.`,
        rest: { method: 'GET', url: `${origin}${path}`, input, ...rest },
      },
    ],
  };
}

/** One workspace `acme` with what is given, and an empty agent `other` of another workspace. */
export function catalogOf(
  origin: string,
  operations: readonly OperationDocument[],
  agents: readonly AgentDocument[],
  keys: readonly AgentKeyRecord[] = [],
): AgentCatalogDocument {
  return {
    workspaces: [
      { slug: 'acme', policy: { origins: [origin], allowLoopback: true }, operations, agents },
      { slug: 'rival', agents: [{ slug: 'support', status: 'published' }] },
    ],
    keys,
  };
}

export const SUPPORT: AgentDocument = {
  slug: 'support',
  status: 'published',
  title: 'Support',
  instructions: 'Be kind.',
  tools: [{ operation: 'read_thing' }, { route: 'find_order', name: 'order', title: 'An order' }],
};

export interface AgentsFixture {
  readonly platform?: Platform;
  readonly catalog?: TestCatalog;
  readonly options?: Partial<McpAgentsOptions>;
  /** What makes the module of the options. Default: `forRoot`. */
  readonly mount?: (options: McpAgentsOptions) => DynamicModule;
  readonly imports?: Fixture['imports'];
  readonly providers?: Fixture['providers'];
  readonly controllers?: Fixture['controllers'];
  /** What is published at first, of the upstream's origin and the two keys. */
  readonly document?: (origin: string, keys: readonly AgentKeyRecord[]) => AgentCatalogDocument;
}

/** A listening application with agents, an upstream, and a key of `acme/support` and of `rival/support`. */
export class AgentsApp {
  private constructor(
    readonly fixture: FixtureApp,
    readonly catalog: TestCatalog,
    readonly upstream: Upstream,
    readonly key: string,
    readonly rivalKey: string,
    readonly records: readonly AgentKeyRecord[],
    readonly logger: RecordingLogger,
  ) {}

  static async start(given: AgentsFixture = {}): Promise<AgentsApp> {
    const { platform = EXPRESS, options = {} } = given;
    const catalog = given.catalog ?? (await jsonCatalog());
    const upstream = await Upstream.start();
    const own = newAgentKey({ workspace: 'acme', agent: 'support' });
    const rival = newAgentKey({ workspace: 'rival', agent: 'support' });
    const records = [own.record, rival.record];
    const { origin } = upstream;
    const document = given.document ?? ((at, keys) => supportCatalog(at, keys));
    await catalog.publish(document(origin, records));
    const { mount = (all) => McpAgentsModule.forRoot(all), imports = [], providers = [] } = given;
    const module = mount({ source: catalog.source, refreshMs: 60_000, ...options });
    const logger = new RecordingLogger();
    const controllers = [OrdersController, ...(given.controllers ?? [])];
    const fixture = await FixtureApp.start({
      ...{ controllers, imports, providers, platform, logger },
      mcp: { module },
    });
    return new AgentsApp(fixture, catalog, upstream, own.key, rival.key, records, logger);
  }

  get agents(): McpAgents {
    return this.fixture.app.get(McpAgents, { strict: false });
  }

  url(path = 'acme/support'): URL {
    return new URL(`/mcp/v1/${path}`, this.fixture.url);
  }

  /** A connected official client of v2, closed by whoever opened it. */
  async connect(
    pin: '2026-07-28' | 'legacy' = '2026-07-28',
    { key = this.key, path = 'acme/support', ...rest }: ConnectOptions = {},
  ): Promise<Client> {
    const versionNegotiation =
      pin === 'legacy' ? ({ mode: 'legacy' } as const) : ({ mode: { pin } } as const);
    const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation, ...rest });
    const requestInit = { headers: { authorization: `Bearer ${key}` } };
    await client.connect(new StreamableHTTPClientTransport(this.url(path), { requestInit }));
    return client;
  }

  /** A plain message. */
  post(
    path: string,
    headers: Record<string, string> = {},
    method = 'tools/list',
    params: object = {},
  ): Promise<HttpAnswer> {
    return this.fixture.post({ jsonrpc: '2.0', id: 1, method, params }, headers, `/mcp/v1/${path}`);
  }

  /** The result of a call, in the way of 2025-11-25 without a session. */
  async call(
    name: string,
    args: object = {},
    key = this.key,
  ): Promise<{ readonly text: string; readonly isError: boolean; readonly envelope: Envelope }> {
    const headers = { authorization: `Bearer ${key}`, 'mcp-protocol-version': '2025-11-25' };
    const answer = await this.post('acme/support', headers, 'tools/call', {
      name,
      arguments: args,
    });
    const { result } = answer.json() as {
      result: { content: { text: string }[]; isError?: boolean };
    };
    const text = result.content.map((block) => block.text).join('');
    return { text, isError: result.isError === true, envelope: envelopeOf(text) };
  }

  async close(): Promise<void> {
    const server = this.fixture.app.getHttpServer() as Server;
    // A client may have opened a connection that it never used, for which a server would wait long.
    const cutting = setInterval(() => server.closeAllConnections(), 20);
    await this.fixture.close().finally(() => clearInterval(cutting));
    await this.upstream.close();
    await this.catalog.close();
  }
}

export interface ConnectOptions {
  readonly key?: string;
  readonly path?: string;
  readonly listChanged?: object;
}

type Envelope = Readonly<Record<string, unknown>>;

function envelopeOf(text: string): Envelope {
  try {
    return JSON.parse(text) as Envelope;
  } catch {
    return {};
  }
}

export function supportCatalog(
  origin: string,
  keys: readonly AgentKeyRecord[],
  operations: readonly OperationDocument[] = [],
  agent: AgentDocument = SUPPORT,
): AgentCatalogDocument {
  return catalogOf(origin, [readOperation(origin), ...operations], [agent], keys);
}

/** Waits for a condition. Fails after as long as only a broken server takes. */
export async function until(isSo: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const end = Date.now() + 20_000;
  while (!(await isSo())) {
    if (Date.now() > end) throw new Error(`It never happened: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
