import type { Tool } from '../catalog/tool.js';
import type { CallRequest, RunningCall } from '../dispatch/dispatcher.js';
import { missingScopes } from '../mcp.scopes.js';
import type { Policy } from '../policy/policy.js';
import type { CallOutcome } from '../result/call-outcome.js';
import { toToolResult, type MadeResult, type ResultContext } from '../result/to-tool-result.js';
import { challenge, lacksScopes, scopeRefusal } from './call-scopes.js';
import { changedNumberProblem } from './changed-number.js';
import { isObject, type Codec } from './codec.js';
import { fail, failInternally, invalidParams, succeed, type RequestExchange } from './exchange.js';
import { InFlight } from './in-flight.js';
import type { InputPort } from './input-port.js';
import { progressReporter } from './progress.js';
import { BEFORE_ANY_REQUEST, type ToolCall } from './tool-call.js';
import { askedBy, NO_REASON, watch, type ToolContext } from './tool-context.js';

/** `tools/call`, which every revision has and each codec writes in its own way. */
export class ToolCalls {
  /** The tools of which the log has already heard. */
  private readonly reported = new WeakSet<Tool>();
  /** The calls whose outcome is not known yet. */
  readonly running = new InFlight<RunningCall>();

  constructor(private readonly context: ToolContext) {}

  /**
   * @param input how the client is asked for input
   * @param ended called when a call that runs ends, whoever still listens
   * @returns the call that runs, `undefined` when none does (any more)
   */
  start(
    exchange: RequestExchange,
    codec: Codec,
    input: InputPort,
    ended?: () => void,
  ): RunningCall | undefined {
    const { params } = exchange.message;
    const name = params?.['name'];
    const given = params !== undefined && 'arguments' in params ? params['arguments'] : {};
    const tool = typeof name === 'string' ? this.context.catalog.find(name) : undefined;
    if (tool === undefined || !isObject(given)) {
      fail(exchange, invalidParams(malformed(name, given)), 200);
      return undefined;
    }
    const args = tool.input.clientNames?.toWire(given) ?? given;
    const mismatch = codec.checkHeaders?.(tool, args, exchange.request.raw.headers);
    if (mismatch !== undefined) {
      fail(exchange, mismatch, 400);
      return undefined;
    }
    return this.run(this.begin(exchange, codec, tool, args, input), ended);
  }

  private run(call: ToolCall, ended?: () => void): RunningCall | undefined {
    const { channel } = call.exchange;
    let over = false;
    // A stream that has begun could not be a challenge any more.
    const timer =
      channel.canStream && call.missingScopes.length === 0
        ? setTimeout(() => channel.open(), this.context.options.streamAfterMs)
        : undefined;
    const done = (outcome: CallOutcome): void => {
      over = true;
      if (place !== undefined) this.running.remove(place);
      clearTimeout(timer);
      ended?.();
      this.finish(call, outcome);
    };
    let place: number | undefined;
    try {
      const running = this.context.serve(call.tool).run(this.request(call), done);
      if (over) return undefined;
      place = this.running.add(running);
      return running;
    } catch (error) {
      if (!over) done({ kind: 'failed', error });
      return undefined;
    }
  }

  private begin(
    exchange: RequestExchange,
    codec: Codec,
    tool: Tool,
    args: Record<string, unknown>,
    input: InputPort,
  ): ToolCall {
    const subject = { method: 'tools/call', tool: tool.name, arguments: args } as const;
    const watched = watch(this.context, exchange, codec, subject);
    const { request } = exchange;
    return {
      exchange,
      codec,
      tool,
      args,
      admitted: false,
      principal: request.principal(),
      missingScopes: missingScopes(tool.scopes, () => request.scopes()),
      watched,
      input,
    };
  }

  private request(call: ToolCall): CallRequest {
    const { exchange, tool, principal, watched } = call;
    const { message, request, channel } = exchange;
    const { policy } = this.context;
    return {
      args: call.args,
      problems: message.unfaithfulNumbers.map((number) => changedNumberProblem(tool, number)),
      requestId: message.id,
      principal,
      missingScopes: call.missingScopes,
      progress: progressReporter(message.params, channel),
      outer: request.raw,
      input: policy === undefined ? call.input : this.judgedInput(call, policy),
      traceHeaders: watched?.traceHeaders,
      authorize:
        policy === undefined
          ? undefined
          : async (args) => {
              call.args = args;
              call.admitted = await policy.mayCall({ tool, http: request.http, args });
              return call.admitted;
            },
    };
  }

