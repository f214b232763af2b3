/** What the application answered to a call's request: all that a result is made of. */
export interface RouteAnswer {
  readonly status: number;
  /** The `Content-Type` header as sent. */
  readonly contentType: string | undefined;
  /** The `Location` header as sent. */
  readonly location: string | undefined;
  readonly body: Buffer;
  /** The target of the request: path and query. */
  readonly url: string;
}

/** How the request of a call ended. */
export type CallOutcome =
  | {
      readonly kind: 'answered';
      readonly answer: RouteAnswer;
      /** What was thrown on the way to the answer, as far as it is known. */
      readonly cause?: unknown;
      /** Every guard let it pass, and then it was refused for scopes that the caller lacks. */
      readonly lacksScopes?: boolean;
    }
  /** No request can be written of the arguments. Nothing ran. */
  | { readonly kind: 'unwritable'; readonly problems: readonly string[] }
  /** The request that the arguments make is larger than `maxRequestBytes`. Nothing ran. */
  | { readonly kind: 'request-too-large'; readonly limit: number }
  /** As many calls of this caller run as may at a time. Nothing ran. */
  | { readonly kind: 'too-many-calls'; readonly limit: number; readonly retryAfterMs: number }
  /** The arguments spell the path of something other than the tool's own route, which did not run. */
  | { readonly kind: 'other-route' }
  /** The body grew past `maxResultBytes`; the request was cut off. */
  | { readonly kind: 'result-too-large'; readonly limit: number }
  | { readonly kind: 'timed-out'; readonly afterMs: number }
  /** The caller gave up, or the application closed the connection without an answer. */
  | { readonly kind: 'aborted'; readonly by: 'caller' | 'application' }
  /** The application is shutting down. Nothing ran. */
  | { readonly kind: 'closed' }
  /** What was called is no route of the application, and says itself how it failed. */
  | {
      readonly kind: 'operation-failed';
      readonly status: number;
      /** The body of the error result, written as JSON. */
      readonly envelope: object;
      /** What it came from, for the log only. */
      readonly cause?: unknown;
    }
  /** Our own code failed. `code` stands in the error result, where errors have one. */
  | { readonly kind: 'failed'; readonly error: unknown; readonly code?: string };
