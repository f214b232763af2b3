import { ForbiddenException } from '@nestjs/common';
import { scopeMessage } from '../mcp.scopes.js';
import { refusal } from '../policy/refusal.js';
import type { CallOutcome } from '../result/call-outcome.js';
import type { MadeResult, ResultContext } from '../result/to-tool-result.js';
import { fail, invalidRequest } from './exchange.js';
import { BEFORE_ANY_REQUEST, type ToolCall } from './tool-call.js';
import type { ToolContext } from './tool-context.js';

/**
 * Whether a call fails for nothing but scopes. An answer below 400 that nothing refused (an interceptor's, from a cache) is not
 * the caller's, either.
 */
export function lacksScopes({ missingScopes }: ToolCall, outcome: CallOutcome): boolean {
  if (missingScopes.length === 0) return false;
  if (outcome.kind !== 'answered') return BEFORE_ANY_REQUEST.has(outcome.kind);
  return outcome.lacksScopes === true || outcome.answer.status < 400;
}

/** @returns the refusal of a call that lacks scopes, `undefined` where the application's own filters wrote one */
export function scopeRefusal(
  { missingScopes }: ToolCall,
  outcome: CallOutcome,
  context: ResultContext,
): MadeResult | undefined {
  if (outcome.kind === 'answered' && outcome.answer.status >= 400) return undefined;
  return refusal(new ForbiddenException(scopeMessage(missingScopes)), context);
}

/** Answers with the challenge that makes clients ask for more (RFC 6750, section 3.1). */
export function challenge(
  { exchange, tool, missingScopes, watched }: ToolCall,
  stepUp: NonNullable<ToolContext['stepUp']>,
): void {
  const { status, challenge: value } = stepUp(exchange.request.raw, tool.scopes ?? []);
  const headers = { 'WWW-Authenticate': value };
  fail(exchange, invalidRequest(scopeMessage(missingScopes)), status, headers);
  watched?.end({ outcome: 'error', status, bytesOut: 0, ref: undefined });
}
