import type { IncomingMessage } from 'node:http';
import type { ResolvedOptions } from '../mcp.options.js';

/** RFC 9728, section 3: where the metadata of a protected resource is. */
export const WELL_KNOWN = '/.well-known/oauth-protected-resource';

/** How a request without the scopes that it needs is answered. */
export interface ScopeRefusal {
  readonly status: 401 | 403;
  /** The value of `WWW-Authenticate`. */
  readonly challenge: string;
}

/** The endpoint as an OAuth protected resource: its metadata document (RFC 9728) and its challenges (RFC 6750, section 3). */
export class ProtectedResource {
  /** The path of the metadata document: that of the endpoint's URL behind the well-known prefix. */
  readonly metadataPath: string;
  /** The metadata document, as JSON. */
  readonly metadata: string;
  private readonly metadataUrl: string;
  private readonly signIn: readonly string[];

  /**
   * @param toolScopes the scopes that tools need. A sign-in asks for them, too, unless a client can ask for more later.
   */
  constructor(
    private readonly options: NonNullable<ResolvedOptions['resource']>,
    toolScopes: readonly string[],
    { title, stepUp }: { readonly title: string | undefined; readonly stepUp: boolean },
  ) {
    const { origin, pathname } = new URL(options.url);
    this.metadataPath = WELL_KNOWN + (pathname === '/' ? '' : pathname);
    this.metadataUrl = origin + this.metadataPath;
    this.signIn = [...new Set([...options.scopes, ...(stepUp ? [] : toolScopes)])];
    this.metadata = JSON.stringify({
      resource: options.url,
      authorization_servers: options.authorizationServers,
      scopes_supported: this.signIn.length > 0 ? this.signIn : undefined,
      bearer_methods_supported: ['header'],
      resource_name: options.name ?? title,
      resource_documentation: options.documentation,
    });
  }

  /** What every request needs. */
  get scopes(): readonly string[] {
    return this.options.scopes;
  }

  /** The challenge of a 401: with an error only where a token came along (RFC 6750, section 3.1). */
  unauthorized(request: IncomingMessage): string {
    return this.challenge(hasToken(request) ? 'error="invalid_token", ' : '', this.signIn);
  }

  /**
   * How to refuse for scopes: a client that has a token asks for more of it, one that has none signs in.
   *
   * @param needed what the operation needs beside the scopes of every request: all of it stands in one challenge, since a
   *   client may put a new token in the place of the old one
   */
  insufficient(request: IncomingMessage, needed: readonly string[] = []): ScopeRefusal {
    const scopes = [...new Set([...this.scopes, ...needed])];
    return hasToken(request)
      ? { status: 403, challenge: this.challenge('error="insufficient_scope", ', scopes) }
      : { status: 401, challenge: this.challenge('', scopes) };
  }

  private challenge(error: string, scopes: readonly string[]): string {
    const scope = scopes.length > 0 ? `, scope="${scopes.join(' ')}"` : '';
    return `Bearer ${error}resource_metadata="${this.metadataUrl}"${scope}`;
  }
}

function hasToken({ headers }: IncomingMessage): boolean {
  return /^bearer( |$)/i.test(headers.authorization ?? '');
}
