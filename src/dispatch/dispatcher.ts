import { AsyncResource } from 'node:async_hooks';
import type { IncomingMessage, Server } from 'node:http';
import type { Tool } from '../catalog/tool.js';
import { withoutToolOnlySegment } from '../discovery/tool-only.js';
import type { CallOutcome, RouteAnswer } from '../result/call-outcome.js';
import { compileArgumentCheck } from './argument-check.js';
import { compileArgumentRepair } from './argument-repair.js';
import { Call, markCall, type Caller } from './call.js';
import type { CallLimiter, Slot } from './call-limiter.js';
import type { CarryOver } from './carry-over.js';
import type { Exchange, ExchangeFactory, ExchangeListener } from './in-process-exchange.js';
import { contentCodings, decodeBody } from './decode-body.js';
import { InProcessSocket } from './in-process-socket.js';
import type { PairParser } from './write-query.js';
import { repairSchema } from './repair-schema.js';
import { compileRequestWriter, type Unwritable } from './write-request.js';

/** What the calls of one endpoint run on. */
export interface DispatchContext {
  readonly server: Pick<Server, 'emit'>;
  readonly createExchange: ExchangeFactory;
  readonly carryOver: CarryOver;
  /** The application's own query parser. */
  readonly parseQuery: PairParser;
  /** The application's own form parser, where it is known. */
  readonly parseForm: PairParser | undefined;
  readonly maxRequestBytes: number;
  readonly maxResultBytes: number;
  /** Absent where any number of calls may run at a time. */
  readonly limiter: CallLimiter | undefined;
  readonly isClosed: () => boolean;
}

/** A call as the protocol hands it over. */
export interface CallRequest extends Caller {
  readonly args: Record<string, unknown>;
  /** What is wrong with numbers that JSON.parse would have changed. */
  readonly problems: readonly string[];
  /** The MCP request. */
  readonly outer: IncomingMessage;
}

/** A running call. */
export interface RunningCall {
  /**
   * Ends the call. Nothing happens after its outcome is known.
   * @param by who gives up: the caller, when left out
   */
  cancel(by?: 'caller' | 'application'): void;
}

export type RunCall = (request: CallRequest, done: (outcome: CallOutcome) => void) => RunningCall;

const NOT_RUNNING: RunningCall = { cancel: () => undefined };

/**
 * Calls start in the async context of start-up: the stores that the MCP request lives in (`AsyncLocalStorage`) must not be
 * taken for the inner request's own.
 */
const root = new AsyncResource('McpCall');

/**
 * Compiles a tool into a function that runs a call of it.
 *
 * @param versioning headers that choose the route's version
 */
export function compileCall(
  tool: Tool,
  versioning: readonly string[],
  context: DispatchContext,
): RunCall {
  const { httpMethod: method, path } = tool.route;
  const { parseQuery, parseForm } = context;
  const write = compileRequestWriter({
    httpMethod: method,
    path,
    input: tool.input,
    parseQuery,
    parseForm,
    maxBytes: context.maxRequestBytes,
  });
  const repair = compileArgumentRepair(repairSchema(tool.input));
  const check = compileArgumentCheck(tool.input.check ?? tool.input.schema);
  const fixed = versioning.includes('accept') ? versioning : [...versioning, 'accept', '*/*'];

  return (request, done) => {
    if (context.isClosed()) return settle(done, { kind: 'closed' });
    const args = repair(request.args);
    const written = write(args);
    if (!written.ok) {
      return settle(
        done,
        unwritten(written, context.maxRequestBytes, () => check(args)),
      );
    }
    const rawHeaders = [...fixed, ...written.headers];
    if (request.traceHeaders !== undefined) rawHeaders.push(...request.traceHeaders);
    context.carryOver(request.outer, rawHeaders);
    const call = new Call(tool, args, request.problems, check, request);
    const run = new Run(call, tool.timeoutMs, context.maxResultBytes, done);
    const socket = InProcessSocket.of(request.outer);
    const head = { method, url: written.url, rawHeaders, socket };
    const exchange = context.createExchange(head, written.body, context.maxResultBytes, run);
    const slot = context.limiter?.enter(request.principal, tool.timeoutMs);
    if (slot !== undefined && 'retryAfterMs' in slot) {
      const { limit } = context.limiter as CallLimiter;
      return settle(done, { kind: 'too-many-calls', limit, retryAfterMs: slot.retryAfterMs });
    }
    run.start(exchange, context.server, slot);
    return run;
  };
}

