export type { McpRedisClient, McpRedisSubscriber } from './redis-client.js';
export { McpRedisEventBus, type McpRedisEventBusOptions } from './redis-event-bus.js';
export { McpRedisSessionStore, type McpRedisSessionStoreOptions } from './redis-session-store.js';
