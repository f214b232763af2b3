import { isUtf8 } from 'node:buffer';
import type { CallOutcome, RouteAnswer } from './call-outcome.js';
import { readMediaType, type MediaType } from './media-type.js';
import { readMultipart, type BodyPart } from './multipart.js';
import { errorResult, textContent, type ToolResult } from './tool-result.js';

/** What a result needs to know of its tool. */
export interface ResultContext {
  /** Checks a value against the declared output schema, `undefined` without one. Gives a sentence for each misfit. */
  readonly checkOutput: ((value: unknown) => readonly string[]) | undefined;
  /** A short random reference, taken for each internal failure. */
  readonly newRef: () => string;
}

/** A result, and what the log should hold of it. */
export interface MadeResult {
  readonly result: ToolResult;
  /** The HTTP status that the result stands for. */
  readonly status: number;
  /** The result carries the body of a 2xx answer, be it as an error that says why it does not fit. */
  readonly carriesSuccess: boolean;
  /** `once`: it says something of the tool, and is not worth saying at each call. */
  readonly log?: { readonly message: string; readonly error?: unknown; readonly once?: boolean };
}

/** Makes the tool result of a call's outcome: the table "What a result is". */
export function toToolResult(outcome: CallOutcome, context: ResultContext): MadeResult {
  switch (outcome.kind) {
    case 'answered':
      return answerResult(outcome.answer, context, outcome.cause);
    case 'unwritable':
      return refusal(400, outcome.problems);
    case 'request-too-large':
      return refusal(
        413,
        `The arguments make a request of more than ${outcome.limit} bytes. Send less.`,
      );
    case 'too-many-calls':
      return refusal(429, tooManyCalls(outcome));
    case 'other-route':
      return refusal(
        404,
        "The arguments lead to another resource than this tool's own. Nothing was done.",
      );
    case 'result-too-large':
      return refusal(
        502,
        `The result is larger than ${outcome.limit} bytes and was cut off. The operation may have completed. Ask for less.`,
      );
    case 'timed-out':
      return refusal(
        504,
        `The operation gave no answer within ${outcome.afterMs} ms. It may have completed: check before you repeat it.`,
      );
    case 'aborted':
      return refusal(
        outcome.by === 'caller' ? 499 : 502,
        outcome.by === 'caller'
          ? 'The call was cancelled. The operation may have completed.'
          : 'The application closed the connection without an answer. The operation may have completed.',
      );
    case 'closed':
      return refusal(503, 'The server is shutting down. Nothing was done: call again.');
    case 'operation-failed': {
      const { status, envelope, cause } = outcome;
      const made = { result: errorResult(envelope), status, carriesSuccess: false };
      if (cause === undefined) return made;
      return { ...made, log: { message: 'the call of the upstream failed', error: cause } };
    }
    case 'failed':
      return internalError(outcome, context);
  }
}

function internalError(
  { error, code }: Extract<CallOutcome, { kind: 'failed' }>,
  { newRef }: ResultContext,
): MadeResult {
  const ref = newRef();
  const envelope = { statusCode: 500, message: 'Internal server error' };
  return {
    result: errorResult(code === undefined ? envelope : { code, ...envelope }, ref),
    status: 500,
    carriesSuccess: false,
    log: { message: `internal error (ref ${ref})`, error },
  };
}

function refusal(statusCode: number, message: string | readonly string[]): MadeResult {
  return {
    result: errorResult({ statusCode, message }),
    status: statusCode,
    carriesSuccess: false,
  };
}

function tooManyCalls({
  limit,
  retryAfterMs,
}: Extract<CallOutcome, { kind: 'too-many-calls' }>): string {
  const running =
    limit === 1
      ? 'A call of yours is running, and one'
      : `${limit} calls of yours are running, and no more`;
  const seconds = Math.ceil(retryAfterMs / 1000);
  return `${running} may at a time. Nothing was done: call again when one has ended, which takes ${seconds} s at the most.`;
}

function answerResult(answer: RouteAnswer, context: ResultContext, cause: unknown): MadeResult {
  const { status } = answer;
  if (status >= 400) return failureResult(answer, context, cause);
  const { checkOutput } = context;
  if (status >= 300) {
    if (checkOutput !== undefined) return withoutStructure(answer, answer.location ?? '');
    return success(status, answer.location === undefined ? '[]' : textContent(answer.location));
  }
  const mediaType = readMediaType(answer.contentType);
  if (answer.body.length === 0) {
    return checkOutput === undefined ? success(status, '[]') : withoutStructure(answer, '');
  }
  if (mediaType.kind === 'json') return jsonResult(answer, context);
  if (checkOutput !== undefined) return withoutStructure(answer, readableText(answer) ?? '');
  return success(status, contentOf(answer, mediaType));
}

