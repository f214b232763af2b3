import { show } from './mcp.options.show.js';

/** RFC 6749, section 3.3: a scope-token. Without quotation marks and backslashes it needs no escaping in a challenge. */
const SCOPE = /^[\x21\x23-\x5b\x5d-\x7e]+$/;

/** @returns a sentence on what is wrong with a list of scopes, `undefined` when it is one */
export function scopesProblem(value: unknown): string | undefined {
  if (!Array.isArray(value)) {
    return `${show(value)} is not a list. Give the scopes one by one, like ['orders:read'].`;
  }
  const wrong = value.findIndex((scope) => typeof scope !== 'string' || !SCOPE.test(scope));
  if (wrong >= 0) {
    return `it has ${show(value[wrong])}, which is not a scope: visible ASCII without spaces, quotation marks and backslashes (RFC 6749, section 3.3).`;
  }
  // 2026-07-28, basic/authorization, "Scope Selection Strategy".
  return value.includes('offline_access')
    ? "it has 'offline_access', which is between a client and its authorization server. Leave it out."
    : undefined;
}

/**
 * The scopes that a token's claims, or what a guard made of them, name: `scopes`, else `scope` (RFC 9068, section 2.2.3), else
 * `scp`, as a list or as a text with spaces between.
 *
 * @returns none where there are none, or they are of another kind
 */
export function scopesIn(claims: unknown): readonly string[] {
  const { scopes, scope, scp } = (claims ?? {}) as Record<string, unknown>;
  const given = scopes ?? scope ?? scp;
  if (typeof given === 'string') return given.split(' ').filter((one) => one !== '');
  return Array.isArray(given) ? given.filter((one) => typeof one === 'string') : [];
}

/** @param request the framework's, as the guards left it: `auth` tells, and `user` where there is no `auth` */
export function grantedScopes(request: object): readonly string[] {
  const { auth, user } = request as { auth?: unknown; user?: unknown };
  return scopesIn(auth ?? user);
}

/** @returns those that are needed and not granted, in the order of the need */
export function missingScopes(
  needed: readonly string[] | undefined,
  granted: () => readonly string[],
): readonly string[] {
  if (needed === undefined || needed.length === 0) return NONE;
  const has = new Set(granted());
  return needed.filter((scope) => !has.has(scope));
}

/** What a caller without them is told. */
export function scopeMessage(missing: readonly string[]): string {
  return `This needs the scope${missing.length > 1 ? 's' : ''} ${missing.join(' ')}`;
}

const NONE: readonly string[] = [];
