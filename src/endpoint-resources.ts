import type { Tool } from './catalog/tool.js';
import type { Route } from './discovery/route.js';
import { ProtectedResource } from './endpoint/protected-resource.js';
import type { ResolvedOptions } from './mcp.options.js';
import type { ToolContext } from './protocol/tool-context.js';

/** What the options `resource` and `stepUp` and the scopes of tools make of an endpoint. */
export function protectionOf(
  options: ResolvedOptions,
  tools: readonly Tool[],
): Pick<ToolContext, 'hidesByScope' | 'stepUp'> & { resource: ProtectedResource | undefined } {
  const scopes = tools.flatMap((tool) => tool.scopes ?? []);
  const resource = options.resource && new ProtectedResource(options.resource, scopes, options);
  const { stepUp } = options;
  return {
    resource,
    hidesByScope: scopes.length > 0 && !stepUp,
    stepUp: stepUp ? resource?.insufficient.bind(resource) : undefined,
  };
}

/** What is wrong with the resources of all endpoints together, a sentence each. */
export function resourceProblems(endpoints: readonly ResolvedOptions[]): string[] {
  const urls = endpoints.flatMap(({ resource }) => resource?.url ?? []);
  const twice = new Set(urls.filter((url, index) => urls.indexOf(url) !== index));
  return [...twice].map(
    (url) =>
      `option resource.url: "${url}" is the URL of two endpoints, so that each would take the other's tokens. Give each its own.`,
  );
}

/** What the scopes of tools make wrong. */
export function scopeProblems(
  { listScope, stepUp }: ResolvedOptions,
  tools: readonly Tool[],
): string[] {
  const scoped = tools.find(({ scopes = [] }) => scopes.length > 0);
  if (scoped === undefined || stepUp || listScope === 'private') return [];
  return [
    `option listScope: it is 'public', but the scopes of ${scoped.name} make lists depend on the caller, and caches would show them to others. Use 'private'.`,
  ];
}

/**
 * A URL that forgot the global prefix is a common mistake, and clients then find the metadata of something that is not there.
 *
 * @param routes those of the endpoint
 */
export function resourceWarnings(
  { resource }: ResolvedOptions,
  routes: readonly Pick<Route, 'path'>[],
): string[] {
  if (resource === undefined) return [];
  const { pathname } = new URL(resource.url);
  if (routes.some(({ path }) => path === pathname)) return [];
  return [
    `option resource.url: its path is "${pathname}", and the endpoint is served at "${routes[0]?.path ?? ''}". That is right only behind a proxy that rewrites the one to the other.`,
  ];
}
