import { Logger } from '@nestjs/common';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { ResolvedOptions } from '../mcp.options.js';
import { grantedScopes, missingScopes, scopeMessage } from '../mcp.scopes.js';
import { isJsonContentType } from '../protocol/accept.js';
import type { HttpPair, McpRequest } from '../protocol/channel.js';
import { newRef } from '../protocol/exchange.js';
import { InFlight } from '../protocol/in-flight.js';
import { JsonRpcErrorCode } from '../protocol/json-rpc-error.js';
import type { MessageHandler } from '../protocol/message-handler.js';
import { MODERN_REVISION } from '../protocol/revision.js';
import { principalOf } from '../sessions/principal.js';
import { SessionStoreFailure } from '../sessions/within-time.js';
import { takenBytes } from './body-intake.js';
import { HttpChannel } from './http-channel.js';
import { checkOrigin, isLoopback, type OriginVerdict } from './origin.js';
import type { ProtectedResource } from './protected-resource.js';
import { writeRefusal } from './write-answer.js';

/** What an endpoint needs of the running application. */
export interface EndpointRuntime {
  readonly handler: MessageHandler;
  readonly resource: ProtectedResource | undefined;
  readonly server: Server;
  /** Whether the application shuts down, and takes no further messages. */
  readonly isClosing: () => boolean;
}

/** A request of the framework: Node's own on Express, a wrapper around it on Fastify. */
export type FrameworkRequest = IncomingMessage | { readonly raw: IncomingMessage };

interface EndpointPair extends HttpPair {
  readonly request: FrameworkRequest;
}

/** Serves the HTTP requests of one endpoint: checks what stands around a message, and hands over its bytes. */
export class McpEndpoint {
  private readonly logger = new Logger('McpModule');
  private runtime: EndpointRuntime | undefined;
  private loopback: boolean | undefined;
  private readonly refusalsLogged = new Set<string>();
  private readonly open = new InFlight<ServerResponse>();

  constructor(readonly options: ResolvedOptions) {}

  /** The protected resource that the endpoint is, once the routes are known. */
  get resource(): ProtectedResource | undefined {
    return this.runtime?.resource;
  }

  /** Set once, when the routes are known. */
  start(runtime: EndpointRuntime): void {
    this.runtime = runtime;
  }

  /**
   * @param response the framework's, for guards that are asked again
   * @param raw Node's, which is written to
   * @returns a promise that resolves when the request is answered, for interceptors that measure time
   */
  serve(request: FrameworkRequest, response: object, raw: ServerResponse): Promise<void> {
    return new Promise((resolve) => {
      if (raw.closed) {
        resolve();
        return;
      }
      const place = this.open.add(raw);
      raw.once('close', () => {
        this.open.remove(place);
        resolve();
      });
      const failed = (error: unknown): void => this.fail(raw, error);
      try {
        this.answer({ request, response }, raw)?.catch(failed);
      } catch (error) {
        failed(error);
      }
    });
  }

  /** Resolves once every request is answered. */
  idle(): Promise<void> {
    return this.open.idle();
  }

  private answer(http: EndpointPair, response: ServerResponse): void | Promise<void> {
    const { request } = http;
    const { runtime } = this;
    const raw = 'raw' in request ? request.raw : request;
    if (runtime === undefined || runtime.isClosing()) {
      response.setHeader('Retry-After', '1');
      // The client's next message is to meet another instance.
      if (raw.httpVersionMajor === 1) response.setHeader('Connection', 'close');
      return writeRefusal(response, 503, 'The server is not ready.');
    }
    const method = raw.method ?? '';
    if (!this.methods(raw).includes(method)) {
      response.setHeader('Allow', this.methods(raw).join(', '));
      return writeRefusal(response, 405, `${method} is not served here.`);
    }
    const verdict = this.checkOrigin(raw, runtime.server);
    if (!verdict.ok) {
      this.logRefusal(verdict);
      return writeRefusal(response, 403, verdict.message);
    }
    const scopes = (): readonly string[] => this.scopes(request);
    const missing = missingScopes(runtime.resource?.scopes, scopes);
    if (runtime.resource !== undefined && missing.length > 0) {
      const { status, challenge } = runtime.resource.insufficient(raw);
      response.setHeader('WWW-Authenticate', challenge);
      return writeRefusal(response, status, scopeMessage(missing));
    }
    const caller: McpRequest = {
      raw,
      http,
      bytesIn: takenBytes(raw)?.length ?? 0,
      principal: () => this.principal(request),
      scopes,
    };
    const channel = new HttpChannel(raw, response);
    switch (method) {
      case 'GET':
        return runtime.handler.listen(caller, channel);
      case 'DELETE':
        return runtime.handler.end(caller, channel);
      default:
        return this.post(runtime.handler, caller, channel, response);
    }
  }

