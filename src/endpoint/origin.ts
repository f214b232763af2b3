import { isIP } from 'node:net';

/** Who may call from a browser, and under which host names. */
export interface OriginRules {
  /** In lower case, without port. */
  readonly allowedHosts: readonly string[];
  readonly allowedOrigins: readonly string[];
  /** The function of the options, its request bound. */
  readonly allowOrigin: ((origin: string) => boolean) | undefined;
  /** The server is bound to a loopback address: then `Host` is checked without an `Origin`, too. */
  readonly loopback: boolean;
}

export type OriginVerdict =
  { readonly ok: true } | { readonly ok: false; readonly message: string; readonly option: string };

/**
 * Checks `Origin` and `Host` (2025-11-25, basic/transports, "Security Warning"). The attack is DNS rebinding: a page from
 * the attacker's name, made to resolve to this server, sends that name as `Origin` and `Host` alike. So the endpoint's own
 * origin counts only under a host that the application vouches for.
 */
export function checkOrigin(
  origin: string | undefined,
  host: string | undefined,
  rules: OriginRules,
): OriginVerdict {
  const vouched = isVouchedFor(host, rules.allowedHosts);
  if (rules.loopback && !vouched) {
    return refuse(`Host ${String(host)} is not one of this server's`, 'allowedHosts');
  }
  if (origin === undefined) return { ok: true };
  if (vouched && isSameHost(origin, host)) return { ok: true };
  if (rules.allowedOrigins.includes(origin) || asks(rules, origin)) return { ok: true };
  return refuse(`Origin ${origin} is not allowed`, 'allowedOrigins');
}

/** @returns whether an address is one that only this machine reaches */
export function isLoopback(address: string): boolean {
  return address === '::1' || address === 'localhost' || /^(::ffff:)?127\./.test(address);
}

function asks({ allowOrigin }: OriginRules, origin: string): boolean {
  try {
    return allowOrigin?.(origin) === true;
  } catch {
    return false;
  }
}

/** `localhost` and addresses cannot be rebound; any other name must be listed. */
function isVouchedFor(host: string | undefined, allowedHosts: readonly string[]): boolean {
  const name = hostName(host);
  if (name === undefined) return false;
  return (
    name === 'localhost' || isIP(name.replace(/^\[|\]$/g, '')) !== 0 || allowedHosts.includes(name)
  );
}

function hostName(host: string | undefined): string | undefined {
  return host === undefined
    ? undefined
    : /^(\[[^\]]*\]|[^:]+)(:\d+)?$/.exec(host.toLowerCase())?.[1];
}

/** The scheme is left out: behind a proxy that ends TLS the server does not know it. */
function isSameHost(origin: string, host: string | undefined): boolean {
  if (host === undefined || !URL.canParse(origin)) return false;
  const { protocol } = new URL(origin);
  const own = `${protocol}//${host}`;
  return URL.canParse(own) && new URL(own).origin === origin;
}

function refuse(message: string, option: string): OriginVerdict {
  return { ok: false, message, option };
}
