import type { Tool } from '../catalog/tool.js';

/** A block of content as it goes to the client (specification, schema `ContentBlock`). */
export type ContentBlock = Readonly<Record<string, unknown>> & { readonly type: string };

/** A call's result as it would go out. */
export interface OutgoingResult {
  readonly content: readonly ContentBlock[];
  readonly structuredContent?: unknown;
  readonly isError: boolean;
}

/** What a response guard is asked about: the result of a call, or a list. */
export type OutgoingAnswer =
  | {
      readonly tool: Tool;
      /** The framework's MCP request, as the endpoint's guards left it. */
      readonly caller: object;
      readonly result: OutgoingResult;
    }
  | { readonly tool: null; readonly caller: object; readonly tools: readonly Tool[] };

/**
 * Decides what may leave. It sees every result that carries the body of a 2xx answer, those that became errors because they
 * do not fit the output schema included, and every list.
 *
 * @example
 * @Injectable()
 * class NoSecrets extends McpResponseGuard {
 *   check({ result }: OutgoingAnswer) { … }
 * }
 */
export abstract class McpResponseGuard {
  /**
   * Returns nothing to let the answer go as it is, or a result to send in its place (of a call only; it is checked against
   * the output schema again). Throws an `HttpException` to refuse; anything else that is thrown or returned refuses, too.
   */
  abstract check(
    answer: OutgoingAnswer,
  ): OutgoingResult | undefined | void | Promise<OutgoingResult | undefined | void>;
}
