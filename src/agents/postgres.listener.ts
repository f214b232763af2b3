import type { PostgresClient } from './postgres.client.js';

const FIRST_WAIT_MS = 200;
const LAST_WAIT_MS = 30_000;

/** Hears the change notices of a database, and connects again for as long as it is not closed. */
export class CatalogListener {
  private client: PostgresClient | undefined;
  private timer: NodeJS.Timeout | undefined;
  private waitMs = FIRST_WAIT_MS;
  private closed = false;
  private reported = false;

  constructor(
    private readonly connect: () => Promise<PostgresClient>,
    private readonly channel: string,
    private readonly changed: () => void,
    private readonly failed: (error: unknown) => void,
  ) {}

  start(): void {
    this.listen().catch((error: unknown) => this.lost(error));
  }

  async close(): Promise<void> {
    this.closed = true;
    clearTimeout(this.timer);
    const { client } = this;
    this.client = undefined;
    await client?.end().catch(() => undefined);
  }

  private async listen(): Promise<void> {
    const client = await this.connect();
    if (this.closed) return;
    let isOver = false;
    const over = (error: unknown): void => {
      if (isOver) return;
      isOver = true;
      client.end().catch(() => undefined);
      this.lost(error);
    };
    client.on('error', over);
    client.on('end', over);
    client.on('notification', () => this.changed());
    this.client = client;
    try {
      await client.connect();
      await client.query(`listen ${this.channel}`);
    } catch (error) {
      over(error);
      return;
    }
    this.waitMs = FIRST_WAIT_MS;
    this.reported = false;
    // What changed while nobody listened.
    this.changed();
  }

  /** Told once until it hears again: a database that is down must not fill the log. */
  private lost(error: unknown): void {
    if (this.closed) return;
    if (!this.reported) this.failed(error ?? new Error('the connection ended'));
    this.reported = true;
    this.timer = setTimeout(() => this.start(), this.waitMs);
    this.timer.unref();
    this.waitMs = Math.min(this.waitMs * 2, LAST_WAIT_MS);
  }
}
