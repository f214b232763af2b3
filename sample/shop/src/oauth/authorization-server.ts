import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider, { type ClientMetadata, type Configuration } from 'oidc-provider';

export interface AuthorizationServerOptions {
  /** 0 takes any free port. */
  readonly port: number;
  /** By the URL of the resource the scopes that a client can get for it, separated by spaces. */
  readonly resources: Readonly<Record<string, string>>;
  /** Clients that are known beforehand; others come with a client id metadata document, or register. */
  readonly clients?: readonly ClientMetadata[];
  /** How long an access token is good, in seconds. Default: 10 minutes. */
  readonly tokenSeconds?: () => number;
  /** Fetches client id metadata documents. Default: the network. */
  readonly fetch?: Configuration['fetch'];
}

/**
 * An OAuth 2.1 authorization server for a developer's machine: `oidc-provider`, with its pages on which any name and password
 * sign in. It keeps everything in memory.
 */
export class AuthorizationServer {
  private constructor(
    private readonly server: Server,
    readonly issuer: string,
  ) {}

  static async start(options: AuthorizationServerOptions): Promise<AuthorizationServer> {
    const server = createServer();
    server.listen(options.port, '127.0.0.1');
    await once(server, 'listening');
    const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const provider = new Provider(issuer, configuration(options));
    const handle = provider.callback();
    server.on('request', (request, response) => void handle(request, response));
    return new AuthorizationServer(server, issuer);
  }

  get jwksUrl(): string {
    return `${this.issuer}/jwks`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }
}

function configuration(options: AuthorizationServerOptions): Configuration {
  const { resources, clients = [], tokenSeconds = () => 600 } = options;
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const scopes = Object.values(resources).flatMap((list) => list.split(' '));
  return {
    clients: [...clients],
    scopes: ['openid', 'offline_access', ...new Set(scopes)],
    jwks: {
      keys: [{ ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256', kid: 'a' }],
    },
    cookies: { keys: ['only for a developer'] },
    features: {
      devInteractions: { enabled: true },
      clientCredentials: { enabled: true },
      registration: { enabled: true },
      clientIdMetadataDocument: { enabled: true, ack: 'draft-02' },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: (_context, resource) => ({
          audience: resource,
          scope: resources[resource] ?? '',
          accessTokenFormat: 'jwt',
          accessTokenTTL: tokenSeconds(),
          jwt: { sign: { alg: 'RS256' } },
        }),
        useGrantedResource: () => true,
      },
    },
    issueRefreshToken: (_context, client) =>
      Promise.resolve(client.grantTypeAllowed('refresh_token')),
    clientBasedCORS: () => true,
    ...(options.fetch === undefined ? {} : { fetch: options.fetch }),
  };
}
