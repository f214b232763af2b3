import { BlockList, isIP, isIPv4 } from 'node:net';

/**
 * IPv4 that no public service has: IANA's special-purpose registry (RFC 6890), multicast, the future and broadcast, and the
 * one public address at which a cloud's own service answers its machines.
 */
const SPECIAL_IPV4: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['168.63.129.16', 32],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
];

/** Of the global unicast addresses: protocol assignments with Teredo, documentation, 6to4, which hides an IPv4 address. */
const SPECIAL_IPV6: readonly (readonly [string, number])[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
];

const specialIPv4 = blockList(SPECIAL_IPV4, 'ipv4');
const specialIPv6 = blockList(SPECIAL_IPV6, 'ipv6');
/** RFC 4291, section 2.4: all that IANA gives out is in here; mapped, NAT64, local, link-local and multicast are not. */
const globalUnicast = blockList([['2000::', 3]], 'ipv6');
const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/** Whether the address is one of the public internet. `false` for all that is no address. */
export function isPublicAddress(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !specialIPv4.check(address, 'ipv4');
    case 6:
      return (
        !address.includes('%') &&
        globalUnicast.check(address, 'ipv6') &&
        !specialIPv6.check(address, 'ipv6')
      );
    default:
      return false;
  }
}

/** Whether the address is a loopback address in its own form: not one that hides in another address. */
export function isLoopbackAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 0 || (family === 6 && address !== '::1')) return false;
  return loopback.check(address, family === 4 ? 'ipv4' : 'ipv6');
}

/** `10.1.2.3`, `10.1.0.0/16`, `fd00::/8`. */
export type AddressRange = readonly [address: string, prefix: number];

/** Reads an address or a range of addresses; `undefined` for what is neither. */
export function readRange(text: string): AddressRange | undefined {
  const [address = '', prefix, ...rest] = text.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0 || address.includes('%')) return undefined;
  const bits = family === 4 ? 32 : 128;
  if (prefix === undefined) return [address, bits];
  return /^\d{1,3}$/.test(prefix) && Number(prefix) <= bits ? [address, Number(prefix)] : undefined;
}

/** A list that finds addresses in ranges. */
export function rangeList(ranges: readonly AddressRange[]): (address: string) => boolean {
  const list = new BlockList();
  for (const [address, prefix] of ranges) {
    list.addSubnet(address, prefix, isIPv4(address) ? 'ipv4' : 'ipv6');
  }
  return (address) => isIP(address) !== 0 && list.check(address, isIPv4(address) ? 'ipv4' : 'ipv6');
}

function blockList(
  ranges: readonly (readonly [string, number])[],
  family: 'ipv4' | 'ipv6',
): BlockList {
  const list = new BlockList();
  for (const [address, prefix] of ranges) list.addSubnet(address, prefix, family);
  return list;
}
