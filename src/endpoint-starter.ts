import { Injectable, Logger, type BeforeApplicationShutdown } from '@nestjs/common';
import { ApplicationConfig, HttpAdapterHost } from '@nestjs/core';
import type { Server } from 'node:http';
import {
  buildCatalog,
  label,
  type CatalogDraft,
  type CatalogSources,
} from './catalog/build-catalog.js';
import type { Tool } from './catalog/tool.js';
import { unknownWarnings } from './catalog/unknown-parameters.js';
import { mcpCallOf } from './decorators/mcp-call.decorator.js';
import type { RouteRecorder } from './discovery/route-recorder.js';
import { checkSchemaCompiles } from './dispatch/argument-check.js';
import { McpCallGuard } from './dispatch/call.guard.js';
import { httpFramework, type HttpFramework } from './dispatch/http-framework.js';
import { useConstructors } from './dispatch/server-constructors.js';
import { unreadableQuery } from './dispatch/unreadable-query.js';
import { versionHeaders } from './dispatch/version-headers.js';
import {
  EndpointRegistry,
  type EndpointKind,
  type OpenEndpoint,
  type RegisteredEndpoint,
} from './endpoint-registry.js';
import { resourceProblems, resourceWarnings, scopeProblems } from './endpoint-resources.js';
import { McpSetupError } from './mcp.errors.js';
import type { ResolvedOptions } from './mcp.options.js';
import { toolProblems } from './protocol/tool-rules.js';
import { loadOptionalPeers } from './schema/optional-peers.js';

/** Keys of `@nestjs/common` (its `constants.js`, which is no public entry). */
const NEST = { guards: '__guards__', pipes: '__pipes__' } as const;

/** Starts every endpoint of the application once its routes are known, or says all that is wrong. */
@Injectable()
export class EndpointStarter implements BeforeApplicationShutdown {
  private readonly logger = new Logger('McpModule');
  private readonly opened: OpenEndpoint[] = [];
  private known: HttpFramework | undefined;
  private started = false;
  private closing = false;
  private closed = false;

  constructor(
    private readonly registry: EndpointRegistry,
    private readonly adapterHost: HttpAdapterHost,
    private readonly config: ApplicationConfig,
  ) {}

  /**
   * Makes the tools of every endpoint and begins to serve them.
   *
   * @throws McpSetupError with the problems of all endpoints
   */
  async start(recorder: RouteRecorder): Promise<void> {
    // An application context or a microservice without HTTP has no routes to serve.
    if (((this.adapterHost.httpAdapter as unknown) ?? null) === null) return;
    const sources: CatalogSources = {
      routes: recorder.finish(),
      pipesOf: ({ controller, handler }) => [
        ...this.globalPipes(),
        ...metadataList(NEST.pipes, controller),
        ...metadataList(NEST.pipes, handler),
      ],
      optional: await loadOptionalPeers(),
      silentFactories: new Set([mcpCallOf]),
      schemaProblem: checkSchemaCompiles,
    };
    const drafts = this.registry.endpoints.map((registered) => ({
      registered,
      draft: this.draft(registered, sources),
    }));
    const problems = [
      ...recorder.problems,
      ...recorder.unroutedTools().map(unrouted),
      ...drafts.flatMap(({ registered, draft }) => [...registered.problems, ...draft.problems]),
      ...resourceProblems(this.registry.endpoints.map(({ endpoint }) => endpoint.options)),
    ];
    if (problems.length > 0) throw McpSetupError.create([...new Set(problems)]);
    for (const warning of unknownWarnings(drafts.flatMap(({ draft }) => draft.unknown))) {
      this.logger.warn(warning);
    }
    for (const { registered, draft } of drafts) await this.serve(registered, draft);
    const { replacesPrototypes, constructors } = this.framework();
    if (replacesPrototypes) useConstructors(this.server(), constructors);
    this.started = true;
  }

  /** Why this instance is not to be sent messages; `undefined` when it is. */
  get unready(): string | undefined {
    if (this.closing) return 'The server is shutting down';
    if (!this.started) return 'The server is starting';
    const isKnown = this.opened.every(({ isReady }) => isReady?.() ?? true);
    return isKnown ? undefined : 'It is not known yet what tools other instances have switched off';
  }

  /**
   * Drains: further messages are refused, streams end, calls finish. The socket listens on until that is done, so that whoever
   * still comes is told to go elsewhere. After that Express would go on answering calls from within.
   */
  async beforeApplicationShutdown(): Promise<void> {
    this.closing = true;
    await Promise.all(this.opened.map((endpoint) => endpoint.close()));
    this.closed = true;
  }

  /**
   * Two endpoints at one path: Express would give every request to the first, and Fastify refuses with an error of its own.
   * Asked before routes are registered.
   *
   * @throws McpSetupError
   */
  checkPaths(): void {
    const paths = this.registry.endpoints.map(({ endpoint }) => endpoint.options.path);
    const twice = new Set(paths.filter((path, index) => paths.indexOf(path) !== index));
    if (twice.size === 0) return;
    const problems = [...twice].map(
      (path) => `option path: "${path}" is the path of two endpoints. Give one of them another.`,
    );
    throw McpSetupError.create([
      ...problems,
      ...this.registry.endpoints.flatMap((one) => one.problems),
    ]);
  }

