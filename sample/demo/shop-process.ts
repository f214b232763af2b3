import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../../shop/dist/main.js', import.meta.url));
const KILL_AFTER_MS = 5_000;

/** One entry of the `mcpServers` that the sample prints for hosts. */
interface ServerConfiguration {
  type: string;
  url: string;
  headers: Record<string, string>;
}

/** The built sample in a process of its own, on a free port. */
export class ShopProcess {
  private output = '';

  private constructor(private readonly child: ChildProcess) {
    const keep = (chunk: Buffer): void => {
      this.output += chunk.toString();
    };
    child.stdout?.on('data', keep);
    child.stderr?.on('data', keep);
    process.once('exit', () => child.kill('SIGKILL'));
  }

  /** Resolves once the sample has printed how to connect. Rejects when it ends before that. */
  static async start(): Promise<ShopProcess> {
    const env = { ...process.env, PORT: '0', NO_COLOR: '1' };
    const child = spawn(process.execPath, [MAIN], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    const shop = new ShopProcess(child);
    const ended = once(child, 'exit').then(() => {
      throw new Error(`The sample ended before it listened:\n${shop.output}`);
    });
    while (!shop.guideIsComplete()) {
      await Promise.race([ended, once(child.stdout, 'data')]);
    }
    ended.catch(() => undefined);
    return shop;
  }

  /** What a person would paste into an MCP host: it holds the token of alice. */
  get configuration(): ServerConfiguration {
    const json = /^\{$[^]*?^\}$/m.exec(this.output)?.[0] ?? '{}';
    const { mcpServers } = JSON.parse(json) as { mcpServers: { shop: ServerConfiguration } };
    return mcpServers.shop;
  }

  /** Its address without the path. */
  get origin(): string {
    return new URL(this.configuration.url).origin;
  }

  tokenOf(user: string): string {
    const token = new RegExp(`^ +${user} +\\w+ +(\\S+)$`, 'm').exec(this.output)?.[1];
    if (token === undefined) throw new Error(`The sample printed no token for ${user}.`);
    return token;
  }

  get log(): string {
    return this.output;
  }

  async stop(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const ended = once(this.child, 'exit');
    const timer = setTimeout(() => this.child.kill('SIGKILL'), KILL_AFTER_MS);
    this.child.kill('SIGTERM');
    await ended;
    clearTimeout(timer);
  }

  private guideIsComplete(): boolean {
    return /Client configuration:\n\{$[^]*?^\}$/m.test(this.output);
  }
}
