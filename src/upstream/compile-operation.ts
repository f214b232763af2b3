import { compileArgumentCheck, type ArgumentCheck } from '../dispatch/argument-check.js';
import { isOperation, operationProblems } from './check-operation.js';
import { compileMapping, type Mapper } from './mapping.js';
import type { RestOperation } from './operation.js';
import { linearPattern } from './patterns.js';
import { compilePolicy, type CompiledPolicy, type UpstreamPolicy } from './policy.js';
import { compileRequestWriter, type RequestWriter } from './write-request.js';

/** An operation that was checked, and everything that a call of it needs. */
export interface CompiledOperation {
  readonly operation: RestOperation;
  readonly policy: CompiledPolicy;
  /** Such as `https://api.example.com`. */
  readonly origin: string;
  /** In ms. */
  readonly timeoutMs: number;
  readonly checkArguments: ArgumentCheck;
  readonly writeRequest: RequestWriter;
  /** Makes the result of the answer; `undefined` where the body is the result. */
  readonly mapAnswer: Mapper | undefined;
}

/**
 * Checks an operation of a catalog under the policy of its workspace, and compiles it. No call is made.
 *
 * @param operation as read from a catalog: it may be anything
 * @returns the operation, or a sentence or two for each problem
 */
export function compileOperation(
  operation: unknown,
  policy: UpstreamPolicy,
): { readonly operation: CompiledOperation } | { readonly problems: readonly string[] } {
  const compiledPolicy = compilePolicy(policy);
  if ('problems' in compiledPolicy) return compiledPolicy;
  const form: string[] = [];
  if (!isOperation(operation, form)) return { problems: form };
  const problems = operationProblems(operation, compiledPolicy.policy);
  return problems.length > 0
    ? { problems }
    : { operation: compileChecked(operation, compiledPolicy.policy) };
}

function compileChecked(operation: RestOperation, policy: CompiledPolicy): CompiledOperation {
  const { url, credentials = [], response } = operation;
  const origin = /^https?:\/\/[^/]+/.exec(url)?.[0] ?? '';
  const reserved = credentials.filter(({ in: place }) => place === 'query').map(({ name }) => name);
  return {
    operation,
    policy,
    origin,
    timeoutMs: operation.timeoutMs ?? policy.timeoutMs,
    checkArguments: compileArgumentCheck(operation.input, { patterns: linearPattern }),
    writeRequest: compileRequestWriter(operation, url.slice(origin.length), reserved),
    mapAnswer:
      response?.content === undefined ? undefined : compileMapping(response.content, 'the answer'),
  };
}
