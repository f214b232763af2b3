import type { INestApplication } from '@nestjs/common';
import { ApplicationConfig } from '@nestjs/core';
import { label } from '../catalog/build-catalog.js';
import type { Tool } from '../catalog/tool.js';
import type { Route } from '../discovery/route.js';
import { RouteRecorder } from '../discovery/route-recorder.js';
import { readRouteMetadata } from '../discovery/tool-metadata.js';
import { McpCallGuard } from '../dispatch/call.guard.js';
import { EndpointRegistry, type RegisteredEndpoint } from '../endpoint-registry.js';
import { LATEST_DATED_REVISION } from '../protocol/revision.js';
import { toolJson } from '../protocol/tool-json.js';
import type { JsonSchema, JsonSchemaObject } from '../schema/json-schema.js';
import type { LoadedApplication } from './load-application.js';

export interface ReportedTool {
  readonly name: string;
  /** Such as `GET /orders/:id`. */
  readonly route: string;
  /** Such as `OrdersController.find`. */
  readonly handler: string;
  /** The guards that a call meets, the application's first. */
  readonly guards: readonly string[];
  /** The members of the arguments; `?` follows those that may be left out. */
  readonly arguments: readonly string[];
  /** How large the tool is in a listing of 2025-11-25. */
  readonly bytes: number;
}

export interface ReportedEndpoint {
  readonly path: string;
  readonly tools: readonly ReportedTool[];
  readonly bytes: number;
}

export interface ToolsReport {
  readonly endpoints: readonly ReportedEndpoint[];
  readonly notTools: readonly { readonly route: string; readonly why: string }[];
  readonly warnings: readonly string[];
}

/** Descriptions shorter than this say no more than the name. */
const SHORT_DESCRIPTION = 20;
/** With more members than this, models begin to leave some out or to make some up. */
const MANY_MEMBERS = 25;
/** With more tools than this in view, models choose wrongly more often; hosts cut the list at 40 to 128. */
const MANY_TOOLS = 40;
/** About 16 000 tokens, before a word was said. */
const LARGE_LIST = 64 * 1024;

/**
 * What an application serves, what it does not, and what may confuse a model.
 *
 * @throws Error when the application has no MCP endpoint
 */
export function reportOf({ app, warnings }: LoadedApplication): ToolsReport {
  const endpoints = endpointsOf(app);
  const routes = app.get(RouteRecorder, { strict: false }).finish();
  const globals = globalGuards(app.get(ApplicationConfig));
  const served = endpoints.map(({ endpoint, catalog }) => ({
    path: endpoint.options.path,
    tools: catalog.tools,
  }));
  const chosen = new Set(served.flatMap(({ tools }) => tools.map(({ route }) => keyOf(route))));
  return {
    endpoints: served.map(({ path, tools }) => {
      const reported = tools.map((tool) => reportedTool(tool, globals));
      return { path, tools: reported, bytes: reported.reduce((sum, { bytes }) => sum + bytes, 0) };
    }),
    notTools: routes
      .filter((route) => !chosen.has(keyOf(route)) && !readRouteMetadata(route).isEndpoint)
      .map((route) => ({ route: label(route), why: whyNot(route) })),
    warnings: [...warnings, ...served.flatMap(({ path, tools }) => confusions(path, tools))],
  };
}

function endpointsOf(app: INestApplication): readonly RegisteredEndpoint[] {
  try {
    return app.get(EndpointRegistry, { strict: false }).endpoints;
  } catch {
    throw new Error(
      'The application has no MCP endpoint: import McpModule.forRoot() in its module.',
    );
  }
}

function keyOf({ controller, methodName }: Route): string {
  return `${controller.name}.${methodName}`;
}

function whyNot(route: Route): string {
  const { unfit } = readRouteMetadata(route);
  return unfit ?? 'neither @McpTool() nor the options tags and include choose it';
}

function reportedTool(tool: Tool, globals: readonly string[]): ReportedTool {
  const { name, route } = tool;
  return {
    name,
    route: `${route.httpMethod} ${route.path}`,
    handler: keyOf(route),
    guards: [...globals, ...guardsAt(route.controller), ...guardsAt(route.handler)],
    arguments: argumentNames(tool),
    bytes: bytesOf(tool),
  };
}

function bytesOf(tool: Tool): number {
  return Buffer.byteLength(toolJson(tool, LATEST_DATED_REVISION));
}

function globalGuards(config: ApplicationConfig): readonly string[] {
  const guards = config.getGlobalGuards().filter((guard) => !(guard instanceof McpCallGuard));
  const requestScoped = config.getGlobalRequestGuards().map(({ metatype }) => metatype);
  return [...guards, ...requestScoped].map(nameOf);
}

function guardsAt(place: object): readonly string[] {
  return ((Reflect.getMetadata('__guards__', place) as unknown[] | undefined) ?? []).map(nameOf);
}

function nameOf(guard: unknown): string {
  return typeof guard === 'function' ? guard.name : ((guard as object).constructor.name ?? 'guard');
}

/** `path.id`, `body.name`, `query.page?`; in the flat layout the members alone. */
function argumentNames({ input }: Tool): readonly string[] {
  const schema = input.clientNames?.schema ?? input.schema;
  const groups = Object.entries(schema.properties ?? {});
  if (input.layout === 'flat') return groups.map(([name]) => marked(name, schema));
  return groups.flatMap(([group, member]) => {
    const inner = resolved(member, schema);
    const names = Object.keys(inner.properties ?? {});
    if (names.length === 0) return [marked(group, schema)];
    const isOptional = schema.required?.includes(group) !== true;
    return names.map((name) => `${group}.${isOptional ? `${name}?` : marked(name, inner)}`);
  });
}

function marked(name: string, { required = [] }: JsonSchemaObject): string {
  return required.includes(name) ? name : `${name}?`;
}

function resolved(schema: JsonSchema, root: JsonSchemaObject): JsonSchemaObject {
  if (typeof schema !== 'object') return {};
  const target = root.$defs?.[schema.$ref?.replace('#/$defs/', '') ?? ''];
  return typeof target === 'object' ? target : schema;
}

/** What makes a model choose the wrong tool or the wrong arguments. */
function confusions(path: string, tools: readonly Tool[]): readonly string[] {
  const bytes = tools.reduce((sum, tool) => sum + bytesOf(tool), 0);
  return [
    ...(tools.length > MANY_TOOLS || bytes > LARGE_LIST
      ? [
          `The endpoint "${path}" lists ${tools.length} tools of ${bytes} bytes: a model chooses better among fewer. Split them among endpoints with McpModule.forFeature().`,
        ]
      : []),
    ...tools.flatMap((tool) => {
      const { description = '', input } = tool;
      const count = countMembers(input.schema);
      return [
        ...(description.length < SHORT_DESCRIPTION
          ? [
              `${tool.name}: ${description === '' ? 'it has no description' : `its description is "${description}"`}, so a model only has the name to go by. Say what it does and when to use it in @McpTool({ description }) or @ApiOperation({ summary }).`,
            ]
          : []),
        ...(count > MANY_MEMBERS
          ? [
              `${tool.name}: it has ${count} members, which is a lot to fill in. Take those that a model does not need out with @McpTool({ input }).`,
            ]
          : []),
      ];
    }),
  ];
}

function countMembers(schema: JsonSchema): number {
  if (typeof schema !== 'object') return 0;
  const members = Object.values(schema.properties ?? {});
  const inner = [...members, ...(schema.items === undefined ? [] : [schema.items])];
  return members.length + inner.reduce((sum, member) => sum + countMembers(member), 0);
}
