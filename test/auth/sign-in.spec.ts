import {
  Client,
  ClientCredentialsProvider,
  StreamableHTTPClientTransport,
  UnauthorizedError,
  type OAuthClientProvider,
} from '@modelcontextprotocol/client';
import { Controller, Get, Req, UseGuards, type INestApplication } from '@nestjs/common';
import { jest } from '@jest/globals';
import { AuthorizationServer } from '../../sample/shop/src/oauth/authorization-server.js';
import { McpJwtGuard, type McpJwtAuth } from '../../src/auth/index.js';
import { McpTool } from '../../src/index.js';
import { FixtureApp } from '../support/fixture-app.js';
import { PLATFORMS, type Platform } from '../support/platforms.js';
import { Browser } from './browser.js';
import { freePort } from './free-port.js';
import { CLIENT_METADATA_URL, CALLBACK, RememberingProvider } from './remembering-provider.js';

const KNOWN = {
  client_id: 'known-host',
  redirect_uris: [CALLBACK],
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code' as const],
  token_endpoint_auth_method: 'none' as const,
};
const MACHINE = {
  client_id: 'nightly-job',
  client_secret: 'a secret of the nightly job',
  redirect_uris: [],
  response_types: [],
  grant_types: ['client_credentials'],
};

/** An application, its authorization server, and a person with a browser. */
class World {
  tokenSeconds = 600;
  readonly browser = new Browser(CALLBACK);
  private readonly clients: Client[] = [];
  app!: INestApplication;
  server!: AuthorizationServer;
  url!: string;

  static async start(platform: Platform): Promise<World> {
    const world = new World();
    world.url = `http://127.0.0.1:${await freePort()}/mcp`;
    world.server = await AuthorizationServer.start({
      port: 0,
      resources: { [world.url]: 'orders:use orders:write' },
      clients: [KNOWN, MACHINE],
      tokenSeconds: () => world.tokenSeconds,
      fetch: (url, init) => world.fetchMetadata(url, init),
    });
    const { issuer, jwksUrl } = world.server;
    const jwt = new McpJwtGuard({
      issuers: [{ issuer, jwksUrl }],
      audience: world.url,
      clockToleranceSec: 0,
    });

    @Controller('orders')
    @UseGuards(jwt)
    class OrdersController {
      @McpTool('whoami') @Get('whoami') whoami(@Req() { auth }: { auth: McpJwtAuth }): object {
        return { sub: auth.sub, client: auth.clientId, scopes: auth.scopes };
      }
      @McpTool({ name: 'write', scopes: ['orders:write'] }) @Get('write') write(): object {
        return { written: true };
      }
    }

    world.app = await FixtureApp.create({
      platform,
      controllers: [OrdersController],
      mcp: {
        guards: [jwt],
        stepUp: true,
        resource: { url: world.url, authorizationServers: [issuer], scopes: ['orders:use'] },
      },
    });
    await world.app.listen(new URL(world.url).port, '127.0.0.1');
    return world;
  }

  /** Connects with what the provider has. */
  async connect(provider: OAuthClientProvider): Promise<Client> {
    const client = new Client({ name: 'host', version: '1' });
    this.clients.push(client);
    await client.connect(
      new StreamableHTTPClientTransport(new URL(this.url), { authProvider: provider }),
    );
    return client;
  }

  /** What a person does whose client begins without anything: paste the URL, sign in, and go on. */
  async signIn(provider: RememberingProvider): Promise<Client> {
    const transport = new StreamableHTTPClientTransport(new URL(this.url), {
      authProvider: provider,
    });
    const client = new Client({ name: 'host', version: '1' });
    await expect(client.connect(transport)).rejects.toThrow(UnauthorizedError);
    await transport.finishAuth(await this.browser.visit(provider.authorizationUrl));
    await client.close();
    return this.connect(provider);
  }

  async stop(): Promise<void> {
    await Promise.all(this.clients.map((client) => client.close()));
    await this.app.close();
    await this.server.stop();
  }

  /** The client id metadata document is on the client's site, which is not there. */
  private fetchMetadata(url: string | URL | Request, init?: RequestInit): Promise<Response> {
    const target = url instanceof Request ? url.url : String(url);
    if (target !== CLIENT_METADATA_URL) return fetch(url, init);
    const document = { ...KNOWN, client_id: CLIENT_METADATA_URL, client_name: 'Some Host' };
    const headers = { 'content-type': 'application/json' };
    return Promise.resolve(new Response(JSON.stringify(document), { headers }));
  }
}

