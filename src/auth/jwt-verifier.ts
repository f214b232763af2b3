import {
  createLocalJWKSet,
  decodeJwt,
  jwtVerify,
  type JSONWebKeySet,
  type JWTVerifyGetKey,
} from 'jose';
import { LRUCache } from 'lru-cache';
import { createHash } from 'node:crypto';
import { scopesIn } from '../mcp.scopes.js';
import { algorithmsOf, type McpJwtIssuer, type ResolvedJwtOptions } from './jwt-options.js';
import { remoteKeySet } from './key-set.js';

/** Who calls with a bearer token: `request.auth`. */
export interface McpJwtAuth {
  readonly scheme: 'bearer';
  readonly iss: string;
  readonly sub: string | undefined;
  /** The client that got the token (RFC 9068, section 2.2). */
  readonly clientId: string | undefined;
  /** Those of the token, and those that they imply. */
  readonly scopes: readonly string[];
  /** When the token expires, in seconds since 1970. */
  readonly expiresAt: number;
  /** The claims as they were signed. */
  readonly claims: Readonly<Record<string, unknown>>;
}

interface TrustedIssuer {
  readonly algorithms: string[];
  readonly key: JWTVerifyGetKey;
}

/**
 * How long a token that was good is not checked again, in milliseconds: a tool call meets the guard twice, at the endpoint and
 * at its route, and one check takes about as long as all the rest of a small call.
 */
const GOOD_FOR_MS = 5_000;

/** How many good tokens are remembered at the most. */
const MAX_GOOD = 1_000;

/** Checks tokens (RFC 7519, RFC 8725, RFC 9068): signature, algorithm, issuer, audience, and the time they are for. */
export class JwtVerifier {
  private readonly issuers: ReadonlyMap<string, TrustedIssuer>;
  /** By the hash of the token, so that none is kept. */
  private readonly good = new LRUCache<string, { auth: McpJwtAuth; until: number }>({
    max: MAX_GOOD,
  });

  constructor(private readonly options: ResolvedJwtOptions) {
    this.issuers = new Map(
      options.issuers.map((given) => [
        given.issuer,
        { algorithms: [...algorithmsOf(given)], key: keyOf(given, options) },
      ]),
    );
  }

  /**
   * @returns an object of the caller's own
   * @throws KeysUnavailable when the issuer's keys cannot be had
   * @throws Error of any other kind when the token is not good
   */
  async verify(token: string): Promise<McpJwtAuth> {
    const hash = createHash('sha256').update(token).digest('base64');
    const known = this.good.get(hash);
    const now = Date.now();
    if (known !== undefined && now < known.until) return structuredClone(known.auth);
    const auth = await this.check(token);
    const expires = (auth.expiresAt + this.options.clockToleranceSec) * 1000;
    this.good.set(hash, { auth, until: Math.min(now + GOOD_FOR_MS, expires) });
    return structuredClone(auth);
  }

  private async check(token: string): Promise<McpJwtAuth> {
    // Read before it is checked, only to know whose keys check it: of a stranger's token nothing is fetched.
    const { iss } = decodeJwt(token);
    const issuer = iss === undefined ? undefined : this.issuers.get(iss);
    if (iss === undefined || issuer === undefined) throw new Error('its issuer is not trusted');
    const { audience, clockToleranceSec } = this.options;
    const { payload } = await jwtVerify(token, issuer.key, {
      issuer: iss,
      audience: typeof audience === 'string' ? audience : [...audience],
      algorithms: issuer.algorithms,
      clockTolerance: clockToleranceSec,
      requiredClaims: ['exp'],
    });
    return {
      scheme: 'bearer',
      iss,
      sub: payload.sub,
      clientId: textOf(payload['client_id'] ?? payload['azp']),
      scopes: withImplied(scopesIn({ scope: payload['scope'] ?? payload['scp'] }), this.options),
      expiresAt: payload.exp as number,
      claims: payload,
    };
  }
}

function keyOf(
  { jwksUrl, jwks, secret }: McpJwtIssuer,
  options: ResolvedJwtOptions,
): JWTVerifyGetKey {
  if (jwksUrl !== undefined) return remoteKeySet(jwksUrl, options);
  if (jwks !== undefined) return createLocalJWKSet(jwks as unknown as JSONWebKeySet);
  const key = new TextEncoder().encode(secret);
  return () => key;
}

/** 2026-07-28, basic/authorization, "Access Token Usage": a broader scope stands for the narrower ones. */
function withImplied(
  granted: readonly string[],
  { scopeHierarchy }: Pick<ResolvedJwtOptions, 'scopeHierarchy'>,
): readonly string[] {
  const all = new Set(granted);
  // A set that grows while it is walked is walked to its end, and holds each scope once: circles end, too.
  for (const scope of all) {
    if (!Object.hasOwn(scopeHierarchy, scope)) continue;
    for (const implied of scopeHierarchy[scope] ?? []) all.add(implied);
  }
  return [...all];
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
