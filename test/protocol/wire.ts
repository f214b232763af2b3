import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import type { FixtureApp, HttpAnswer } from '../support/fixture-app.js';

export const DATED = ['2025-03-26', '2025-06-18', '2025-11-25'] as const;
export const MODERN = '2026-07-28';
export type Dated = (typeof DATED)[number];

export const JSON_AND_SSE = 'application/json, text/event-stream';
const CLIENT_INFO = { name: 'wire', version: '1.0.0' };

/** The `_meta` of a 2026-07-28 request. */
export function envelope(more: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    'io.modelcontextprotocol/protocolVersion': MODERN,
    'io.modelcontextprotocol/clientCapabilities': {},
    ...more,
  };
}

export function message(
  method: string,
  params?: Record<string, unknown>,
  id: string | number = 1,
): Record<string, unknown> {
  return { jsonrpc: '2.0', id, method, ...(params === undefined ? {} : { params }) };
}

export function notification(
  method: string,
  params?: Record<string, unknown>,
): Record<string, unknown> {
  return { jsonrpc: '2.0', method, ...(params === undefined ? {} : { params }) };
}

/** The headers of a 2026-07-28 request. */
export function modernHeaders(method: string, name?: string): Record<string, string> {
  return {
    'mcp-protocol-version': MODERN,
    'mcp-method': method,
    ...(name === undefined ? {} : { 'mcp-name': name }),
  };
}

/** A JSON-RPC answer, to be looked into. */
export interface Rpc {
  readonly jsonrpc?: string;
  readonly id?: string | number;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
  readonly result?: Record<string, unknown>;
  readonly error?: { code: number; message: string; data?: Record<string, unknown> };
}

export function rpc(answer: HttpAnswer): Rpc {
  return answer.json() as Rpc;
}

/** Status and error code at once, which most tables are about. */
export function verdict(answer: HttpAnswer): [status: number, code: number | undefined] {
  return [answer.status, answer.text === '' ? undefined : rpc(answer).error?.code];
}

/** An HTTP exchange whose answer is read as it comes. */
export class Stream {
  private text = '';
  private readonly waiting = new Set<() => void>();
  private over = false;

  private constructor(
    private readonly response: IncomingMessage,
    private readonly abort: () => void,
  ) {
    response.setEncoding('utf8');
    response.on('data', (chunk: string) => this.woken(() => (this.text += chunk)));
    for (const event of ['end', 'close', 'error'])
      response.on(event, () => this.woken(() => (this.over = true)));
  }

  static open(
    app: FixtureApp,
    method: string,
    headers: Record<string, string>,
    body?: object,
    path = app.path,
  ): Promise<Stream> {
    return new Promise((resolve, reject) => {
      const sent = body === undefined ? undefined : JSON.stringify(body);
      const type = sent === undefined ? {} : { 'content-type': 'application/json' };
      const request = httpRequest(
        new URL(path, app.url),
        { method, agent: false, headers: { accept: JSON_AND_SSE, ...type, ...headers } },
        (response) => resolve(new Stream(response, () => request.destroy())),
      );
      request.on('error', reject);
      request.end(sent);
    });
  }

  get status(): number {
    return this.response.statusCode ?? 0;
  }

  get headers(): IncomingHttpHeaders {
    return this.response.headers;
  }

  /** Everything that has come so far. */
  get received(): string {
    return this.text;
  }

  /** The messages that have come so far. */
  get messages(): Rpc[] {
    return [...this.text.matchAll(/^data: (.*)$/gm)].map(
      ([, data]) => JSON.parse(data ?? '') as Rpc,
    );
  }

  /** Resolves once so many messages have come. */
  async message(count: number): Promise<Rpc> {
    await this.until(() => this.messages.length >= count);
    const one = this.messages[count - 1];
    if (one === undefined)
      throw new Error(`The stream ended with ${this.messages.length} messages`);
    return one;
  }

