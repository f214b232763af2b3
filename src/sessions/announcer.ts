import type { McpEvent, McpEventBus } from './event-bus.js';
import { withinTime } from './within-time.js';

/** Publishes what an instance has to tell the others. A bus that fails costs what they hear, and nothing else. */
export class Announcer {
  /**
   * @param handle what this instance does about an event; the bus is expected to bring its own events back to it
   * @param log told of each failure
   */
  constructor(
    private readonly bus: McpEventBus,
    private readonly handle: (event: McpEvent) => void,
    private readonly log: (message: string, error: unknown) => void,
  ) {}

  /** Never rejects. */
  async publish(event: McpEvent): Promise<void> {
    try {
      await withinTime(() => this.bus.publish(event));
    } catch (error) {
      this.log(
        `The event bus did not take "${event.type}": other instances do not know of it`,
        error,
      );
      this.handle(event);
    }
  }
}
