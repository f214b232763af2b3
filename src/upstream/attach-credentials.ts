import { isCookieValue, isFieldValue } from '../dispatch/header-syntax.js';
import type { CredentialSource } from './credential-source.js';
import type { CredentialUse } from './operation.js';
import { encodeStrictly } from './serialize.js';
import type { WrittenRequest } from './write-request.js';

/** Who calls, and where the secret would go. */
export interface CredentialContext {
  readonly source: CredentialSource | undefined;
  readonly workspace: string;
  readonly origin: string;
  readonly signal: AbortSignal;
}

/** A request with its credentials, and the secrets that stand in it. */
export interface AuthorizedRequest {
  readonly request: WrittenRequest;
  readonly secrets: readonly string[];
}

/**
 * Asks the source for each credential and writes it into the request.
 *
 * @throws Error, for the log, when a credential is not there, is bound to another origin or cannot be written
 */
export async function attachCredentials(
  request: WrittenRequest,
  uses: readonly CredentialUse[],
  context: CredentialContext,
): Promise<AuthorizedRequest> {
  let authorized: AuthorizedRequest = { request, secrets: [] };
  for (const use of uses) {
    const secret = await resolveSecret(use, context);
    if (secret !== undefined) authorized = attach(authorized, use, secret);
  }
  return authorized;
}

async function resolveSecret(
  { ref, optional = false }: CredentialUse,
  { source, workspace, origin, signal }: CredentialContext,
): Promise<string | undefined> {
  const credential = await source?.resolve({ ref, workspace, signal });
  if (credential === undefined) {
    if (optional) return undefined;
    throw new Error(`The credential source of workspace ${workspace} does not know "${ref}".`);
  }
  const isBound = credential.origins.some((one) => originOf(one) === origin);
  if (!isBound) {
    throw new Error(
      `The credential "${ref}" is bound to ${credential.origins.join(', ') || 'no origin'} and must not go to ${origin}.`,
    );
  }
  return credential.secret;
}

function originOf(text: string): string | undefined {
  return URL.canParse(text) ? new URL(text).origin : undefined;
}

function attach(
  { request, secrets }: AuthorizedRequest,
  { ref, in: place, name, prefix = '', base64 = false }: CredentialUse,
  secret: string,
): AuthorizedRequest {
  const text = base64 ? Buffer.from(secret).toString('base64') : secret;
  const value = `${prefix}${text}`;
  const known = [...secrets, secret, text];
  if (place === 'query') {
    const pair = `${encodeStrictly(name)}=${encodeStrictly(value)}`;
    return { request: { ...request, query: [...request.query, pair] }, secrets: known };
  }
  // The secret may come from a file with a line end: an error that shows it would be worse than the one that does not.
  if (place === 'header' ? !isFieldValue(value) : !isCookieValue(value)) {
    throw new Error(`The credential "${ref}" holds characters that cannot stand in a ${place}.`);
  }
  if (place === 'cookie') {
    return {
      request: { ...request, cookies: [...request.cookies, `${name}=${value}`] },
      secrets: known,
    };
  }
  const headers = { ...request.headers, [name.toLowerCase()]: value };
  return { request: { ...request, headers }, secrets: known };
}
