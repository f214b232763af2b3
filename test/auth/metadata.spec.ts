import { APP_GUARD } from '@nestjs/core';
import { Controller, Get, type INestApplication } from '@nestjs/common';
import { McpModule } from '../../src/index.js';
import { FixtureApp, type Fixture } from '../support/fixture-app.js';
import { PLATFORMS } from '../support/platforms.js';
import { NeverGuard, OrdersController, protectedBy, RESOURCE } from './challenge.fixture.js';

const PATH = '/.well-known/oauth-protected-resource';

/** A route of the application that matches whatever nobody else does. */
@Controller()
class CatchAllController {
  @Get('*') all(): string {
    return 'the catch-all';
  }
}

describe.each(PLATFORMS)('auth: the metadata documents on $name', (platform) => {
  let fixture: FixtureApp | undefined;
  const start = async (given: Fixture): Promise<FixtureApp> =>
    (fixture = await FixtureApp.start({ controllers: [OrdersController], platform, ...given }));
  afterEach(async () => {
    await fixture?.close();
    fixture = undefined;
  });

  it('are the same at the path of the URL and at the root', async () => {
    const app = await start({
      mcp: protectedBy(
        { scopes: ['orders:use'], documentation: 'https://example.com/docs' },
        { title: 'Orders' },
      ),
    });
    const [suffixed, root] = [await app.http('GET', `${PATH}/mcp`), await app.http('GET', PATH)];
    expect(suffixed.status).toBe(200);
    expect(suffixed.headers.get('content-type')).toBe('application/json');
    expect(suffixed.json()).toEqual({
      resource: RESOURCE.url,
      authorization_servers: RESOURCE.authorizationServers,
      scopes_supported: ['orders:use', 'orders:admin', 'orders:read', 'orders:write'],
      bearer_methods_supported: ['header'],
      resource_name: 'Orders',
      resource_documentation: 'https://example.com/docs',
    });
    expect(root.text).toBe(suffixed.text);
  });

  it('name only what every request needs where clients can step up', async () => {
    const app = await start({ mcp: protectedBy({ scopes: ['orders:use'] }, { stepUp: true }) });
    const { scopes_supported } = (await app.http('GET', PATH)).json() as Record<string, unknown>;
    expect(scopes_supported).toEqual(['orders:use']);
  });

  it('stand outside the global prefix, the guards and every other route', async () => {
    const app = await start({
      controllers: [CatchAllController],
      providers: [{ provide: APP_GUARD, useClass: NeverGuard }],
      mcp: protectedBy({ url: 'https://api.example.com/api/mcp' }),
      configure: (application: INestApplication) => void application.setGlobalPrefix('api'),
    });
    expect((await app.http('GET', '/api/anything')).status).toBe(403);
    const answer = await app.http('GET', `${PATH}/api/mcp`);
    expect(answer.json()).toMatchObject({ resource: 'https://api.example.com/api/mcp' });
    expect((await app.http('GET', `${PATH}/mcp`)).status).toBe(404);
  });

  it('take nothing from the Host header', async () => {
    const app = await start({ mcp: protectedBy() });
    const headers = { 'x-forwarded-host': 'evil.example.com', forwarded: 'host=evil.example.com' };
    expect((await app.http('GET', PATH, { headers })).text).not.toContain('evil');
    const challenge = await app.http('POST', '/mcp', { headers });
    expect(challenge.headers.get('www-authenticate')).toContain(
      `"https://api.example.com${PATH}/mcp"`,
    );
  });

  it('may be read by every page', async () => {
    const app = await start({ mcp: protectedBy() });
    const headers = { origin: 'https://inspector.example.com' };
    expect(
      (await app.http('GET', PATH, { headers })).headers.get('access-control-allow-origin'),
    ).toBe('*');
    const preflight = await app.http('OPTIONS', `${PATH}/mcp`, {
      headers: {
        ...headers,
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'mcp-protocol-version',
      },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-origin')).toBe('*');
    expect(preflight.headers.get('access-control-allow-headers')).toBe('*');
  });

  it('are read, and nothing else', async () => {
    const app = await start({ mcp: protectedBy() });
    const head = await app.http('HEAD', PATH);
    expect([head.status, head.text]).toEqual([200, '']);
    const post = await app.http('POST', PATH, { body: {} });
    expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
    for (const path of [`${PATH}/other`, `${PATH}s`, `${PATH}/mcp/x`, '/.well-known']) {
      expect([path, (await app.http('GET', path)).status]).toEqual([path, 404]);
    }
    expect((await app.http('GET', `${PATH}/mcp?x=1`)).status).toBe(200);
    expect((await app.http('GET', `${PATH}/`)).status).toBe(200);
  });

  it('are each its own for two endpoints, and the first at the root', async () => {
    const second = McpModule.forFeature({
      path: 'partners/mcp',
      include: () => true,
      ...protectedBy({ url: 'https://api.example.com/partners/mcp' }),
    });
    const app = await start({ imports: [second], mcp: protectedBy() });
    const resourceAt = async (path: string): Promise<unknown> =>
      ((await app.http('GET', path)).json() as { resource: unknown }).resource;
    expect(await resourceAt(`${PATH}/partners/mcp`)).toBe('https://api.example.com/partners/mcp');
    expect(await resourceAt(`${PATH}/mcp`)).toBe('https://api.example.com/mcp');
    expect(await resourceAt(PATH)).toBe('https://api.example.com/mcp');
    const { headers } = await app.http('POST', '/partners/mcp');
    expect(headers.get('www-authenticate')).toContain(`${PATH}/partners/mcp"`);
  });

  it('are not there for an endpoint that is no resource', async () => {
    const app = await start({ mcp: {} });
    expect((await app.http('GET', PATH)).status).toBe(404);
  });
});
