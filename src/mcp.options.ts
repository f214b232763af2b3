import type { CanActivate, DynamicModule, ForwardReference, Type } from '@nestjs/common';
import type { IncomingMessage } from 'node:http';
import type { Route } from './discovery/route.js';
import type { McpResourceOptions, ResolvedResource } from './mcp.options.resource.js';
import type { McpSessionsOptions, ResolvedSessions } from './mcp.options.sessions.js';
import type { McpObserver, ObserveArguments } from './policy/observer.js';
import type { McpResponseGuard } from './policy/response-guard.js';
import type { ArgumentLayout } from './schema/route-input.js';

/** A picture of the server or of a tool (specification 2025-11-25, schema `Icon`). */
export interface McpIcon {
  /** An `https:` or `data:` URI. */
  readonly src: string;
  readonly mimeType?: string;
  /** `WxH`, or `any` for a scalable picture. */
  readonly sizes?: readonly string[];
  readonly theme?: 'light' | 'dark';
}

/** Where a credential is read from (OpenAPI 3.1, Security Scheme Object); what else a document says of it is passed over. */
export interface McpSecurityScheme {
  readonly type?: string;
  /** A reference to another document, which is passed over. */
  readonly $ref?: string;
  /** Of an `apiKey`: `header`, `query` or `cookie`. */
  readonly in?: string;
  /** Of an `apiKey`: the name of the header, the query parameter or the cookie. */
  readonly name?: string;
}

/** The part of the options that shapes the module itself, and so is given beside `useFactory`. */
export interface McpMountOptions {
  /** Where the endpoint is mounted, below the global prefix like any route. Default `'mcp'`. */
  readonly path?: string;
  /** Modules whose exported providers `guards` inject. */
  readonly imports?: readonly (Type | DynamicModule | Promise<DynamicModule> | ForwardReference)[];
  /** Guards of the endpoint itself, beside the application's global ones. */
  readonly guards?: readonly (Type<CanActivate> | CanActivate)[];
  /** Class decorators for the generated controller: `@Public()`, `@Throttle()`, `@SkipThrottle()` and the like. */
  readonly decorators?: readonly ClassDecorator[];
  /** Makes `McpToolCatalog` injectable everywhere. Default `false`. */
  readonly isGlobal?: boolean;
}

/** The options of one endpoint, all of them optional. */
export interface McpModuleOptions extends McpMountOptions {
  /** The server's name that clients are told. Default `'nestjs-mcp-routes'`. */
  readonly name?: string;
  /** The server's version that clients are told. Default `'0.0.0'`. */
  readonly version?: string;
  /** A name for people (2025-06-18 and later). */
  readonly title?: string;
  /** Advice for the model. It follows a short text of the module's own on arguments and errors. */
  readonly instructions?: string;
  readonly icons?: readonly McpIcon[];

  /** Routes with one of these swagger tags (their own or their controller's) are tools. */
  readonly tags?: readonly string[];
  /** Asked once at start-up for each route that can be a tool: `true` makes it one. */
  readonly include?: (route: Route) => boolean;
  /** How a tool's arguments are laid out. Default `'grouped'`. */
  readonly arguments?: ArgumentLayout;

  /**
   * Guards that are asked for each tool of a list and before each call, with the route's class and method and the MCP
   * request: what they refuse is hidden, or not called. Default: none, the routes' own guards decide.
   */
  readonly toolGuards?: readonly (Type<CanActivate> | CanActivate)[];
  /** Judges every successful result and every list as it goes out. Needs `recheck`. */
  readonly responseGuard?: Type<McpResponseGuard> | McpResponseGuard;
  /** Makes a missing `responseGuard` an error of set-up. Default `false`. */
  readonly requireResponseGuard?: boolean;
  /** Asks `guards` and `toolGuards` once more as an answer goes out. Default `false`. */
  readonly recheck?: boolean;

  /** Is told of every call and list, as its answer goes out. */
  readonly observer?: Type<McpObserver> | McpObserver;
  /** Whether the observer sees arguments, and which members of them it does not. Default `false`. */
  readonly observeArguments?: ObserveArguments;

  /** Headers of the MCP request that a call carries over, beside the ones it always does. */
  readonly forwardHeaders?: readonly string[];
  /** Cookies of the MCP request that a call carries over. None are by default. */
  readonly forwardCookies?: readonly string[];

  /**
   * Where the application reads credentials from, which are never arguments: the `components.securitySchemes` of its swagger
   * document. Default: none are known but `authorization` and what `@ApiSecurity()` names.
   */
  readonly securitySchemes?: Readonly<Record<string, McpSecurityScheme>>;

  /**
   * The headers that make a custom version extractor choose a route: `(route) => ({ 'x-api-version': '2' })`. Asked once at
   * start-up for each route that is a tool and has a version; the other kinds of versioning need no help.
   */
  readonly versionHeaders?: (route: Route) => Readonly<Record<string, string>>;

  /** The host names, without port, that the endpoint's own origin counts for. Localhost and addresses always do. */
  readonly allowedHosts?: readonly string[];
  /** Further origins that may call from a browser: `https://inspector.example.com`. */
  readonly allowedOrigins?: readonly string[];
  /** Decides on an origin that no list names. One that throws refuses. */
  readonly allowOrigin?: (request: IncomingMessage, origin: string) => boolean;
  /** Who may share a cached list (2026-07-28). Default `'private'`. */
  readonly listScope?: 'private' | 'public';
  /** Signs list cursors, so that every instance with the same secret reads them. Default: a key of the process. */
  readonly secret?: string;

