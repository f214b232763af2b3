/** How a call ended, as its client can tell. */
export type Outcome =
  | { readonly kind: 'right' }
  /** Answered with what is no answer to this call. */
  | { readonly kind: 'wrong'; readonly what: string }
  /** Nothing ran, says the answer. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** It may have run. */
  | { readonly kind: 'uncertain'; readonly reason: string }
  /** Neither an answer nor an error came. */
  | { readonly kind: 'endless' };

export function outcomeOfResult(result: Record<string, unknown>, operation: string): Outcome {
  const { structuredContent, isError, content } = result;
  if (isError !== true) {
    const answered = (structuredContent as { operation?: unknown } | undefined)?.operation;
    return answered === operation
      ? { kind: 'right' }
      : { kind: 'wrong', what: JSON.stringify(result) };
  }
  const [{ text } = { text: '' }] = content as { text?: string }[];
  const { statusCode = 0 } = JSON.parse(text ?? '{}') as { statusCode?: number };
  const reason = `error result ${statusCode}`;
  // The envelope of 503 says that nothing was done; the others say that the operation may have completed.
  if (statusCode === 503) return { kind: 'refused', reason };
  if ([499, 500, 502, 504].includes(statusCode)) return { kind: 'uncertain', reason };
  return { kind: 'wrong', what: JSON.stringify(result) };
}

export function outcomeOfError(error: unknown): Outcome {
  const status = statusOf(error);
  if (status === 503) return { kind: 'refused', reason: '503' };
  if (status === 404) return { kind: 'refused', reason: '404, no such session' };
  if (status !== undefined) return { kind: 'uncertain', reason: String(status) };
  const message = error instanceof Error ? error.message : String(error);
  if (/timed? ?out/i.test(message)) return { kind: 'endless' };
  return {
    kind: 'uncertain',
    reason: /fetch failed|terminated|socket/.test(message) ? 'connection lost' : message,
  };
}

/** The HTTP status of an error of either SDK. */
function statusOf(error: unknown): number | undefined {
  const { code, data } = error as { code?: unknown; data?: { status?: unknown } };
  const status = typeof data?.status === 'number' ? data.status : code;
  return typeof status === 'number' && status >= 100 ? status : undefined;
}
