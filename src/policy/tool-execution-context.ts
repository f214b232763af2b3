import type { ContextType, ExecutionContext, Type } from '@nestjs/common';
import type { Tool } from '../catalog/tool.js';
import type { HttpPair } from '../protocol/channel.js';
import type { RouteInput } from '../schema/route-input.js';

type HttpHost = ReturnType<ExecutionContext['switchToHttp']>;

/**
 * What a tool guard is asked with: the tool's own class and method, so that `Reflector` finds the route's metadata, and the
 * MCP request, so that `request.user` is who the endpoint's guards found.
 */
export class ToolExecutionContext implements ExecutionContext {
  /** @param request `params`, `query` and `body` are laid over it, and it stays as it is */
  constructor(
    private readonly tool: Tool,
    private readonly request: object,
    private readonly response: object,
  ) {}

  getClass<T = unknown>(): Type<T> {
    return this.tool.route.controller as Type<T>;
  }

  getHandler(): ReturnType<ExecutionContext['getHandler']> {
    return this.tool.route.handler;
  }

  getArgs<T extends unknown[] = unknown[]>(): T {
    return [this.request, this.response] as unknown as T;
  }

  getArgByIndex<T = unknown>(index: number): T {
    return this.getArgs()[index] as T;
  }

  getType<T extends string = ContextType>(): T {
    return 'http' as T;
  }

  switchToHttp(): HttpHost {
    const none = (): undefined => undefined;
    return {
      getRequest: () => this.request,
      getResponse: () => this.response,
      getNext: none,
    } as HttpHost;
  }

  switchToRpc(): never {
    throw new TypeError('A tool is an HTTP route: use switchToHttp().');
  }

  switchToWs(): never {
    throw new TypeError('A tool is an HTTP route: use switchToHttp().');
  }
}

/** The parts of a request that come from the arguments of a call; all empty for a list. */
export interface ArgumentView {
  readonly params: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

const NOTHING: ArgumentView = { params: {}, query: {}, body: {} };

/** The context of a tool for the MCP request, without arguments (a list) or with those of a call. */
export function toolContext(
  tool: Tool,
  http: HttpPair,
  args?: Record<string, unknown>,
): ToolExecutionContext {
  const view = args === undefined ? NOTHING : argumentView(tool.input, args);
  const overlay = Object.create(http.request, {
    params: { value: view.params, writable: true, enumerable: true, configurable: true },
    query: { value: view.query, writable: true, enumerable: true, configurable: true },
    body: { value: view.body, writable: true, enumerable: true, configurable: true },
  }) as object;
  return new ToolExecutionContext(tool, overlay, http.response);
}

/** Sorts arguments into the places of a request, as the call's request will have them. */
export function argumentView(input: RouteInput, args: Record<string, unknown>): ArgumentView {
  if (input.layout === 'grouped') {
    return {
      params: recordOf(args['path']),
      query: recordOf(args['query']),
      body: args['body'] ?? args['form'] ?? {},
    };
  }
  const params: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  const query: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  const body: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  const places = new Map(input.parameters.map(({ name, place }) => [name, place]));
  for (const [name, value] of Object.entries(args)) {
    const place = places.get(name);
    if (place === 'path') params[name] = value;
    else if (place === 'query') query[name] = value;
    else if (place === undefined) body[name] = value;
  }
  return { params, query, body };
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};
}
