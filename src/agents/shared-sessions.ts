import type { ResolvedOptions } from '../mcp.options.js';
import { MemoryEventBus, type McpEventBus } from '../sessions/event-bus.js';
import { MemorySessionStore } from '../sessions/memory-session-store.js';
import { McpSessionStore } from '../sessions/session-store.js';

/** The sessions of all agents: one store and one bus, so that `max` bounds them together. */
export interface SharedSessions {
  /** What each agent's own are made with. */
  readonly options: ResolvedOptions['sessions'];
  close(): Promise<void>;
}

/** Makes the store and the bus that the options do not bring. */
export function shareSessions({ sessions: given }: ResolvedOptions): SharedSessions {
  if (given === false) return { options: false, close: () => Promise.resolve() };
  const store = given.store ?? new MemorySessionStore(given.max, given.idleTimeoutMs);
  const bus: McpEventBus = given.bus ?? new MemoryEventBus();
  // Said once for all agents, and not once for each that there ever was.
  store.onForgotten((session) => void bus.publish({ type: 'session-ended', session }));
  return {
    options: { ...given, store: new SharedStore(store), bus },
    close: async () => {
      // What the options brought belongs to whoever made it.
      if (given.store === undefined) await store.close();
      if (given.bus === undefined) await bus.close();
    },
  };
}

/** The shared store as one agent has it: it does not call back, and is not the agent's to close. */
class SharedStore extends McpSessionStore {
  constructor(private readonly store: McpSessionStore) {
    super();
  }

  open(...given: Parameters<McpSessionStore['open']>): ReturnType<McpSessionStore['open']> {
    return this.store.open(...given);
  }

  touch(...given: Parameters<McpSessionStore['touch']>): ReturnType<McpSessionStore['touch']> {
    return this.store.touch(...given);
  }

  onForgotten(): void {}

  close(): void {}
}
