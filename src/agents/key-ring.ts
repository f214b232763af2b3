import { timingSafeEqual } from 'node:crypto';
import { isObject } from '../protocol/codec.js';
import type { AgentKeyRecord } from './catalog-document.js';
import { hashOf, prefixOf } from './key.js';

/** A key as it is held for comparison. */
export interface HeldKey {
  readonly record: AgentKeyRecord;
  readonly hash: Buffer;
  /** In ms since the epoch: from then on it is refused. */
  readonly endsAt: number;
}

const NOBODY = Buffer.alloc(32);
const TEXTS = ['prefix', 'hash', 'workspace', 'agent', 'createdAt'] as const;
const MEMBERS: ReadonlySet<string> = new Set([
  ...TEXTS,
  ...['expiresAt', 'revokedAt', 'label', 'mode'],
]);

/** The keys that are known now. They are replaced with each load, even where the rest of a catalog is refused. */
export class KeyRing {
  private held: ReadonlyMap<string, HeldKey> = new Map();

  constructor(private readonly now: () => number = Date.now) {}

  /** @returns the record of a valid key, `undefined` for anything else */
  find(token: string): AgentKeyRecord | undefined {
    const held = this.held.get(prefixOf(token) ?? '');
    // Compared in any case, so that time does not tell which prefixes there are.
    const isSame = timingSafeEqual(hashOf(token), held?.hash ?? NOBODY);
    return held !== undefined && isSame && this.isValid(held) ? held.record : undefined;
  }

  /** Whether the key of that prefix is still good. */
  holds(prefix: string): boolean {
    const held = this.held.get(prefix);
    return held !== undefined && this.isValid(held);
  }

  /** Refuses a key from now on, until a catalog says otherwise. */
  drop(prefix: string): void {
    this.held = new Map([...this.held].filter(([held]) => held !== prefix));
  }

  /** Takes the keys of a catalog in place of those before. @returns what is wrong with those that it leaves out */
  replace(keys: unknown): readonly string[] {
    const problems: string[] = [];
    const held = new Map<string, HeldKey>();
    const twice = new Set<string>();
    const given = keys === undefined ? [] : keys;
    if (!Array.isArray(given)) problems.push('keys is not a list');
    for (const [index, key] of (Array.isArray(given) ? given : []).entries()) {
      const read = readKey(key);
      if (typeof read === 'string') problems.push(`keys[${index}]: ${read}`);
      else if (held.has(read.record.prefix)) twice.add(read.record.prefix);
      else held.set(read.record.prefix, read);
    }
    for (const prefix of twice) {
      held.delete(prefix);
      problems.push(`keys: ${prefix} is there twice, so neither is taken`);
    }
    this.held = held;
    return problems;
  }

  private isValid({ endsAt }: HeldKey): boolean {
    return this.now() < endsAt;
  }
}

/**
 * A key that cannot be read is refused, and never taken for one without an end.
 *
 * @returns the key, or what is wrong with it
 */
export function readKey(value: unknown): HeldKey | string {
  if (!isObject(value)) return 'it is not an object';
  // An end that is misspelt must not be taken for none.
  const unknown = Object.keys(value).find((name) => !MEMBERS.has(name));
  if (unknown !== undefined) return `it has an unknown member ${JSON.stringify(unknown)}`;
  const missing = TEXTS.find((name) => typeof value[name] !== 'string');
  if (missing !== undefined) return `${missing} is not a string`;
  const mode = value['mode'] ?? 'static';
  if (mode !== 'static') return `mode ${JSON.stringify(mode)} is not supported: keys are static`;
  const record = value as unknown as AgentKeyRecord;
  if (!/^[0-9a-f]{16}$/.test(record.prefix)) return 'prefix is not 16 hexadecimal digits';
  if (!/^[0-9a-f]{64}$/.test(record.hash)) return 'hash is not 64 hexadecimal digits';
  const ends = [record.expiresAt, record.revokedAt].filter((time) => (time ?? null) !== null);
  const times = ends.map((time) => Date.parse(String(time)));
  if (times.some(Number.isNaN)) return 'expiresAt or revokedAt is not an ISO 8601 time';
  return { record, hash: Buffer.from(record.hash, 'hex'), endsAt: Math.min(...times, Infinity) };
}
