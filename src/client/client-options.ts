import type { Revision } from '../protocol/revision.js';
import type { McpClientInputHandler } from './input-answers.js';
import type { McpFetch } from './http-fetch.js';

/** Makes the `Authorization` header of one request. */
export interface McpCredentialSource {
  /**
   * Asked for each outbound request; what it gives is sent with that request and forgotten.
   *
   * @param request for whom, and a signal that aborts when the request's time is up
   * @returns the value of the header, such as `Bearer …`
   */
  authorization(request: {
    readonly serverId: string;
    readonly signal: AbortSignal;
  }): string | Promise<string>;
}

/** A tool that may be called. */
export interface McpPinnedTool {
  readonly name: string;
  /** `sha256:` and 64 hexadecimal digits, of the input schema in its canonical form (RFC 8785). `digests` prints it. */
  readonly inputSchemaDigest: string;
  /** Where the operation id goes in the arguments: a JSON Pointer (RFC 6901) such as `/body/operationId`. */
  readonly operationId?: string;
  /** The tool changes nothing, so that it needs neither an operation id nor a reconcile tool. Default `false`. */
  readonly readOnly?: boolean;
}

/** The tool that tells what became of an operation. */
export interface McpReconcileTool {
  readonly name: string;
  readonly inputSchemaDigest: string;
  /** Where the operation id goes in its arguments, which have nothing else. */
  readonly operationId: string;
}

export interface McpClientServer {
  /** What descriptors call the server: 1 to 64 of the characters A-Z a-z 0-9 . _ -. */
  readonly id: string;
  /** An https URL without user info, query or fragment; http for a loopback address with `allowInsecureLoopback`. */
  readonly endpoint: string;
  /**
   * What to speak: `2026-07-28`; one of the 2025 revisions, which `initialize` then proposes; or `auto`, which asks the server
   * once in each operation. Default `auto`.
   */
  readonly revision?: Revision | 'auto';
  readonly credentials?: McpCredentialSource;
  readonly tools: readonly McpPinnedTool[];
  /** Required where a tool is not `readOnly`. */
  readonly reconcile?: McpReconcileTool;
  /** Answers what the server asks of the user in the middle of a call. Without it the client says that it cannot be asked. */
  readonly input?: McpClientInputHandler;
}

/** Bytes are those of a message; a name ending in `Ms` is in milliseconds. */
export interface McpClientModuleOptions {
  readonly servers: readonly McpClientServer[];
  /** Allows `http:` for 127.0.0.1, [::1] and localhost: for tests. Default `false`. */
  readonly allowInsecureLoopback?: boolean;
  /** Sends requests in place of the module's own transport. It must neither follow, retry nor cache. */
  readonly fetch?: McpFetch;
  /** How long one request may take, its answer included: 1 to 3600000. Default 60000. */
  readonly requestTimeoutMs?: number;
  /** How long telling a server of a cancellation and of a session's end may take: 1 to 60000. Default 2000. */
  readonly cancelTimeoutMs?: number;
  /** The longest answer, decompressed: 1024 to 8388608. Default 1048576. */
  readonly maxResultBytes?: number;
  /** The longest event of a stream: 1024 to 8388608. Default 1048576. */
  readonly maxEventBytes?: number;
  /** The longest head of an answer: 1024 to 1048576. Default 16384. */
  readonly maxHeaderBytes?: number;
  /** Pages of `tools/list`: 1 to 1000. Default 20. */
  readonly maxPages?: number;
  /** Tools on all pages: 1 to 100000. Default 1000. */
  readonly maxTools?: number;
}

/** Every default of the client. */
export const CLIENT_DEFAULTS = {
  allowInsecureLoopback: false,
  fetch: undefined,
  requestTimeoutMs: 60_000,
  cancelTimeoutMs: 2_000,
  maxResultBytes: 1024 * 1024,
  maxEventBytes: 1024 * 1024,
  maxHeaderBytes: 16 * 1024,
  maxPages: 20,
  maxTools: 1_000,
} as const satisfies Omit<McpClientModuleOptions, 'servers' | 'fetch'> & { fetch: undefined };

/** The bounds of every exchange, and how it is sent. */
export type ExchangeLimits = Required<
  Pick<
    McpClientModuleOptions,
    | 'requestTimeoutMs'
    | 'cancelTimeoutMs'
    | 'maxResultBytes'
    | 'maxEventBytes'
    | 'maxHeaderBytes'
    | 'maxPages'
    | 'maxTools'
  >
>;

/** A pinned tool as the client uses it. */
export interface PinnedTool {
  readonly name: string;
  readonly digest: string;
  /** The steps to the operation id; `undefined` where the arguments take none. */
  readonly operationId: readonly string[] | undefined;
}

export interface ResolvedServer extends Pick<
  McpClientServer,
  'id' | 'endpoint' | 'credentials' | 'input'
> {
  readonly revision: Revision | 'auto';
  readonly tools: ReadonlyMap<string, PinnedTool>;
  readonly reconcile: PinnedTool | undefined;
}

export interface ResolvedClientOptions extends ExchangeLimits {
  readonly servers: ReadonlyMap<string, ResolvedServer>;
  readonly fetch: McpFetch;
}
