import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request as an upstream got it. */
export interface SeenRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** A REST API that keeps what it was asked. */
export class Upstream {
  readonly seen: SeenRequest[] = [];
  /** Where `/status/3xx` leads. */
  location = 'http://169.254.169.254/';
  /** Answers `/held` once this resolves. */
  held: Promise<void> = Promise.resolve();

  private constructor(
    private readonly server: Server,
    readonly origin: string,
  ) {}

  static async start(): Promise<Upstream> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const upstream = new Upstream(server, `http://127.0.0.1:${port}`);
    server.on('request', (request, response) => void upstream.answer(request, response));
    return upstream;
  }

  get last(): SeenRequest | undefined {
    return this.seen.at(-1);
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.server.close(resolve));
    this.server.closeAllConnections();
    await closed;
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '', headers } = request;
    let body = '';
    for await (const chunk of request) body += String(chunk);
    this.seen.push({ method, url, headers, body });
    const [path = ''] = url.split('?');
    if (path === '/held') await this.held;
    if (path === '/slow') return;
    const status = Number(/^\/status\/(\d+)/.exec(path)?.[1] ?? 200);
    if (status >= 300 && status < 400) response.setHeader('location', this.location);
    if (path === '/close') response.setHeader('connection', 'close');
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(path === '/list' ? [1] : { path, url, body }));
  }
}
