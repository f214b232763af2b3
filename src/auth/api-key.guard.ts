import {
  Injectable,
  UnauthorizedException,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common';
import { createHash, timingSafeEqual } from 'node:crypto';
import { McpSetupError } from '../mcp.errors.js';
import { show } from '../mcp.options.show.js';
import { scopesProblem } from '../mcp.scopes.js';
import { timesSent, type GuardedRequest } from './guarded-request.js';

/** A key that is taken. Only its hash is known here. */
export interface McpApiKey {
  /** Names the key in logs and as the principal. */
  readonly id: string;
  /** What `hashApiKey()` makes of the key: SHA-256, in hexadecimal. */
  readonly hash: string;
  readonly scopes?: readonly string[];
}

export interface McpApiKeyOptions {
  /** The header that carries the key. Name it in `forwardHeaders` as well where the routes have this guard, too. */
  readonly header: string;
  readonly keys: readonly McpApiKey[];
}

/** Who calls with a key: `request.auth`. */
export interface McpApiKeyAuth {
  readonly scheme: 'apiKey';
  readonly id: string;
  readonly scopes: readonly string[];
}

/** The longest key that is looked at, in characters. */
const MAX_KEY_LENGTH = 512;

/** @returns the hash of a key. A plain one is enough for a key that is long and random (128 bits or more); no password is. */
export function hashApiKey(key: string): string {
  return sha256(key).toString('hex');
}

/**
 * Lets in who has one of the keys, in a header and never in the query, and leaves whose it is on `request.auth` and
 * `request.user`.
 *
 * @example
 * new McpApiKeyGuard({ header: 'x-api-key', keys: [{ id: 'ci', hash: '…', scopes: ['orders:read'] }] })
 */
@Injectable()
export class McpApiKeyGuard implements CanActivate {
  private readonly header: string;
  private readonly keys: readonly { readonly hash: Buffer; readonly auth: McpApiKeyAuth }[];

  /** @throws McpSetupError for all that is wrong with the options */
  constructor(options: McpApiKeyOptions) {
    const problems = apiKeyProblems(options);
    if (problems.length > 0) throw McpSetupError.create(problems);
    this.header = options.header.toLowerCase();
    this.keys = options.keys.map(({ id, hash, scopes = [] }) => ({
      hash: Buffer.from(hash, 'hex'),
      auth: Object.freeze({ scheme: 'apiKey', id, scopes: Object.freeze([...scopes]) }),
    }));
  }

  canActivate(context: ExecutionContext): boolean {
    if (context.getType() !== 'http') return false;
    const request = context.switchToHttp().getRequest<GuardedRequest>();
    const key = request.headers[this.header];
    const once = timesSent(request, this.header) === 1;
    const auth = once && typeof key === 'string' ? this.find(key) : undefined;
    if (auth === undefined) throw new UnauthorizedException(`A key is needed, in ${this.header}`);
    request.auth = auth;
    request.user = auth;
    return true;
  }

  /** Compares with every key in constant time, so that time tells nothing of any. */
  private find(key: string): McpApiKeyAuth | undefined {
    if (key.length > MAX_KEY_LENGTH) return undefined;
    const given = sha256(key);
    let found: McpApiKeyAuth | undefined;
    for (const { hash, auth } of this.keys) if (timingSafeEqual(hash, given)) found = auth;
    return found;
  }
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function apiKeyProblems({ header, keys }: McpApiKeyOptions): string[] {
  const problems: string[] = [];
  if (
    !/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(String(header)) ||
    /^(authorization|cookie)$/i.test(header)
  ) {
    problems.push(
      `option header: ${show(header)} is not the name of a header of its own, like 'x-api-key'.`,
    );
  }
  if (!Array.isArray(keys)) problems.push(`option keys: ${show(keys)} is not a list.`);
  else problems.push(...keys.flatMap((key, index) => keyProblems(key as McpApiKey, index)));
  return problems.map((problem) => `McpApiKeyGuard, ${problem}`);
}

function keyProblems(key: McpApiKey | null, index: number): string[] {
  const { id, hash, scopes } = (key ?? {}) as Partial<Record<keyof McpApiKey, unknown>>;
  const at = `option keys[${index}]`;
  const problems: string[] = [];
  if (typeof id !== 'string' || id === '') problems.push(`${at}.id: ${show(id)} is not a name.`);
  // It may be the key itself, by mistake: it is not shown.
  if (typeof hash !== 'string' || !/^[0-9a-f]{64}$/i.test(hash)) {
    problems.push(`${at}.hash: it is not what hashApiKey() makes of a key, 64 hexadecimal digits.`);
  }
  const faulty = scopes === undefined ? undefined : scopesProblem(scopes);
  if (faulty !== undefined) problems.push(`${at}.scopes: ${faulty}`);
  return problems;
}
