import type { McpToolCatalog } from './catalog/mcp-tool-catalog.js';
import type { Sessions } from './protocol/dated-handler.js';
import type { MessageHandler } from './protocol/message-handler.js';
import { Announcer } from './sessions/announcer.js';
import type { McpEvent, McpEventBus } from './sessions/event-bus.js';
import { withinTime } from './sessions/within-time.js';

/** What an endpoint's events are about. */
export interface EventSubjects {
  readonly catalog: McpToolCatalog;
  readonly handler: MessageHandler;
  readonly sessions: Sessions | undefined;
}

/** Tells the other instances what happens at an endpoint, and does here what they tell. */
export class EndpointEvents {
  readonly announcer: Announcer;
  /** What other instances have switched is known. */
  isKnown = false;
  private subjects: EventSubjects | undefined;
  private subscription: Promise<() => void> | undefined;

  /** @param path the endpoint's */
  constructor(
    private readonly bus: McpEventBus,
    private readonly path: string,
    private readonly log: (message: string, error: unknown) => void,
  ) {
    this.announcer = new Announcer(bus, (event) => this.handle(event), log);
  }

  /** Resolves when it is known what other instances have switched, or that this cannot be known now. */
  async start(subjects: EventSubjects): Promise<void> {
    this.subjects = subjects;
    const { catalog, handler } = subjects;
    catalog.onChange((change) => {
      const endpoint = this.path;
      if (change === undefined) {
        void this.announcer.publish({ type: 'list-changed', endpoint });
        return;
      }
      const { tool, enabled, here } = change;
      handler.listChanged();
      if (here) void this.announcer.publish({ type: 'tool-switched', endpoint, tool, enabled });
    });
    const subscription = (async () => {
      const unsubscribe = await this.bus.subscribe((event) => this.handle(event));
      this.isKnown = true;
      return unsubscribe;
    })();
    this.subscription = subscription;
    try {
      await withinTime(() => subscription);
    } catch (error) {
      this.log('The event bus does not answer: what other instances tell is not known', error);
    }
  }

  close(): void {
    this.subscription?.then(
      (unsubscribe) => unsubscribe(),
      () => undefined,
    );
  }

  private handle(event: McpEvent): void {
    const { catalog, handler, sessions } = this.subjects ?? {};
    switch (event.type) {
      case 'list-changed':
        if (event.endpoint === this.path) handler?.listChanged();
        return;
      case 'tool-switched':
        if (event.endpoint === this.path && !this.announcer.isUntold(event.tool))
          catalog?.apply(event.tool, event.enabled);
        return;
      case 'resumed':
        return this.resume();
      default:
        sessions?.live.handle(event);
    }
  }

  /** What was told meanwhile is looked up; that the list changed is told in any case, since it may have. */
  private resume(): void {
    const { handler, sessions } = this.subjects ?? {};
    void this.announcer.publishAgain();
    handler?.listChanged();
    // Without an answer of the store nothing is known, and all stays as it is.
    sessions?.keeper.verify(sessions.live).catch(() => undefined);
  }
}
