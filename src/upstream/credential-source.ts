/** A secret, and where it may go. */
export interface UpstreamCredential {
  readonly secret: string;
  /** The origins that may see the secret, such as `https://api.example.com`. It goes nowhere else, whatever a catalog says. */
  readonly origins: readonly string[];
}

/** Whose secret is asked for. */
export interface CredentialRequest {
  readonly ref: string;
  /** The slug of the workspace. */
  readonly workspace: string;
  readonly signal: AbortSignal;
}

/**
 * Finds the secret behind a reference, at the time of each call.
 *
 * `undefined` for a reference that it does not know. What it throws is an internal error of the call; the cause goes to the
 * log only.
 */
export interface CredentialSource {
  resolve(
    request: CredentialRequest,
  ): UpstreamCredential | undefined | Promise<UpstreamCredential | undefined>;
}
