import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '../support/redis-server.js';

const MAIN = fileURLToPath(new URL('main.js', import.meta.url));

/** How long an instance may take to end, in milliseconds: longer than its grace period. */
const EXIT_MS = 40_000;

/** One instance of the application: a process of its own, on a port that stays when it is started again. */
export class Instance {
  private process: ChildProcess | undefined;

  private constructor(
    readonly port: number,
    private readonly environment: Readonly<Record<string, string>>,
  ) {}

  static async start(environment: Readonly<Record<string, string>>): Promise<Instance> {
    const instance = new Instance(await freePort(), environment);
    await instance.start();
    return instance;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  async start(): Promise<void> {
    this.process = spawn(process.execPath, [MAIN], {
      env: { ...process.env, ...this.environment, PORT: String(this.port) },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    // What it logs of a Redis that is away is expected; a start that fails is told below.
    let said = '';
    this.process.stderr?.on(
      'data',
      (chunk: Buffer) => (said = (said + String(chunk)).slice(-4_000)),
    );
    while (!(await this.isReady())) {
      if (this.process.exitCode !== null) throw new Error(`The instance did not start: ${said}`);
      await delay(50);
    }
  }

  async isReady(): Promise<boolean> {
    try {
      const answer = await fetch(`${this.url}/ready`, { signal: AbortSignal.timeout(1_000) });
      await answer.arrayBuffer();
      return answer.ok;
    } catch {
      return false;
    }
  }

  /** As Kubernetes does: a signal, and time to finish. */
  async terminate(): Promise<void> {
    await this.end('SIGTERM');
  }

  /** As when its machine goes away. */
  async kill(): Promise<void> {
    await this.end('SIGKILL');
  }

  private async end(signal: NodeJS.Signals): Promise<void> {
    const { process: child } = this;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit', { signal: AbortSignal.timeout(EXIT_MS) });
    child.kill(signal);
    await exited.catch((error: unknown) => {
      child.kill('SIGKILL');
      throw new Error(`The instance did not end within ${EXIT_MS} ms of ${signal}`, {
        cause: error,
      });
    });
  }
}
