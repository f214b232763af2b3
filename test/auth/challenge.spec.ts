import {
  Catch,
  HttpException,
  UnauthorizedException,
  type ArgumentsHost,
  type CanActivate,
  type ExceptionFilter,
  type ExecutionContext,
  type INestApplication,
} from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { FixtureApp, textOf, type Fixture } from '../support/fixture-app.js';
import { PLATFORMS } from '../support/platforms.js';
import { bearer, METADATA, OrdersController, OwnGuard, protectedBy } from './challenge.fixture.js';

/** Bearer, quoted parameters, nothing else (RFC 9110, section 11.6.1). */
function challengeOf(headers: Headers): Record<string, string> {
  const header = headers.get('www-authenticate') ?? '';
  const [, parameters = ''] = /^Bearer (\w+="[^"]*"(?:, \w+="[^"]*")*)$/.exec(header) ?? [];
  return Object.fromEntries(
    [...parameters.matchAll(/(\w+)="([^"]*)"/g)].map(([, name, value]) => [name, value] as const),
  ) as Record<string, string>;
}

/** Sets a challenge of its own, in the framework's own way. */
class RealmGuard implements CanActivate {
  constructor(private readonly challenge: string) {}
  canActivate(context: ExecutionContext): boolean {
    const response = context.switchToHttp().getResponse<{
      header(name: string, value: string): unknown;
    }>();
    response.header('WWW-Authenticate', this.challenge);
    throw new UnauthorizedException();
  }
}

@Catch()
class EnvelopeFilter implements ExceptionFilter {
  catch(exception: unknown, host: ArgumentsHost): void {
    const status = exception instanceof HttpException ? exception.getStatus() : 500;
    const response = host.switchToHttp().getResponse<{
      status(code: number): { send(body: object): void };
    }>();
    response.status(status).send({ envelope: status });
  }
}