function success(status: number, content: string): MadeResult {
  const result = { isError: false, content, structured: undefined, ref: undefined };
  return { result, status, carriesSuccess: status < 300 };
}

function failureResult(answer: RouteAnswer, { newRef }: ResultContext, error: unknown): MadeResult {
  const { status } = answer;
  const text = readableText(answer) ?? JSON.stringify({ statusCode: status });
  const ref = status === 500 ? newRef() : undefined;
  return {
    result: { isError: true, content: textContent(text), structured: undefined, ref },
    status,
    carriesSuccess: false,
    ...(ref === undefined
      ? {}
      : { log: { message: `the route answered 500 (ref ${ref})`, error } }),
  };
}

function jsonResult(answer: RouteAnswer, { checkOutput }: ResultContext): MadeResult {
  const { status } = answer;
  const text = answer.body.toString('utf8');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    const message =
      'The route labelled its answer as JSON, but it is not. The operation may have completed.';
    return {
      ...refusal(502, message),
      log: { message: 'the route labelled its answer as JSON, but it is not' },
    };
  }
  const misfits = checkOutput?.(value) ?? [];
  if (misfits.length > 0) return misfit(answer, text, misfits);
  return {
    result: {
      isError: false,
      content: textContent(text),
      structured: { text, value },
      ref: undefined,
    },
    status,
    carriesSuccess: true,
  };
}

/** The operation did happen, so that the model must see what came of it, though not as the declared structure. */
function misfit({ status }: RouteAnswer, text: string, misfits: readonly string[]): MadeResult {
  const told = `The operation answered ${status}, but its result does not fit the declared output schema: ${misfits.join('; ')}.\n${text}`;
  return {
    result: { isError: true, content: textContent(told), structured: undefined, ref: undefined },
    status,
    carriesSuccess: true,
    log: {
      message: `the result does not fit the output schema: ${misfits.join('; ')}`,
      once: true,
    },
  };
}

/** Official clients refuse a success without structured content where the tool declares an output schema. */
function withoutStructure({ status }: RouteAnswer, text: string): MadeResult {
  const told = `The operation answered ${status} without the JSON that its output schema declares.${text === '' ? '' : `\n${text}`}`;
  return {
    result: { isError: true, content: textContent(told), structured: undefined, ref: undefined },
    status,
    carriesSuccess: status < 300,
    log: {
      message: `the route answered ${status} without the JSON that the output schema declares`,
      once: true,
    },
  };
}

function contentOf(answer: RouteAnswer, mediaType: MediaType): string {
  const { body, contentType } = answer;
  const { kind, essence } = mediaType;
  const parts = essence === 'multipart/mixed' ? readMultipart(body, contentType ?? '') : undefined;
  if (parts !== undefined) return mixedContent(answer, parts);
  if (kind === 'text' || kind === 'json' || (contentType === undefined && isUtf8(body))) {
    return textContent(textOf(body, mediaType));
  }
  const data = body.toString('base64');
  const type = JSON.stringify(essence);
  if (kind === 'image' || kind === 'audio') {
    return `[{"type":"${kind}","data":"${data}","mimeType":${type}}]`;
  }
  // RFC 3986, section 4.3: an absolute URI whose path says which request the resource came from.
  const uri = JSON.stringify(`route:${answer.url}`);
  return `[{"type":"resource","resource":{"uri":${uri},"mimeType":${type},"blob":"${data}"}}]`;
}

/** A block for each part, by the same table as whole answers. */
function mixedContent(answer: RouteAnswer, parts: readonly BodyPart[]): string {
  const blocks = parts.map((part, i) => {
    const one = { ...answer, ...part, url: `${answer.url}#${i + 1}` };
    return contentOf(one, readMediaType(part.contentType)).slice(1, -1);
  });
  return `[${blocks.join(',')}]`;
}

/** The body as text; `undefined` where there is none, or bytes that would tell a model nothing. */
function readableText({ body, contentType }: RouteAnswer): string | undefined {
  if (body.length === 0) return undefined;
  const mediaType = readMediaType(contentType);
  const isText = mediaType.kind === 'json' || mediaType.kind === 'text' || isUtf8(body);
  return isText ? textOf(body, mediaType) : undefined;
}

function textOf(body: Buffer, { charset }: MediaType): string {
  if (charset === undefined || charset === 'utf-8' || charset === 'utf8')
    return body.toString('utf8');
  try {
    return new TextDecoder(charset).decode(body);
  } catch {
    return body.toString('utf8');
  }
}
