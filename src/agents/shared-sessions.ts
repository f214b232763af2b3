import type { ResolvedOptions } from '../mcp.options.js';
import { Announcer } from '../sessions/announcer.js';
import { McpEventBus, MemoryEventBus, type McpEvent } from '../sessions/event-bus.js';
import { MemorySessionStore } from '../sessions/memory-session-store.js';
import { McpSessionStore } from '../sessions/session-store.js';

/** The sessions of all agents: one store and one bus, so that `max` bounds them together. */
export interface SharedSessions {
  /** What each agent's own are made with. */
  readonly options: ResolvedOptions['sessions'];
  close(): Promise<void>;
}

/**
 * Makes the store and the bus that the options do not bring.
 *
 * @param log told of each event that the bus did not take
 */
export function shareSessions(
  { sessions: given }: ResolvedOptions,
  log: (message: string, error: unknown) => void,
): SharedSessions {
  if (given === false) return { options: false, close: () => Promise.resolve() };
  const store = given.store ?? new MemorySessionStore(given.max, given.idleTimeoutMs);
  const bus: McpEventBus = given.bus ?? new MemoryEventBus();
  const shared = new SharedBus(bus);
  const announcer = new Announcer(shared, (event) => shared.tell(event), log);
  // Said once for all agents, and not once for each that there ever was.
  store.onForgotten((session) => void announcer.publish({ type: 'session-ended', session }));
  return {
    options: { ...given, store: new SharedStore(store), bus: shared },
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

/**
 * The shared bus, listened to once for all agents: a catalog may have thousands. What a bus keeps for those who come later is
 * about tools that were switched, which agents have none of.
 */
class SharedBus extends McpEventBus {
  private readonly listeners = new Set<(event: McpEvent) => void>();
  private subscription: Promise<() => void> | undefined;

  constructor(private readonly bus: McpEventBus) {
    super();
  }

  publish(event: McpEvent): void | Promise<void> {
    return this.bus.publish(event);
  }

  async subscribe(listener: (event: McpEvent) => void): Promise<() => void> {
    this.listeners.add(listener);
    this.subscription ??= this.listen();
    try {
      await this.subscription;
    } catch (error) {
      this.listeners.delete(listener);
      throw error;
    }
    return () => this.leave(listener);
  }

  close(): void {}

  /** Brings an event to the agents of this instance. */
  tell(event: McpEvent): void {
    for (const listener of this.listeners) listener(event);
  }

  private async listen(): Promise<() => void> {
    try {
      return await this.bus.subscribe((event) => this.tell(event));
    } catch (error) {
      // The next agent asks again.
      this.subscription = undefined;
      throw error;
    }
  }

  private leave(listener: (event: McpEvent) => void): void {
    this.listeners.delete(listener);
    if (this.listeners.size > 0) return;
    const { subscription } = this;
    this.subscription = undefined;
    void subscription?.then((end) => end());
  }
}
