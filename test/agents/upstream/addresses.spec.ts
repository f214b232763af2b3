import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { LookupAddress } from 'node:dns';
import { compileOperation } from '../../../src/upstream/compile-operation.js';
import { UpstreamConnections, type AddressLookup } from '../../../src/upstream/connections.js';
import { isLoopbackAddress, isPublicAddress } from '../../../src/upstream/address.js';
import type { UpstreamPolicy } from '../../../src/upstream/policy.js';
import { json, Upstream } from './upstream.fixture.js';

const upstream = new Upstream();
beforeAll(() => upstream.start());
afterAll(() => upstream.stop());
beforeEach(() => upstream.reset());

/** Every form of address that is no public host, by the range that it stands for. */
const REFUSED: readonly (readonly [what: string, address: string])[] = [
  ['this host', '0.0.0.0'],
  ['this network', '0.1.2.3'],
  ['private, RFC 1918', '10.0.0.1'],
  ['private, RFC 1918', '172.16.0.1'],
  ['private, RFC 1918, the end of its range', '172.31.255.255'],
  ['private, RFC 1918', '192.168.1.1'],
  ['carrier-grade NAT', '100.64.0.1'],
  ['the metadata of one cloud, in carrier-grade NAT', '100.100.100.200'],
  ['loopback', '127.0.0.1'],
  ['loopback, another', '127.255.255.254'],
  ['link-local', '169.254.0.1'],
  ['the metadata of most clouds', '169.254.169.254'],
  ['the services of one cloud, at a public address', '168.63.129.16'],
  ['IETF protocol assignments', '192.0.0.192'],
  ['documentation', '192.0.2.1'],
  ['documentation', '198.51.100.1'],
  ['documentation', '203.0.113.1'],
  ['6to4 relays', '192.88.99.1'],
  ['benchmarks', '198.18.0.1'],
  ['multicast', '224.0.0.1'],
  ['multicast, its end', '239.255.255.255'],
  ['the future', '240.0.0.1'],
  ['broadcast', '255.255.255.255'],
  ['unspecified', '::'],
  ['loopback', '::1'],
  ['IPv4-mapped loopback', '::ffff:127.0.0.1'],
  ['IPv4-mapped loopback, in hexadecimal', '::ffff:7f00:1'],
  ['IPv4-mapped metadata', '::ffff:169.254.169.254'],
  ['IPv4-mapped, of a public address', '::ffff:8.8.8.8'],
  ['IPv4-compatible', '::127.0.0.1'],
  ['IPv4-translated', '::ffff:0:10.0.0.1'],
  ['NAT64 of a private address', '64:ff9b::10.0.0.1'],
  ['NAT64 of metadata', '64:ff9b::a9fe:a9fe'],
  ['local NAT64', '64:ff9b:1::1'],
  ['discard', '100::1'],
  ['Teredo', '2001:0:4136:e378:8000:63bf:3fff:fdd2'],
  ['ORCHID', '2001:20::1'],
  ['documentation', '2001:db8::1'],
  ['6to4 of a private address', '2002:a00:1::'],
  ['documentation', '3fff::1'],
  ['segment routing', '5f00::1'],
  ['unique local', 'fc00::1'],
  ['unique local, the metadata of one cloud', 'fd00:ec2::254'],
  ['link-local', 'fe80::1'],
  ['link-local with a zone', 'fe80::1%eth0'],
  ['site-local', 'fec0::1'],
  ['multicast', 'ff02::1'],
];

const PUBLIC = [
  '8.8.8.8',
  '1.1.1.1',
  '172.32.0.1',
  '100.128.0.1',
  '223.255.255.255',
  '2606:4700::1111',
  '2a00:1450:4001:80b::200e',
];

