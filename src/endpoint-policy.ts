import type { CanActivate, Type } from '@nestjs/common';
import { Scope } from '@nestjs/common';
import { ContextIdFactory, type ModuleRef } from '@nestjs/core';
import type { McpMountOptions, ResolvedOptions } from './mcp.options.js';
import type { GuardSource } from './policy/guards.js';
import { Policy } from './policy/policy.js';
import { auditWatcher, type McpObserver } from './policy/observer.js';
import { loadTelemetry, telemetryWatcher } from './policy/telemetry.js';
import { watchAll, type Watcher } from './policy/watch.js';
import type { McpResponseGuard } from './policy/response-guard.js';
import type { ToolContext } from './protocol/tool-context.js';

/** What the options say of policy that contradicts itself, a sentence each. */
export function policyProblems(
  options: ResolvedOptions,
  guards: McpMountOptions['guards'] = [],
): string[] {
  const { toolGuards, responseGuard, requireResponseGuard, recheck, listScope } = options;
  const problems: string[] = [];
  if (requireResponseGuard && responseGuard === undefined) {
    problems.push(
      'option requireResponseGuard: it is true, but there is no responseGuard. Give one.',
    );
  }
  if (responseGuard !== undefined && !recheck) {
    problems.push(
      'option responseGuard: it needs recheck, so that it never judges for a caller who has lost the right to ask. Set recheck: true.',
    );
  }
  if (recheck && guards.length === 0 && toolGuards.length === 0) {
    problems.push(
      'option recheck: it is true, but there are neither guards nor toolGuards to ask again. Give some, or leave it out.',
    );
  }
  if (toolGuards.length > 0 && listScope === 'public') {
    problems.push(
      "option listScope: it is 'public', but toolGuards make lists depend on the caller, and caches would show them to others. Use 'private'.",
    );
  }
  return problems;
}

/**
 * Builds the policy of an endpoint by dependency injection.
 *
 * @returns `undefined` when the routes' own guards are all there is
 */
export async function createPolicy(
  options: ResolvedOptions,
  guards: McpMountOptions['guards'] = [],
  moduleRef: ModuleRef,
): Promise<Policy | undefined> {
  const { toolGuards, responseGuard, recheck, callTimeoutMs } = options;
  if (toolGuards.length === 0 && responseGuard === undefined && !recheck) return undefined;
  return new Policy({
    toolGuards: await Promise.all(toolGuards.map((guard) => guardSource(guard, moduleRef))),
    endpointGuards: recheck
      ? await Promise.all(guards.map((guard) => guardSource(guard, moduleRef)))
      : [],
    recheck,
    responseGuard:
      typeof responseGuard === 'function'
        ? await instance(responseGuard, moduleRef)
        : responseGuard,
    listTimeoutMs: callTimeoutMs,
  });
}

/**
 * What watches calls and lists: the observer of the options, and OpenTelemetry where it is installed.
 *
 * @param log is told of the first thing that a watcher throws: an audit that is down must not fill the log
 */
export async function createWatcher(
  { observer, observeArguments }: ResolvedOptions,
  moduleRef: ModuleRef,
  log: ToolContext['log'],
): Promise<Watcher | undefined> {
  let reported = false;
  const report = (error: unknown): void => {
    if (!reported) log(null, 'An observer failed', error);
    reported = true;
  };
  const watchers: Watcher[] = [];
  if (observer !== undefined) {
    const built = typeof observer === 'function' ? await instance(observer, moduleRef) : observer;
    watchers.push(auditWatcher(built, observeArguments, report));
  }
  const telemetry = await loadTelemetry();
  if (telemetry !== undefined) watchers.push(telemetryWatcher(telemetry));
  return watchers.length === 0 ? undefined : watchAll(watchers, report);
}

async function guardSource(
  guard: Type<CanActivate> | CanActivate,
  moduleRef: ModuleRef,
): Promise<GuardSource> {
  if (typeof guard !== 'function') return () => guard;
  const scope = scopeOf(guard, moduleRef);
  if (scope === Scope.DEFAULT || (scope === undefined && !isScoped(guard))) {
    const shared = await instance(guard, moduleRef);
    return () => shared;
  }
  return (request) => {
    const contextId = ContextIdFactory.getByRequest(request);
    moduleRef.registerRequestByContextId(request, contextId);
    if (scope === undefined) return moduleRef.create(guard, contextId);
    return moduleRef.resolve(guard, contextId, { strict: false });
  };
}

/**
 * The endpoint's own before another module's, which may stand on other providers. A class that no module provides is built here,
 * once: options that a factory makes come too late to be provided.
 */
async function instance<T extends CanActivate | McpResponseGuard | McpObserver>(
  type: Type<T>,
  moduleRef: ModuleRef,
): Promise<T> {
  for (const strict of [true, false]) {
    try {
      return moduleRef.get(type, { strict });
    } catch {
      // Nobody provides it there.
    }
  }
  return moduleRef.create(type);
}

/** @returns `undefined` for a class that no module provides */
function scopeOf(type: Type, moduleRef: ModuleRef): Scope | undefined {
  try {
    return moduleRef.introspect(type).scope;
  } catch {
    return undefined;
  }
}

/** What `@Injectable({ scope })` says of a class (a key of `@nestjs/common`, its `constants.js`, which is no public entry). */
function isScoped(type: Type): boolean {
  const options = Reflect.getMetadata('scope:options', type) as { scope?: Scope } | undefined;
  return (options?.scope ?? Scope.DEFAULT) !== Scope.DEFAULT;
}