/** What else does not fit is told with it: "path.id is required" alone does not say that `id` stands in the wrong place. */
function unwritten(
  { tooLarge, problems }: Unwritable,
  limit: number,
  misfits: () => readonly string[],
): CallOutcome {
  if (tooLarge) return { kind: 'request-too-large', limit };
  return { kind: 'unwritable', problems: [...new Set([...problems, ...misfits()])] };
}

function settle(done: (outcome: CallOutcome) => void, outcome: CallOutcome): RunningCall {
  done(outcome);
  return NOT_RUNNING;
}

/** One call's request in flight. Its outcome is reported once. */
class Run implements RunningCall, ExchangeListener {
  private timer: NodeJS.Timeout | undefined;
  private exchange: Exchange | undefined;
  private slot: Slot | undefined;

  constructor(
    private readonly call: Call,
    private readonly timeoutMs: number,
    private readonly maxResultBytes: number,
    private done: ((outcome: CallOutcome) => void) | undefined,
  ) {}

  start(exchange: Exchange, server: Pick<Server, 'emit'>, slot: Slot | undefined): void {
    this.exchange = exchange;
    this.slot = slot;
    markCall(exchange.request, this.call);
    this.timer = setTimeout(
      () => this.cut({ kind: 'timed-out', afterMs: this.timeoutMs }),
      this.timeoutMs,
    );
    try {
      root.runInAsyncScope(() => server.emit('request', exchange.request, exchange.response));
    } catch (error) {
      this.cut({ kind: 'failed', error });
    }
  }

  answered(answer: RouteAnswer, contentEncoding: string | undefined): void {
    const codings = contentCodings(contentEncoding);
    if (codings.length === 0 || answer.body.length === 0) {
      return this.settle(outcomeOf(this.call, answer));
    }
    decodeBody(answer.body, codings, this.maxResultBytes, (decoded) => {
      if (decoded.kind === 'decoded') {
        this.settle(outcomeOf(this.call, { ...answer, body: decoded.body }));
      } else if (decoded.kind === 'too-large') {
        this.settle({ kind: 'result-too-large', limit: this.maxResultBytes });
      } else {
        this.settle({ kind: 'failed', error: decoded.error });
      }
    });
  }

  overflowed(limit: number): void {
    this.cut({ kind: 'result-too-large', limit });
  }

  closed(): void {
    this.cut({ kind: 'aborted', by: 'application' });
  }

  cancel(by: 'caller' | 'application' = 'caller'): void {
    this.cut({ kind: 'aborted', by });
  }

  private cut(outcome: CallOutcome): void {
    if (this.done === undefined) return;
    this.exchange?.abort();
    this.call.abort(new Error(`The tool call ended: ${outcome.kind}`));
    this.settle(outcome);
  }

  private settle(outcome: CallOutcome): void {
    const { done } = this;
    if (done === undefined) return;
    this.done = undefined;
    this.call.over = true;
    clearTimeout(this.timer);
    this.slot?.leave();
    done(outcome);
  }
}

/** An answer from before any route (a middleware's, say) counts only as a refusal. */
function outcomeOf(call: Call, answer: RouteAnswer): CallOutcome {
  if (call.strayed || (!call.reached && answer.status < 400)) return { kind: 'other-route' };
  const { cause, lacksScopes } = call;
  if (!call.isToolOnly) return { kind: 'answered', answer, cause, lacksScopes };
  const url = withoutToolOnlySegment(answer.url);
  return { kind: 'answered', answer: { ...answer, url }, cause, lacksScopes };
}
