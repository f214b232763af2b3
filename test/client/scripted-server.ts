import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';

/** A message that a client sent, with all that came with it. */
export interface Received {
  readonly http: string;
  /** The JSON-RPC method; `''` where there is none. */
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  readonly message: Message;
}

export interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>> & {
    readonly name?: string;
    readonly arguments?: Readonly<Record<string, unknown>>;
  };
  readonly result?: unknown;
  readonly error?: unknown;
}

/** One request of a client, and the ways to answer it or not to. */
export class Exchange {
  constructor(
    readonly message: Message,
    readonly request: IncomingMessage,
    readonly response: ServerResponse,
    /** The result that a good server would give. */
    readonly good: Readonly<Record<string, unknown>>,
  ) {}

  get id(): number {
    return this.message.id ?? -1;
  }

  /** The whole message with the good result, or with another one. */
  text(result: object = this.good, id: unknown = this.id): string {
    return JSON.stringify({ jsonrpc: '2.0', id, result });
  }

  /** Answers with a body and its headers. */
  send(body: string | Uint8Array, headers: Record<string, string> = {}, status = 200): void {
    this.response.writeHead(status, { 'content-type': 'application/json', ...headers });
    this.response.end(body);
  }

  fault(code: number, status = 200, data?: unknown): void {
    this.send(
      JSON.stringify({ jsonrpc: '2.0', id: this.id, error: { code, message: 'no', data } }),
      {},
      status,
    );
  }

  /** Begins an event stream; each message becomes an event. */
  stream(...messages: readonly string[]): ServerResponse {
    this.response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const message of messages) this.response.write(`data: ${message}\n\n`);
    return this.response;
  }

  /** Writes bytes past HTTP. */
  raw(text: string): void {
    this.request.socket.write(text);
  }

  /** Ends the connection in the middle of whatever is written. */
  cut(): void {
    this.request.socket.resetAndDestroy();
  }
}

export type Reaction = (exchange: Exchange) => void;

export const PAY_SCHEMA = {
  type: 'object',
  properties: { amount: { type: 'integer', minimum: 1 }, operation_id: { type: 'string' } },
  required: ['amount', 'operation_id'],
  additionalProperties: false,
} as const;
export const STATUS_SCHEMA = {
  type: 'object',
  properties: { operation_id: { type: 'string' } },
  required: ['operation_id'],
} as const;
export const READ_SCHEMA = { type: 'object', properties: { text: { type: 'string' } } } as const;

/** What a step does in place of what a good server does; the effect of a call comes before it. */
export type Step =
  | 'server/discover'
  | 'initialize'
  | 'notifications/initialized'
  | 'tools/list'
  | 'tools/call'
  | 'status'
  | 'notifications/cancelled'
  | 'POST'
  | 'GET'
  | 'DELETE';

/** A server that pays what it is told to, and answers as a test says. It speaks both eras. */
export class ScriptedServer {
  readonly received: Received[] = [];
  /** How often each operation was done. */
  readonly ledger = new Map<string, number>();
  readonly reactions: Partial<Record<Step, Reaction>> = {};
  /** Whether a call takes effect; one that does not is answered with an error. */
  performs: (operationId: string) => boolean = () => true;
  tools: readonly object[] = [
    { name: 'pay', inputSchema: PAY_SCHEMA },
    { name: 'status', inputSchema: STATUS_SCHEMA },
    { name: 'read', inputSchema: READ_SCHEMA },
  ];

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async start(): Promise<ScriptedServer> {
    const server = createServer({ keepAliveTimeout: 1_000 });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const scripted = new ScriptedServer(server, `http://127.0.0.1:${port}/mcp`);
    server.on('request', (request, response) => scripted.receive(request, response));
    server.on('clientError', (_, socket) => socket.destroy());
    return scripted;
  }

  /** Everything as new, on the same port. */
  reset(): void {
    this.received.length = 0;
    this.ledger.clear();
    this.performs = () => true;
    for (const step of Object.keys(this.reactions)) delete this.reactions[step as Step];
    this.tools = [
      { name: 'pay', inputSchema: PAY_SCHEMA },
      { name: 'status', inputSchema: STATUS_SCHEMA },
      { name: 'read', inputSchema: READ_SCHEMA },
    ];
  }

  /** How many times a tool was called. */
  submissions(tool = 'pay'): number {
    return this.received.filter(
      ({ method, message }) => method === 'tools/call' && message.params?.name === tool,
    ).length;
  }

  methods(): string[] {
    return this.received.map(({ http, method }) => method || http);
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private receive(request: IncomingMessage, response: ServerResponse): void {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('error', () => {});
    response.on('error', () => {});
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString('utf8');
      const message = (body === '' ? {} : JSON.parse(body)) as Message;
      const { method = '' } = message;
      this.received.push({ http: request.method ?? '', method, headers: request.headers, message });
      const { name } = message.params ?? {};
      const step =
        method === ''
          ? request.method
          : method === 'tools/call' && name === 'status'
            ? 'status'
            : method;
      const exchange = new Exchange(message, request, response, this.resultOf(message));
      const react = this.reactions[step as Step] ?? answerWell;
      react(exchange);
    });
  }

  private resultOf({ method, params }: Message): Record<string, unknown> {
    switch (method) {
      case 'server/discover':
        return { supportedVersions: ['2026-07-28'], capabilities: { tools: {} } };
      case 'initialize':
        return {
          protocolVersion: params?.['protocolVersion'],
          capabilities: { tools: {} },
          serverInfo: { name: 'scripted', version: '1' },
        };
      case 'tools/list':
        return { tools: this.tools };
      case 'tools/call':
        return this.call(params?.name ?? '', params?.arguments ?? {});
      default:
        return {};
    }
  }

  private call(name: string, args: Readonly<Record<string, unknown>>): Record<string, unknown> {
    const id = String(args['operation_id']);
    if (name === 'status') return structured(this.statusOf(id));
    if (name === 'pay') {
      if (!this.performs(id)) return { content: [], isError: true };
      this.ledger.set(id, (this.ledger.get(id) ?? 0) + 1);
    }
    return structured({ paid: args['amount'] ?? 0 });
  }

  private statusOf(id: string): object {
    const state = this.ledger.has(id) ? 'succeeded' : 'unknown';
    return { operation_id: id, state, output: { paid: 5 } };
  }
}

export function structured(value: object): Record<string, unknown> {
  return { content: [{ type: 'text', text: JSON.stringify(value) }], structuredContent: value };
}

export function answerWell(exchange: Exchange): void {
  const { message, response } = exchange;
  if (
    exchange.request.method !== 'POST' ||
    message.method === undefined ||
    message.id === undefined
  ) {
    response.writeHead(exchange.request.method === 'GET' ? 405 : 202).end();
    return;
  }
  const session: Record<string, string> =
    message.method === 'initialize' ? { 'mcp-session-id': 'session-1' } : {};
  exchange.send(exchange.text(), session);
}