  /** Resolves when the server has ended the exchange. @returns everything that came */
  async ended(): Promise<string> {
    await this.until(() => false);
    return this.text;
  }

  /** Resolves when the condition holds or the stream is over. */
  async until(condition: () => boolean): Promise<void> {
    while (!this.over && !condition()) {
      await new Promise<void>((resolve) => this.waiting.add(resolve));
    }
  }

  /** Goes away, as a client that closes its connection. */
  close(): void {
    this.abort();
  }

  private woken(change: () => void): void {
    change();
    for (const resolve of this.waiting) resolve();
    this.waiting.clear();
  }
}

/** A client of the 2025 revisions, by hand. */
export class Session {
  private constructor(
    readonly app: FixtureApp,
    readonly id: string,
    readonly headers: Record<string, string>,
  ) {}

  /** Only `initialize`. */
  static async begin(
    app: FixtureApp,
    headers: Record<string, string> = {},
    revision: Dated = '2025-11-25',
  ): Promise<Session> {
    const answer = await app.post(
      message('initialize', {
        protocolVersion: revision,
        capabilities: {},
        clientInfo: CLIENT_INFO,
      }),
      headers,
    );
    const id = answer.headers.get('mcp-session-id');
    if (id === null) throw new Error(`No session: ${answer.status} ${answer.text}`);
    return new Session(app, id, {
      ...headers,
      'mcp-session-id': id,
      'mcp-protocol-version': revision,
    });
  }

  static async open(
    app: FixtureApp,
    headers: Record<string, string> = {},
    revision: Dated = '2025-11-25',
  ): Promise<Session> {
    const session = await Session.begin(app, headers, revision);
    await session.notify('notifications/initialized');
    return session;
  }

  request(
    method: string,
    params?: Record<string, unknown>,
    id: string | number = 1,
    headers: Record<string, string> = {},
  ): Promise<HttpAnswer> {
    return this.app.post(message(method, params, id), { ...this.headers, ...headers });
  }

  call(name: string, args: object = {}, id: string | number = 1): Promise<HttpAnswer> {
    return this.request('tools/call', { name, arguments: args }, id);
  }

  notify(method: string, params?: Record<string, unknown>): Promise<HttpAnswer> {
    return this.app.post(notification(method, params), this.headers);
  }

  cancel(requestId: unknown): Promise<HttpAnswer> {
    return this.notify('notifications/cancelled', { requestId });
  }

  stream(headers: Record<string, string> = {}): Promise<Stream> {
    return Stream.open(this.app, 'GET', { ...this.headers, ...headers });
  }

  end(headers: Record<string, string> = {}): Promise<HttpAnswer> {
    return this.app.http('DELETE', this.app.path, { headers: { ...this.headers, ...headers } });
  }
}

/** Writes bytes to the server's port and reads until it closes. For requests that no client would send. */
export function rawExchange(app: FixtureApp, text: string | Buffer): Promise<string> {
  const { port, hostname } = new URL(app.url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(text));
    let received = '';
    socket.setEncoding('utf8');
    socket.on('data', (chunk: string) => (received += chunk));
    socket.on('close', () => resolve(received));
    socket.on('error', (error) => (received === '' ? reject(error) : resolve(received)));
  });
}

/** A request as text, with `Connection: close`. */
export function rawRequest(
  line: string,
  headers: Record<string, string>,
  body: string | Buffer = '',
): Buffer {
  const all = { host: 'localhost', connection: 'close', ...headers };
  const head = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  return Buffer.concat([
    Buffer.from(`${line} HTTP/1.1\r\n${head.join('\r\n')}\r\n\r\n`),
    Buffer.from(body),
  ]);
}

/** Waits until a condition holds, turn by turn of the event loop. */
export async function eventually(condition: () => boolean): Promise<void> {
  for (let turns = 0; turns < 200_000 && !condition(); turns++) {
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(condition()).toBe(true);
}
