import {
  Controller,
  Get,
  Req,
  UnauthorizedException,
  UseGuards,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common';
import { hashApiKey, McpApiKeyGuard, type McpApiKeyOptions } from '../../src/auth/index.js';
import { McpSetupError, McpTool } from '../../src/index.js';
import { FixtureApp, textOf } from '../support/fixture-app.js';
import { PLATFORMS } from '../support/platforms.js';

const KEY = '0f6f2a0c9b8e4d7fa1c3e5b7d9f10325';
const keys = new McpApiKeyGuard({
  header: 'X-Api-Key',
  keys: [
    { id: 'other', hash: hashApiKey('another key altogether') },
    { id: 'ci', hash: hashApiKey(KEY), scopes: ['orders:read'] },
  ],
});

/** A route's own guard that admits by a key in the query. */
class QueryKeyGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { query } = context.switchToHttp().getRequest<{ query: Record<string, unknown> }>();
    if (query['api_key'] === KEY) return true;
    throw new UnauthorizedException('no key');
  }
}

@Controller('orders')
class OrdersController {
  @McpTool({ name: 'mine', scopes: ['orders:read'] })
  @UseGuards(keys)
  @Get('mine')
  mine(@Req() { auth, user }: { auth: object; user: object }): object {
    return { auth, user };
  }
  @McpTool('by_query') @UseGuards(QueryKeyGuard) @Get('by-query') byQuery(): object {
    return { reached: true };
  }
  @McpTool({ name: 'write', scopes: ['orders:write'] }) @Get('write') write(): object {
    return {};
  }
}

describe.each(PLATFORMS)('auth: McpApiKeyGuard on $name', (platform) => {
  let app: FixtureApp;
  beforeAll(async () => {
    const mcp = { guards: [keys], forwardHeaders: ['x-api-key'] };
    app = await FixtureApp.start({ platform, controllers: [OrdersController], mcp });
  });
  afterAll(() => app.close());
  const withKey = { 'x-api-key': KEY };

  it('lets a key in, at the endpoint and at the route behind a tool', async () => {
    const auth = { scheme: 'apiKey', id: 'ci', scopes: ['orders:read'] };
    const result = JSON.parse(textOf(await app.call('mine', {}, withKey))) as object;
    expect(result).toEqual({ auth, user: auth });
    const route = await app.http('GET', '/orders/mine', { headers: withKey });
    expect(route.json()).toEqual(result);
  });

  it('knows the scopes of a key', async () => {
    expect(textOf(await app.call('write', {}, withKey))).toContain('needs the scope orders:write');
  });

  it.each<[string, string, Record<string, string>]>([
    ['none', '', {}],
    ['another', '', { 'x-api-key': `${KEY}0` }],
    ['an empty one', '', { 'x-api-key': '' }],
    ['a hash', '', { 'x-api-key': hashApiKey(KEY) }],
    ['a very long one', '', { 'x-api-key': 'x'.repeat(4_096) }],
    ['one in another header', '', { authorization: `Bearer ${KEY}` }],
    ['one in the query', `?x-api-key=${KEY}&api_key=${KEY}`, {}],
  ])('refuses %s', async (_, query, headers) => {
    expect((await app.http('POST', `/mcp${query}`, { headers, body: {} })).status).toBe(401);
    expect((await app.http('GET', `/orders/mine${query}`, { headers })).status).toBe(401);
  });

  it('cannot help a route that only a key in the query admits: each call is a 401', async () => {
    const direct = await app.http('GET', `/orders/by-query?api_key=${KEY}`);
    expect(direct.status).toBe(200);
    for (const args of [{}, { query: { api_key: KEY } }]) {
      const answer = await app.post(
        {
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/call',
          params: { name: 'by_query', arguments: args },
        },
        withKey,
        `/mcp?api_key=${KEY}`,
      );
      expect(answer.status).toBe(200);
      expect(answer.text).toContain('"isError":true');
      expect(answer.text).not.toContain('reached');
    }
    const result = await app.call('by_query', {}, withKey);
    expect(JSON.parse(textOf(result))).toMatchObject({ statusCode: 401, message: 'no key' });
  });
});

describe('auth: the options of McpApiKeyGuard', () => {
  it.each<[object, string]>([
    [{ header: 'a b' }, 'option header: "a b" is not'],
    [{ header: 'Authorization' }, 'a header of its own'],
    [{ keys: 'x' }, 'option keys: "x" is not a list'],
    [{ keys: [null] }, 'option keys[0].id'],
    [{ keys: [{ id: 'a', hash: 'plain key' }] }, 'option keys[0].hash'],
    [{ keys: [{ id: 'a', hash: hashApiKey('k'), scopes: ['a b'] }] }, 'option keys[0].scopes'],
  ])('refuses %j', (options, told) => {
    const given = { header: 'x-api-key', keys: [], ...options } as McpApiKeyOptions;
    let problems = '';
    try {
      new McpApiKeyGuard(given);
    } catch (error) {
      problems = (error as McpSetupError).problems.join('\n');
    }
    expect(problems).toContain(told);
    expect(problems).not.toContain('plain key');
  });
});