describe.each(PLATFORMS)('auth: signing in on $name', (platform) => {
  let world: World;
  beforeAll(async () => {
    // The provider warns of its development features and of Node 20; the client of its clock.
    for (const level of ['warn', 'info'] as const) {
      jest.spyOn(console, level).mockImplementation(() => undefined);
    }
    world = await World.start(platform);
  });
  afterAll(async () => {
    await world.stop();
    jest.restoreAllMocks();
  });
  afterEach(() => {
    world.tokenSeconds = 600;
  });
  const whoami = async (client: Client): Promise<unknown> =>
    (await client.callTool({ name: 'whoami', arguments: {} })).structuredContent;

  it.each<[string, string, () => RememberingProvider]>([
    [
      'a client id metadata document',
      CLIENT_METADATA_URL,
      () => new RememberingProvider('by document'),
    ],
    ['pre-registration', 'known-host', () => new RememberingProvider({ clientId: 'known-host' })],
  ])('begins with a bare 401 and ends with a tool, with %s', async (_, clientId, make) => {
    const provider = make();
    const client = await world.signIn(provider);
    const asked = provider.authorizationUrl.searchParams;
    expect(asked.get('client_id')).toBe(clientId);
    expect(asked.get('resource')).toBe(world.url);
    expect(asked.get('code_challenge_method')).toBe('S256');
    expect(asked.get('scope')?.split(' ')).toContain('orders:use');
    expect(asked.get('scope')).not.toContain('orders:write');
    expect(await whoami(client)).toEqual({ sub: 'ann', client: clientId, scopes: ['orders:use'] });
  });

  it('refreshes a token that has expired, without the person', async () => {
    const provider = new RememberingProvider({ clientId: 'known-host' });
    world.tokenSeconds = 1;
    const client = await world.signIn(provider);
    const first = provider.savedTokens?.access_token;
    await until(async () => {
      const answer = await fetch(world.url, {
        method: 'POST',
        headers: { authorization: `Bearer ${first}` },
      });
      return answer.status === 401;
    });
    world.tokenSeconds = 600;
    const visits = world.browser.visits;
    expect(await whoami(client)).toMatchObject({ sub: 'ann' });
    expect(provider.savedTokens?.access_token).not.toBe(first);
    expect(world.browser.visits).toBe(visits);
  });

  it('steps up to a second scope when a tool needs it, and keeps the first', async () => {
    const provider = new RememberingProvider({ clientId: 'known-host' });
    const transport = new StreamableHTTPClientTransport(new URL(world.url), {
      authProvider: provider,
    });
    await (await world.signIn(provider)).close();
    const client = new Client({ name: 'host', version: '1' });
    await client.connect(transport);
    const write = { name: 'write', arguments: {} };
    await expect(client.callTool(write)).rejects.toThrow(UnauthorizedError);
    const asked = provider.authorizationUrl.searchParams.get('scope')?.split(' ');
    expect(asked).toEqual(expect.arrayContaining(['orders:use', 'orders:write']));
    await transport.finishAuth(await world.browser.visit(provider.authorizationUrl));
    expect((await client.callTool(write)).structuredContent).toEqual({ written: true });
    expect(await whoami(client)).toMatchObject({ scopes: ['orders:use', 'orders:write'] });
    await client.close();
  });

  it('needs no person for client credentials', async () => {
    const provider = new ClientCredentialsProvider({
      clientId: MACHINE.client_id,
      clientSecret: MACHINE.client_secret,
      expectedIssuer: world.server.issuer,
    });
    const client = await world.connect(provider);
    expect(await whoami(client)).toMatchObject({
      client: 'nightly-job',
      scopes: ['orders:use'],
    });
  });
});

describe('auth: an authorization server that is gone', () => {
  it('does not take the metadata documents with it', async () => {
    for (const level of ['warn', 'info'] as const) {
      jest.spyOn(console, level).mockImplementation(() => undefined);
    }
    const [platform] = PLATFORMS as [Platform];
    const world = await World.start(platform);
    await world.server.stop();
    const path = '/.well-known/oauth-protected-resource';
    for (const url of [new URL(path, world.url), new URL(`${path}/mcp`, world.url)]) {
      const answer = await fetch(url);
      expect(answer.status).toBe(200);
      expect(await answer.json()).toMatchObject({ resource: world.url });
    }
    expect((await fetch(world.url, { method: 'POST' })).status).toBe(401);
    await world.app.close();
    jest.restoreAllMocks();
  });
});

async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 100));
}
