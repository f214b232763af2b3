import { attachCredentials, type AuthorizedRequest } from './attach-credentials.js';
import type { CompiledOperation } from './compile-operation.js';
import type { UpstreamConnections } from './connections.js';
import type { CredentialSource } from './credential-source.js';
import { mapAnswer, type UpstreamAnswer } from './map-answer.js';
import type { UpstreamFailure, UpstreamOutcome, UpstreamSuccess } from './outcome.js';
import { blotSecrets } from './redact.js';
import { sendRequest, type SendContext } from './send-request.js';
import { CallClock, cancelledOrLate, internalFailure, statusFailure } from './failures.js';
import type { WrittenRequest } from './write-request.js';

/** What a call needs beside its operation and its arguments. */
export interface CallContext {
  readonly connections: UpstreamConnections;
  /** The slug of the workspace, for the credential source. */
  readonly workspace: string;
  readonly credentials?: CredentialSource | undefined;
  /** The caller's: what aborts it cancels the call. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Calls an operation: checks the arguments, writes the request, sends it with its credentials and makes the result of the
 * answer. Never throws: each way in which a call can fail is an outcome with a code.
 *
 * Redirects are not followed. A GET or HEAD whose connection broke before an answer is sent once more, nothing else ever is.
 */
export async function callOperation(
  compiled: CompiledOperation,
  args: unknown,
  context: CallContext,
): Promise<UpstreamOutcome> {
  const clock = new CallClock(compiled.timeoutMs, context.signal);
  try {
    const written = writeChecked(compiled, args);
    return 'kind' in written ? written : await send(compiled, written, context, clock);
  } catch (error) {
    return internalFailure(error, false);
  } finally {
    clock.stop();
  }
}

function writeChecked(
  compiled: CompiledOperation,
  args: unknown,
): WrittenRequest | UpstreamFailure {
  const misfits = compiled.checkArguments(args);
  if (misfits.length > 0) return unsent('validation', misfits);
  const problems: string[] = [];
  return compiled.writeRequest(args, problems) ?? unsent('mapping', problems);
}

function unsent(code: 'validation' | 'mapping', messages: readonly string[]): UpstreamFailure {
  return { kind: 'failure', code, messages, sent: false };
}

async function send(
  compiled: CompiledOperation,
  written: WrittenRequest,
  { workspace, credentials: source, connections }: CallContext,
  clock: CallClock,
): Promise<UpstreamOutcome> {
  const { origin, operation, policy } = compiled;
  let authorized: AuthorizedRequest;
  try {
    const context = { source, workspace, origin, signal: clock.signal };
    const attached = attachCredentials(written, operation.credentials ?? [], context);
    authorized = await clock.race(attached);
  } catch (error) {
    return cancelledOrLate(clock, false) ?? internalFailure(error, false);
  }
  const { request, secrets } = authorized;
  const sending: SendContext = {
    pool: connections.poolFor(origin, policy),
    method: operation.method,
    maxResponseBytes: policy.maxResponseBytes,
    clock,
  };
  const answer = await sendRequest(request, sending);
  if ('kind' in answer) return answer;
  const blotted = { ...answer, body: blotSecrets(answer.body, secrets) };
  const isSuccess = answer.status >= 200 && answer.status < 300;
  if (!isSuccess) return statusFailure(blotted);
  const outcome = success(compiled, blotted);
  // A header may have come into it, too.
  return outcome.kind === 'success'
    ? { ...outcome, body: blotSecrets(outcome.body, secrets) }
    : outcome;
}

function success(
  { mapAnswer: map }: CompiledOperation,
  answer: UpstreamAnswer,
): UpstreamSuccess | UpstreamFailure {
  const { status, headers, body } = answer;
  if (map === undefined) {
    return { kind: 'success', status, contentType: headers['content-type'], body };
  }
  const problems: string[] = [];
  const mapped = mapAnswer(map, answer, problems);
  if (mapped !== undefined) {
    return { kind: 'success', status, contentType: 'application/json', body: mapped };
  }
  const messages = [...problems, `The operation was done: the upstream answered ${status}.`];
  return { kind: 'failure', code: 'mapping', messages, sent: true };
}
