import { McpToolCatalog } from '../catalog/mcp-tool-catalog.js';
import type { Tool } from '../catalog/tool.js';
import { drain } from '../endpoint-drain.js';
import { createRuntime, type Runtime } from '../endpoint-runtime.js';
import { McpEndpoint } from '../endpoint/endpoint.js';
import { instructionsOf } from '../endpoint/instructions.js';
import type { ResolvedOptions } from '../mcp.options.js';
import type { Policy } from '../policy/policy.js';
import type { Watcher } from '../policy/watch.js';
import type { ServerIdentity } from '../protocol/codec.js';
import { DATED_REVISIONS, MODERN_REVISION } from '../protocol/revision.js';
import type { ServedTool, ToolContext } from '../protocol/tool-context.js';
import { toolJson } from '../protocol/tool-json.js';
import type { EndpointRuntime } from '../endpoint/endpoint.js';
import type { BuiltAgent } from './build-agents.js';

/** What all agents share. */
export interface AgentSurroundings {
  /** Their `path` is what the paths of agents begin with. */
  readonly options: ResolvedOptions;
  readonly policy: Policy | undefined;
  readonly watcher: Watcher;
  readonly log: ToolContext['log'];
  readonly application: Pick<EndpointRuntime, 'server' | 'isClosing'>;
}

/** An agent's tools, each with what runs it. */
export type ServedTools = ReadonlyMap<Tool, ServedTool>;

/**
 * One agent that is served. Its sessions and streams outlive its catalogs, of which it serves one at a time; a call ends on
 * the one that it began with.
 */
export class AgentServer {
  private readonly catalog = new McpToolCatalog();
  /** Weak, so that a catalog is gone when the last call that began with it is. */
  private readonly served = new WeakMap<Tool, ServedTool>();
  private runtime: Runtime | undefined;
  private listing = '';
  private said = '';

  private constructor(
    private readonly options: ResolvedOptions,
    readonly endpoint: McpEndpoint,
  ) {}

  static async create(
    agent: BuiltAgent,
    tools: ServedTools,
    { options: shared, watcher, log, application, policy }: AgentSurroundings,
  ): Promise<AgentServer> {
    const { workspace, slug } = agent;
    const options = Object.freeze({ ...shared, path: `${shared.path}/${workspace}/${slug}` });
    const server = new AgentServer(options, new McpEndpoint(options));
    server.fill(agent, tools, false);
    const label = { workspace, agent: slug };
    const identity = server.identity(agent);
    server.said = JSON.stringify(identity);
    const runtime = await createRuntime({
      options: Object.freeze({ ...options, title: identity.title }),
      instructions: identity.instructions,
      catalog: server.catalog,
      serve: (tool) => server.served.get(tool) as ServedTool,
      policy,
      watcher: {
        isWatching: () => watcher.isWatching?.() ?? true,
        begin: (started) => watcher.begin({ ...started, agent: label }),
      },
      log: (tool, message, error) => log(tool, `agent ${workspace}/${slug}: ${message}`, error),
    });
    server.runtime = runtime;
    const { server: http, isClosing } = application;
    server.endpoint.start({ ...runtime, server: http, isClosing });
    return server;
  }

  /** Serves another catalog from now on. Sessions and streams of the agent are told when the list changed. */
  update(agent: BuiltAgent, tools: ServedTools): void {
    const identity = this.identity(agent);
    const said = JSON.stringify(identity);
    if (said !== this.said) this.runtime?.handler.identify(identity);
    this.said = said;
    this.fill(agent, tools, true);
  }

  get tools(): readonly Tool[] {
    return this.catalog.tools;
  }

  /** What other instances tell comes to it. */
  get isReady(): boolean {
    return this.runtime?.isReady() ?? false;
  }

  /** Ends its streams. Calls in flight end by themselves. */
  async close(): Promise<void> {
    await this.runtime?.close();
  }

  /** Resolves once everything that was asked of it is answered. */
  async idle(): Promise<void> {
    await Promise.all([this.endpoint.idle(), this.runtime?.handler.idle()]);
  }

  /** For an application that shuts down: ends its streams, and lets calls in flight finish within their time. */
  async drain(): Promise<void> {
    if (this.runtime === undefined) return;
    await drain(this.endpoint, this.runtime.handler, this.options.shutdownGraceMs);
    await this.runtime.close();
  }

  private fill({ tools }: BuiltAgent, served: ServedTools, mayTell: boolean): void {
    for (const [tool, one] of served) this.served.set(tool, one);
    const listing = listingOf(tools.map(({ tool }) => tool));
    const changed = listing !== this.listing;
    this.listing = listing;
    this.catalog.replace(
      tools.map(({ tool }) => tool),
      mayTell && changed,
    );
  }

  private identity({ title, instructions, tools }: BuiltAgent): ServerIdentity {
    const { name, version, icons } = this.options;
    // Operations take their arguments side by side: how those of routes are grouped is said where there are some.
    const hasGroups = tools.some(({ tool }) => tool.input.layout === 'grouped');
    const layout = hasGroups ? 'grouped' : 'flat';
    const advice = [this.options.instructions, instructions].filter(Boolean).join('\n\n');
    return {
      name,
      version,
      icons,
      title: title ?? this.options.title,
      instructions: instructionsOf({ ...this.options, arguments: layout, instructions: advice }),
    };
  }
}

/** All that clients of any revision see of the tools. */
function listingOf(tools: readonly Tool[]): string {
  const revisions = [...DATED_REVISIONS, MODERN_REVISION] as const;
  return tools
    .map((tool) => revisions.map((revision) => toolJson(tool, revision)).join())
    .join('\n');
}
