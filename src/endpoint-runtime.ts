import type { Server } from 'node:http';
import { CursorCodec } from './catalog/cursor.js';
import type { Tool } from './catalog/tool.js';
import { compileArgumentCheck } from './dispatch/argument-check.js';
import { CallLimiter } from './dispatch/call-limiter.js';
import { compileCarryOver } from './dispatch/carry-over.js';
import { compileCall, type DispatchContext } from './dispatch/dispatcher.js';
import type { HttpFramework } from './dispatch/http-framework.js';
import { createExchangeFactory } from './dispatch/in-process-exchange.js';
import { EndpointEvents } from './endpoint-events.js';
import { protectionOf } from './endpoint-resources.js';
import type { ProtectedResource } from './endpoint/protected-resource.js';
import type { ResolvedOptions } from './mcp.options.js';
import type { Sessions } from './protocol/dated-handler.js';
import { newRef } from './protocol/exchange.js';
import { MessageHandler } from './protocol/message-handler.js';
import { toolJson } from './protocol/tool-json.js';
import type { ServedTool, ToolContext } from './protocol/tool-context.js';
import type { Announcer } from './sessions/announcer.js';
import { MemoryEventBus } from './sessions/event-bus.js';
import { LiveSessions } from './sessions/live-sessions.js';
import { MemorySessionStore } from './sessions/memory-session-store.js';
import { SessionKeeper } from './sessions/session-keeper.js';

/** The running application, as far as endpoints need to know it. */
export interface ServedApplication {
  readonly framework: HttpFramework;
  readonly server: Server;
  /** It shuts down: endpoints take no further messages, and finish what they have. */
  readonly isClosing: () => boolean;
  /** Nothing runs any more. */
  readonly isClosed: () => boolean;
  /** The headers that choose the version of a tool's route. */
  readonly versionHeaders: (tool: Tool) => readonly string[];
  readonly log: ToolContext['log'];
}

/** What one endpoint is served from. */
export interface RuntimeSources extends Pick<
  ToolContext,
  'options' | 'catalog' | 'serve' | 'policy' | 'watcher' | 'log'
> {
  /** Advice for the model. */
  readonly instructions: string;
}

/** A serving endpoint, and how it ends. */
export interface Runtime {
  readonly handler: MessageHandler;
  readonly resource: ProtectedResource | undefined;
  /** It is known what tools other instances have switched off. */
  readonly isReady: () => boolean;
  /** Ends streams, and releases what was made here. */
  close(): Promise<void>;
}

/** Puts tools, sessions and protocol of one endpoint together, once it knows what other instances have switched. */
export async function createRuntime(sources: RuntimeSources): Promise<Runtime> {
  const { options, catalog, log } = sources;
  const bus =
    (options.sessions === false ? undefined : options.sessions.bus) ?? new MemoryEventBus();
  const events = new EndpointEvents(bus, options.path, (message, error) =>
    log(null, message, error),
  );
  const { sessions, closeSessions } = createSessions(options, events.announcer);
  const protection = protectionOf(options, catalog.tools);
  const handler = new MessageHandler({
    ...sources,
    ...protection,
    identity: { ...options, instructions: sources.instructions },
    cursors: new CursorCodec(options.secret),
    toolJson,
    sessions,
  });
  await events.start({ catalog, handler, sessions });
  return {
    handler,
    resource: protection.resource,
    isReady: () => events.isKnown,
    close: async () => {
      events.close();
      handler.close();
      await closeSessions();
      // One that the options brought belongs to whoever made it.
      if (options.sessions === false || options.sessions.bus === undefined) await bus.close();
    },
  };
}

/**
 * Compiles the calls of routes.
 *
 * @param limiter bounds the calls that run at a time; absent where any number may
 */
export function compileRoutes(
  tools: readonly Tool[],
  options: ResolvedOptions,
  { framework, server, versionHeaders, isClosed }: ServedApplication,
  limiter = callLimiter(options),
): ReadonlyMap<Tool, ServedTool> {
  const context: DispatchContext = {
    server,
    createExchange: createExchangeFactory(framework.constructors),
    carryOver: compileCarryOver(options),
    parseQuery: framework.parseQuery,
    parseForm: framework.parseForm,
    maxRequestBytes: options.maxRequestBytes,
    maxResultBytes: options.maxResultBytes,
    limiter,
    isClosed,
  };
  return new Map(
    tools.map((tool) => {
      const run = compileCall(tool, versionHeaders(tool), context);
      const checkOutput = tool.outputSchema && compileArgumentCheck(tool.outputSchema);
      return [tool, { run, result: { checkOutput, newRef } }];
    }),
  );
}

/** The bound on the calls that run at a time, where the options have one. */
export function callLimiter({ maxConcurrentCalls }: ResolvedOptions): CallLimiter | undefined {
  return maxConcurrentCalls === undefined ? undefined : new CallLimiter(maxConcurrentCalls);
}

function createSessions(
  { path, sessions: given }: ResolvedOptions,
  announcer: Announcer,
): { sessions: Sessions | undefined; closeSessions: () => void | Promise<void> } {
  if (given === false) return { sessions: undefined, closeSessions: () => undefined };
  const store = given.store ?? new MemorySessionStore(given.max, given.idleTimeoutMs);
  return {
    sessions: {
      keeper: new SessionKeeper(path, store, given, announcer),
      live: new LiveSessions(),
    },
    closeSessions: () => (given.store === undefined ? store.close() : undefined),
  };
}
