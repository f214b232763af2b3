import { Logger } from '@nestjs/common';
import { randomBytes } from 'node:crypto';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { ResolvedOptions } from '../mcp.options.js';
import { isJsonContentType, readAccept } from '../protocol/accept.js';
import { JsonRpcErrorCode } from '../protocol/json-rpc-error.js';
import type { Answer, MessageHandler } from '../protocol/message-handler.js';
import { takenBytes } from './body-intake.js';
import { checkOrigin, isLoopback } from './origin.js';
import { writeEvent, writeJson, writeRefusal } from './write-answer.js';

/** What an endpoint needs of the running application. */
export interface EndpointRuntime {
  readonly handler: MessageHandler;
  readonly server: Server;
  readonly isClosed: () => boolean;
}

/** Serves the HTTP requests of one endpoint: checks what stands around a message, and hands over its bytes. */
export class McpEndpoint {
  private readonly logger = new Logger('McpModule');
  private runtime: EndpointRuntime | undefined;
  private loopback: boolean | undefined;
  private hostRefusalLogged = false;

  constructor(readonly options: ResolvedOptions) {}

  /** Set once, when the routes are known. */
  start(runtime: EndpointRuntime): void {
    this.runtime = runtime;
  }

  /** @returns a promise that resolves when the request is answered, for interceptors that measure time */
  serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    return new Promise((resolve) => {
      response.once('close', resolve);
      try {
        if (this.runtime === undefined || this.runtime.isClosed()) {
          response.setHeader('Retry-After', '1');
          writeRefusal(response, 503, 'The server is not ready.');
        } else if (this.admit(request, response, this.runtime.server)) {
          this.exchange(this.runtime.handler, request, response);
        }
      } catch (error) {
        this.fail(response, error);
      }
    });
  }

  /** Answers what is wrong around the message. */
  private admit(request: IncomingMessage, response: ServerResponse, server: Server): boolean {
    if (request.method !== 'POST') {
      response.setHeader('Allow', 'POST');
      writeRefusal(response, 405, 'Only POST is served here.');
      return false;
    }
    const verdict = this.checkOrigin(request, server);
    if (!verdict.ok) {
      this.logRefusal(verdict.message, verdict.option);
      writeRefusal(response, 403, verdict.message);
      return false;
    }
    if (!isJsonContentType(request.headers['content-type'])) {
      writeRefusal(response, 415, 'Content-Type must be application/json, in UTF-8.');
      return false;
    }
    return true;
  }

  private checkOrigin(request: IncomingMessage, server: Server): ReturnType<typeof checkOrigin> {
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

  private exchange(
    handler: MessageHandler,
    request: IncomingMessage,
    response: ServerResponse,
  ): void {
    const accept = readAccept(request.headers.accept);
    if (!accept.json && !accept.sse) {
      writeRefusal(response, 406, 'Accept must allow application/json or text/event-stream.');
      return;
    }
    const bytes = takenBytes(request);
    if (bytes === undefined)
      throw new Error('The body of the message was not taken before it reached the endpoint.');
    const write = (answer: Answer): void => {
      if (accept.json || answer.status !== 200) writeJson(response, answer);
      else writeEvent(response, answer);
    };
    const running = handler.handle(bytes, request, write);
    response.once('close', () => {
      if (!response.writableFinished) running.cancel();
    });
  }

  private fail(response: ServerResponse, error: unknown): void {
    const ref = randomBytes(6).toString('hex');
    this.logger.error(`The endpoint failed (ref ${ref}): ${describe(error)}`);
    writeRefusal(response, 500, 'Internal error', {
      code: JsonRpcErrorCode.InternalError,
      data: { ref },
    });
  }

  private logRefusal(message: string, option: string): void {
    if (this.hostRefusalLogged) return;
    this.hostRefusalLogged = true;
    this.logger.warn(
      `Refused a request: ${message}. List it in the option ${option} if it is right. Later refusals are not logged.`,
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
