import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { has } from './needs.js';

const BINARY = '/usr/bin/redis-server';

/** Whether there is a Redis to start; the output says so when there is not. */
export const hasRedis = (): boolean => has([BINARY], 'apt-get install redis-server');

/** A Redis of its own, on a free port of the loopback address. */
export class RedisServer {
  private process: ChildProcess | undefined;
  private readonly directory = mkdtempSync(join(tmpdir(), 'mcp-redis-'));

  private constructor(
    readonly port: number,
    private readonly more: readonly string[],
  ) {}

  /** @param more further arguments, such as `--appendonly yes` */
  static async start(...more: string[]): Promise<RedisServer> {
    const server = new RedisServer(await freePort(), more);
    await server.start();
    return server;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  /** Starts it again, with what it has saved. */
  async start(): Promise<void> {
    const options = ['--port', String(this.port), '--bind', '127.0.0.1', '--save', ''];
    const child = spawn(BINARY, [...options, '--dir', this.directory, ...this.more], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.process = child;
    let said = '';
    for await (const chunk of child.stdout) {
      said += String(chunk);
      if (said.includes('Ready to accept connections')) break;
    }
    if (!said.includes('Ready to accept connections')) throw new Error(`No Redis: ${said}`);
  }

  /** Stands still, as when its machine does: connections stay open, and nothing answers. */
  pause(): void {
    this.process?.kill('SIGSTOP');
  }

  resume(): void {
    this.process?.kill('SIGCONT');
  }

  /** Goes away at once. */
  async kill(): Promise<void> {
    const { process: child } = this;
    this.process = undefined;
    if (child === undefined || child.exitCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }

  async stop(): Promise<void> {
    await this.kill();
    rmSync(this.directory, { recursive: true, force: true });
  }
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
