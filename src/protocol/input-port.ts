import { HttpException } from '@nestjs/common';
import type { RequestExchange } from './exchange.js';

/** Something that a client can be asked for while a call runs (2026-07-28, basic/patterns/mrtr). */
export interface McpInputRequest {
  readonly method: 'elicitation/create' | 'sampling/createMessage' | 'roots/list';
  readonly params?: Readonly<Record<string, unknown>>;
}

/** What is asked, by keys of the route's own choice. */
export type McpInputRequests = Readonly<Record<string, McpInputRequest>>;

/** What the client answered, by the same keys: the bare results of the requests. */
export type McpInputResponses = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** How the client of one call is asked for input, in the manner of its revision. */
export interface InputPort {
  /** What the client says it can do. */
  readonly capabilities: Readonly<Record<string, unknown>>;
  /**
   * @throws McpInputUnavailable where the client cannot be asked for this
   * @throws McpInputPending where the answer can only come with another call
   */
  ask(requests: McpInputRequests): Promise<McpInputResponses>;
  /** Asking ended the call: `conclude` answers in place of the result. */
  readonly concludes: boolean;
  conclude(exchange: RequestExchange): void;
}

/** The capability that a client declares for each kind of request. */
const CAPABILITIES: Readonly<Record<string, string>> = {
  'elicitation/create': 'elicitation',
  'sampling/createMessage': 'sampling',
  'roots/list': 'roots',
};

/** @returns the capabilities that the requests need and the client has not declared, as an object of them */
export function missingCapabilities(
  requests: McpInputRequests,
  declared: Readonly<Record<string, unknown>>,
): Record<string, object> | undefined {
  const missing: Record<string, object> = {};
  for (const { method } of Object.values(requests)) {
    const capability = CAPABILITIES[method];
    if (capability === undefined) throw new TypeError(`A client cannot be asked for ${method}.`);
    if (!Object.hasOwn(declared, capability)) missing[capability] = {};
  }
  return Object.keys(missing).length > 0 ? missing : undefined;
}

/** The client of the call cannot be asked for this: its revision, its answer's form or its capabilities do not allow it. */
export class McpInputUnavailable extends HttpException {
  constructor(why: string) {
    super(`This client cannot be asked for input: ${why}. Give what is needed as arguments.`, 422);
  }
}

/**
 * The client has been asked, and its answer comes with another call of the tool, for which the route runs again. Not to be
 * caught: whatever the route answers now goes nowhere.
 */
export class McpInputPending extends HttpException {
  constructor() {
    super('Waiting for input of the client.', 428);
  }
}
