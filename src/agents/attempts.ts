import { LRUCache } from 'lru-cache';
import { isIPv6 } from 'node:net';

/** Addresses that are remembered at the most; beyond it the one that failed longest ago goes. */
const MAX_ADDRESSES = 100_000;
const WINDOW_MS = 60_000;

/** Bounds the failed attempts of one address: within a minute of the first, no more than a number of them. */
export class AttemptLimiter {
  private readonly failures: LRUCache<string, { count: number; readonly since: number }>;

  constructor(
    private readonly limit: number,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.failures = new LRUCache({ max: MAX_ADDRESSES });
  }

  /** @returns for how many ms the address is refused, whatever it sends; 0 when it is not */
  refusedFor(address: string): number {
    const key = networkOf(address);
    const failed = this.failures.get(key);
    if (failed === undefined) return 0;
    const left = failed.since + WINDOW_MS - this.now();
    if (left <= 0) this.failures.delete(key);
    return left > 0 && failed.count >= this.limit ? left : 0;
  }

  failed(address: string): void {
    const key = networkOf(address);
    const known = this.failures.get(key);
    if (known === undefined || known.since + WINDOW_MS <= this.now()) {
      this.failures.set(key, { count: 1, since: this.now() });
    } else known.count += 1;
  }
}

/** An IPv6 customer has at least a /64, so single addresses would be no bound (RFC 6177). */
function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined || !isIPv6(address)) return mapped ?? address;
  const [head = '', tail] = address.split('%', 1)[0]?.split('::') ?? [];
  const first = head === '' ? [] : head.split(':');
  const last = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? 0 : 8 - first.length - last.length;
  const groups = [...first, ...Array<string>(Math.max(0, zeros)).fill('0'), ...last];
  return groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':');
}
