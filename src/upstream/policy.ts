/** What the operations of a workspace may reach. */
export interface UpstreamPolicy {
  /** The origins that operations may name, such as `https://api.example.com`. Nothing else is ever contacted. */
  readonly origins: readonly string[];
  /** Loopback addresses may be reached, and by plain `http:`. For development and tests. Default false. */
  readonly allowLoopback?: boolean;
  /**
   * Addresses outside the public internet that may be reached all the same, such as `10.1.2.3` or `10.1.0.0/16`.
   * Default none.
   */
  readonly allowedAddresses?: readonly string[];
  /** The largest body that is read, decompressed, in bytes. From 1 KiB to 64 MiB. Default 2 MiB. */
  readonly maxResponseBytes?: number;
  /** How long a call may take where its operation says nothing, in ms. From 1 to 600 000. Default 30 000. */
  readonly timeoutMs?: number;
}

/** A policy with every default filled in. */
export type ResolvedUpstreamPolicy = Required<UpstreamPolicy>;

export const UPSTREAM_DEFAULTS = {
  allowLoopback: false,
  allowedAddresses: [],
  maxResponseBytes: 2 * 1024 * 1024,
  timeoutMs: 30_000,
} as const satisfies Omit<ResolvedUpstreamPolicy, 'origins'>;
