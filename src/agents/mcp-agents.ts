import { AgentKeys, type KeyFilter, type ListedKey } from './agent-keys.js';
import { callerOf } from './agents-endpoint.js';
import type { AgentsHost } from './agents-host.js';
import type { RefreshResult } from './catalog-refresher.js';
import type { KeyGrant, NewAgentKey } from './key.js';
import type { AgentUsage } from './usage.js';

/** An agent that is served now. */
export interface ServedAgent {
  readonly workspace: string;
  readonly agent: string;
  /** The names of its tools, sorted. */
  readonly tools: readonly string[];
}

/**
 * Administers the agents of the application. Inject it.
 *
 * @example
 * constructor(private readonly agents: McpAgents) {}
 * async rotate(prefix: string): Promise<string> {
 *   const { key } = await this.agents.createKey({ workspace: 'acme', agent: 'support' });
 *   await this.agents.revokeKey(prefix);
 *   return key;
 * }
 */
export class McpAgents {
  private readonly keys: AgentKeys;

  constructor(private readonly host: AgentsHost) {
    this.keys = new AgentKeys(host.options.source);
  }

  /**
   * Creates a key of one agent, good at once.
   *
   * @returns the key, which is kept nowhere: show it once
   * @throws Error when there is no such agent, or the source keeps no keys
   */
  async createKey(grant: KeyGrant): Promise<NewAgentKey> {
    const made = await this.keys.create(grant);
    await this.host.refresh();
    return made;
  }

  /**
   * Revokes a key, at once: its open streams end, too.
   *
   * @throws Error when there is no key of that prefix
   */
  async revokeKey(prefix: string): Promise<void> {
    await this.keys.revoke(prefix);
    this.host.refuse(prefix);
    await this.host.refresh();
  }

  listKeys(filter?: KeyFilter): Promise<readonly ListedKey[]> {
    return this.keys.list(filter);
  }

  /** Loads the catalog now. @returns why it is refused; without problems it is served */
  refresh(): Promise<RefreshResult> {
    return this.host.refresh();
  }

  get agents(): readonly ServedAgent[] {
    return this.host.agents;
  }

  /** What the served agents were used for since the process began. */
  usage(): readonly AgentUsage[] {
    return this.host.agents.map(({ workspace, agent }) =>
      this.host.usage.usageOf(workspace, agent),
    );
  }

  /**
   * Whose key it is, for guards of local routes: a call of one carries the caller's `Authorization` header.
   *
   * @returns `{ scheme, iss, id, workspace, agent }`, `undefined` for what is no valid key
   */
  callerOf(key: string): object | undefined {
    const found = this.host.keys.find(key);
    return found && callerOf(found);
  }
}
