import { Logger } from '@nestjs/common';
import { createRemoteJWKSet, customFetch, errors, type JWTVerifyGetKey } from 'jose';
import type { ResolvedJwtOptions } from './jwt-options.js';

/** The largest key set that is read, in bytes. */
const MAX_BYTES = 512 * 1024;

/** How long a key set that did not answer is left alone, in milliseconds. */
const PAUSE_MS = 1_000;

/** A key set that cannot be asked now: nothing is known of the token. */
export class KeysUnavailable extends Error {}

type Bounds = Pick<ResolvedJwtOptions, 'jwksMaxAgeMs' | 'jwksCooldownMs' | 'jwksTimeoutMs'>;

/** The keys of an issuer by URL: kept for a time, asked again for a key that is not among them, and not too often. */
export function remoteKeySet(
  url: string,
  { jwksMaxAgeMs, jwksCooldownMs, jwksTimeoutMs }: Bounds,
): JWTVerifyGetKey {
  const logger = new Logger('McpJwtGuard');
  let pausedUntil = 0;
  const keys = createRemoteJWKSet(new URL(url), {
    cacheMaxAge: jwksMaxAgeMs,
    cooldownDuration: jwksCooldownMs,
    timeoutDuration: jwksTimeoutMs,
    [customFetch]: async (target, init) => {
      if (Date.now() < pausedUntil) throw new KeysUnavailable();
      try {
        return await fetchKeys(target, init);
      } catch (error) {
        pausedUntil = Date.now() + PAUSE_MS;
        logger.warn(`The key set ${url} cannot be read: ${String(error)}`);
        throw error;
      }
    },
  });
  return async (header, token) => {
    try {
      return await keys(header, token);
    } catch (error) {
      if (isAboutToken(error)) throw error;
      throw new KeysUnavailable(undefined, { cause: error });
    }
  };
}

/** There is no such key, or none that can be told apart: the token is to blame, and not the key set. */
function isAboutToken(error: unknown): boolean {
  return (
    error instanceof errors.JWKSNoMatchingKey ||
    error instanceof errors.JWKSMultipleMatchingKeys ||
    error instanceof errors.JOSENotSupported
  );
}

async function fetchKeys(url: string, init: RequestInit): Promise<Response> {
  const response = await fetch(url, init);
  if (response.status !== 200) {
    await response.body?.cancel();
    throw new Error(`it answered ${response.status}`);
  }
  const text = await boundedText(response);
  const { keys } = (JSON.parse(text) ?? {}) as { keys?: unknown };
  if (!Array.isArray(keys)) throw new Error('it is no key set');
  return new Response(text);
}

async function boundedText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    length += chunk.length;
    if (length > MAX_BYTES) throw new Error(`it is larger than ${MAX_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
