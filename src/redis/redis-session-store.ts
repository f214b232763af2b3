import type { OnApplicationShutdown } from '@nestjs/common';
import {
  McpSessionStore,
  type McpSession,
  type McpSessionBounds,
  type McpSessionChange,
  type McpSessionClaim,
} from '../sessions/session-store.js';
import type { McpRedisClient } from './redis-client.js';
import { FORGOTTEN_AT_ONCE, OPEN, SWEEP, TOUCH } from './session-scripts.js';

/** The longest that a session is kept beyond its idle timeout, so that it need not be written for each message. */
const MAX_GRAIN_MS = 60_000;

/** Where a store keeps its keys, and how it cleans up. */
export interface McpRedisSessionStoreOptions {
  /** What every key begins with. Default `'mcp:sessions:'`. */
  readonly prefix?: string;
  /** How often sessions that have expired are looked for, so that their streams end, in milliseconds. Default 60 000. */
  readonly sweepMs?: number;
}

/**
 * Keeps sessions in Redis, so that every instance serves them: one script a message, which only reads unless a tenth of the
 * idle timeout, or a minute, has passed since it wrote.
 *
 * @example
 * const redis = new Redis(process.env.REDIS_URL);
 * McpModule.forRoot({ sessions: { store: new McpRedisSessionStore(redis), bus: new McpRedisEventBus(redis) } });
 */
export class McpRedisSessionStore extends McpSessionStore implements OnApplicationShutdown {
  private readonly prefix: string;
  private readonly listeners: ((id: string) => void)[] = [];
  private readonly indexes = new Set<string>();
  private readonly timer: NodeJS.Timeout;

  /** @param redis stays the caller's, who closes it */
  constructor(
    private readonly redis: McpRedisClient,
    { prefix = 'mcp:sessions:', sweepMs = 60_000 }: McpRedisSessionStoreOptions = {},
  ) {
    super();
    this.prefix = prefix;
    this.timer = setInterval(() => void this.sweep(), sweepMs);
    this.timer.unref();
  }

  async open(session: McpSession, bounds: McpSessionBounds): Promise<void> {
    const forgotten = await OPEN.run(
      this.redis,
      [this.indexOf(session.endpoint)],
      [
        session.id,
        JSON.stringify(session.principal),
        session.revision,
        JSON.stringify(session.capabilities),
        String(lifetime(bounds)),
        String(bounds.max),
      ],
    );
    this.tell(forgotten as string[]);
  }

  async touch(
    { id, endpoint, principal, revision }: McpSessionClaim,
    bounds: McpSessionBounds,
    change?: McpSessionChange,
  ): Promise<McpSession | undefined> {
    const index = this.indexOf(endpoint);
    const found = (await TOUCH.run(
      this.redis,
      [index, `${index}:${id}`],
      [
        id,
        JSON.stringify(principal),
        revision ?? '',
        String(lifetime(bounds)),
        String(bounds.idleTimeoutMs),
        change ?? '',
      ],
    )) as [McpSession['revision'], string, string] | null;
    if (found === null) return undefined;
    return {
      id,
      endpoint,
      principal,
      revision: found[0],
      capabilities: JSON.parse(found[1]) as McpSession['capabilities'],
      initialized: found[2] === '1',
    };
  }

  onForgotten(listener: (id: string) => void): void {
    this.listeners.push(listener);
  }

  close(): void {
    clearInterval(this.timer);
    this.listeners.length = 0;
  }

  /** Where the store is a provider, Nest closes it. */
  onApplicationShutdown(): void {
    this.close();
  }

  /** The braces put all keys of an endpoint into one slot of a cluster. */
  private indexOf(endpoint: string): string {
    const index = `${this.prefix}{${endpoint}}`;
    this.indexes.add(index);
    return index;
  }

  private async sweep(): Promise<void> {
    try {
      for (const index of this.indexes) {
        let gone: string[];
        do {
          gone = (await SWEEP.run(this.redis, [index], [])) as string[];
          this.tell(gone);
        } while (gone.length === FORGOTTEN_AT_ONCE);
      }
    } catch {
      // Redis is away: the next sweep finds them. Whoever asks for one of them is told by its own failure.
    }
  }

  private tell(forgotten: readonly string[]): void {
    for (const id of forgotten) for (const listener of this.listeners) listener(id);
  }
}

function lifetime({ idleTimeoutMs }: McpSessionBounds): number {
  return idleTimeoutMs + Math.min(Math.ceil(idleTimeoutMs / 10), MAX_GRAIN_MS);
}
