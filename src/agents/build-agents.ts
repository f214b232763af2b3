import { annotationsOf } from '../catalog/annotations.js';
import type { Tool } from '../catalog/tool.js';
import type { McpToolAnnotations } from '../decorators/mcp-tool.decorator.js';
import { toolProblems } from '../protocol/tool-rules.js';
import { compileOperation, type CompiledOperation } from '../upstream/compile-operation.js';
import { checkPolicy, type UpstreamPolicy } from '../upstream/policy.js';
import type {
  AgentDocument,
  BindingDocument,
  OperationDocument,
  OperationVersionDocument,
  ToolOverrides,
  WorkspaceDocument,
} from './catalog-document.js';
import { readCatalog } from './catalog-schema.js';
import { operationTool } from './operation-tool.js';

/** A tool of an agent, and what it calls: a published operation, or a route of the application when there is none. */
export interface BoundTool {
  readonly tool: Tool;
  readonly operation: CompiledOperation | undefined;
}

/** A published agent with its tools, sorted by name. */
export interface BuiltAgent {
  readonly workspace: string;
  readonly slug: string;
  readonly title: string | undefined;
  readonly instructions: string | undefined;
  readonly tools: readonly BoundTool[];
}

/** What a catalog comes to. One with problems is not served at all. */
export interface BuiltCatalog {
  readonly agents: readonly BuiltAgent[];
  readonly problems: readonly string[];
  readonly warnings: readonly string[];
}

/** Specification 2025-11-25, server/tools, section "Tool Names". */
const TOOL_NAME = /^[A-Za-z0-9_.-]{1,128}$/;

/** The tools of the application's routes that agents may bind; `undefined` where no application is at hand. */
export type RouteTools = ReadonlyMap<string, Tool> | undefined;

/** Checks a catalog as a whole and makes the agents of it. Reports every problem, and throws none. */
export function buildAgents(document: unknown, routes: RouteTools): BuiltCatalog {
  const read = readCatalog(document);
  if ('problems' in read) return { agents: [], problems: read.problems, warnings: [] };
  const builder = new CatalogBuilder(routes);
  const { workspaces } = read.catalog;
  builder.twice(workspaces, 'workspaces', ({ slug }) => slug);
  const agents = workspaces.flatMap((workspace) => builder.workspace(workspace));
  return { agents, problems: builder.problems, warnings: builder.warnings };
}

/** An operation of a workspace with what its versions came to; drafts are checked like what is published. */
type Operations = ReadonlyMap<string, ReadonlyMap<number, Version>>;

interface Version {
  readonly document: OperationVersionDocument;
  readonly compiled: CompiledOperation | undefined;
}

class CatalogBuilder {
  readonly problems: string[] = [];
  readonly warnings: string[] = [];

  constructor(private readonly routes: RouteTools) {}

  workspace({ slug, policy, operations = [], agents = [] }: WorkspaceDocument): BuiltAgent[] {
    const where = `workspace ${slug}`;
    const given: UpstreamPolicy = policy ?? { origins: [] };
    const policyProblems = checkPolicy(given);
    this.report(`${where}, policy`, policyProblems);
    this.twice(operations, where, ({ name }) => `operation ${name}`);
    this.twice(agents, where, (agent) => `agent ${agent.slug}`);
    // Under a policy that is none, each operation would say so once more.
    const judged = policyProblems.length > 0 ? undefined : given;
    const known: Operations = new Map(
      operations.map((one) => [one.name, this.versions(one, judged, where)]),
    );
    return agents.flatMap((agent) => this.agent(agent, slug, known));
  }

  private versions(
    { name, versions }: OperationDocument,
    policy: UpstreamPolicy | undefined,
    where: string,
  ): ReadonlyMap<number, Version> {
    const here = `${where}, operation ${name}`;
    this.twice(versions, here, ({ version }) => `version ${version}`);
    return new Map(
      versions.map((document): [number, Version] => {
        const compiled = policy && this.compile(document, policy, here);
        return [document.version, { document, compiled }];
      }),
    );
  }

  private compile(
    { version, rest }: OperationVersionDocument,
    policy: UpstreamPolicy,
    where: string,
  ): CompiledOperation | undefined {
    const compiled = compileOperation(rest, policy);
    if ('operation' in compiled) return compiled.operation;
    this.report(`${where}, version ${version}`, compiled.problems);
    return undefined;
  }

