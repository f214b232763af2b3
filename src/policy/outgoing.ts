import type { MadeResult, ResultContext } from '../result/to-tool-result.js';
import { textContent, type ToolResult } from '../result/tool-result.js';
import type { ContentBlock, McpResponseGuard, OutgoingAnswer } from './response-guard.js';

/** What a response guard gave back, read as strictly as what comes from a stranger. */
interface Replacement {
  readonly content: readonly ContentBlock[];
  readonly structuredContent?: unknown;
  readonly isError?: boolean;
}

/**
 * Has a response guard judge a result.
 *
 * @returns what goes out: the result itself, or what the guard put in its place
 * @throws what the guard throws, and a `TypeError` for an answer that is none
 */
export async function judged(
  guard: McpResponseGuard,
  subject: Pick<OutgoingAnswer & { tool: object }, 'tool' | 'caller'>,
  made: MadeResult,
  context: ResultContext,
): Promise<MadeResult> {
  const before = JSON.stringify(shown(made.result));
  // A copy: what a guard does to it must not reach what goes out unseen.
  const result = JSON.parse(before) as Extract<OutgoingAnswer, { tool: object }>['result'];
  const given = (await guard.check({ ...subject, result })) as unknown;
  if (given !== undefined) return replaced(readReplacement(given), made, context);
  if (JSON.stringify(result) === before) return made;
  throw new TypeError(
    'A response guard changed a result in place and returned nothing. It must return the result that is to go out.',
  );
}

function shown({ content, structured, isError }: ToolResult): object {
  return {
    content: JSON.parse(content) as unknown,
    ...(structured === undefined ? {} : { structuredContent: structured.value }),
    isError,
  };
}

/** What is checked is what is sent: objects that write themselves as something else (`toJSON`) are read as that. */
function readReplacement(given: unknown): Replacement {
  const text = JSON.stringify(given) as string | undefined;
  const value: unknown = text === undefined ? undefined : JSON.parse(text);
  if (isReplacement(value)) return value;
  throw new TypeError(
    'A response guard must return nothing, or a result: { content: [{ type, … }], structuredContent?, isError? }.',
  );
}

function isReplacement(value: unknown): value is Replacement {
  if (!isRecord(value)) return false;
  const { content, isError } = value;
  return (
    Array.isArray(content) &&
    content.every((block) => isRecord(block) && typeof block['type'] === 'string') &&
    (isError === undefined || typeof isError === 'boolean')
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** A replaced result is held to what the route's own is held to. */
function replaced(
  { content, structuredContent: value, isError = false }: Replacement,
  made: MadeResult,
  { checkOutput }: ResultContext,
): MadeResult {
  const misfits = isError ? [] : (checkOutput?.(value) ?? []);
  if (misfits.length > 0) {
    const message = `The result was changed before it left, and does not fit the declared output schema any more: ${misfits.join('; ')}.`;
    const told = textContent(message);
    const result = { isError: true, content: told, structured: undefined, ref: undefined };
    return { ...made, result, log: { message } };
  }
  const structured =
    value === undefined || isError ? undefined : { text: JSON.stringify(value), value };
  const { ref } = made.result;
  return { ...made, result: { isError, content: JSON.stringify(content), structured, ref } };
}