  private post(
    handler: MessageHandler,
    caller: McpRequest,
    channel: HttpChannel,
    response: ServerResponse,
  ): void | Promise<void> {
    if (!isJsonContentType(caller.raw.headers['content-type'])) {
      return writeRefusal(response, 415, 'Content-Type must be application/json, in UTF-8.');
    }
    if (channel.acceptsNothing) {
      return writeRefusal(
        response,
        406,
        'Accept must allow application/json or text/event-stream.',
      );
    }
    const bytes = takenBytes(caller.raw);
    if (bytes === undefined)
      throw new Error('The message was not taken before it reached the endpoint.');
    return handler.handle(bytes, caller, channel);
  }

  /** GET and DELETE are for sessions, which 2026-07-28 does not have. */
  private methods({ headers }: IncomingMessage): readonly string[] {
    const sessions =
      this.options.sessions !== false && headers['mcp-protocol-version'] !== MODERN_REVISION;
    return sessions ? ['POST', 'GET', 'DELETE'] : ['POST'];
  }

  private principal(request: FrameworkRequest): string | null {
    const { sessions } = this.options;
    const own = sessions === false ? undefined : sessions.principal;
    return own === undefined ? principalOf(request) : own(request);
  }

  private scopes(request: FrameworkRequest): readonly string[] {
    return (this.options.resource?.scopesOf ?? grantedScopes)(request);
  }

  private checkOrigin(request: IncomingMessage, server: Server): OriginVerdict {
    const { allowedHosts, allowedOrigins, allowOrigin } = this.options;
    // Known once the server listens; until then nobody can call over a network.
    if (server.listening) this.loopback ??= isBoundToLoopback(server);
    return checkOrigin(request.headers.origin, request.headers.host, {
      allowedHosts,
      allowedOrigins,
      allowOrigin: allowOrigin && ((origin) => allowOrigin(request, origin)),
      loopback: this.loopback ?? false,
    });
  }

  private fail(response: ServerResponse, error: unknown): void {
    if (error instanceof SessionStoreFailure) return this.unavailable(response, error);
    const ref = newRef();
    this.logger.error(`The endpoint failed (ref ${ref}): ${describe(error)}`);
    writeRefusal(response, 500, 'Internal error', {
      code: JsonRpcErrorCode.InternalError,
      data: { ref },
    });
    // A stream that has begun can only be cut.
    if (!response.writableEnded) response.destroy();
  }

  private unavailable(response: ServerResponse, { message, cause }: SessionStoreFailure): void {
    const ref = newRef();
    this.logger.error(`${message} (ref ${ref}): ${describe(cause)}`);
    if (!response.headersSent) response.setHeader('Retry-After', '1');
    writeRefusal(response, 503, 'Sessions cannot be reached now.', {
      code: JsonRpcErrorCode.InternalError,
      data: { ref },
    });
  }

  private logRefusal({ message, option }: Extract<OriginVerdict, { ok: false }>): void {
    if (this.refusalsLogged.has(option)) return;
    this.refusalsLogged.add(option);
    this.logger.warn(
      `Refused a request: ${message}. List it in the option ${option} if it is right. Later refusals of this kind are not logged.`,
    );
  }
}

function isBoundToLoopback(server: Server): boolean {
  const address = server.address();
  return typeof address === 'object' && address !== null && isLoopback(address.address);
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
