import { show } from '../mcp.options.show.js';

/** An authorization server whose tokens are taken, and how they are checked: one of `jwksUrl`, `jwks` and `secret`. */
export interface McpJwtIssuer {
  /** The `iss` of its tokens, character for character. */
  readonly issuer: string;
  /** Where its keys are (RFC 7517, section 5): https, or http on a loopback address. */
  readonly jwksUrl?: string;
  /** Its public keys themselves, for a server without a key set by URL. */
  readonly jwks?: { readonly keys: readonly object[] };
  /** A secret that it shares with this application, at least 32 bytes long (RFC 7518, section 3.2). */
  readonly secret?: string;
  /** The signature algorithms that are taken. Default: RS256, PS256, ES256 and EdDSA; HS256 for a `secret`. */
  readonly algorithms?: readonly string[];
}

export interface McpJwtOptions {
  readonly issuers: readonly McpJwtIssuer[];
  /** What `aud` must name (RFC 8707): the endpoint's URL, `resource.url`. For a guard of several endpoints' routes, each URL. */
  readonly audience: string | readonly string[];
  /** Which scopes a scope implies: `{ 'orders:write': ['orders:read'] }`. It counts through. Default: none. */
  readonly scopeHierarchy?: Readonly<Record<string, readonly string[]>>;
  /** How far clocks may differ, in seconds. Default 5. */
  readonly clockToleranceSec?: number;
  /** How long a key set by URL is kept, in milliseconds. Default 600 000. */
  readonly jwksMaxAgeMs?: number;
  /** How long a key set is not asked again for a key that it does not have, in milliseconds. Default 30 000. */
  readonly jwksCooldownMs?: number;
  /** How long a key set may take to answer, in milliseconds. Default 5 000. */
  readonly jwksTimeoutMs?: number;
}

/** Every default of `McpJwtOptions`. */
export const JWT_DEFAULTS = {
  scopeHierarchy: {} as Readonly<Record<string, readonly string[]>>,
  clockToleranceSec: 5,
  jwksMaxAgeMs: 600_000,
  jwksCooldownMs: 30_000,
  jwksTimeoutMs: 5_000,
} as const;

export type ResolvedJwtOptions = Required<McpJwtOptions>;

const RANGES = {
  clockToleranceSec: [0, 300],
  jwksMaxAgeMs: [1_000, 24 * 3_600_000],
  jwksCooldownMs: [1_000, 3_600_000],
  jwksTimeoutMs: [1, 60_000],
} as const;

const NAMES = ['issuers', 'audience', ...Object.keys(JWT_DEFAULTS)];
const ISSUER_NAMES = ['issuer', 'jwksUrl', 'jwks', 'secret', 'algorithms'];

/** @returns the algorithms that are taken from an issuer */
export function algorithmsOf({ algorithms, secret }: McpJwtIssuer): readonly string[] {
  return algorithms ?? (secret === undefined ? ['RS256', 'PS256', 'ES256', 'EdDSA'] : ['HS256']);
}

/** @returns a sentence for each option that is wrong */
export function jwtProblems(given: McpJwtOptions): string[] {
  const options = given as unknown as Record<string, unknown>;
  const { issuers, audience, scopeHierarchy } = options;
  const problems = Object.keys(options)
    .filter((name) => !NAMES.includes(name))
    .map((name) => `option ${name}: there is no such option. There are: ${NAMES.join(', ')}.`);
  if (!Array.isArray(issuers) || issuers.length === 0) {
    problems.push(`option issuers: ${show(issuers)} is not a list of one or more issuers.`);
  } else {
    problems.push(...issuers.flatMap((one, index) => issuerProblems(one as McpJwtIssuer, index)));
    const names = issuers.map((one) => (one as McpJwtIssuer | null)?.issuer);
    if (new Set(names).size < names.length) {
      problems.push('option issuers: one of them is named twice. Name each once.');
    }
  }
  const audiences = Array.isArray(audience) ? (audience as unknown[]) : [audience];
  if (audiences.length === 0 || !audiences.every((one) => typeof one === 'string' && one !== '')) {
    problems.push(
      `option audience: ${show(audience)} is not the URL of the endpoint, or a list of such. A guard without one would take the tokens of every other service.`,
    );
  }
  if (scopeHierarchy !== undefined && !isHierarchy(scopeHierarchy)) {
    problems.push(
      `option scopeHierarchy: ${show(scopeHierarchy)} is not an object of lists, like { 'orders:write': ['orders:read'] }.`,
    );
  }
  for (const [name, [least, most]] of Object.entries(RANGES)) {
    const value = options[name] as number | undefined;
    if (value === undefined || (Number.isInteger(value) && value >= least && value <= most))
      continue;
    problems.push(
      `option ${name}: ${show(value)} is not an integer from ${least} to ${most}. Leave it out for ${JWT_DEFAULTS[name as keyof typeof RANGES]}.`,
    );
  }
  return problems.map((problem) => `McpJwtGuard, ${problem}`);
}

