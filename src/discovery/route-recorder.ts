import {
  Injectable,
  RequestMethod,
  VERSION_NEUTRAL,
  VersioningType,
  type Type,
} from '@nestjs/common';
import {
  ApplicationConfig,
  DiscoveryService,
  HttpAdapterHost,
  MetadataScanner,
} from '@nestjs/core';
import { MCP_ENDPOINT_METADATA, MCP_ROUTE_METHOD_METADATA } from '../mcp.constants.js';
import type { ControllerMethod, Route } from './route.js';
import { assignControllers, type Candidate, type Registration } from './assign-controllers.js';
import { isToolOnly, readToolOptions } from './tool-metadata.js';
import { makeToolOnlyRoute, silenceToolOnlyRoutes, toolOnlyRoutesFirst } from './tool-only.js';

/** Keys of `@nestjs/common` (its `constants.js`, which is no public entry). */
const NEST = { path: 'path', version: '__version__', host: 'host' } as const;

/** Shuts a handler to every request but those of tool calls. */
export type Gate = (handler: never) => unknown;

type Registrar = (path: unknown, ...handlers: unknown[]) => unknown;

/**
 * Records every route as the router registers it on the HTTP adapter, since only then are prefix, exclusions, module
 * paths, versions, path arrays and inheritance settled.
 *
 * `start()` runs in a module's `configure()`, just before routes are registered, `finish()` in `onModuleInit()`, just after.
 */
