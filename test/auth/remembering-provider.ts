import type {
  OAuthClientInformationMixed,
  OAuthClientMetadata,
  OAuthClientProvider,
  OAuthDiscoveryState,
  OAuthTokens,
} from '@modelcontextprotocol/client';

export const CALLBACK = 'http://127.0.0.1:33418/callback';
export const CLIENT_METADATA_URL = 'https://host.example.com/oauth/client.json';

/** What a host remembers of one server. It brings the URL of its metadata document, registers, or knows its client id. */
export class RememberingProvider implements OAuthClientProvider {
  readonly clientMetadataUrl?: string;
  savedTokens: OAuthTokens | undefined;
  private redirectedTo: URL | undefined;
  private verifier = '';
  private client: OAuthClientInformationMixed | undefined;
  private discovery: OAuthDiscoveryState | undefined;

  constructor(how: 'by document' | 'by registration' | { readonly clientId: string }) {
    if (how === 'by document') this.clientMetadataUrl = CLIENT_METADATA_URL;
    else if (typeof how === 'object') this.client = { client_id: how.clientId };
  }

  get redirectUrl(): string {
    return CALLBACK;
  }
  get clientMetadata(): OAuthClientMetadata {
    return {
      client_name: 'Some Host',
      redirect_uris: [CALLBACK],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    };
  }
  /** Where the person was last sent. */
  get authorizationUrl(): URL {
    if (this.redirectedTo === undefined) throw new Error('Nobody was sent anywhere.');
    return this.redirectedTo;
  }
  clientInformation(): OAuthClientInformationMixed | undefined {
    return this.client;
  }
  saveClientInformation(client: OAuthClientInformationMixed): void {
    this.client = client;
  }
  tokens(): OAuthTokens | undefined {
    return this.savedTokens;
  }
  saveTokens(tokens: OAuthTokens): void {
    this.savedTokens = tokens;
  }
  redirectToAuthorization(url: URL): void {
    this.redirectedTo = url;
  }
  saveCodeVerifier(verifier: string): void {
    this.verifier = verifier;
  }
  codeVerifier(): string {
    return this.verifier;
  }
  discoveryState(): OAuthDiscoveryState | undefined {
    return this.discovery;
  }
  saveDiscoveryState(state: OAuthDiscoveryState): void {
    this.discovery = state;
  }
}
