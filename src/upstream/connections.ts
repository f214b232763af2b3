import { lookup as systemLookup, type LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { rootCertificates } from 'node:tls';
import { LRUCache } from 'lru-cache';
import { buildConnector, Pool } from 'undici';
import type { CompiledPolicy } from './policy.js';

/** Finds every address of a host name, as `dns.lookup` with `{ all: true }` does. */
export type AddressLookup = (
  hostname: string,
  callback: (error: Error | null, addresses: readonly LookupAddress[]) => void,
) => void;

export interface UpstreamConnectionsOptions {
  /** Default: the system's own, `dns.lookup`. */
  readonly lookup?: AddressLookup;
  /** How many connections an origin may have at a time. Default 64. */
  readonly maxPerOrigin?: number;
  /** Certificate authorities beside Node's own, in PEM, for upstreams inside a company. */
  readonly ca?: string | readonly string[];
}

/** A host leads to an address that the policy does not allow. The address is for the log. */
export class AddressRefusedError extends Error {
  private constructor(hostname: string, address: string) {
    super(`${hostname} leads to ${address}, which the workspace's policy does not allow.`);
    this.name = 'AddressRefusedError';
  }

  static create(hostname: string, address: string): AddressRefusedError {
    return new AddressRefusedError(hostname, address);
  }
}

/** No connection was made, so that nothing can have been sent. The cause is for the log. */
export class NotConnectedError extends Error {
  private constructor(hostname: string, cause: Error) {
    super(`no connection to ${hostname}: ${cause.message || cause.name}`, { cause });
    this.name = 'NotConnectedError';
  }

  static create(hostname: string, cause: Error): NotConnectedError {
    return new NotConnectedError(hostname, cause);
  }
}

const CONNECT_TIMEOUT_MS = 10_000;
/** Of more origins than this, the pool that was not used for longest is closed once its calls have ended. */
const MAX_POOLS = 1_000;
const DEFAULT_PER_ORIGIN = 64;

/**
 * The open connections to upstreams: a keep-alive pool for each origin under each set of address rules.
 *
 * The address of a new connection is checked after resolution, and the checked address is the connected one: the check
 * stands where the socket asks for its address, so that no second resolution happens in between (DNS rebinding).
 */
export class UpstreamConnections {
  private readonly pools = new LRUCache<string, Pool>({
    max: MAX_POOLS,
    dispose: (pool) => void pool.close().catch(() => undefined),
  });
  private closed = false;

  constructor(private readonly options: UpstreamConnectionsOptions = {}) {}

  /** @throws Error after `close()` */
  poolFor(origin: string, policy: CompiledPolicy): Pool {
    if (this.closed) throw new Error('The connections to upstreams are closed.');
    const key = JSON.stringify([origin, policy.allowLoopback, policy.allowedAddresses]);
    const known = this.pools.get(key);
    if (known !== undefined) return known;
    const pool = this.createPool(origin, policy);
    this.pools.set(key, pool);
    return pool;
  }

  /** Lets the calls in flight end and closes every connection. */
  async close(): Promise<void> {
    this.closed = true;
    const pools = [...this.pools.values()];
    this.pools.clear();
    await Promise.all(pools.map((pool) => pool.close().catch(() => undefined)));
  }

  private createPool(origin: string, policy: CompiledPolicy): Pool {
    const { ca, maxPerOrigin = DEFAULT_PER_ORIGIN } = this.options;
    return new Pool(origin, {
      connections: maxPerOrigin,
      pipelining: 1,
      // The time of a whole call is bounded by its signal.
      headersTimeout: 0,
      bodyTimeout: 0,
      connect: checkedConnector(policy, this.options.lookup ?? lookupAll, ca),
    });
  }
}

function checkedConnector(
  policy: CompiledPolicy,
  lookup: AddressLookup,
  ca: UpstreamConnectionsOptions['ca'],
): buildConnector.connector {
  const connectors = new Map<string, buildConnector.connector>();
  for (const protocol of ['http:', 'https:'] as const) {
    const connector = buildConnector({
      timeout: CONNECT_TIMEOUT_MS,
      allowH2: false,
      lookup: checkedLookup(policy, protocol, lookup),
      ...(ca !== undefined && { ca: [...rootCertificates, ...[ca].flat()] }),
    });
    connectors.set(protocol, connector);
  }
  return (options, callback) => {
    // A host that is an address is never looked up, so it is checked here.
    const host = options.hostname.replace(/^\[(.*)\]$/, '$1');
    const protocol = options.protocol as 'http:' | 'https:';
    if (isIP(host) !== 0 && !policy.allowsAddress(host, protocol)) {
      callback(AddressRefusedError.create(host, host), null);
      return;
    }
    connectors.get(protocol)?.({ ...options, hostname: host }, (...made) => {
      const [error] = made;
      // Whatever it is, a certificate that is refused as well: the request is written to a made connection only.
      if (error === null || error instanceof AddressRefusedError) callback(...made);
      else callback(NotConnectedError.create(host, error), null);
    });
  };
}

/** One address that is not allowed refuses the host: an honest name does not lead to both sides of the wall. */
function checkedLookup(
  policy: CompiledPolicy,
  protocol: 'http:' | 'https:',
  lookup: AddressLookup,
): LookupFunction {
  return (hostname, { all }, callback) => {
    lookup(hostname, (error, addresses) => {
      const refused = addresses?.find(({ address }) => !policy.allowsAddress(address, protocol));
      const [first] = addresses ?? [];
      if (error !== null) callback(error, '');
      else if (refused !== undefined) {
        callback(AddressRefusedError.create(hostname, refused.address), '');
      } else if (first === undefined) callback(new Error(`${hostname} has no address.`), '');
      else if (all === true) callback(null, [...addresses]);
      else callback(null, first.address, first.family);
    });
  };
}

function lookupAll(...[hostname, callback]: Parameters<AddressLookup>): void {
  systemLookup(hostname, { all: true }, callback);
}