@Injectable()
export class RouteRecorder {
  private readonly registrations: Registration[] = [];
  private restore: () => void = () => undefined;
  private found: readonly Route[] | undefined;
  private toolOnlyFirst: (() => void) | undefined;
  /** What is wrong with tool-only methods. */
  readonly problems: readonly string[];

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly adapterHost: HttpAdapterHost,
    private readonly config: ApplicationConfig,
  ) {
    this.problems = this.makeToolOnlyRoutes();
  }

  /**
   * Marks the route methods and listens to the adapter's registration methods. Needs no more than an HTTP adapter.
   *
   * @param gate put around the handlers of tool-only methods
   * @param prepare is given each method that can be a tool, while what it adds to the method's metadata still counts
   */
  start(gate: Gate, prepare: (method: object) => void): void {
    // An application context (no HTTP) has no adapter, and then no routes either.
    const adapter = this.adapterHost.httpAdapter as unknown as
      Record<string, Registrar> | null | undefined;
    if (adapter == null) return;
    for (const { controller, method } of this.candidates()) {
      // Nest copies the metadata of the method to the handler that it registers: this mark is how we know the handler again.
      Reflect.defineMetadata(MCP_ROUTE_METHOD_METADATA, method, method);
      if (!Reflect.hasMetadata(MCP_ENDPOINT_METADATA, controller)) prepare(method);
    }
    const undo = registrarNames().map((name) => this.listen(adapter, name, gate));
    undo.push(silenceToolOnlyRoutes());
    this.restore = () => undo.forEach((restore) => restore());
  }

  /** Stops listening and works out the routes. Later calls give the same. */
  finish(): readonly Route[] {
    this.restore();
    this.restore = () => undefined;
    this.found ??= assignControllers(this.registrations, this.candidates()).map(
      ({ registration, candidate }) => this.route(registration, candidate),
    );
    return this.found;
  }

  /** @returns `Class.method` of each method that has `@McpTool()` and is no route of any controller */
  unroutedTools(): string[] {
    const routed = new Set(this.finish().map(({ handler }) => handler));
    const names = new Set<string>();
    for (const wrapper of [...this.discovery.getControllers(), ...this.discovery.getProviders()]) {
      const prototype = prototypeOf(wrapper.metatype);
      if (prototype === undefined) continue;
      for (const name of this.scanner.getAllMethodNames(prototype)) {
        const method = prototype[name];
        if (method === undefined || routed.has(method) || readToolOptions(method) === undefined)
          continue;
        names.add(`${wrapper.metatype?.name}.${name}`);
      }
    }
    return [...names];
  }

  private listen(adapter: Record<string, Registrar>, name: string, gate: Gate): () => void {
    const original = adapter[name];
    if (typeof original !== 'function') return () => undefined;
    const own = Object.hasOwn(adapter, name);
    adapter[name] = (path, ...handlers) => {
      const handler = handlers.at(-1);
      this.record(name.toUpperCase(), path, handler);
      this.toolOnlyFirst ??= toolOnlyRoutesFirst(this.adapterHost.httpAdapter.getInstance());
      if (typeof handler !== 'function' || !isToolOnly(handler)) {
        return original.call(adapter, path, ...handlers);
      }
      const registered = original.call(adapter, path, gate(handler as never));
      this.toolOnlyFirst();
      return registered;
    };
    return () => {
      if (own) adapter[name] = original;
      else delete adapter[name];
    };
  }

  private record(httpMethod: string, path: unknown, handler: unknown): void {
    if (typeof path !== 'string' || typeof handler !== 'function') return;
    const method = Reflect.getMetadata(MCP_ROUTE_METHOD_METADATA, handler) as
      ControllerMethod | undefined;
    if (method !== undefined) this.registrations.push({ httpMethod, path, method });
  }

  private makeToolOnlyRoutes(): string[] {
    const problems = new Set<string>();
    for (const { metatype } of this.discovery.getControllers()) {
      const prototype = prototypeOf(metatype);
      if (prototype === undefined) continue;
      for (const name of this.scanner.getAllMethodNames(prototype)) {
        const method = prototype[name];
        if (method === undefined || !isToolOnly(method)) continue;
        const problem = makeToolOnlyRoute(method, name);
        if (problem !== undefined) problems.add(`${metatype?.name}.${name} ${problem}`);
      }
    }
    return [...problems];
  }

  /** Every controller method that is a route, in the order in which Nest registers them. */
  private candidates(): Candidate[] {
    return this.discovery.getControllers().flatMap(({ metatype }) => {
      const prototype = prototypeOf(metatype);
      if (prototype === undefined) return [];
      return this.scanner.getAllMethodNames(prototype).flatMap((methodName) => {
        const method = prototype[methodName];
        if (method === undefined || !Reflect.hasMetadata(NEST.path, method)) return [];
        return [
          {
            controller: metatype as Type,
            methodName,
            method,
            ...this.pathsOf(metatype as Type, method),
          },
        ];
      });
    });
  }

  private pathsOf(controller: Type, method: object): Pick<Candidate, 'suffixes' | 'prefixes'> {
    const suffixes = list(Reflect.getMetadata(NEST.path, controller)).flatMap((base) =>
      list(Reflect.getMetadata(NEST.path, method)).map((path) =>
        joinPaths(String(base), String(path)),
      ),
    );
    const versioning = this.config.getVersioning();
    if (versioning?.type !== VersioningType.URI) return { suffixes, prefixes: undefined };
    const word = versioning.prefix === false ? '' : (versioning.prefix ?? 'v');
    const versions = this.versionsOf(controller, method);
    const segments = versions.map((version) =>
      version === VERSION_NEUTRAL ? '/' : `/${word}${String(version)}/`,
    );
    // A route may be left out of the global prefix.
    const begun = segments.flatMap((segment) => [
      segment,
      `${joinPaths(this.config.getGlobalPrefix(), segment)}/`,
    ]);
    return { suffixes, prefixes: versions.length > 0 ? begun : undefined };
  }

  private versionsOf(controller: Type, method: object): (string | symbol)[] {
    const versioning = this.config.getVersioning();
    if (versioning === undefined) return [];
    const own = Reflect.getMetadata(NEST.version, method) as unknown;
    const inherited = Reflect.getMetadata(NEST.version, controller) as unknown;
    return list(own ?? inherited ?? versioning.defaultVersion) as (string | symbol)[];
  }

  private route(
    { httpMethod, path }: Registration,
    { controller, methodName, method }: Candidate,
  ): Route {
    return Object.freeze({
      controller,
      methodName,
      handler: method,
      httpMethod,
      path: path.startsWith('/') ? path : `/${path}`,
      versions: this.versionsOf(controller, method),
      hosts: list(Reflect.getMetadata(NEST.host, controller)) as (string | RegExp)[],
      ...(isToolOnly(method) ? { toolOnly: true as const } : {}),
    });
  }
}

/** The adapter's methods that Nest registers routes with, one for each `RequestMethod`. */
function registrarNames(): string[] {
  return Object.keys(RequestMethod)
    .filter((name) => Number.isNaN(Number(name)))
    .map((name) => name.toLowerCase());
}

function prototypeOf(metatype: unknown): Record<string, ControllerMethod | undefined> | undefined {
  return typeof metatype === 'function'
    ? (metatype as { prototype?: Record<string, ControllerMethod | undefined> }).prototype
    : undefined;
}

function joinPaths(base: string, path: string): string {
  const joined = `/${base}/${path}`.replace(/\/+/g, '/');
  return joined.length > 1 && joined.endsWith('/') ? joined.slice(0, -1) : joined;
}

function list(value: unknown): unknown[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : [value];
}
