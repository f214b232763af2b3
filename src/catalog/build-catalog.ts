import type { Route } from '../discovery/route.js';
import { readRouteMetadata, type RouteMetadata } from '../discovery/tool-metadata.js';
import type { ResolvedOptions } from '../mcp.options.js';
import { ClassSchemas } from '../schema/class-schemas.js';
import { describeInput } from '../schema/describe-input.js';
import { describeOutput } from '../schema/describe-output.js';
import type { JsonSchemaObject } from '../schema/json-schema.js';
import type { UnknownParameter } from '../schema/input-collector.js';
import type { OptionalPeers } from '../schema/optional-peers.js';
import { annotationsOf } from './annotations.js';
import { credentialProblems } from './credential-places.js';
import { paramHeaders } from './param-headers.js';
import { forwardedProblems, headProblems } from './refusals.js';
import { toolName } from './tool-name.js';
import type { Tool } from './tool.js';
import type { UnknownOfRoute } from './unknown-parameters.js';

/** What is known of the application when its tools are made. */
export interface CatalogSources {
  readonly routes: readonly Route[];
  /** The pipes of a route that stand before those of its parameters, in the order in which Nest runs them. */
  readonly pipesOf: (route: Route) => readonly unknown[];
  readonly optional: OptionalPeers;
  /** The factories of custom parameter decorators that read no argument: the module's own. */
  readonly silentFactories: ReadonlySet<unknown>;
  /** What is wrong with a schema that somebody wrote by hand, `undefined` when it can be compiled. */
  readonly schemaProblem: (schema: JsonSchemaObject) => string | undefined;
}

/** The tools of one endpoint, and what a start-up has to say about them. */
export interface CatalogDraft {
  /** Sorted by name. */
  readonly tools: readonly Tool[];
  readonly problems: readonly string[];
  readonly warnings: readonly string[];
  /** The routes with parameters that tell nothing of what they take; for `unknownWarnings`. */
  readonly unknown: readonly UnknownOfRoute[];
}

/**
 * Chooses the routes that are tools and describes each. Reports every problem, and throws none.
 *
 * @param kind `@McpTool()` chooses for the `root` endpoint; a `feature` endpoint has its own choice
 */
export function buildCatalog(
  sources: CatalogSources,
  options: ResolvedOptions,
  kind: 'root' | 'feature',
): CatalogDraft {
  const problems: string[] = [];
  const warnings: string[] = [];
  const unknown: UnknownOfRoute[] = [];
  const tools = new Map<string, Tool>();
  const served = new Map<Route['controller'], Set<string>>();
  const classes = new ClassSchemas();
  for (const route of sources.routes) {
    const metadata = readRouteMetadata(route);
    const choice = choose(route, metadata, options, kind);
    if ('problem' in choice) problems.push(`${label(route)}: ${choice.problem}`);
    // A path array or a list of versions makes several routes of one method: the first is the tool.
    if (!('chosen' in choice) || !firstOf(route, served)) continue;
    const made = makeTool(route, metadata, { ...sources, classes }, options);
    problems.push(...made.problems.map((problem) => `${label(route)}: ${problem}`));
    warnings.push(...made.warnings.map((warning) => `${label(route)}: ${warning}`));
    unknown.push(...made.unknown.map((kind) => ({ kind, route: label(route) })));
    if (made.tool === undefined) continue;
    const other = tools.get(made.tool.name);
    if (other === undefined) tools.set(made.tool.name, made.tool);
    else problems.push(duplicate(made.tool, other));
  }
  return { tools: [...tools.values()].sort(byName), problems, warnings, unknown };
}

/** How problems and logs name a route: `OrdersController.find (GET /v1/orders/:id)`. */
export function label({ controller, methodName, httpMethod, path, toolOnly }: Route): string {
  const place = toolOnly === true ? 'tool only' : `${httpMethod} ${path}`;
  return `${controller.name}.${methodName} (${place})`;
}

