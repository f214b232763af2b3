import { checkOrigin, isLoopback, type OriginRules } from './origin.js';

const OPEN: OriginRules = {
  allowedHosts: ['api.example.com', '[2001:db8::7]'],
  allowedOrigins: ['https://inspector.example.com'],
  allowOrigin: undefined,
  loopback: false,
};
const LOOPBACK: OriginRules = { ...OPEN, loopback: true };

const hostRefused = (host: string | undefined): object => ({
  ok: false,
  message: `Host ${String(host)} is not one of this server's`,
  option: 'allowedHosts',
});
const originRefused = (origin: string): object => ({
  ok: false,
  message: `Origin ${origin} is not allowed`,
  option: 'allowedOrigins',
});

describe('origin: without Origin, which no browser leaves out of a POST', () => {
  it.each(['localhost:3000', 'api.example.com', 'evil.example', '', undefined, '10.0.0.1'])(
    'a server that others reach takes any host (%j)',
    (host) => {
      expect(checkOrigin(undefined, host, OPEN)).toEqual({ ok: true });
    },
  );

  it.each([
    'localhost',
    'localhost:3000',
    'LOCALHOST:3000',
    '127.0.0.1',
    '127.0.0.1:3000',
    '[::1]',
    '[::1]:3000',
    '192.168.1.5:3000',
    'api.example.com',
    'API.example.com:443',
    '[2001:db8::7]:80',
  ])('a loopback server takes %j', (host) => {
    expect(checkOrigin(undefined, host, LOOPBACK)).toEqual({ ok: true });
  });

  it.each([
    'evil.example',
    'evil.example:3000',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    'xlocalhost',
    'localhost.',
    'sub.api.example.com',
    'api.example.com.evil.example',
    'localhost:3000@evil.example',
    'user@localhost',
    'localhost, evil.example',
    'localhost:3000:80',
    'localhost:http',
    '[::1',
    '::1',
    '2130706433',
    '0x7f.1',
    '',
    undefined,
  ])('a loopback server refuses %j', (host) => {
    expect(checkOrigin(undefined, host, LOOPBACK)).toEqual(hostRefused(host));
  });
});

describe('origin: the own one', () => {
  it.each([
    ['http://localhost:3000', 'localhost:3000'],
    ['http://localhost', 'localhost'],
    ['http://localhost', 'localhost:80'],
    ['http://127.0.0.1:3000', '127.0.0.1:3000'],
    ['http://[::1]:3000', '[::1]:3000'],
    ['http://10.1.2.3:8080', '10.1.2.3:8080'],
    ['https://api.example.com', 'api.example.com'],
    ['https://api.example.com', 'API.EXAMPLE.COM'],
    ['https://api.example.com', 'api.example.com:443'],
    ['https://api.example.com:8443', 'api.example.com:8443'],
    ['http://[2001:db8::7]', '[2001:db8::7]'],
  ])('%s counts under the host %s', (origin, host) => {
    expect(checkOrigin(origin, host, OPEN)).toEqual({ ok: true });
    expect(checkOrigin(origin, host, LOOPBACK)).toEqual({ ok: true });
  });

  it.each([
    ['another port', 'http://localhost:5173', 'localhost:3000'],
    ['another name of the same machine', 'http://127.0.0.1:3000', 'localhost:3000'],
    ['a name that begins alike', 'http://localhost:3000.evil.example', 'localhost:3000'],
    ['a name that ends alike', 'https://evil-api.example.com', 'api.example.com'],
    ['a sub-domain', 'https://x.api.example.com', 'api.example.com'],
    ['a path', 'http://localhost:3000/', 'localhost:3000'],
    ['credentials', 'http://x@localhost:3000', 'localhost:3000'],
    ['an opaque origin', 'null', 'localhost:3000'],
    ['no URL', 'localhost:3000', 'localhost:3000'],
    ['nothing', '', 'localhost:3000'],
    ['a file', 'file://', 'localhost:3000'],
    ['two origins', 'http://localhost:3000 http://evil.example', 'localhost:3000'],
  ])('%s does not: %s under %s', (_, origin, host) => {
    expect(checkOrigin(origin, host, OPEN)).toEqual(originRefused(origin));
  });

  it('does not count without a host', () => {
    expect(checkOrigin('http://localhost', undefined, OPEN)).toEqual(
      originRefused('http://localhost'),
    );
  });
});

