import { Controller, Get, Req, UseGuards } from '@nestjs/common';
import { jest } from '@jest/globals';
import { McpJwtGuard, type McpJwtAuth, type McpJwtOptions } from '../../src/auth/index.js';
import { McpModule, McpSetupError, McpTool } from '../../src/index.js';
import { FixtureApp, textOf, type Fixture } from '../support/fixture-app.js';
import { request as httpRequest } from 'node:http';
import { PLATFORMS } from '../support/platforms.js';
import { AUDIENCE, now, TokenIssuer } from './token-issuer.js';

const bearer = (token: string): Record<string, string> => ({ authorization: `Bearer ${token}` });
const base64url = (value: object): string =>
  Buffer.from(JSON.stringify(value)).toString('base64url');

/** Only the date is to be another. */
const TIMERS = [
  'hrtime',
  'nextTick',
  'performance',
  'queueMicrotask',
  'setImmediate',
  'clearImmediate',
  'setInterval',
  'clearInterval',
  'setTimeout',
  'clearTimeout',
] as const;

let issuer: TokenIssuer;
beforeAll(async () => {
  issuer = await TokenIssuer.start();
});
afterAll(() => issuer.stop());
beforeEach(() => {
  issuer.answer = 'keys';
});

const guard = (options: Partial<McpJwtOptions> = {}): McpJwtGuard =>
  new McpJwtGuard({
    issuers: [{ issuer: issuer.issuer, jwksUrl: issuer.jwksUrl }],
    audience: AUDIENCE,
    ...options,
  });

/** One guard for the endpoint and for the route behind its tool. */
function applicationWith(jwt: McpJwtGuard): Fixture {
  @Controller('me')
  @UseGuards(jwt)
  class MeController {
    @McpTool('me') @Get() me(@Req() request: { auth: McpJwtAuth; user: object }): object {
      const { scheme, iss, sub, clientId, scopes } = request.auth;
      return { scheme, iss, sub, clientId, scopes, user: request.user };
    }
    @Get('spoil') spoil(@Req() { user }: { user: { nested: { list: number[] } } }): object {
      user.nested.list.push(2);
      return {};
    }
    @McpTool({ name: 'read', scopes: ['orders:read'] }) @Get('read') read(): object {
      return { read: true };
    }
  }
  const resource = { url: AUDIENCE, authorizationServers: [issuer.issuer] };
  return { controllers: [MeController], mcp: { guards: [jwt], resource } };
}