describe.each(PLATFORMS)('auth: the challenge on $name', (platform) => {
  let fixture: FixtureApp | undefined;
  const start = async (given: Fixture): Promise<FixtureApp> =>
    (fixture = await FixtureApp.start({ controllers: [OrdersController], platform, ...given }));
  afterEach(async () => {
    await fixture?.close();
    fixture = undefined;
  });

  it.each(['POST', 'GET', 'DELETE'])('stands in a bare 401 to a %s', async (method) => {
    const app = await start({ mcp: protectedBy({ scopes: ['orders:use'] }, { sessions: {} }) });
    const answer = await app.http(method, '/mcp');
    expect(answer.status).toBe(401);
    expect(challengeOf(answer.headers)).toEqual({
      resource_metadata: METADATA,
      scope: 'orders:use orders:admin orders:read orders:write',
    });
    expect(answer.text).toContain('sign in first');
  });

  it('has the error invalid_token when a token came along, and only then', async () => {
    const app = await start({ mcp: protectedBy() });
    const answers = [
      await app.request('tools/list', {}, bearer('expired')),
      await app.request('tools/list', {}, { authorization: 'Basic' }),
      await app.request('tools/list'),
    ];
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401]);
    const errors = answers.map(({ headers }) => challengeOf(headers)['error']);
    expect(errors).toEqual(['invalid_token', undefined, undefined]);
  });

  it.each<[string, Fixture]>([
    ['a global guard', { mcp: protectedBy({}, { guards: [] }) }],
    [
      "the application's own filter",
      { mcp: protectedBy(), configure: (app) => void app.useGlobalFilters(new EnvelopeFilter()) },
    ],
    ['a middleware', { mcp: protectedBy(), configure: refusingMiddleware }],
    [
      'a guard with a challenge of its own',
      { mcp: protectedBy({}, { guards: [new RealmGuard('Bearer realm="shop"')] }) },
    ],
  ])('is in what %s writes', async (who, given) => {
    const global = { provide: APP_GUARD, useClass: OwnGuard };
    const app = await start({ ...given, providers: who === 'a global guard' ? [global] : [] });
    const answer = await app.request('tools/list');
    expect(answer.status).toBe(401);
    expect(challengeOf(answer.headers)['resource_metadata']).toBe(METADATA);
  });

  it('stands before the challenges of other schemes, and leaves a whole one of a guard alone', async () => {
    const basic = await start({ mcp: protectedBy({}, { guards: [new RealmGuard('Basic')] }) });
    const { headers } = await basic.request('tools/list');
    expect(headers.get('www-authenticate')).toMatch(/^Bearer resource_metadata=.*, Basic$/);
    await basic.close();
    const own = 'Bearer resource_metadata="https://elsewhere.example.com/", scope="own"';
    const app = await start({ mcp: protectedBy({}, { guards: [new RealmGuard(own)] }) });
    expect((await app.request('tools/list')).headers.get('www-authenticate')).toBe(own);
  });

  it("is the endpoint's alone: not that of another route, nor of a 401 from inside", async () => {
    const app = await start({ mcp: protectedBy() });
    const route = await app.http('GET', '/orders/unauthorized');
    expect([route.status, route.headers.get('www-authenticate')]).toEqual([401, null]);
    const inside = await app.request('tools/call', { name: 'unauthorized' }, bearer('ann'));
    expect([inside.status, inside.headers.get('www-authenticate')]).toEqual([200, null]);
    expect(inside.text).toContain('the route says so');
  });

  it('stays away from an endpoint that is no resource', async () => {
    const app = await start({ mcp: { guards: [OwnGuard] } });
    const answer = await app.request('tools/list');
    expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, null]);
  });

  it.each(['POST', 'GET', 'DELETE'])(
    'asks a %s for all that the endpoint needs',
    async (method) => {
      const scopes = ['orders:use', 'orders:see'];
      const app = await start({ mcp: protectedBy({ scopes }, { sessions: {} }) });
      const few = await app.http(method, '/mcp', { headers: bearer('ann', 'orders:see') });
      expect(few.status).toBe(403);
      expect(challengeOf(few.headers)).toEqual({
        error: 'insufficient_scope',
        resource_metadata: METADATA,
        scope: 'orders:use orders:see',
      });
      expect(few.json()).toMatchObject({ error: { message: 'This needs the scope orders:use' } });
      const all = await app.http(method, '/mcp', { headers: bearer('ann', ...scopes) });
      expect([401, 403]).not.toContain(all.status);
    },
  );

  it('is a 401 for a caller without a token whom the guards let pass', async () => {
    const app = await start({ mcp: protectedBy({ scopes: ['orders:use'] }, { guards: [] }) });
    const answer = await app.request('tools/list');
    expect(answer.status).toBe(401);
    const challenge = challengeOf(answer.headers);
    expect(challenge).toEqual({ resource_metadata: METADATA, scope: 'orders:use' });
  });

  it('leaves a 403 of a guard, or of the origin check, without a challenge', async () => {
    const app = await start({ mcp: protectedBy() });
    const evil = { ...bearer('ann'), origin: 'https://evil.example.com' };
    const answer = await app.request('tools/list', {}, evil);
    expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([403, null]);
  });

  it('reads the scopes where the options say', async () => {
    const scopesOf = (request: object): string[] =>
      (request as { headers: Record<string, string> }).headers['x-scopes']?.split(',') ?? [];
    const app = await start({ mcp: protectedBy({ scopes: ['a'], scopesOf }) });
    const headers = { ...bearer('ann'), 'x-scopes': 'b,a' };
    expect((await app.request('tools/list', {}, headers)).status).toBe(200);
    expect((await app.request('tools/list', {}, bearer('ann', 'a'))).status).toBe(403);
  });

  it('never lets in who asks while the scopes cannot be read', async () => {
    const scopesOf = (): never => {
      throw new Error('down');
    };
    const app = await start({ mcp: protectedBy({ scopes: ['a'], scopesOf }) });
    const answer = await app.request('tools/list', {}, bearer('ann', 'a'));
    expect(answer.status).toBe(500);
    expect(answer.text).not.toContain('down');
  });

  it('counts what a client calls, whatever the spelling of the path', async () => {
    const app = await start({ mcp: protectedBy() });
    const spellings = platform.name === 'express' ? ['/mcp/', '/MCP', '/mcp?x=1'] : ['/mcp?x=1'];
    for (const path of spellings) {
      const answer = await app.http('POST', path);
      expect([path, challengeOf(answer.headers)['resource_metadata']]).toEqual([path, METADATA]);
    }
  });

  it('does not reach the result of a tool', async () => {
    const app = await start({ mcp: protectedBy() });
    expect(textOf(await app.call('open', {}, bearer('ann')))).toBe('{"open":true}');
  });
});

/** As `passport.authenticate()` in `main.ts` would refuse. */
function refusingMiddleware(app: INestApplication): void {
  app.use((_request: IncomingMessage, response: ServerResponse) => {
    response.writeHead(401, { 'content-type': 'text/plain', 'WWW-Authenticate': 'Bearer' });
    response.end('no');
  });
}