describe('origin: DNS rebinding, where the attacker’s name is origin and host alike', () => {
  it.each(['evil.example', 'evil.example:3000', 'localhost.evil.example', '127.0.0.1.nip.io'])(
    '%s is refused on every server',
    (host) => {
      expect(checkOrigin(`http://${host}`, host, OPEN)).toEqual(originRefused(`http://${host}`));
      expect(checkOrigin(`http://${host}`, host, LOOPBACK)).toEqual(hostRefused(host));
    },
  );
});

describe('origin: those that the options name', () => {
  it.each(['localhost:3000', 'api.example.com', 'evil.example'])(
    'a listed one may call, under the host %s',
    (host) => {
      expect(checkOrigin('https://inspector.example.com', host, OPEN)).toEqual({ ok: true });
    },
  );

  it('a listed one does not excuse a wrong host of a loopback server', () => {
    expect(checkOrigin('https://inspector.example.com', 'evil.example', LOOPBACK)).toEqual(
      hostRefused('evil.example'),
    );
  });

  it.each([
    'http://inspector.example.com',
    'https://inspector.example.com:444',
    'https://INSPECTOR.example.com',
    'https://inspector.example.com.evil.example',
  ])('%s is not the listed one', (origin) => {
    expect(checkOrigin(origin, 'localhost', OPEN)).toEqual(originRefused(origin));
  });

  const asking = (allowOrigin: unknown): OriginRules => ({
    ...OPEN,
    allowOrigin: allowOrigin as OriginRules['allowOrigin'],
  });
  const origin = 'https://other.example.com';

  it('the function decides on what no list names', () => {
    const asked: string[] = [];
    const rules = asking((one: string) => {
      asked.push(one);
      return one === origin;
    });
    expect(checkOrigin(origin, 'localhost', rules)).toEqual({ ok: true });
    expect(checkOrigin('https://third.example.com', 'localhost', rules)).toEqual(
      originRefused('https://third.example.com'),
    );
    expect(checkOrigin('https://inspector.example.com', 'localhost', rules)).toEqual({ ok: true });
    expect(asked).toEqual([origin, 'https://third.example.com']);
  });

  it.each<[string, unknown]>([
    [
      'throws',
      () => {
        throw new Error('no');
      },
    ],
    [
      'throws null',
      () => {
        throw null as unknown as Error;
      },
    ],
    ['returns a promise of true', () => Promise.resolve(true)],
    ['returns a text', () => 'yes'],
    ['returns nothing', () => undefined],
  ])('a function that %s refuses', (_, allowOrigin) => {
    expect(checkOrigin(origin, 'localhost', asking(allowOrigin))).toEqual(originRefused(origin));
  });

  it('the function is not asked about a wrong host of a loopback server', () => {
    const rules = { ...asking(() => true), loopback: true };
    expect(checkOrigin(origin, 'evil.example', rules)).toEqual(hostRefused('evil.example'));
  });
});

describe('origin: addresses that only this machine reaches', () => {
  it.each(['127.0.0.1', '127.8.9.10', '::1', '::ffff:127.0.0.1', 'localhost'])(
    '%s is one',
    (address) => {
      expect(isLoopback(address)).toBe(true);
    },
  );
  it.each(['0.0.0.0', '::', '10.0.0.1', '::ffff:10.0.0.1', '1127.0.0.1', '12.7.0.0.1', ''])(
    '%j is none',
    (address) => {
      expect(isLoopback(address)).toBe(false);
    },
  );
});
