import { EventEmitter } from 'node:events';
import type { JsonRpcId } from '../protocol/json-rpc-error.js';

/** What instances tell each other. */
export type McpEvent =
  /** The tools of an endpoint changed. */
  | { readonly type: 'list-changed'; readonly endpoint: string }
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
  | { readonly type: 'cancelled'; readonly session: string; readonly requestId: JsonRpcId };

/** Carries events to every instance, the one that publishes them included. */
export abstract class McpEventBus {
  abstract publish(event: McpEvent): void | Promise<void>;
  /** @returns a function that ends the subscription */
  abstract subscribe(listener: (event: McpEvent) => void): () => void;
  /** Releases what the bus holds. */
  abstract close(): void | Promise<void>;
}

/** The bus of one process. */
export class MemoryEventBus extends McpEventBus {
  private readonly emitter = new EventEmitter().setMaxListeners(0);

  publish(event: McpEvent): void {
    this.emitter.emit('event', event);
  }

  subscribe(listener: (event: McpEvent) => void): () => void {
    this.emitter.on('event', listener);
    return () => this.emitter.off('event', listener);
  }

  close(): void {
    this.emitter.removeAllListeners();
  }
}
