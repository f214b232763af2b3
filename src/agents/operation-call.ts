import { ForbiddenException, HttpException } from '@nestjs/common';
import { compileArgumentRepair } from '../dispatch/argument-repair.js';
import type { CallLimiter } from '../dispatch/call-limiter.js';
import type { CallRequest, RunCall } from '../dispatch/dispatcher.js';
import { repairSchema } from '../dispatch/repair-schema.js';
import { within } from '../policy/bounded.js';
import type { Tool } from '../catalog/tool.js';
import type { CallOutcome } from '../result/call-outcome.js';
import { callOperation, type CallContext } from '../upstream/call-operation.js';
import type { CompiledOperation } from '../upstream/compile-operation.js';
import type { UpstreamErrorCode, UpstreamOutcome } from '../upstream/outcome.js';

/** What the calls of a workspace's operations run on. */
export interface OperationCallContext extends Omit<CallContext, 'signal'> {
  /** Absent where any number of calls may run at a time. */
  readonly limiter: CallLimiter | undefined;
  readonly isClosed: () => boolean;
}

/** The HTTP status that an error stands for, where the upstream gave none. */
export const STATUS_OF_CODE: Readonly<Record<UpstreamErrorCode, number>> = {
  validation: 400,
  mapping: 400,
  upstream: 502,
  timeout: 504,
  cancelled: 499,
  internal: 500,
};

/** Compiles an operation's tool into a function that runs a call of it. */
export function compileOperationCall(
  tool: Tool,
  operation: CompiledOperation,
  context: OperationCallContext,
): RunCall {
  const repair = compileArgumentRepair(repairSchema(tool.input));
  return (request, done) => {
    const end = (outcome: CallOutcome): ReturnType<RunCall> => {
      done(outcome);
      return { cancel: () => undefined };
    };
    if (context.isClosed()) return end({ kind: 'closed' });
    const slot = context.limiter?.enter(request.principal, operation.timeoutMs);
    if (slot !== undefined && 'retryAfterMs' in slot) {
      const { limit } = context.limiter as CallLimiter;
      return end({ kind: 'too-many-calls', limit, retryAfterMs: slot.retryAfterMs });
    }
    const controller = new AbortController();
    void call(request, repair(request.args), operation, { ...context, signal: controller.signal })
      .catch((error: unknown): CallOutcome => ({ kind: 'failed', error }))
      .then((outcome) => {
        slot?.leave();
        done(outcome);
      });
    return { cancel: () => controller.abort() };
  };
}

async function call(
  { authorize, problems }: CallRequest,
  args: Record<string, unknown>,
  operation: CompiledOperation,
  context: CallContext,
): Promise<CallOutcome> {
  try {
    const asked = authorize?.(args);
    if (asked !== undefined && !(await within(operation.timeoutMs, asked))) {
      throw new ForbiddenException();
    }
  } catch (error) {
    return refused(error);
  }
  if (problems.length > 0) {
    return outcomeOf({ kind: 'failure', code: 'validation', messages: problems, sent: false });
  }
  return outcomeOf(await callOperation(operation, args, context), operation.operation.url);
}

/** As an exception filter of Nest would write it; what a failure says stays with whoever runs the server. */
function refused(error: unknown): CallOutcome {
  if (!(error instanceof HttpException) || error.getStatus() >= 500)
    return { kind: 'failed', error };
  const status = error.getStatus();
  const body = error.getResponse();
  const envelope = typeof body === 'string' ? { statusCode: status, message: body } : { ...body };
  return { kind: 'operation-failed', status, envelope };
}

function outcomeOf(outcome: UpstreamOutcome, url = ''): CallOutcome {
  if (outcome.kind === 'success') {
    const { status, contentType, body } = outcome;
    return { kind: 'answered', answer: { status, contentType, location: undefined, body, url } };
  }
  const { code, messages, sent, body, cause } = outcome;
  if (code === 'internal') return { kind: 'failed', error: cause, code };
  const status = outcome.status ?? (code === 'mapping' && sent ? 502 : STATUS_OF_CODE[code]);
  const message = messages.length === 1 ? messages[0] : messages;
  const envelope = {
    code,
    statusCode: status,
    message,
    ...(body === undefined ? {} : { body }),
  };
  return { kind: 'operation-failed', status, envelope, cause };
}
