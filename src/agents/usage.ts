import type { Watcher } from '../policy/watch.js';

/** What an agent was used for since the process began. */
export interface AgentUsage {
  readonly workspace: string;
  readonly agent: string;
  readonly lists: number;
  readonly calls: number;
  /** Of the calls, those that ended as an error. */
  readonly errors: number;
  readonly tools: Readonly<Record<string, { readonly calls: number; readonly errors: number }>>;
}

interface Counts {
  lists: number;
  calls: number;
  errors: number;
  readonly tools: Map<string, { calls: number; errors: number }>;
}

/** Counts lists and calls, by agent and tool. */
export class UsageCounter implements Watcher {
  private readonly agents = new Map<string, Counts>();

  begin({ agent, tool }: Parameters<Watcher['begin']>[0]): ReturnType<Watcher['begin']> {
    const key = `${agent?.workspace}/${agent?.agent}`;
    return {
      end: ({ outcome }) => {
        const known = this.agents.get(key);
        const counts: Counts = known ?? { lists: 0, calls: 0, errors: 0, tools: new Map() };
        this.agents.set(key, counts);
        if (tool === undefined) {
          counts.lists += 1;
          return;
        }
        const ofTool = counts.tools.get(tool) ?? { calls: 0, errors: 0 };
        counts.tools.set(tool, ofTool);
        const errors = outcome === 'error' ? 1 : 0;
        for (const one of [counts, ofTool]) {
          one.calls += 1;
          one.errors += errors;
        }
      },
    };
  }

  usageOf(workspace: string, agent: string): AgentUsage {
    const counts = this.agents.get(`${workspace}/${agent}`);
    const { lists = 0, calls = 0, errors = 0 } = counts ?? {};
    const tools = Object.fromEntries(counts?.tools ?? []);
    return { workspace, agent, lists, calls, errors, tools };
  }

  /** Forgets agents that are not served any more. */
  keep(isServed: (key: string) => boolean): void {
    for (const key of this.agents.keys()) if (!isServed(key)) this.agents.delete(key);
  }
}