function firstOf(
  { controller, methodName }: Route,
  served: Map<Route['controller'], Set<string>>,
): boolean {
  const methods = served.get(controller) ?? new Set();
  served.set(controller, methods);
  return methods.size < methods.add(methodName).size;
}

type Choice = { chosen: true } | { skipped: true } | { problem: string };

function choose(
  route: Route,
  metadata: RouteMetadata,
  options: ResolvedOptions,
  kind: 'root' | 'feature',
): Choice {
  if (metadata.unfit !== undefined) {
    if (metadata.tool === undefined) return { skipped: true };
    return {
      problem: `@McpTool() is on a route that cannot be a tool, since ${metadata.unfit}. Remove it there.`,
    };
  }
  if (metadata.tool !== undefined && kind === 'root') return { chosen: true };
  if (options.tags.some((tag) => metadata.tags.includes(tag))) return { chosen: true };
  try {
    return options.include?.(route) === true ? { chosen: true } : { skipped: true };
  } catch (error) {
    return {
      problem: `the option include threw ${String(error)}. Make it return true or false for every route.`,
    };
  }
}

interface MadeTool {
  readonly tool: Tool | undefined;
  readonly problems: readonly string[];
  readonly warnings: readonly string[];
  readonly unknown: readonly UnknownParameter[];
}

function makeTool(
  route: Route,
  metadata: RouteMetadata,
  sources: CatalogSources & { readonly classes: ClassSchemas },
  options: ResolvedOptions,
): MadeTool {
  const own = metadata.tool ?? {};
  const named = toolName(route, own.name, metadata.operation.operationId);
  const { optional, silentFactories, classes } = sources;
  const described = describeInput(route, {
    layout: options.arguments,
    pipes: sources.pipesOf(route),
    optional,
    silentFactories,
    classes,
    ...(own.input === undefined ? {} : { input: own.input }),
  });
  const output = describeOutput(route, {
    optional,
    ...(own.output === undefined ? {} : { output: own.output }),
  });
  const marked = paramHeaders(own.headers, described.input.schema);
  const problems = [
    ...('problem' in named ? [named.problem] : []),
    ...headProblems(own, sources.schemaProblem),
    ...described.problems,
    ...credentialProblems(route, described.input, options),
    ...forwardedProblems(described.input, options),
    ...marked.problems,
    ...output.problems,
  ];
  const warnings = [...described.warnings, ...output.warnings, ...hostWarning(route)];
  const { unknown } = described;
  if (!('name' in named)) return { tool: undefined, problems, warnings, unknown };
  const tool: Tool = {
    name: named.name,
    title: own.title,
    description: own.description ?? describeOperation(metadata),
    route,
    input: described.input,
    headers: marked.headers,
    outputSchema: output.schema,
    annotations: annotationsOf(route.httpMethod, own.annotations),
    icons: own.icons,
    meta: own.meta,
    ...(own.scopes === undefined ? {} : { scopes: own.scopes }),
    timeoutMs: own.timeoutMs ?? options.callTimeoutMs,
  };
  return { tool, problems, warnings, unknown };
}

function describeOperation({ operation }: RouteMetadata): string | undefined {
  const parts = [operation.summary, operation.description].filter(
    (part, index, all) => part !== undefined && part !== '' && all.indexOf(part) === index,
  );
  return parts.length > 0 ? parts.join('\n\n') : undefined;
}

function hostWarning({ hosts }: Route): string[] {
  if (hosts.length === 0) return [];
  return [
    `it is bound to the host ${hosts.map(String).join(', ')}, and a call carries the host of the MCP request: other hosts get its 404.`,
  ];
}

function duplicate(tool: Tool, other: Tool): string {
  return `the tool name "${tool.name}" is taken twice, by ${label(other.route)} and by ${label(tool.route)}. Give one of them another name in @McpTool('…').`;
}

function byName(a: Tool, b: Tool): number {
  return a.name < b.name ? -1 : 1;
}
