import { ForbiddenException } from '@nestjs/common';
import type { IncomingMessage } from 'node:http';
import type { Tool } from '../catalog/tool.js';
import { scopeMessage } from '../mcp.scopes.js';
import type { InputPort, McpInputRequests, McpInputResponses } from '../protocol/input-port.js';
import type { JsonRpcId } from '../protocol/json-rpc-error.js';

/** What a route can know of the tool call that it runs for. `@McpCall()` hands it to a handler. */
export interface McpCallContext {
  /** The tool's name. */
  readonly tool: string;
  /** The JSON-RPC id of the call. */
  readonly requestId: JsonRpcId;
  /** Aborted when the call times out, its answer grows too large or its caller gives up. */
  readonly signal: AbortSignal;
  /** Who calls, as the endpoint's guards and the option `sessions.principal` tell; `null` for nobody. */
  readonly principal: string | null;
  /**
   * Tells the client how far the call is, `progress` out of `total` in whatever unit. Does nothing when the client did not
   * ask for it, when `progress` does not increase, and after the end.
   */
  progress(progress: number, total?: number, message?: string): void;
  /** What the client says it can do: `elicitation`, `sampling`, `roots`. */
  readonly clientCapabilities: Readonly<Record<string, unknown>>;
  /**
   * Asks the client for input: what its user says (`elicitation/create`), what its model says (`sampling/createMessage`), or
   * its roots. Ask before anything is done: a client of 2026-07-28 answers with another call, for which the route runs again
   * from the start. To keep what it has been asked, the same keys must be used again.
   *
   * @returns the client's answers by the same keys
   * @throws McpInputUnavailable (an `HttpException`) where the client cannot be asked
   * @throws McpInputPending (an `HttpException`) that ends this run; not to be caught
   * @example
   * const { reason } = await call.requestInput({
   *   reason: { method: 'elicitation/create', params: { message: 'Why?', requestedSchema: { … } } },
   * });
   * if (reason.action !== 'accept') throw new ConflictException('not confirmed');
   */
  requestInput(requests: McpInputRequests): Promise<McpInputResponses>;
}

/** Who calls, and how to reach them while the call runs. */
export interface Caller {
  readonly requestId: JsonRpcId;
  readonly principal: string | null;
  readonly progress: (progress: number, total?: number, message?: string) => void;
  readonly input: Pick<InputPort, 'ask' | 'capabilities'>;
  /** Asks the tool guards, where there are any, with the arguments that the route gets. Rejects with what one of them throws. */
  readonly authorize?: ((args: Record<string, unknown>) => Promise<boolean>) | undefined;
  /** The tool's scopes that the caller lacks. */
  readonly missingScopes?: readonly string[] | undefined;
  /** Trace headers of the call's own span, names and values in turn, in place of those of the MCP request. */
  readonly traceHeaders?: readonly string[] | undefined;
}

/** One tool call on its way through the application: what the guard and the interceptor of the inner request work on. */
export class Call implements McpCallContext {
  /** The request reached a route of the application, by any path. */
  reached = false;
  /** The route that it reached was not the tool's own. */
  strayed = false;
  /** It was refused for the scopes that the caller lacks, and by no guard. */
  lacksScopes = false;
  /** The outcome is known. */
  over = false;
  /** What the tool guards or the route threw, for the log: the answer does not tell. */
  cause: unknown;
  private controller: AbortController | undefined;
  private aborted: Error | undefined;

  constructor(
    private readonly target: Tool,
    readonly args: Record<string, unknown>,
    /** What is wrong with the arguments, found before the request was written. */
    readonly problems: readonly string[],
    readonly check: (args: unknown) => readonly string[],
    private readonly caller: Caller,
  ) {}

  get requestId(): JsonRpcId {
    return this.caller.requestId;
  }

  get principal(): string | null {
    return this.caller.principal;
  }

  progress(progress: number, total?: number, message?: string): void {
    if (!this.over) this.caller.progress(progress, total, message);
  }

  get tool(): string {
    return this.target.name;
  }

  /** Made when somebody asks, since most handlers never do. */
  get signal(): AbortSignal {
    if (this.controller === undefined) {
      this.controller = new AbortController();
      if (this.aborted !== undefined) this.controller.abort(this.aborted);
    }
    return this.controller.signal;
  }

  get clientCapabilities(): Readonly<Record<string, unknown>> {
    return this.caller.input.capabilities;
  }

  requestInput(requests: McpInputRequests): Promise<McpInputResponses> {
    return this.caller.input.ask(requests);
  }

  /**
   * Asks the tool guards, within the call's own request.
   *
   * @returns whether the call may go on: one that timed out or was cancelled meanwhile does not
   */
  authorize(): boolean | Promise<boolean> {
    const answer = this.caller.authorize?.(this.args);
    if (answer === undefined) return true;
    return answer.then(
      (allowed) => allowed && !this.over,
      (error: unknown) => {
        this.cause = error;
        throw error;
      },
    );
  }

  /**
   * Asked when every guard has let the call pass: what hides behind another refusal is not told.
   *
   * @throws ForbiddenException when the caller lacks scopes
   */
  checkScopes(): void {
    const { missingScopes = [] } = this.caller;
    if (missingScopes.length === 0) return;
    this.lacksScopes = true;
    throw new ForbiddenException(scopeMessage(missingScopes));
  }

  get isToolOnly(): boolean {
    return this.target.route.toolOnly === true;
  }

  isOwnRoute(controller: unknown, handler: unknown): boolean {
    const { route } = this.target;
    return controller === route.controller && handler === route.handler;
  }

  abort(reason: Error): void {
    this.aborted ??= reason;
    this.controller?.abort(reason);
  }
}

/** A symbol that no module but this one holds: a request cannot be marked as a call from outside. */
const CALL = Symbol('mcp:call');

type Marked = IncomingMessage & { [CALL]?: Call };

export function markCall(request: IncomingMessage, call: Call): void {
  (request as Marked)[CALL] = call;
}

/**
 * @param request a request of the framework, or Node's own
 * @returns the call that the request was written for, `undefined` for a request that came over HTTP
 */
export function callOf(request: object): Call | undefined {
  return (request as Marked)[CALL] ?? (request as { raw?: Marked }).raw?.[CALL];
}