function issuerProblems(given: McpJwtIssuer, index: number): string[] {
  const at = `option issuers[${index}]`;
  if (typeof given !== 'object' || (given as unknown) === null) {
    return [`${at}: ${show(given)} is not an object like { issuer, jwksUrl }.`];
  }
  const { issuer, jwksUrl, jwks, secret } = given;
  const problems = Object.keys(given)
    .filter((name) => !ISSUER_NAMES.includes(name))
    .map(
      (name) => `${at}.${name}: there is no such option. There are: ${ISSUER_NAMES.join(', ')}.`,
    );
  if (typeof issuer !== 'string' || issuer === '') {
    problems.push(`${at}.issuer: ${show(issuer)} is not the iss of its tokens.`);
  }
  if ([jwksUrl, jwks, secret].filter((source) => source !== undefined).length !== 1) {
    problems.push(`${at}: it needs one of jwksUrl, jwks and secret, and only one.`);
  }
  if (jwksUrl !== undefined && !isKeyUrl(jwksUrl)) {
    problems.push(
      `${at}.jwksUrl: ${show(jwksUrl)} is not an https URL (or http on a loopback address). Whoever changes keys on their way signs tokens.`,
    );
  }
  if (jwks !== undefined && !Array.isArray((jwks as { keys?: unknown } | null)?.keys)) {
    problems.push(`${at}.jwks: it is not a key set like { keys: [...] }.`);
  }
  if (secret !== undefined && (typeof secret !== 'string' || Buffer.byteLength(secret) < 32)) {
    problems.push(`${at}.secret: it is not a string of at least 32 bytes.`);
  }
  return [...problems, ...algorithmProblems(given, at)];
}

/** A public key is no secret: with a symmetric algorithm beside it, anybody could sign (RFC 8725, section 3.1). */
function algorithmProblems(given: McpJwtIssuer, at: string): string[] {
  const algorithms: unknown = algorithmsOf(given);
  if (!Array.isArray(algorithms) || algorithms.length === 0) {
    return [`${at}.algorithms: ${show(algorithms)} is not a list of one or more algorithms.`];
  }
  const symmetric = given.secret !== undefined;
  const pattern = symmetric ? /^HS(256|384|512)$/ : /^((RS|PS|ES)(256|384|512)|EdDSA|Ed25519)$/;
  const wrong = algorithms.filter((one) => typeof one !== 'string' || !pattern.test(one));
  if (wrong.length === 0) return [];
  const kind = symmetric
    ? 'HS256, HS384 and HS512 go with a secret'
    : 'only RS, PS, ES and EdDSA go with public keys';
  return [`${at}.algorithms: ${wrong.map(show).join(', ')} is not taken: ${kind}.`];
}

function isKeyUrl(value: unknown): boolean {
  if (typeof value !== 'string' || !URL.canParse(value)) return false;
  const { protocol, hostname } = new URL(value);
  return (
    protocol === 'https:' ||
    (protocol === 'http:' && /^(localhost|\[::1\]|127(\.\d+){3})$/.test(hostname))
  );
}

function isHierarchy(value: unknown): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.values(value).every(
      (implied) => Array.isArray(implied) && implied.every((one) => typeof one === 'string'),
    )
  );
}
