/**
 * How a call of an operation failed. The codes are stable.
 *
 * - `validation`: the arguments do not fit the tool's input schema; nothing was sent.
 * - `mapping`: no request can be made of the arguments (nothing was sent), or no result of the answer (`sent`).
 * - `upstream`: the upstream answered with a status that is no success, or cannot be reached, or may not be.
 * - `timeout`: no complete answer in time. The operation may have completed.
 * - `cancelled`: the caller gave up. The operation may have completed.
 * - `internal`: our own code or the credential source failed; `cause` is for the log.
 */
export type UpstreamErrorCode =
  'validation' | 'mapping' | 'upstream' | 'timeout' | 'cancelled' | 'internal';

/** A call that the upstream answered with 2xx, and whose answer could be mapped. */
export interface UpstreamSuccess {
  readonly kind: 'success';
  readonly status: number;
  /** The `Content-Type` header as sent; `application/json` of a mapped result. */
  readonly contentType: string | undefined;
  /** The bytes as the upstream sent them, or the JSON text of the mapped result. Secrets in it are blotted out. */
  readonly body: Buffer;
}

export interface UpstreamFailure {
  readonly kind: 'failure';
  readonly code: UpstreamErrorCode;
  /** Sentences for the model: what is wrong and what to do. Never a secret, an address or a cause. */
  readonly messages: readonly string[];
  /** The request, or a part of it, may have reached the upstream: the operation may have completed. */
  readonly sent: boolean;
  /** Of `upstream`: the status, where there was one. */
  readonly status?: number;
  /** Of `upstream`: the beginning of the body, where it is text, with secrets blotted out. */
  readonly body?: string;
  /** For the log only. */
  readonly cause?: unknown;
}

export type UpstreamOutcome = UpstreamSuccess | UpstreamFailure;
