import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { callOperation, type CallContext } from '../../../src/upstream/call-operation.js';
import { compileOperation } from '../../../src/upstream/compile-operation.js';
import { UpstreamConnections } from '../../../src/upstream/connections.js';
import type { RestOperation } from '../../../src/upstream/operation.js';
import type { UpstreamOutcome } from '../../../src/upstream/outcome.js';
import type { UpstreamPolicy } from '../../../src/upstream/policy.js';

/** A request as it came over the wire. */
export interface SeenRequest {
  readonly method: string;
  /** The target as written in the request line. */
  readonly target: string;
  /** Names as sent, in order. */
  readonly rawHeaders: readonly string[];
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

export type Answer = (request: SeenRequest, response: ServerResponse) => void;

/** An upstream on a port of its own, which keeps what it saw and answers as told. */
export class Upstream {
  readonly seen: SeenRequest[] = [];
  readonly connections = new UpstreamConnections();
  answer: Answer = (_, response) => json(response, 200, { ok: true });

  private readonly server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('error', () => undefined);
    request.on('end', () => {
      const { method = '', url: target = '', rawHeaders, headers } = request;
      const seen = { method, target, rawHeaders, headers, body: Buffer.concat(chunks) };
      this.seen.push(seen);
      this.answer(seen, response);
    });
  });

  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return this;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await this.connections.close();
    await new Promise((resolve) => this.server.close(resolve));
  }

  reset(): void {
    this.seen.length = 0;
    this.answer = (_, response) => json(response, 200, { ok: true });
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  get origin(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  get policy(): UpstreamPolicy {
    return { origins: [this.origin], allowLoopback: true };
  }

  get last(): SeenRequest {
    const last = this.seen.at(-1);
    if (last === undefined) throw new Error('The upstream saw no request.');
    return last;
  }

  /** Compiles an operation, whose `url` may be a path of this upstream, and calls it. */
  async call(
    operation: Partial<RestOperation>,
    args: unknown = {},
    { policy = {}, ...context }: Partial<CallContext> & { policy?: Partial<UpstreamPolicy> } = {},
  ): Promise<UpstreamOutcome> {
    const whole = { method: 'GET', url: '/', input: { type: 'object' }, ...operation };
    const url = whole.url.startsWith('/') ? `${this.origin}${whole.url}` : whole.url;
    const compiled = compileOperation({ ...whole, url }, { ...this.policy, ...policy });
    if ('problems' in compiled) throw new Error(compiled.problems.join('\n'));
    const { connections } = this;
    return callOperation(compiled.operation, args, { connections, workspace: 'acme', ...context });
  }
}

export function json(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}
