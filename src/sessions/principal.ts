/** What a guard leaves on a request that tells who calls. */
interface Authenticated {
  readonly user?: unknown;
  readonly auth?: unknown;
}

/**
 * Who calls, as one comparable string: scheme, issuer and subject of a token (RFC 7519, section 4.1), else scheme and id of
 * an API key.
 *
 * @param request the framework's request, as the guards left it
 * @returns `null` for nobody
 */
export function principalOf(request: object): string | null {
  const { user, auth } = request as Authenticated;
  return identityOf(auth) ?? identityOf(user) ?? null;
}

function identityOf(claims: unknown): string | undefined {
  if (typeof claims !== 'object' || claims === null) return undefined;
  const { scheme, iss, sub, id } = claims as Record<string, unknown>;
  const known = [sub, id].find((value) => typeof value === 'string' || typeof value === 'number');
  if (known === undefined) return undefined;
  // JSON keeps the parts apart: no issuer can be spelled so that it runs over into the subject.
  return JSON.stringify([text(scheme), text(iss), known === sub ? 'sub' : 'id', String(known)]);
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
