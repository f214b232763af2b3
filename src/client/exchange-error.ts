/** How far a request got before it failed. */
export interface FailureDetails {
  /** Not a byte of the request can have left this process. Default `false`. */
  readonly unsent?: boolean;
  /** The time was up, or the caller gave up: whoever works on the request should be told. Default `false`. */
  readonly abandoned?: boolean;
  /** An answer began and broke off, so that a stream may be asked for again. Default `false`. */
  readonly broken?: boolean;
  /** The HTTP status, where there was an answer. */
  readonly status?: number;
}

/**
 * An exchange with a server failed. It stays inside: whether the operation may have happened is for the client to say, which
 * knows what was being sent. The reason is a text of this package alone: what a server or a library says may hold a secret.
 */
export class ExchangeError extends Error {
  constructor(
    readonly reason: string,
    readonly details: FailureDetails = {},
  ) {
    super(reason);
    this.name = 'ExchangeError';
  }
}