  private draft(registered: RegisteredEndpoint, sources: CatalogSources): CatalogDraft {
    const { kind, endpoint, controller } = registered;
    const draft = buildCatalog(sources, endpoint.options, kind === 'feature' ? kind : 'root');
    const { parseQuery } = this.framework();
    const problems = draft.tools.flatMap((tool) => {
      const version = this.versionOf(tool, endpoint.options);
      const found = 'problem' in version ? [version.problem] : [];
      const name = label(tool.route);
      // What its description found already would only be told a second time.
      const isFaulty = draft.problems.some((problem) => problem.startsWith(name));
      const further = isFaulty
        ? []
        : [...toolProblems(tool), ...unreadableQuery(tool.input, parseQuery)];
      return [...found, ...further].map((one) => `${name}: ${one}`);
    });
    const own = sources.routes.filter((route) => route.controller === controller);
    return {
      ...draft,
      problems: [...draft.problems, ...problems, ...scopeProblems(endpoint.options, draft.tools)],
      warnings: [...draft.warnings, ...resourceWarnings(endpoint.options, own)],
    };
  }

  private async serve(
    registered: RegisteredEndpoint,
    { tools, warnings }: CatalogDraft,
  ): Promise<void> {
    const { endpoint, catalog } = registered;
    catalog.fill(tools);
    for (const warning of warnings) this.logger.warn(warning);
    if (registered.kind !== 'agents') this.announce(registered, tools);
    const open = await registered.open(tools, {
      framework: this.framework(),
      server: this.server(),
      versionHeaders: (tool) => {
        const version = this.versionOf(tool, endpoint.options);
        return 'headers' in version ? version.headers : [];
      },
      isClosing: () => this.closing,
      isClosed: () => this.closed,
      log: (tool, message, error) => this.report(tool, message, error),
    });
    this.opened.push(open);
  }

  private announce(registered: RegisteredEndpoint, tools: readonly Tool[]): void {
    const { kind, endpoint } = registered;
    const { path } = endpoint.options;
    if (!this.isGuarded(registered)) this.logger.warn(unguarded(path));
    if (tools.length === 0) this.logger.warn(toolless(path, kind));
    for (const { name, route } of tools) {
      const target = route.toolOnly === true ? label(route) : `${route.httpMethod} ${route.path}`;
      this.logger.log(`Mapped {${name}} tool → ${target}`);
    }
  }

  private framework(): HttpFramework {
    const { httpAdapter } = this.adapterHost;
    this.known ??= httpFramework(httpAdapter.getType(), httpAdapter.getInstance());
    return this.known;
  }

  private server(): Server {
    return this.adapterHost.httpAdapter.getHttpServer() as Server;
  }

  private versionOf({ route }: Tool, options: ResolvedOptions): ReturnType<typeof versionHeaders> {
    return versionHeaders(route, this.config.getVersioning(), options.versionHeaders);
  }

  private globalPipes(): unknown[] {
    const requestScoped = this.config.getGlobalRequestPipes().map(({ metatype }) => metatype);
    return [...this.config.getGlobalPipes(), ...requestScoped];
  }

  private isGuarded({ controller, endpoint }: RegisteredEndpoint): boolean {
    const globals = this.config
      .getGlobalGuards()
      .filter((guard) => !(guard instanceof McpCallGuard));
    return (
      endpoint.options.toolGuards.length > 0 ||
      globals.length > 0 ||
      this.config.getGlobalRequestGuards().length > 0 ||
      metadataList(NEST.guards, controller).length > 0
    );
  }

  private report(tool: Tool | null, message: string, error?: unknown): void {
    const subject = tool === null ? 'The endpoint' : `Tool ${tool.name}`;
    const cause = error instanceof Error ? (error.stack ?? error.message) : error;
    if (error === undefined) this.logger.warn(`${subject}: ${message}`);
    else this.logger.error(`${subject}: ${message}`, String(cause));
  }
}

function metadataList(key: string, target: object): unknown[] {
  return (Reflect.getMetadata(key, target) as unknown[] | undefined) ?? [];
}

function unrouted(name: string): string {
  return `${name} has @McpTool() but is no route. Put an HTTP method decorator such as @Get() on it, list its class in a module's controllers, or remove @McpTool().`;
}

function unguarded(path: string): string {
  return `The MCP endpoint "${path}" has no guard: whoever reaches it sees all its tools. Each call still meets the guards of its route. Give the option guards, or a global guard.`;
}

function toolless(path: string, kind: EndpointKind): string {
  const advice =
    kind === 'root'
      ? 'Put @McpTool() on a route, or choose routes with the options tags and include.'
      : 'Choose routes with its options tags and include.';
  return `The MCP endpoint "${path}" serves no tools. ${advice}`;
}
