import { isLoopbackAddress, isPublicAddress, rangeList, readRange } from './address.js';

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

const RANGES = {
  maxResponseBytes: [1024, 64 * 1024 * 1024],
  timeoutMs: [1, 600_000],
} as const;

/** A policy that was checked, and the question that it answers. */
export interface CompiledPolicy extends ResolvedUpstreamPolicy {
  /** Whether an operation may connect to the address for a URL of that protocol. */
  readonly allowsAddress: (address: string, protocol: 'http:' | 'https:') => boolean;
}

/** What is wrong with a policy: a sentence or two for each problem, none when it may be used. */
export function checkPolicy(policy: UpstreamPolicy): readonly string[] {
  const compiled = compilePolicy(policy);
  return 'problems' in compiled ? compiled.problems : [];
}

/** Checks a policy and fills in its defaults. */
export function compilePolicy(
  policy: UpstreamPolicy,
): { readonly policy: CompiledPolicy } | { readonly problems: readonly string[] } {
  const resolved = { ...UPSTREAM_DEFAULTS, ...definedMembers(policy) };
  const { allowLoopback, allowedAddresses } = resolved;
  const ranges = allowedAddresses.map(readRange);
  const problems = [
    ...resolved.origins.flatMap((origin) => originProblems(origin, allowLoopback)),
    ...allowedAddresses
      .filter((_, i) => ranges[i] === undefined)
      .map(
        (text) =>
          `allowedAddresses: ${JSON.stringify(text)} is no address. Write it as 10.1.2.3, 10.1.0.0/16 or fd00::/8.`,
      ),
    ...Object.entries(RANGES).flatMap(([name, [least, most]]) => {
      const value = resolved[name as keyof typeof RANGES];
      const fits = Number.isInteger(value) && value >= least && value <= most;
      return fits ? [] : [`${name}: ${value} is not an integer from ${least} to ${most}.`];
    }),
  ];
  if (problems.length > 0) return { problems };
  const isListed = rangeList(ranges.filter((range) => range !== undefined));
  const allowsAddress = (address: string, protocol: 'http:' | 'https:') => {
    if (allowLoopback && isLoopbackAddress(address)) return true;
    return protocol === 'https:' && (isPublicAddress(address) || isListed(address));
  };
  return { policy: { ...resolved, allowsAddress } };
}

function originProblems(origin: string, allowLoopback: boolean): readonly string[] {
  const url = URL.canParse(origin) ? new URL(origin) : undefined;
  if (url === undefined || url.origin !== origin) {
    const meant =
      url === undefined || url.origin === 'null' ? 'https://api.example.com' : url.origin;
    return [`origins: ${JSON.stringify(origin)} is no origin. Write it as ${meant}.`];
  }
  if (url.protocol === 'https:' || (url.protocol === 'http:' && allowLoopback)) return [];
  return [
    `origins: ${JSON.stringify(origin)} is not https. Plain http is for loopback addresses, with allowLoopback.`,
  ];
}

/** A member that is there but `undefined` is as one that is not. */
function definedMembers(policy: UpstreamPolicy): UpstreamPolicy {
  return Object.fromEntries(
    Object.entries(policy).filter(([, value]) => value !== undefined),
  ) as unknown as UpstreamPolicy;
}
