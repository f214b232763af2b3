import type { Tool } from '../catalog/tool.js';
import type { CallRequest, RunningCall } from '../dispatch/dispatcher.js';
import type { Watched } from '../policy/watch.js';
import type { CallOutcome } from '../result/call-outcome.js';
import { toToolResult, type MadeResult } from '../result/to-tool-result.js';
import { isObject, type Codec } from './codec.js';
import { fail, invalidParams, succeed, type RequestExchange } from './exchange.js';
import type { InputPort } from './input-port.js';
import { describePath } from './message.js';
import { progressReporter } from './progress.js';
import { watch, type ToolContext } from './tool-context.js';

/** A call that may run: its message, and what it calls. */
interface ToolCall {
  readonly exchange: RequestExchange;
  readonly codec: Codec;
  readonly tool: Tool;
  readonly args: Record<string, unknown>;
  readonly watched: Watched | undefined;
  readonly input: InputPort;
}

/** `tools/call`, which every revision has and each codec writes in its own way. */
export class ToolCalls {
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
    const { message, channel } = exchange;
    const { params } = message;
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
    const subject = { method: 'tools/call', tool: tool.name, arguments: args } as const;
    const watched = watch(this.context, exchange, codec, subject);
    const call: ToolCall = { exchange, codec, tool, args, watched, input };
    let over = false;
    const timer = channel.canStream
      ? setTimeout(() => channel.open(), this.context.options.streamAfterMs)
      : undefined;
    const running = this.context.serve(tool).run(this.request(call), (outcome) => {
      over = true;
      clearTimeout(timer);
      ended?.();
      this.finish(call, outcome);
    });
    return over ? undefined : running;
  }

  private request({ exchange, tool, args, watched, input }: ToolCall): CallRequest {
    const { message, request, channel } = exchange;
    const { policy } = this.context;
    return {
      args,
      problems: message.unfaithfulNumbers.map(
        ({ path, token }) =>
          `${describePath(path)}: the number ${token} cannot be kept exactly. Send it as a string.`,
      ),
      requestId: message.id,
      principal: request.principal(),
      progress: progressReporter(message.params, channel),
      outer: request.raw,
      input,
      traceHeaders: watched?.traceHeaders,
      authorize:
        policy?.guardsCalls === true ? () => policy.mayCall(tool, request.http, args) : undefined,
    };
  }

  private finish(call: ToolCall, outcome: CallOutcome): void {
    const { tool, exchange, args, input, watched } = call;
    if (input.conclude(exchange)) {
      watched?.end({ outcome: 'ok', status: 428, bytesOut: 0, ref: undefined });
      return;
    }
    const { policy } = this.context;
    const { result: context } = this.context.serve(tool);
    let made: MadeResult;
    try {
      made = toToolResult(outcome, context);
    } catch (error) {
      made = toToolResult({ kind: 'failed', error }, context);
    }
    if (policy?.judgesResults !== true) return this.answer(call, made);
    void policy
      .release(tool, exchange.request.http, args, made, context)
      .then((released) => this.answer(call, released));
  }

  private answer({ exchange, codec, tool, watched }: ToolCall, made: MadeResult): void {
    const { result, status, log } = made;
    if (log !== undefined) this.context.log(tool, log.message, log.error);
    const text = codec.call(tool, result);
    succeed(exchange, [text]);
    if (watched === undefined) return;
    const outcome = result.isError ? 'error' : 'ok';
    watched.end({ outcome, status, bytesOut: Buffer.byteLength(text), ref: result.ref });
  }
}

function malformed(name: unknown, args: unknown): string {
  if (typeof name !== 'string') return 'params.name must be a string';
  return isObject(args) ? `Unknown tool: ${name}` : 'params.arguments must be an object';
}
