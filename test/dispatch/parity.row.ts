/** One request, made over plain HTTP and as a tool call. */
export interface ParityCase {
  readonly title: string;
  readonly tool: string;
  readonly args: Record<string, unknown>;
  readonly http: readonly [method: string, path: string, body?: object];
  /** The caller's token. Default `ann`, who is an admin. */
  readonly as?: 'ann' | 'bob' | 'nobody';
  /** Further headers of both requests. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Headers of the HTTP request alone, which a call writes itself: those of a version. */
  readonly httpHeaders?: Readonly<Record<string, string>>;
  /** The status over HTTP: what the row expects, so that it turns red when the application changes. */
  readonly status: number;
  /** What the body holds, beside being the same both ways. */
  readonly holds: string;
  /** Why the tool call answers otherwise, where it may. */
  readonly differs?: keyof typeof DIFFERENCES;
  /** What differs beside the body. */
  readonly alsoDiffers?: keyof typeof DIFFERENCES;
  /** With `differs`: what the tool result holds, an error unless `toolSucceeds`. */
  readonly toolSays?: string;
  readonly toolSucceeds?: boolean;
}

export interface ParitySection {
  readonly title: string;
  readonly rows: readonly ParityCase[];
}

/** Every difference that is allowed, with its reason. A row may differ for one of these alone. */
export const DIFFERENCES = {
  'own route only':
    'A model chooses arguments, not routes: arguments that lead to another route, or to no segment of their own, are refused before anything runs.',
  'arguments are checked':
    "Arguments that do not fit the tool's schema are refused after every guard and before the pipes, in sentences that name each place. The application's own filters write the refusal.",
  'arguments are repaired':
    'Models send null for what they leave out, and objects as JSON strings: both are mended where the schema allows nothing else.',
  'no headers in a result':
    'Only status, body, content type and Location make a result. Set-Cookie does not reach the MCP client, so that a session which a call begins is not kept.',
  'no browser behind a call':
    "A call carries no Origin and no Sec-Fetch-* header: the endpoint itself checks the caller's. A protection against cross-site requests that looks at them sees a request that no browser made.",
} as const;