  private agent(agent: AgentDocument, workspace: string, operations: Operations): BuiltAgent[] {
    const { slug, title, instructions, tools = [] } = agent;
    const where = `agent ${workspace}/${slug}`;
    const bound = tools.flatMap((binding, index) =>
      this.tool(binding, `${where}, tools[${index}]`, operations),
    );
    this.twice(bound, where, ({ tool }) => `the tool name ${tool.name}`);
    if (agent.status === 'draft') return [];
    if (bound.length === 0) this.warnings.push(`${where}: it is published, but has no tools.`);
    const sorted = bound.toSorted((a, b) => (a.tool.name < b.tool.name ? -1 : 1));
    return [{ workspace, slug, title, instructions, tools: sorted }];
  }

  private tool(binding: BindingDocument, where: string, operations: Operations): BoundTool[] {
    if ((binding.operation === undefined) === (binding.route === undefined)) {
      this.report(where, ['it must name an operation or a route, and not both.']);
      return [];
    }
    const bound =
      binding.operation === undefined
        ? this.routeTool(binding.route, binding, where)
        : this.operationTool(binding.operation, binding.version, binding, operations, where);
    if (bound === undefined) return [];
    const { name } = bound.tool;
    const nameProblem = TOOL_NAME.test(name)
      ? []
      : [
          `the tool name ${JSON.stringify(name)} is not 1 to 128 of the characters A-Z a-z 0-9 _ - . Give another in name.`,
        ];
    const others = toolProblems(bound.tool, 'the catalog');
    this.report(where, [...nameProblem, ...others]);
    return [bound];
  }

  private routeTool(route: string, overrides: ToolOverrides, where: string): BoundTool | undefined {
    if (this.routes === undefined) {
      this.warnings.push(`${where}: the route ${route} is not checked without the application.`);
      return undefined;
    }
    const tool = this.routes.get(route);
    if (tool !== undefined)
      return { tool: overridden(tool, overrides, tool.annotations), operation: undefined };
    const known = [...this.routes.keys()].join(', ') || 'none';
    this.report(where, [`there is no route tool ${route}. The application has: ${known}.`]);
    return undefined;
  }

  private operationTool(
    name: string,
    version: number | undefined,
    overrides: ToolOverrides,
    operations: Operations,
    where: string,
  ): BoundTool | undefined {
    const versions = operations.get(name);
    if (versions === undefined) {
      this.report(where, [`there is no operation ${name} in its workspace.`]);
      return undefined;
    }
    const found = version === undefined ? newestPublished(versions) : versions.get(version);
    if (found === undefined && version !== undefined) {
      this.report(where, [`operation ${name} has no version ${version}.`]);
      return undefined;
    }
    if (found === undefined || found.document.status === 'draft') {
      this.warnings.push(`${where}: operation ${name} is a draft, so it makes no tool.`);
      return undefined;
    }
    const { document, compiled } = found;
    if (compiled === undefined) return undefined;
    const annotations = annotationsOf(compiled.operation.method, document.annotations);
    const tool = operationTool(name, document, compiled, annotations);
    return { tool: overridden(tool, overrides, annotations), operation: compiled };
  }

  twice<T>(items: readonly T[], where: string, nameOf: (item: T) => string): void {
    const names = items.map(nameOf);
    const found = new Set(names.filter((name, index) => names.indexOf(name) !== index));
    this.report(
      where,
      [...found].map((name) => `${name} is there twice. Keep one, or give another name.`),
    );
  }

  private report(where: string, problems: readonly string[]): void {
    this.problems.push(...problems.map((problem) => `${where}: ${problem}`));
  }
}

function newestPublished(versions: ReadonlyMap<number, Version>): Version | undefined {
  return [...versions.values()]
    .filter(({ document }) => document.status === 'published')
    .toSorted((a, b) => b.document.version - a.document.version)[0];
}

function overridden(
  tool: Tool,
  { name, title, description, annotations }: ToolOverrides,
  own: McpToolAnnotations,
): Tool {
  return Object.freeze({
    ...tool,
    name: name ?? tool.name,
    title: title ?? tool.title,
    description: description ?? tool.description,
    annotations: { ...own, ...annotations },
  });
}