describe('agents: an address', () => {
  it.each(REFUSED)('%s is not public: %s', (_, address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  it.each(PUBLIC)('%s is public', (address) => expect(isPublicAddress(address)).toBe(true));

  it('is a loopback address only in its own form', () => {
    expect(['127.0.0.1', '127.9.9.9', '::1'].every(isLoopbackAddress)).toBe(true);
    const others = ['::ffff:127.0.0.1', '0.0.0.0', '::', 'localhost', '64:ff9b::7f00:1', ''];
    expect(others.some(isLoopbackAddress)).toBe(false);
  });
});

const policy: UpstreamPolicy = { origins: ['https://api.example.com'], allowLoopback: false };
const operation = {
  method: 'GET',
  url: 'https://api.example.com/',
  input: { type: 'object' },
} as const;

/** Connections whose names lead where a hostile DNS says. */
function resolving(...addresses: string[]): { connections: UpstreamConnections; asked: string[] } {
  const asked: string[] = [];
  const lookup: AddressLookup = (hostname, callback) => {
    asked.push(hostname);
    const found = addresses.map((address): LookupAddress => {
      return { address, family: address.includes(':') ? 6 : 4 };
    });
    callback(null, found);
  };
  return { connections: new UpstreamConnections({ lookup }), asked };
}

const refused = {
  kind: 'failure',
  code: 'upstream',
  sent: false,
  messages: ['The upstream is at an address that may not be reached. Nothing was sent.'],
};

describe('agents: a name that leads to an address that may not be reached', () => {
  it.each(REFUSED)('is refused: %s (%s)', async (_, address) => {
    const { connections, asked } = resolving(address);
    expect(await upstream.call(operation, {}, { connections, policy })).toMatchObject(refused);
    expect(asked).toEqual(['api.example.com']);
    await connections.close();
  });

  it('is refused beside an address that may be', async () => {
    const { connections } = resolving('8.8.8.8', '10.0.0.1');
    expect(await upstream.call(operation, {}, { connections, policy })).toMatchObject(refused);
    await connections.close();
  });

  it('is refused by plain http, where loopback is allowed and it leads elsewhere', async () => {
    const origins = ['http://api.example.com'];
    for (const address of ['8.8.8.8', '10.0.0.1']) {
      const { connections } = resolving(address);
      const outcome = await upstream.call(
        { url: 'http://api.example.com/' },
        {},
        { connections, policy: { origins, allowLoopback: true, allowedAddresses: ['10.0.0.0/8'] } },
      );
      expect(outcome).toMatchObject(refused);
      await connections.close();
    }
  });

  it('is asked for once: the checked address is the connected one', async () => {
    let answers = 0;
    const lookup: AddressLookup = (_, callback) => {
      // A second question would get the other side of the wall.
      callback(null, [{ address: answers++ === 0 ? '127.0.0.1' : '10.0.0.1', family: 4 }]);
    };
    const connections = new UpstreamConnections({ lookup });
    const origins = [`http://rebind.example:${upstream.port}`];
    const outcome = await upstream.call(
      { url: `${origins[0]}/` },
      {},
      { connections, policy: { origins } },
    );
    expect(outcome).toMatchObject({ kind: 'success', status: 200 });
    expect(upstream.last.headers.host).toBe(`rebind.example:${upstream.port}`);
    expect(answers).toBe(1);
    await connections.close();
  });

  it('is reached where the policy lists the address', async () => {
    // What answers there speaks no TLS: it is enough that the connection was made.
    const { connections } = resolving('127.0.0.1');
    const origins = [`https://internal.example:${upstream.port}`];
    const listed = { origins, allowLoopback: false, allowedAddresses: ['127.0.0.0/8'] };
    const outcome = await upstream.call(
      { url: `${origins[0]}/` },
      {},
      { connections, policy: listed },
    );
    expect(outcome).toMatchObject({ kind: 'failure', code: 'upstream' });
    expect(outcome).not.toMatchObject(refused);
    await connections.close();
  });
});

describe('agents: an address in the place of a name', () => {
  it.each([
    ['decimal', '2130706433'],
    ['octal', '0177.0.0.1'],
    ['hexadecimal', '0x7f000001'],
    ['short', '127.1'],
    ['full-width digits', '１２７.0.0.1'],
    ['mapped', '[::ffff:127.0.0.1]'],
    ['metadata', '169.254.169.254'],
    ['private', '10.0.0.1'],
    ['unspecified', '[::]'],
    ['NAT64', '[64:ff9b::7f00:1]'],
  ])(
    '%s is refused where it is called, in its own spelling and in the one it is read as',
    async (_, host) => {
      const { origin } = new URL(`https://${host}`);
      for (const spelled of new Set([`https://${host}`, origin])) {
        const compiled = compileOperation(
          { ...operation, url: `${spelled}/` },
          { origins: [spelled] },
        );
        if ('problems' in compiled) continue;
        const outcome = await upstream.call(
          { url: `${spelled}/` },
          {},
          { policy: { origins: [spelled], allowLoopback: false } },
        );
        expect(outcome).toMatchObject(refused);
      }
      const other = compileOperation({ ...operation, url: `${origin}/` }, policy);
      expect(other).toHaveProperty('problems');
    },
  );

  it('is called only with its own name: another origin is refused before any call', () => {
    for (const url of [
      'https://evil.example/',
      'http://api.example.com/',
      'https://api.example.com:8443/',
      'https://api.example.com@evil.example/',
      'https://api.example.com.evil.example/',
      'https://user:pass@api.example.com/',
      'https://{host}/',
      'https://api.example.com{x}/',
      'https://api.example.com\\@evil.example/',
      'https:/\\api.example.com/',
      'file:///etc/passwd',
      'https://api.example.com/a/../b',
      'https://api.example.com/%2e%2e/b',
      'https://api.example.com/a?b=c',
      'https://api.example.com/a#b',
      'https://api.example.com',
    ]) {
      expect({ url, ...compileOperation({ ...operation, url }, policy) }).toHaveProperty(
        'problems',
      );
    }
  });

  it('needs an origin that is one, and https', () => {
    for (const origin of [
      'https://a.example/',
      'https://a.example/x',
      'a.example',
      'http://a.example',
      'HTTPS://a.example',
      'https://2130706433',
      'ftp://a.example',
      'https://*.example',
    ]) {
      expect({ origin, ...compileOperation(operation, { origins: [origin] }) }).toHaveProperty(
        'problems',
      );
    }
    for (const allowedAddresses of [
      ['10.0.0.0/33'],
      ['10.0.0'],
      ['localhost'],
      ['fe80::1%eth0'],
      ['::1/129'],
      ['1.2.3.4/'],
    ]) {
      const compiled = compileOperation(operation, { ...policy, allowedAddresses });
      expect({ allowedAddresses, ...compiled }).toHaveProperty('problems');
    }
    for (const bad of [
      { timeoutMs: 0 },
      { timeoutMs: 600_001 },
      { maxResponseBytes: 1 },
      { maxResponseBytes: NaN },
    ]) {
      expect({ ...bad, ...compileOperation(operation, { ...policy, ...bad }) }).toHaveProperty(
        'problems',
      );
    }
  });
});

describe('agents: a redirect', () => {
  it.each([301, 302, 303, 307, 308])(
    '%i is not followed, nor is the credential sent on',
    async (status) => {
      const other = await new Upstream().start();
      upstream.answer = (_, response) => {
        response.writeHead(status, { location: `${other.origin}/metadata` }).end('moved');
      };
      const outcome = await upstream.call({
        method: status === 307 ? 'POST' : 'GET',
      });
      expect(outcome).toMatchObject({
        kind: 'failure',
        code: 'upstream',
        status,
        messages: [`The upstream answered ${status}, a redirect, which is not followed.`],
      });
      expect(upstream.seen).toHaveLength(1);
      expect(other.seen).toHaveLength(0);
      await other.stop();
    },
  );
});

describe('agents: the connections to an upstream', () => {
  it('are kept alive, one pool for each origin', async () => {
    const ports = new Set<number | undefined>();
    upstream.answer = (_, response) => {
      ports.add(response.socket?.remotePort);
      json(response, 200, {});
    };
    for (let i = 0; i < 10; i++) await upstream.call({});
    // One may be on its way back to the pool while the next call begins.
    expect(ports.size).toBeLessThan(4);
  });

  it('are refused once they are closed', async () => {
    const connections = new UpstreamConnections();
    await connections.close();
    expect(await upstream.call({}, {}, { connections })).toMatchObject({ code: 'internal' });
  });
});
