import { setTimeout as delay } from 'node:timers/promises';
import type { ClusterClient, Connect } from './clients.js';
import { outcomeOfError, outcomeOfResult, type Outcome } from './outcome.js';

/** Between the calls of a client, in milliseconds. */
const PAUSE_MS = 15;

/** A call that was made. Times are those of `performance.now()`. */
export interface Made {
  readonly operation: string;
  readonly era: string;
  readonly begun: number;
  readonly ended: number;
  readonly outcome: Outcome;
}

/** One client that calls and calls, and connects again when its session is gone. */
export class Worker {
  readonly made: Made[] = [];
  /** How often it was told that the list changed. */
  told = 0;
  private client: ClusterClient | undefined;
  private stopped = false;
  private running: Promise<void> = Promise.resolve();

  constructor(
    readonly name: string,
    private readonly url: string,
    private readonly connect: Connect,
  ) {}

  async start(): Promise<void> {
    await this.open();
    this.running = this.run();
  }

  async stop(): Promise<void> {
    this.stopped = true;
    await this.running;
    await this.client?.close().catch(() => undefined);
  }

  /** The last call that was answered right began after that time. */
  isWellSince(time: number): boolean {
    return this.made.some(({ begun, outcome }) => begun > time && outcome.kind === 'right');
  }

  /** Makes one call. */
  async call(tool: string, operation: string): Promise<void> {
    const client = this.client as ClusterClient;
    const begun = performance.now();
    const outcome = await client.call(tool, operation).then(
      (result) => outcomeOfResult(result, operation),
      (error: unknown) => outcomeOfError(error),
    );
    this.made.push({ operation, era: client.era, begun, ended: performance.now(), outcome });
    if (outcome.kind === 'refused' && outcome.reason.startsWith('404')) await this.open();
  }

  private async run(): Promise<void> {
    for (let n = 0; !this.stopped; n++) {
      await this.call('place_order', `${this.name}-${n}`);
      await delay(PAUSE_MS);
    }
  }

  private async open(): Promise<void> {
    for (;;) {
      try {
        this.client = await this.connect(this.url, () => (this.told += 1));
        return;
      } catch (error) {
        if (this.stopped || this.made.length === 0) throw error;
        await delay(100);
      }
    }
  }
}