describe.each(PLATFORMS)('auth: McpJwtGuard on $name', (platform) => {
  let fixture: FixtureApp;
  beforeAll(async () => {
    const jwt = guard({
      scopeHierarchy: { admin: ['orders:write'], 'orders:write': ['orders:read'] },
    });
    fixture = await FixtureApp.start({ platform, ...applicationWith(jwt) });
  });
  afterAll(() => fixture.close());

  const list = async (headers: Record<string, string>): Promise<number> =>
    (await fixture.request('tools/list', {}, headers)).status;

  it('lets a good token in, at the endpoint and at the route behind a tool', async () => {
    const token = await issuer.sign({ scope: 'a b', client_id: 'host' });
    const expected = {
      scheme: 'bearer',
      iss: issuer.issuer,
      sub: 'ann',
      clientId: 'host',
      scopes: ['a', 'b'],
    };
    const result = JSON.parse(textOf(await fixture.call('me', {}, bearer(token)))) as object;
    expect(result).toMatchObject({ ...expected, user: { sub: 'ann', aud: AUDIENCE } });
    const route = await fixture.http('GET', '/me', { headers: bearer(token) });
    expect(route.json()).toEqual(result);
  });

  it.each<[string, () => Promise<string>]>([
    ['of another audience', () => issuer.sign({ aud: 'https://other.example.com/mcp' })],
    ['of no audience', () => issuer.sign({ aud: undefined })],
    ['of another issuer', () => issuer.sign({ iss: 'https://evil.example.com' })],
    ['of no issuer', () => issuer.sign({ iss: undefined })],
    ['that has expired', () => issuer.sign({ exp: now() - 60 })],
    ['that is not yet valid', () => issuer.sign({ nbf: now() + 60 })],
    ['without exp', () => issuer.sign({ exp: undefined })],
    ['with alg none', () => unsigned({ alg: 'none' })],
    ['with alg none in capitals', () => unsigned({ alg: 'NONE' })],
    [
      'signed with HS256 and the public key',
      async () =>
        issuer.sign({}, { header: { alg: 'HS256' }, key: Buffer.from(await issuer.publicPem()) }),
    ],
    ['of an unknown key', () => issuer.sign({}, { header: { kid: 'unknown' } })],
    ['whose signature is another', async () => `${(await issuer.sign()).slice(0, -6)}AAAAAA`],
    ['that is none', () => Promise.resolve('abc')],
    ['that is empty', () => Promise.resolve('')],
    ['of 8 KB and more', () => issuer.sign({ padding: 'x'.repeat(8_192) })],
    ['of 8 KB and more that is none', () => Promise.resolve('x'.repeat(8_193))],
  ])('refuses a token %s', async (_, make) => {
    const token = await make();
    const answer = await fixture.request('tools/list', {}, bearer(token));
    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toBe(
      `Bearer error="invalid_token", resource_metadata="https://api.example.com/.well-known/oauth-protected-resource/mcp", scope="orders:read"`,
    );
    expect(answer.text).toContain('The bearer token is not valid');
    const route = await fixture.http('GET', '/me', { headers: bearer(token) });
    expect([route.status, route.headers.get('www-authenticate')]).toEqual([
      401,
      'Bearer error="invalid_token"',
    ]);
  });

  it('forgets a good token when it expires, and gives each request a copy of its own', async () => {
    const token = await issuer.sign({ exp: now() + 100, nested: { list: [1] } });
    const first = await fixture.http('GET', '/me', { headers: bearer(token) });
    const second = await fixture.http('GET', '/me/spoil', { headers: bearer(token) });
    expect([first.status, second.status]).toEqual([200, 200]);
    const third = await fixture.http('GET', '/me', { headers: bearer(token) });
    expect(third.text).toBe(first.text);
    jest.useFakeTimers({ now: Date.now() + 106_000, doNotFake: [...TIMERS] });
    expect(await list(bearer(token))).toBe(401);
    jest.useRealTimers();
  });

  it('takes a clock that is a little off', async () => {
    expect(await list(bearer(await issuer.sign({ exp: now() - 2, nbf: now() + 2 })))).toBe(200);
  });

  it('refuses two Authorization headers, whichever is good', async () => {
    const good = `Bearer ${await issuer.sign()}`;
    for (const authorization of [
      [good, good],
      [good, 'Bearer x'],
      ['Bearer x', good],
    ]) {
      expect(await statusWith(fixture, authorization)).toBe(400);
    }
    expect(await statusWith(fixture, [good])).not.toBe(400);
  });

  it('never looks for a token in the query', async () => {
    const token = await issuer.sign();
    const answer = await fixture.http('POST', `/mcp?access_token=${token}`, { body: {} });
    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).not.toContain('error');
    expect((await fixture.http('GET', `/me?access_token=${token}`)).status).toBe(401);
  });

  it('is no error where another scheme, or nothing, was sent', async () => {
    for (const authorization of ['', 'Basic YTpi', 'Bearerx y']) {
      const route = await fixture.http('GET', '/me', { headers: { authorization } });
      expect([route.status, route.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
    }
  });

  it.each<[object, readonly string[]]>([
    [{ scope: 'orders:read' }, ['orders:read']],
    [{ scp: 'a b' }, ['a', 'b']],
    [{ scp: ['a', 'b'] }, ['a', 'b']],
    [{ scope: 7 }, []],
    [{ scopes: ['smuggled'] }, []],
    [{}, []],
    [{ scope: 'orders:write' }, ['orders:write', 'orders:read']],
    [{ scope: 'admin' }, ['admin', 'orders:write', 'orders:read']],
  ])('reads the scopes of %j', async (claims, scopes) => {
    const token = await issuer.sign(claims as Record<string, unknown>);
    const route = await fixture.http('GET', '/me', { headers: bearer(token) });
    expect((route.json() as { scopes: unknown }).scopes).toEqual(scopes);
    const { isError } = await fixture.call('read', {}, bearer(token));
    expect(isError === true).toBe(!scopes.includes('orders:read'));
  });
});

describe('auth: the key set', () => {
  let fixture: FixtureApp | undefined;
  const start = async (options: Partial<McpJwtOptions> = {}): Promise<FixtureApp> =>
    (fixture = await FixtureApp.start(applicationWith(guard(options))));
  const statusOf = async (app: FixtureApp, token: string): Promise<number> =>
    (await app.request('tools/list', {}, bearer(token))).status;
  /** Lets that many milliseconds pass for the key set, and for nothing else. */
  const later = (milliseconds: number): void => {
    const real = Date.now();
    jest.spyOn(Date, 'now').mockReturnValue(real + milliseconds);
  };
  beforeEach(() => {
    issuer.requests = 0;
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await fixture?.close();
    fixture = undefined;
  });

  it('is asked once for many tokens', async () => {
    const app = await start();
    const token = await issuer.sign();
    await Promise.all([...Array(5).keys()].map(() => statusOf(app, token)));
    expect(issuer.requests).toBe(1);
  });

  it.each(['error', 'garbage', 'hang'] as const)(
    'is a 503 and no 401 while it is down (%s), and the metadata still answers',
    async (how) => {
      const app = await start({ jwksTimeoutMs: 50 });
      issuer.answer = how;
      const answer = await app.request('tools/list', {}, bearer(await issuer.sign()));
      expect(answer.status).toBe(503);
      expect(answer.headers.get('www-authenticate')).toBeNull();
      expect(answer.text).not.toContain('127.0.0.1');
      const metadata = await app.http('GET', '/.well-known/oauth-protected-resource/mcp');
      expect(metadata.status).toBe(200);
    },
  );

  it('is left alone for a second when it is down, and then asked again', async () => {
    const app = await start();
    issuer.answer = 'error';
    const token = await issuer.sign();
    for (let i = 0; i < 3; i++) expect(await statusOf(app, token)).toBe(503);
    expect(issuer.requests).toBe(1);
    issuer.answer = 'keys';
    later(1_001);
    expect(await statusOf(app, token)).toBe(200);
  });

  it('serves from its cache while it is down, within its age and no longer', async () => {
    const app = await start({ jwksMaxAgeMs: 60_000 });
    const token = await issuer.sign();
    expect(await statusOf(app, token)).toBe(200);
    issuer.answer = 'error';
    expect(await statusOf(app, token)).toBe(200);
    later(59_000);
    expect(await statusOf(app, token)).toBe(200);
    jest.restoreAllMocks();
    later(61_000);
    // Another token, for one that was good a moment ago is not checked again.
    expect(await statusOf(app, await issuer.sign({ sub: 'bob' }))).toBe(503);
  });

  it('is asked again for a new key, but not before its cool-down', async () => {
    const app = await start({ jwksCooldownMs: 10_000 });
    expect(await statusOf(app, await issuer.sign())).toBe(200);
    await issuer.rotate('second');
    const rotated = await issuer.sign();
    for (let i = 0; i < 3; i++) expect(await statusOf(app, rotated)).toBe(401);
    expect(issuer.requests).toBe(1);
    later(10_001);
    expect(await statusOf(app, rotated)).toBe(200);
    expect(issuer.requests).toBe(2);
  });

  it("is not asked for a stranger's token", async () => {
    const app = await start();
    expect(await statusOf(app, await issuer.sign({ iss: 'https://evil.example.com' }))).toBe(401);
    expect(issuer.requests).toBe(0);
  });
});

describe('auth: several issuers, several endpoints', () => {
  it('takes the tokens of each issuer with its own keys', async () => {
    const other = await TokenIssuer.start();
    const secret = 'a secret that is shared by the two of us';
    const jwt = guard({
      issuers: [
        { issuer: issuer.issuer, jwksUrl: issuer.jwksUrl },
        { issuer: other.issuer, jwksUrl: other.jwksUrl },
        { issuer: 'legacy', secret },
      ],
    });
    const app = await FixtureApp.start(applicationWith(jwt));
    const statusOf = async (token: string): Promise<number> =>
      (await app.request('tools/list', {}, bearer(token))).status;
    const legacy = { header: { alg: 'HS256' }, key: Buffer.from(secret) };
    expect(await statusOf(await issuer.sign())).toBe(200);
    expect(await statusOf(await other.sign())).toBe(200);
    expect(await statusOf(await issuer.sign({ iss: 'legacy' }, legacy))).toBe(200);
    expect(await statusOf(await other.sign({ iss: issuer.issuer }))).toBe(401);
    expect(await statusOf(await issuer.sign({}, legacy))).toBe(401);
    await app.close();
    await other.stop();
  });

  it("does not take one endpoint's token at another", async () => {
    const partners = 'https://api.example.com/partners/mcp';
    const { controllers = [], mcp } = applicationWith(guard({ audience: [AUDIENCE, partners] }));
    const app = await FixtureApp.start({
      controllers,
      mcp: { ...mcp, guards: [guard()] },
      imports: [
        McpModule.forFeature({
          path: 'partners/mcp',
          include: () => true,
          guards: [guard({ audience: partners })],
          resource: { url: partners, authorizationServers: [issuer.issuer] },
        }),
      ],
    });
    const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
    const statusAt = async (path: string, aud: string): Promise<number> =>
      (await app.post(ping, bearer(await issuer.sign({ aud })), path)).status;
    expect(await statusAt('/mcp', AUDIENCE)).toBe(200);
    expect(await statusAt('/mcp', partners)).toBe(401);
    expect(await statusAt('/partners/mcp', partners)).toBe(200);
    expect(await statusAt('/partners/mcp', AUDIENCE)).toBe(401);
    await app.close();
  });
});

describe('auth: the options of McpJwtGuard', () => {
  const good = { issuer: 'https://login.example.com', jwksUrl: 'https://login.example.com/jwks' };
  const problemsOf = (options: object): readonly string[] => {
    try {
      new McpJwtGuard({ issuers: [good], audience: AUDIENCE, ...options });
      return [];
    } catch (error) {
      if (error instanceof McpSetupError) return error.problems;
      throw error;
    }
  };

  it.each<[object, string]>([
    [{ issuers: [] }, 'option issuers: [] is not a list'],
    [{ issuers: [null] }, 'option issuers[0]: null is not an object'],
    [{ issuers: [good, good] }, 'named twice'],
    [{ issuers: [{ ...good, issuer: '' }] }, 'option issuers[0].issuer'],
    [{ issuers: [{ issuer: 'x' }] }, 'it needs one of jwksUrl, jwks and secret'],
    [
      { issuers: [{ ...good, secret: 'x'.repeat(32) }] },
      'it needs one of jwksUrl, jwks and secret',
    ],
    [{ issuers: [{ ...good, jwksUrl: 'http://login.example.com/jwks' }] }, 'is not an https URL'],
    [{ issuers: [{ issuer: 'x', secret: 'short' }] }, 'not a string of at least 32 bytes'],
    [{ issuers: [{ issuer: 'x', jwks: [] }] }, 'is not a key set'],
    [{ issuers: [{ ...good, algorithms: ['none'] }] }, '"none" is not taken'],
    [{ issuers: [{ ...good, algorithms: ['RS256', 'HS256'] }] }, '"HS256" is not taken: only RS'],
    [{ issuers: [{ ...good, algorithms: [] }] }, 'not a list of one or more algorithms'],
    [
      { issuers: [{ issuer: 'x', secret: 'x'.repeat(32), algorithms: ['RS256'] }] },
      '"RS256" is not taken: HS256, HS384 and HS512',
    ],
    [{ issuers: [{ ...good, jwkUrl: 'x' }] }, 'option issuers[0].jwkUrl: there is no such option'],
    [{ audience: undefined }, 'would take the tokens of every other service'],
    [{ audience: [] }, 'option audience: [] is not'],
    [{ scopeHierarchy: { a: 'b' } }, 'option scopeHierarchy'],
    [{ clockToleranceSec: 301 }, 'option clockToleranceSec: 301 is not an integer from 0 to 300'],
    [{ audiences: 'x' }, 'option audiences: there is no such option'],
  ])('refuses %j', (options, told) => {
    const problems = problemsOf(options);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(`McpJwtGuard, option`);
    expect(problems[0]).toContain(told);
  });

  it('never shows a secret', () => {
    const problems = problemsOf({ issuers: [{ issuer: 'x', secret: 'hunter2' }] });
    expect(problems.join()).not.toContain('hunter2');
  });
});

function unsigned(header: object): Promise<string> {
  const claims = { iss: issuer.issuer, aud: AUDIENCE, sub: 'ann', exp: now() + 300 };
  return Promise.resolve(`${base64url(header)}.${base64url(claims)}.`);
}

/** Headers that come more than once, which `fetch` would join. */
function statusWith({ url }: FixtureApp, authorization: string[]): Promise<number> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(`${url}/mcp`, { method: 'POST' }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    request.on('error', reject);
    request.setHeader('authorization', authorization);
    request.end();
  });
}
