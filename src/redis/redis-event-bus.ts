import type { OnApplicationShutdown } from '@nestjs/common';
import { setTimeout as delay } from 'node:timers/promises';
import { McpEventBus, type McpEvent } from '../sessions/event-bus.js';
import { withinTime } from '../sessions/within-time.js';
import type { McpRedisClient, McpRedisSubscriber } from './redis-client.js';
import { RedisScript } from './redis-script.js';

/** How often the connection that listens is asked whether it lives, in milliseconds: it would not hear that it does not. */
const HEARTBEAT_MS = 10_000;

/** How long after a failure the bus tries again to catch up, in milliseconds. */
const RETRY_MS = 500;

/** Keys: the kept events. Arguments: field, event, channel. Both at once, so that all instances see one order. */
const KEEP_AND_PUBLISH = new RedisScript(`
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
return redis.call('PUBLISH', ARGV[3], ARGV[2])
`);

/** Where a bus keeps its key and its channel. */
export interface McpRedisEventBusOptions {
  /** What the key and the channel begin with. Default `'mcp:'`. */
  readonly prefix?: string;
}

/**
 * Carries events between instances by Redis publish/subscribe, over a connection of its own beside the one that is given. What
 * tools are switched off stays in Redis until they are switched on, for instances that start later. Once its connection was
 * lost and is back, the bus brings that again, and says that it resumed.
 */
export class McpRedisEventBus extends McpEventBus implements OnApplicationShutdown {
  private readonly keptKey: string;
  private readonly channel: string;
  private readonly listeners = new Set<(event: McpEvent) => void>();
  private subscriber: McpRedisSubscriber | undefined;
  private heartbeat: NodeJS.Timeout | undefined;
  /** Events that came while the kept ones are asked for: theirs is the last word. */
  private held: McpEvent[] | undefined;
  private syncing: Promise<void> = Promise.resolve();
  private lost = false;
  private closed = false;

  /** @param redis for publishing; it stays the caller's, who closes it */
  constructor(
    private readonly redis: McpRedisClient,
    { prefix = 'mcp:' }: McpRedisEventBusOptions = {},
  ) {
    super();
    this.keptKey = `${prefix}switches`;
    // Channels know neither databases nor the client's key prefix: two applications would hear each other.
    const { db = 0, keyPrefix = '' } = redis.options ?? {};
    this.channel = `${keyPrefix}${prefix}events:${db}`;
  }

  async publish(event: McpEvent): Promise<void> {
    const text = JSON.stringify(event);
    if (event.type !== 'tool-switched') {
      await this.redis.publish(this.channel, text);
      return;
    }
    const field = JSON.stringify([event.endpoint, event.tool]);
    await KEEP_AND_PUBLISH.run(this.redis, [this.keptKey], [field, text, this.channel]);
  }

  async subscribe(listener: (event: McpEvent) => void): Promise<() => void> {
    this.listeners.add(listener);
    this.subscriber ??= this.connect();
    await this.sync(this.subscriber, false);
    return () => this.listeners.delete(listener);
  }

  close(): void {
    this.closed = true;
    clearInterval(this.heartbeat);
    this.listeners.clear();
    this.subscriber?.disconnect();
  }

  /** Where the bus is a provider, Nest closes it. */
  onApplicationShutdown(): void {
    this.close();
  }

  private connect(): McpRedisSubscriber {
    const subscriber = this.redis.duplicate();
    subscriber.on('message', (channel, text) => this.receive(channel, text));
    // The caller's own client tells of the same.
    subscriber.on('error', () => undefined);
    subscriber.on('close', () => (this.lost = true));
    subscriber.on('ready', () => {
      if (this.lost) void this.sync(subscriber, true);
      this.lost = false;
    });
    this.heartbeat = setInterval(() => void this.beat(subscriber), HEARTBEAT_MS);
    this.heartbeat.unref();
    return subscriber;
  }

  private async beat(subscriber: McpRedisSubscriber): Promise<void> {
    if (this.lost) return;
    try {
      await withinTime(() => subscriber.ping());
    } catch {
      if (!this.closed) subscriber.disconnect(true);
    }
  }

  private receive(channel: string, text: string): void {
    if (channel !== this.channel) return;
    const event = read(text);
    if (event === undefined) return;
    if (this.held === undefined) this.tell(event);
    else this.held.push(event);
  }

  /** One after the other. @returns a promise that resolves when the kept events have come, however long that takes */
  private sync(subscriber: McpRedisSubscriber, resumed: boolean): Promise<void> {
    this.syncing = this.syncing.then(async () => {
      while (!this.closed) {
        try {
          await this.catchUp(subscriber);
          break;
        } catch {
          await delay(RETRY_MS, undefined, { ref: false });
        }
      }
      if (resumed) this.tell({ type: 'resumed' });
    });
    return this.syncing;
  }

  private async catchUp(subscriber: McpRedisSubscriber): Promise<void> {
    this.held = [];
    try {
      await subscriber.subscribe(this.channel);
      const kept = await this.redis.hgetall(this.keptKey);
      for (const text of Object.values(kept)) {
        const event = read(text);
        if (event !== undefined) this.tell(event);
      }
    } finally {
      const { held } = this;
      this.held = undefined;
      for (const event of held) this.tell(event);
    }
  }

  private tell(event: McpEvent): void {
    for (const listener of this.listeners) listener(event);
  }
}

const TYPES: ReadonlySet<unknown> = new Set<McpEvent['type']>([
  'list-changed',
  'tool-switched',
  'session-ended',
  'answered',
  'cancelled',
]);

/** @returns `undefined` for what no instance of this version has written */
function read(text: string): McpEvent | undefined {
  try {
    const event = JSON.parse(text) as McpEvent | null;
    return TYPES.has(event?.type) ? (event as McpEvent) : undefined;
  } catch {
    return undefined;
  }
}
