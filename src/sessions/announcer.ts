import type { McpEvent, McpEventBus, McpToolSwitched } from './event-bus.js';
import { withinTime } from './within-time.js';

/** Publishes what an instance has to tell the others. A bus that fails costs what they hear, and nothing else. */
export class Announcer {
  /** The switches that the bus did not take, by tool: told again when it is back. */
  private readonly untold = new Map<string, McpToolSwitched>();

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
    if (event.type === 'tool-switched') this.untold.delete(event.tool);
    try {
      await withinTime(() => this.bus.publish(event));
    } catch (error) {
      if (event.type === 'tool-switched') this.untold.set(event.tool, event);
      this.log(
        `The event bus did not take "${event.type}": other instances do not know of it`,
        error,
      );
      this.handle(event);
    }
  }

  /** This instance has switched the tool, and the others do not know of it yet: what they say of it is older. */
  isUntold(tool: string): boolean {
    return this.untold.has(tool);
  }

  /** Tells what could not be told. Never rejects. */
  async publishAgain(): Promise<void> {
    for (const event of [...this.untold.values()]) await this.publish(event);
  }
}
