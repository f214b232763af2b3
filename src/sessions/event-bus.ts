import { EventEmitter } from 'node:events';
import type { JsonRpcId } from '../protocol/json-rpc-error.js';

/** What instances tell each other. */
export type McpEvent =
  /** The tools of an endpoint changed. */
  | { readonly type: 'list-changed'; readonly endpoint: string }
  /** A tool was switched on or off. */
  | {
      readonly type: 'tool-switched';
      readonly endpoint: string;
      readonly tool: string;
      readonly enabled: boolean;
    }
  /** A session ended: what it runs is cancelled, and its streams are closed. */
  | { readonly type: 'session-ended'; readonly session: string }
  /** A client answered a request of the server's; `result` is `undefined` when with an error. */
  | {
      readonly type: 'answered';
      readonly session: string;
      readonly requestId: JsonRpcId;
      readonly result: unknown;
    }
  /** A client cancelled a call of its session. */
  | { readonly type: 'cancelled'; readonly session: string; readonly requestId: JsonRpcId }
  /** Of the bus itself: it was cut off and is back. What was published meanwhile may not have come. */
  | { readonly type: 'resumed' };

/** The event that a bus keeps. */
export type McpToolSwitched = Extract<McpEvent, { type: 'tool-switched' }>;

/**
 * Carries events to every instance, the one that publishes them included. A bus keeps the last `tool-switched` of each tool,
 * and brings them to whoever subscribes later; also, before `resumed`, to everybody once it was cut off.
 */
export abstract class McpEventBus {
  abstract publish(event: McpEvent): void | Promise<void>;
  /** @returns a function that ends the subscription, once the events that the bus keeps have come */
  abstract subscribe(listener: (event: McpEvent) => void): (() => void) | Promise<() => void>;
  /** Releases what the bus holds. */
  abstract close(): void | Promise<void>;
}

/** The bus of one process. */
export class MemoryEventBus extends McpEventBus {
  private readonly emitter = new EventEmitter().setMaxListeners(0);
  private readonly kept = new Map<string, McpToolSwitched>();

  publish(event: McpEvent): void {
    if (event.type === 'tool-switched')
      this.kept.set(JSON.stringify([event.endpoint, event.tool]), event);
    this.emitter.emit('event', event);
  }

  subscribe(listener: (event: McpEvent) => void): () => void {
    for (const event of this.kept.values()) listener(event);
    this.emitter.on('event', listener);
    return () => this.emitter.off('event', listener);
  }

  close(): void {
    this.emitter.removeAllListeners();
    this.kept.clear();
  }
}
