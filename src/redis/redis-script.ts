import { createHash } from 'node:crypto';
import type { McpRedisClient } from './redis-client.js';

/** A Lua script, sent by its hash. */
export class RedisScript {
  private readonly sha1: string;

  constructor(private readonly source: string) {
    this.sha1 = createHash('sha1').update(source).digest('hex');
  }

  /** @throws what the client throws */
  async run(
    redis: Pick<McpRedisClient, 'eval' | 'evalsha'>,
    keys: readonly string[],
    args: readonly string[],
  ): Promise<unknown> {
    try {
      return await redis.evalsha(this.sha1, keys.length, ...keys, ...args);
    } catch (error) {
      // A Redis that has not seen the script, or was restarted since.
      if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error;
      return redis.eval(this.source, keys.length, ...keys, ...args);
    }
  }
}