  /** Makes the endpoint an OAuth protected resource: its metadata documents, and the challenges of its 401 and 403. */
  readonly resource?: McpResourceOptions;
  /**
   * Answers the call of a tool whose `scopes` the caller lacks with the HTTP challenge that makes clients ask for more, and
   * shows such a tool in lists. Needs `resource`. Default `false`: it is hidden, and its call an error result.
   */
  readonly stepUp?: boolean;

  /** Serves the 2025 revisions with sessions: streams of list changes, cancellation. Default `false`. */
  readonly sessions?: false | McpSessionsOptions;

  /** The largest message, and the largest request that a call may write, in bytes. Default 1 MiB. */
  readonly maxRequestBytes?: number;
  /** The largest body of a route that is read for a result, in bytes. Default 2 MiB. */
  readonly maxResultBytes?: number;
  /** The deepest nesting of a message. Default 128. */
  readonly maxDepth?: number;
  /** How long a call may take, in milliseconds. Default 60 000. */
  readonly callTimeoutMs?: number;
  /**
   * How many calls of one principal may run at a time; callers without a principal count as one. A further call is an
   * error result of status 429. Default: any number.
   */
  readonly maxConcurrentCalls?: number;
  /**
   * How long calls may run on when the application shuts down, in milliseconds; those that have not ended then are ended. Default
   * 20 000.
   */
  readonly shutdownGraceMs?: number;
  /** Tools on a page of `tools/list`. Default 100. */
  readonly pageSize?: number;
  /** How long a client may keep a list (2026-07-28), in milliseconds. Default 300 000. */
  readonly listTtlMs?: number;
  /** After which a running call answers with an event stream, where the client takes one, in milliseconds. Default 2 000. */
  readonly streamAfterMs?: number;
}

/** The options with every default in place, frozen. */
export interface ResolvedOptions {
  readonly name: string;
  readonly version: string;
  readonly title: string | undefined;
  readonly instructions: string | undefined;
  readonly icons: readonly McpIcon[] | undefined;
  readonly path: string;
  readonly tags: readonly string[];
  readonly include: ((route: Route) => boolean) | undefined;
  readonly arguments: ArgumentLayout;
  readonly toolGuards: NonNullable<McpModuleOptions['toolGuards']>;
  readonly responseGuard: McpModuleOptions['responseGuard'];
  readonly requireResponseGuard: boolean;
  readonly recheck: boolean;
  readonly observer: McpModuleOptions['observer'];
  readonly observeArguments: ObserveArguments;
  /** In lower case. */
  readonly forwardHeaders: readonly string[];
  readonly forwardCookies: readonly string[];
  readonly securitySchemes: Readonly<Record<string, McpSecurityScheme>>;
  readonly versionHeaders: McpModuleOptions['versionHeaders'];
  /** In lower case. */
  readonly allowedHosts: readonly string[];
  readonly allowedOrigins: readonly string[];
  readonly allowOrigin: ((request: IncomingMessage, origin: string) => boolean) | undefined;
  readonly listScope: 'private' | 'public';
  readonly secret: string | undefined;
  readonly maxRequestBytes: number;
  readonly maxResultBytes: number;
  readonly maxDepth: number;
  readonly callTimeoutMs: number;
  readonly maxConcurrentCalls: number | undefined;
  readonly shutdownGraceMs: number;
  readonly pageSize: number;
  readonly listTtlMs: number;
  readonly streamAfterMs: number;
  readonly sessions: false | ResolvedSessions;
  readonly resource: ResolvedResource | undefined;
  readonly stepUp: boolean;
}

/** The names of `McpMountOptions`. */
export const MOUNT_OPTIONS = [
  'path',
  'imports',
  'guards',
  'decorators',
  'isGlobal',
] as const satisfies readonly (keyof McpMountOptions)[];

/** Every default of the module. */
export const DEFAULTS: ResolvedOptions = {
  name: 'nestjs-mcp-routes',
  version: '0.0.0',
  title: undefined,
  instructions: undefined,
  icons: undefined,
  path: 'mcp',
  tags: [],
  include: undefined,
  arguments: 'grouped',
  toolGuards: [],
  responseGuard: undefined,
  requireResponseGuard: false,
  recheck: false,
  observer: undefined,
  observeArguments: false,
  forwardHeaders: [],
  forwardCookies: [],
  securitySchemes: {},
  versionHeaders: undefined,
  allowedHosts: [],
  allowedOrigins: [],
  allowOrigin: undefined,
  listScope: 'private',
  secret: undefined,
  maxRequestBytes: 1024 * 1024,
  maxResultBytes: 2 * 1024 * 1024,
  maxDepth: 128,
  callTimeoutMs: 60_000,
  maxConcurrentCalls: undefined,
  shutdownGraceMs: 20_000,
  pageSize: 100,
  listTtlMs: 300_000,
  streamAfterMs: 2_000,
  sessions: false,
  resource: undefined,
  stepUp: false,
};

/** The defaults of `sessions`, where there are any. */
export const SESSION_DEFAULTS = { max: 10_000, idleTimeoutMs: 24 * 3_600_000 } as const;