  /** What a client is asked is told it, too. */
  private judgedInput(call: ToolCall, policy: Policy): Pick<InputPort, 'ask' | 'capabilities'> {
    const { input, tool, exchange } = call;
    return {
      capabilities: input.capabilities,
      ask: async (requests) => {
        await policy.recheck({ tool, http: exchange.request.http, args: call.args });
        return input.ask(requests);
      },
    };
  }

  /** Nobody above could answer for what fails here: the route has ended, or a timer has called. */
  private finish(call: ToolCall, outcome: CallOutcome): void {
    const failed = (error: unknown): void => this.failed(call, error);
    try {
      this.conclude(call, outcome)?.catch(failed);
    } catch (error) {
      failed(error);
    }
  }

  private conclude(call: ToolCall, outcome: CallOutcome): void | Promise<void> {
    const { tool, exchange, args, input, admitted } = call;
    const { policy, stepUp } = this.context;
    const { result: context } = this.context.serve(tool);
    const lacking = lacksScopes(call, outcome);
    const refused = lacking ? scopeRefusal(call, outcome, context) : undefined;
    // Of a call that asks for input nothing goes out but what it asks.
    const made = input.concludes ? NOTHING : (refused ?? madeOf(outcome, context));
    const subject = { tool, http: exchange.request.http, args };
    const answer = (released: MadeResult): void => {
      if (lacking && released === made && stepUp !== undefined) challenge(call, stepUp);
      else this.answer(call, released);
    };
    if (policy === undefined) return answer(made);
    if (!admitted && BEFORE_ANY_REQUEST.has(outcome.kind)) {
      return policy.admit(subject, made, context).then(answer);
    }
    // Without the route having run, it is the application's own refusal, or says nothing of the application.
    const isPlain = !admitted && !made.carriesSuccess;
    if (isPlain || !policy.judgesResults) return answer(made);
    return policy.release(subject, made, context).then(answer);
  }

  private answer(call: ToolCall, made: MadeResult): void {
    const { exchange, codec, tool, watched, input } = call;
    if (made === NOTHING) {
      input.conclude(exchange);
      watched?.end({ outcome: 'ok', status: 428, bytesOut: 0, ref: undefined });
      return;
    }
    const { result, status } = made;
    this.record(call, made);
    const text = codec.call(tool, result);
    succeed(exchange, [text]);
    if (watched === undefined) return;
    const outcome = result.isError ? 'error' : 'ok';
    watched.end({ outcome, status, bytesOut: Buffer.byteLength(text), ref: result.ref });
  }

  private record({ tool, principal, exchange }: ToolCall, { log, result }: MadeResult): void {
    if (log === undefined || (log.once === true && this.reported.has(tool))) return;
    if (log.once === true) this.reported.add(tool);
    const asked = result.ref === undefined ? '' : askedBy(principal, exchange.message);
    this.context.log(tool, log.message + asked, log.error);
  }

  private failed({ tool, principal, exchange, watched }: ToolCall, error: unknown): void {
    const ref = failInternally(exchange);
    watched?.end({ outcome: 'error', status: 500, bytesOut: 0, ref });
    const asked = askedBy(principal, exchange.message);
    try {
      this.context.log(tool, `no answer could be made (ref ${ref})${asked}`, error ?? NO_REASON);
    } catch {
      // It may be the logger that failed.
    }
  }
}

/** Stands for the result of a call that asks for input. */
const NOTHING: MadeResult = {
  result: { isError: false, content: '[]', structured: undefined, ref: undefined },
  status: 428,
  carriesSuccess: false,
};

function madeOf(outcome: CallOutcome, context: ResultContext): MadeResult {
  try {
    return toToolResult(outcome, context);
  } catch (error) {
    return toToolResult({ kind: 'failed', error }, context);
  }
}

function malformed(name: unknown, args: unknown): string {
  if (typeof name !== 'string') return 'params.name must be a string';
  return isObject(args) ? `Unknown tool: ${name}` : 'params.arguments must be an object';
}
