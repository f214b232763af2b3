/**
 * What is used of an `ioredis` client, version 5 or later. Named here part by part, so that a client
 * of any of those versions fits.
 */
export interface McpRedisClient {
  readonly options?: { readonly db?: number | undefined; readonly keyPrefix?: string | undefined };
  eval(script: string, keys: number, ...args: string[]): Promise<unknown>;
  evalsha(sha1: string, keys: number, ...args: string[]): Promise<unknown>;
  hgetall(key: string): Promise<Record<string, string>>;
  publish(channel: string, message: string): Promise<unknown>;
  /** A further connection with the same options. */
  duplicate(): McpRedisSubscriber;
}

/** A connection that only listens. */
export interface McpRedisSubscriber {
  subscribe(channel: string): Promise<unknown>;
  ping(): Promise<unknown>;
  disconnect(reconnect?: boolean): void;
  on(event: 'message', listener: (channel: string, message: string) => void): unknown;
  on(event: 'ready' | 'close' | 'error', listener: () => void): unknown;
}
