import { HttpException } from '@nestjs/common';
import type { MadeResult, ResultContext } from '../result/to-tool-result.js';
import { errorResult, textContent } from '../result/tool-result.js';

/** What a refusal looks like to the model: the guard's own words when it has some, else nothing but a reference. */
export function refusal(error: unknown, { newRef }: ResultContext): MadeResult {
  const words = ownWords(error);
  if (words !== undefined) {
    const { text, status } = words;
    const content = textContent(text);
    const result = { isError: true, content, structured: undefined, ref: undefined };
    return { result, status, carriesSuccess: false };
  }
  const ref = newRef();
  return {
    result: errorResult({ statusCode: 500, message: 'Internal server error' }, ref),
    status: 500,
    carriesSuccess: false,
    log: { message: `the policy failed (ref ${ref})`, error: error ?? 'no reason given' },
  };
}

/** What an exception says to a client; `undefined` for a failure, and for what cannot be written. */
function ownWords(error: unknown): { text: string; status: number } | undefined {
  if (!(error instanceof HttpException)) return undefined;
  const status = error.getStatus();
  // What stands in a 5xx is for whoever runs the server.
  if (!(status < 500)) return undefined;
  try {
    const body = error.getResponse();
    const words = typeof body === 'string' ? { statusCode: status, message: body } : body;
    const text = JSON.stringify(words) as string | undefined;
    return text === undefined ? undefined : { text, status };
  } catch {
    // It cannot be written.
  }
  return undefined;
}
