/** A tool result, ready for every revision: a codec only chooses what it may carry. */
export interface ToolResult {
  readonly isError: boolean;
  /** The JSON text of the content list. */
  readonly content: string;
  /** The JSON text of the structured content, as the route sent it, and the value that it stands for. */
  readonly structured: { readonly text: string; readonly value: unknown } | undefined;
  /** Finds the cause of an internal failure in the log. */
  readonly ref: string | undefined;
}

/** A block of content that has only text. */
export function textContent(text: string): string {
  return `[{"type":"text","text":${JSON.stringify(text)}}]`;
}

/**
 * An error result that the application did not write itself.
 *
 * @param envelope Nest's own, `{ statusCode, message }`, since models know it from its routes
 */
export function errorResult(envelope: object, ref?: string): ToolResult {
  const body = ref === undefined ? envelope : { ...envelope, ref };
  return { isError: true, content: textContent(JSON.stringify(body)), structured: undefined, ref };
}
