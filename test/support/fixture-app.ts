import type {
  DynamicModule,
  INestApplication,
  LoggerService,
  ModuleMetadata,
  Provider,
  Type,
} from '@nestjs/common';
import { Logger, Module } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { EndpointIntake } from '../../src/endpoint-intake.js';
import { McpModule, type McpModuleOptions } from '../../src/index.js';
import { McpTestClient, type McpTestClientOptions } from '../../src/testing/index.js';
import { EXPRESS, type Platform } from './platforms.js';

/** What a fixture application is made of. */
export interface Fixture {
  readonly controllers?: readonly Type[];
  readonly providers?: readonly Provider[];
  readonly imports?: NonNullable<ModuleMetadata['imports']>;
  /** Options of `McpModule.forRoot()`; or the module itself, made otherwise. */
  readonly mcp?: McpModuleOptions | { readonly module: DynamicModule };
  /** What `main.ts` would do before `listen()`. */
  readonly configure?: (app: INestApplication) => void | Promise<void>;
  readonly platform?: Platform;
  readonly logger?: LoggerService;
  readonly rawBody?: boolean;
}

/** An answer over HTTP. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body as JSON; throws when it is not. */
  json(): unknown;
}

export interface HttpRequest {
  readonly headers?: Readonly<Record<string, string>>;
  /** An object is sent as JSON. */
  readonly body?: string | Uint8Array | object;
}

/** A running application with an MCP endpoint, listening on a free port of the loopback address. */
export class FixtureApp {
  private readonly clients: McpTestClient[] = [];

  private constructor(
    readonly app: INestApplication,
    readonly url: string,
    /** The path of the first endpoint. */
    readonly path: string,
  ) {}

  static async start(fixture: Fixture): Promise<FixtureApp> {
    const app = await FixtureApp.create(fixture);
    await app.listen(0, '127.0.0.1');
    const url = (await app.getUrl()).replace('[::1]', '127.0.0.1');
    const [path = '/mcp'] = app.get(EndpointIntake, { strict: false }).paths;
    return new FixtureApp(app, url, path);
  }

  /** The application before `init()`, for set-up errors. */
  static async create(fixture: Fixture): Promise<INestApplication> {
    const {
      controllers = [],
      providers = [],
      imports = [],
      mcp = {},
      platform = EXPRESS,
    } = fixture;
    const endpoint = 'module' in mcp ? mcp.module : McpModule.forRoot({ ...mcp });

    @Module({
      imports: [...imports, endpoint],
      controllers: [...controllers],
      providers: [...providers],
    })
    class FixtureModule {}

    const builder = Test.createTestingModule({ imports: [FixtureModule] });
    const module = await (fixture.logger ? builder.setLogger(fixture.logger) : builder).compile();
    const app = platform.create(module, { rawBody: fixture.rawBody ?? false });
    if (fixture.logger) Logger.overrideLogger(fixture.logger);
    await fixture.configure?.(app);
    return app;
  }

  /** A plain HTTP request, over a real socket. */
  async http(
    method: string,
    path: string,
    { headers = {}, body }: HttpRequest = {},
  ): Promise<HttpAnswer> {
    const isText = typeof body === 'string' || body instanceof Uint8Array;
    const response = await fetch(new URL(path, this.url), {
      method,
      redirect: 'manual',
      headers:
        body === undefined || isText ? headers : { 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: isText ? (body as string) : JSON.stringify(body) }),
    });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      text,
      json: () => JSON.parse(text) as unknown,
    };
  }

  /** A raw MCP message, over a real socket. */
  post(
    message: string | Uint8Array | object,
    headers: Record<string, string> = {},
    path = this.path,
  ): Promise<HttpAnswer> {
    return this.http('POST', path, {
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...headers,
      },
      body: message,
    });
  }

  /** A well-formed 2026-07-28 request, over a real socket. */
  request(
    method: string,
    params: Record<string, unknown> = {},
    headers: Record<string, string> = {},
  ): Promise<HttpAnswer> {
    const name = params['name'];
    return this.post(
      {
        jsonrpc: '2.0',
        id: 1,
        method,
        params: {
          ...params,
          _meta: {
            'io.modelcontextprotocol/protocolVersion': '2026-07-28',
            'io.modelcontextprotocol/clientCapabilities': {},
          },
        },
      },
      {
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': method,
        ...(typeof name === 'string' ? { 'mcp-name': name } : {}),
        ...headers,
      },
    );
  }

  /** The result of a 2026-07-28 `tools/call`. */
  async call(
    name: string,
    args: unknown = {},
    headers: Record<string, string> = {},
  ): Promise<CallResult> {
    const answer = await this.request('tools/call', { name, arguments: args }, headers);
    const { result } = answer.json() as { result?: CallResult };
    if (result === undefined) throw new Error(`No result: ${answer.status} ${answer.text}`);
    return result;
  }

  /** An official client, in-process. Closed with the application. */
  async client(options?: McpTestClientOptions): Promise<McpTestClient> {
    const client = await McpTestClient.connect(this.app, options);
    this.clients.push(client);
    return client;
  }

  async close(): Promise<void> {
    await Promise.all(this.clients.map((client) => client.close()));
    await this.app.close();
  }
}

/** A tool result as it is on the wire. */
export interface CallResult {
  readonly content: readonly {
    readonly type: string;
    readonly text?: string;
    readonly data?: string;
    readonly mimeType?: string;
    readonly resource?: {
      readonly uri: string;
      readonly mimeType?: string;
      readonly blob?: string;
    };
  }[];
  readonly structuredContent?: unknown;
  readonly isError?: boolean;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

/** The text of a result with one block. */
export function textOf(result: CallResult): string {
  return result.content.map(({ text }) => text ?? '').join('');
}
