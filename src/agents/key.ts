import { createHash, randomBytes } from 'node:crypto';
import type { AgentKeyRecord } from './catalog-document.js';

/** `mcpk_` and the public prefix, 8 random bytes, then the secret, 32 random bytes. */
const KEY = /^mcpk_([0-9a-f]{16})_[A-Za-z0-9_-]{43}$/;

/** Whom a key is for, and until when. */
export interface KeyGrant {
  readonly workspace: string;
  readonly agent: string;
  /** For people. */
  readonly label?: string;
  /** It never expires when left out. */
  readonly expiresAt?: Date;
}

/** A new key, and what is stored of it. */
export interface NewAgentKey {
  /** To be shown once, and kept nowhere. */
  readonly key: string;
  readonly record: AgentKeyRecord;
}

export function newAgentKey({ workspace, agent, label, expiresAt }: KeyGrant): NewAgentKey {
  const prefix = randomBytes(8).toString('hex');
  const key = `mcpk_${prefix}_${randomBytes(32).toString('base64url')}`;
  const record = {
    prefix,
    hash: hashOf(key).toString('hex'),
    workspace,
    agent,
    createdAt: new Date().toISOString(),
    ...(expiresAt === undefined ? {} : { expiresAt: expiresAt.toISOString() }),
    ...(label === undefined ? {} : { label }),
  };
  return { key, record };
}

/** @returns the public prefix of what is written like a key, `undefined` for anything else */
export function prefixOf(token: string): string | undefined {
  return KEY.exec(token)?.[1];
}

/** A fast hash is enough: the secret has 256 random bits, so nobody guesses it. */
export function hashOf(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}
