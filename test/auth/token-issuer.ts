import { exportJWK, exportSPKI, generateKeyPair, SignJWT, type JWTPayload } from 'jose';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export const AUDIENCE = 'https://api.example.com/mcp';

type KeyPair = Awaited<ReturnType<typeof generateKeyPair>>;

/** Signs tokens, and serves its keys by URL, as far as it is told to. */
export class TokenIssuer {
  /** What a request for the keys is answered with. */
  answer: 'keys' | 'error' | 'garbage' | 'hang' = 'keys';
  requests = 0;
  private readonly keys = new Map<string, KeyPair>();

  private constructor(
    private readonly server: Server,
    readonly issuer: string,
  ) {}

  static async start(): Promise<TokenIssuer> {
    const server = createServer((_request, response) => {
      self.requests++;
      if (self.answer === 'hang') return;
      response.statusCode = self.answer === 'error' ? 500 : 200;
      if (self.answer === 'garbage') return void response.end('<html>');
      void self.publicKeys().then((keys) => response.end(JSON.stringify({ keys })));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const self = new TokenIssuer(
      server,
      `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    );
    await self.rotate('first');
    return self;
  }

  get jwksUrl(): string {
    return `${this.issuer}/jwks`;
  }

  /** Signs with another key from now on. */
  async rotate(kid: string): Promise<void> {
    this.keys.clear();
    this.keys.set(kid, await generateKeyPair('RS256'));
  }

  /** A good token but for what is told; `undefined` leaves a claim out. */
  sign(
    claims: Record<string, unknown> = {},
    { header = {}, key }: { header?: Record<string, string>; key?: Uint8Array } = {},
  ): Promise<string> {
    const [[kid, pair]] = [...this.keys] as [[string, KeyPair]];
    const payload: JWTPayload = {
      iss: this.issuer,
      aud: AUDIENCE,
      sub: 'ann',
      exp: now() + 300,
      ...claims,
    };
    return new SignJWT(JSON.parse(JSON.stringify(payload)) as JWTPayload)
      .setProtectedHeader({ alg: 'RS256', kid, ...header })
      .sign(key ?? pair.privateKey);
  }

  /** The public key as text, which some libraries take for a secret. */
  async publicPem(): Promise<string> {
    const [[, pair]] = [...this.keys] as [[string, KeyPair]];
    return exportSPKI(pair.publicKey);
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private publicKeys(): Promise<object[]> {
    return Promise.all(
      [...this.keys].map(async ([kid, { publicKey }]) => ({
        ...(await exportJWK(publicKey)),
        kid,
        use: 'sig',
        alg: 'RS256',
      })),
    );
  }
}

/** In seconds since 1970. */
export function now(): number {
  return Math.floor(Date.now() / 1000);
}
