import { Logger, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { ModuleRef } from '@nestjs/core';
import type { Tool } from '../catalog/tool.js';
import { createPolicy, createWatcher } from '../endpoint-policy.js';
import type { OpenEndpoint } from '../endpoint-registry.js';
import type { ServedApplication } from '../endpoint-runtime.js';
import { McpSetupError } from '../mcp.errors.js';
import type { McpMountOptions } from '../mcp.options.js';
import { isObject } from '../protocol/codec.js';
import { watchAll, type Watcher } from '../policy/watch.js';
import { UpstreamConnections } from '../upstream/connections.js';
import { AgentServer, type AgentSurroundings, type ServedTools } from './agent-server.js';
import type { AgentsEndpoint } from './agents-endpoint.js';
import type { ResolvedAgentsOptions } from './agents.options.js';
import { AttemptLimiter } from './attempts.js';
import { buildAgents, type BuiltAgent } from './build-agents.js';
import { CatalogRefresher, type RefreshResult } from './catalog-refresher.js';
import { compileAgents, type CompileTools } from './compile-agents.js';
import { KeyRing } from './key-ring.js';
import { shareSessions } from './shared-sessions.js';
import { UsageCounter } from './usage.js';

/** Holds the agents that are served, and swaps their catalogs. */
export class AgentsHost {
  readonly keys = new KeyRing();
  readonly usage = new UsageCounter();
  private readonly logger = new Logger('McpAgentsModule');
  private servers: ReadonlyMap<string, AgentServer> = new Map();
  /** Those of agents that the catalog has no more, until their last call has ended. */
  private readonly leaving = new Set<AgentServer>();
  private refresher: CatalogRefresher | undefined;
  private taken: { readonly text: string; readonly problems: readonly string[] } | undefined;
  private known = false;
  private lastWarnings = '';

  constructor(
    readonly options: ResolvedAgentsOptions,
    private readonly endpoint: AgentsEndpoint,
  ) {}

  /**
   * Loads the catalog and begins to serve it.
   *
   * @param routeTools what agents may bind of the application's own routes
   * @throws McpSetupError when the first catalog cannot be loaded or is not in order
   */
  async open(
    routeTools: readonly Tool[],
    application: ServedApplication,
    guards: NonNullable<McpMountOptions['guards']>,
    moduleRef: ModuleRef,
  ): Promise<OpenEndpoint> {
    const { options, source, refreshMs, maxAttempts, keyHeader } = this.options;
    const sessions = shareSessions(options, (message, error) =>
      application.log(null, message, error),
    );
    const connections = new UpstreamConnections(this.options.connections);
    const surroundings: AgentSurroundings = {
      options: { ...options, sessions: sessions.options },
      policy: await createPolicy(options, [...guards, this.keyGuard()], moduleRef),
      watcher: this.watcher(await createWatcher(options, moduleRef, application.log)),
      log: application.log,
      application,
    };
    const compile = compileAgents(this.options, application, connections);
    const routes = new Map(routeTools.map((tool) => [tool.name, tool]));
    const refresher = new CatalogRefresher(
      source,
      refreshMs,
      (document) => this.take(document, routes, compile, surroundings),
      (message) => this.logger.warn(message),
    );
    const close = async (): Promise<void> => {
      const ended = refresher.close();
      await this.drain();
      await ended;
      // Those of a catalog that was being swapped in.
      await Promise.all([...this.servers.values()].map((server) => server.close()));
      await Promise.all([sessions.close(), connections.close(), source.close?.()]);
    };
    const { problems } = await refresher.start();
    if (problems.length > 0) {
      await close();
      throw McpSetupError.create(
        problems.map((problem) => `catalog of agents: ${problem}`),
        'McpAgentsModule',
      );
    }
    this.refresher = refresher;
    this.endpoint.start({
      keys: this.keys,
      attempts: new AttemptLimiter(maxAttempts),
      keyHeader,
      find: (workspace, agent) => this.servers.get(`${workspace}/${agent}`),
    });
    return { isReady: () => this.isReady(), close };
  }

  /**
   * Once what other instances tell has come to each agent. An agent that a later catalog adds, while the bus is away, does not
   * make the instance unready: most messages need no bus.
   */
  private isReady(): boolean {
    this.known ||= [...this.servers.values()].every((server) => server.isReady);
    return this.known;
  }

  /** The agents that are served now, with the names of their tools. */
  get agents(): readonly { workspace: string; agent: string; tools: readonly string[] }[] {
    return [...this.servers].map(([key, server]) => {
      const [workspace = '', agent = ''] = key.split('/');
      return { workspace, agent, tools: server.tools.map(({ name }) => name) };
    });
  }

  refresh(): Promise<RefreshResult> {
    return (
      this.refresher?.refresh() ?? Promise.resolve({ problems: ['The server has not started.'] })
    );
  }

  /** Refuses a key at once, even where its source cannot be loaded now, and ends what it has open. */
  refuse(prefix: string): void {
    this.keys.drop(prefix);
    this.endpoint.endRefused(this.keys);
  }

  /** Keys count at once, whatever else is wrong; agents are swapped together, or not at all. */
  private async take(
    document: unknown,
    routes: ReadonlyMap<string, Tool>,
    compile: CompileTools,
    surroundings: AgentSurroundings,
  ): Promise<readonly string[]> {
    const text = String(JSON.stringify(document));
    const isNew = this.taken?.text !== text;
    if (isNew) {
      const keyProblems = isObject(document) ? this.keys.replace(document['keys']) : [];
      const built = buildAgents(document, routes);
      const problems = [...built.problems, ...keyProblems];
      if (problems.length === 0) await this.swap(built.agents, compile, surroundings);
      this.warnOnce(built.warnings);
      this.taken = { text, problems };
    }
    // Keys that have expired meanwhile are found here, too.
    this.endpoint.endRefused(this.keys);
    return this.taken?.problems ?? [];
  }

  private async swap(
    agents: readonly BuiltAgent[],
    compile: CompileTools,
    surroundings: AgentSurroundings,
  ): Promise<void> {
    const ready = agents.map((agent) => ({ agent, key: keyOf(agent), tools: compile(agent) }));
    const before = this.servers;
    const next = new Map<string, AgentServer>();
    const created = await createAll(
      ready.filter(({ key }) => !before.has(key)),
      surroundings,
    );
    for (const { key } of ready)
      next.set(key, (before.get(key) ?? created.get(key)) as AgentServer);
    // From here on nothing waits: no request sees some agents on the new catalog and others on the old one.
    this.servers = next;
    for (const { agent, key, tools } of ready) before.get(key)?.update(agent, tools);
    this.usage.keep((key) => next.has(key));
    const gone = [...before].filter(([key]) => !next.has(key));
    await Promise.all(gone.map(([, server]) => this.letGo(server)));
  }

  private async drain(): Promise<void> {
    const all = [...this.servers.values(), ...this.leaving];
    await Promise.all(all.map((server) => server.drain()));
  }

  /** Its streams end now, and its calls by themselves. */
  private letGo(server: AgentServer): Promise<void> {
    this.leaving.add(server);
    void server.idle().then(() => this.leaving.delete(server));
    return server.close();
  }

  /** With `recheck`: an answer does not go out on a key that was revoked while the call ran. */
  private keyGuard(): CanActivate {
    return {
      canActivate: (context: ExecutionContext) => {
        const { auth } = context.switchToHttp().getRequest<{ auth?: { id?: unknown } }>();
        return typeof auth?.id === 'string' && this.keys.holds(auth.id);
      },
    };
  }

  private watcher(own: Watcher | undefined): Watcher {
    const watchers = own === undefined ? [this.usage] : [this.usage, own];
    return watchAll(watchers, (error) => this.logger.error('Usage could not be counted', error));
  }

  private warnOnce(warnings: readonly string[]): void {
    const text = warnings.join('\n');
    if (text !== this.lastWarnings && text !== '') this.logger.warn(`Catalog: ${text}`);
    this.lastWarnings = text;
  }
}

function keyOf({ workspace, slug }: BuiltAgent): string {
  return `${workspace}/${slug}`;
}

/**
 * Creates them at once, since each waits for the event bus. It is one wait for all: they share a subscription.
 *
 * @throws what one of them throws, when the others are closed again
 */
async function createAll(
  agents: readonly { agent: BuiltAgent; key: string; tools: ServedTools }[],
  surroundings: AgentSurroundings,
): Promise<ReadonlyMap<string, AgentServer>> {
  const made = await Promise.allSettled(
    agents.map(async ({ agent, key, tools }): Promise<[string, AgentServer]> => [
      key,
      await AgentServer.create(agent, tools, surroundings),
    ]),
  );
  const servers = made.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const failed = made.find((one) => one.status === 'rejected');
  if (failed === undefined) return new Map(servers);
  await Promise.all(servers.map(([, server]) => server.close()));
  throw failed.reason;
}
