import {
  MCP_ENDPOINT_METADATA,
  MCP_HIDDEN_METADATA,
  MCP_TOOL_METADATA,
  MCP_TOOL_ONLY_METADATA,
} from '../mcp.constants.js';
import type { McpToolOptions } from '../decorators/mcp-tool.decorator.js';
import type { Route } from './route.js';

/** Keys of `@nestjs/swagger`, read as they are so that the package stays optional. */
const SWAGGER = {
  tags: 'swagger/apiUseTags',
  operation: 'swagger/apiOperation',
  security: 'swagger/apiSecurity',
  excludeEndpoint: 'swagger/apiExcludeEndpoint',
  excludeController: 'swagger/apiExcludeController',
} as const;

/** Keys of `@nestjs/common` (its `constants.js`, which is no public entry). */
const NEST = { sse: '__sse__', render: '__renderTemplate__' } as const;

/** What the decorators of a route's method and controller say that concerns tools. The only reader of that metadata. */
export interface RouteMetadata {
  readonly tool: McpToolOptions | undefined;
  readonly tags: readonly string[];
  readonly operation: {
    readonly operationId?: string;
    readonly summary?: string;
    readonly description?: string;
  };
  /** Why the route can never be a tool, `undefined` when it can. */
  readonly unfit: string | undefined;
  readonly isEndpoint: boolean;
}

/** @returns the options of `@McpTool()` on a method, `undefined` without one */
export function readToolOptions(method: object): McpToolOptions | undefined {
  return Reflect.getMetadata(MCP_TOOL_METADATA, method) as McpToolOptions | undefined;
}

/** @returns whether a method, or the handler that Nest made of it, has `@McpToolOnly()` */
export function isToolOnly(method: object): boolean {
  return isSet(MCP_TOOL_ONLY_METADATA, method);
}

/** Reads all that `RouteMetadata` holds. */
export function readRouteMetadata(route: Route): RouteMetadata {
  const { controller, handler } = route;
  return {
    tool: readToolOptions(handler),
    tags: [
      ...read<string[]>(SWAGGER.tags, controller, []),
      ...read<string[]>(SWAGGER.tags, handler, []),
    ],
    operation: read<RouteMetadata['operation']>(SWAGGER.operation, handler, {}),
    unfit: unfitReason(route),
    isEndpoint: Reflect.hasMetadata(MCP_ENDPOINT_METADATA, controller),
  };
}

/** @returns the security schemes that `@ApiSecurity()`, `@ApiCookieAuth()` and their like name */
export function readSecurityNames({ controller, handler }: Route): readonly string[] {
  return [controller, handler].flatMap((place) =>
    read<object[]>(SWAGGER.security, place, []).flatMap((requirement) => Object.keys(requirement)),
  );
}

/** The methods that a request can be written for and that `RequestMethod` names (issue of tools: no WebDAV, no SEARCH). */
const CALLABLE_METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

function unfitReason({ controller, handler, httpMethod }: Route): string | undefined {
  if (Reflect.hasMetadata(MCP_ENDPOINT_METADATA, controller)) return 'it is an MCP endpoint';
  if (isSet(MCP_HIDDEN_METADATA, controller) || isSet(MCP_HIDDEN_METADATA, handler)) {
    return 'it is hidden by @McpHidden()';
  }
  if (!isToolOnly(handler) && isExcludedFromSwagger(controller, handler)) {
    return 'it is excluded from the API documentation by @ApiExcludeEndpoint() or @ApiExcludeController()';
  }
  if (isSet(NEST.sse, handler)) return 'it answers with an event stream (@Sse())';
  if (Reflect.hasMetadata(NEST.render, handler)) return 'it renders a page (@Render())';
  if (!CALLABLE_METHODS.has(httpMethod)) {
    return `a call cannot choose one HTTP method for ${httpMethod === 'ALL' ? '@All()' : httpMethod}`;
  }
  return undefined;
}

function isExcludedFromSwagger(controller: object, handler: object): boolean {
  const endpoint = read<{ disable?: boolean }>(SWAGGER.excludeEndpoint, handler, {});
  const [excluded] = read<boolean[]>(SWAGGER.excludeController, controller, []);
  return endpoint.disable === true || excluded === true;
}

function isSet(key: string, target: object): boolean {
  return Reflect.getMetadata(key, target) === true;
}

function read<T>(key: string, target: object, fallback: T): T {
  return (Reflect.getMetadata(key, target) as T | undefined) ?? fallback;
}
