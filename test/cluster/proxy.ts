import { once } from 'node:events';
import {
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Instance } from './instance.js';

/** How often instances are asked whether they are ready, in milliseconds. */
const PROBE_MS = 100;

/**
 * Hands each request to the next ready instance, without regard to sessions. A request that reached no instance goes to the
 * next one; one that may have reached it is never sent twice.
 */
export class RoundRobin {
  private readonly server: Server;
  private readonly ready = new Set<Instance>();
  private readonly probe: NodeJS.Timeout;
  private next = 0;

  private constructor(private readonly instances: readonly Instance[]) {
    this.server = createServer((request, response) => void this.serve(request, response));
    for (const instance of instances) this.ready.add(instance);
    this.probe = setInterval(() => {
      for (const instance of instances) void this.ask(instance);
    }, PROBE_MS);
  }

  static async start(instances: readonly Instance[]): Promise<RoundRobin> {
    const proxy = new RoundRobin(instances);
    proxy.server.listen(0, '127.0.0.1');
    await once(proxy.server, 'listening');
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    clearInterval(this.probe);
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private async ask(instance: Instance): Promise<void> {
    if (await instance.isReady()) this.ready.add(instance);
    else this.ready.delete(instance);
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    this.forward(request, Buffer.concat(chunks), response, this.instances.length);
  }

  private forward(
    request: IncomingMessage,
    body: Buffer,
    response: ServerResponse,
    tries: number,
  ): void {
    const instance = this.choose();
    if (instance === undefined || tries === 0) {
      response.writeHead(502).end();
      return;
    }
    const { method, url, headers } = request;
    // A connection for each request: one that is kept may break just as it is used, and nobody knows what was done.
    const onward = httpRequest(instance.url + String(url), { method, headers, agent: false });
    onward.on('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      response.flushHeaders();
      answer.pipe(response);
      answer.on('error', () => response.destroy());
    });
    onward.on('error', (error: NodeJS.ErrnoException) => {
      this.ready.delete(instance);
      if (error.code === 'ECONNREFUSED') this.forward(request, body, response, tries - 1);
      else if (response.headersSent) response.destroy();
      else response.writeHead(502).end();
    });
    response.on('close', () => onward.destroy());
    onward.end(body);
  }

  private choose(): Instance | undefined {
    for (let i = 0; i < this.instances.length; i++) {
      this.next = (this.next + 1) % this.instances.length;
      const instance = this.instances[this.next];
      if (instance !== undefined && this.ready.has(instance)) return instance;
    }
    return undefined;
  }
}
