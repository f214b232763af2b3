import { isObject } from '../protocol/codec.js';
import { JsonRpcErrorCode } from '../protocol/json-rpc-error.js';
import { ExchangeError } from './exchange-error.js';
import type { ServerRequest } from './server-message.js';
import type { Reply } from './wire.js';

/** What a server asks of the user in the middle of a call (client/elicitation, form mode). */
export interface McpClientInputRequest {
  readonly serverId: string;
  readonly toolName: string;
  readonly operationId: string;
  readonly message: string;
  /** A flat JSON Schema of what is wanted. */
  readonly requestedSchema: Readonly<Record<string, unknown>>;
  /** Aborts when the answer would come too late. */
  readonly signal: AbortSignal;
}

export type McpClientInputAnswer =
  | { readonly action: 'accept'; readonly content: Readonly<Record<string, unknown>> }
  | { readonly action: 'decline' | 'cancel' };

/**
 * Answers for the user. Members that an accepted content leaves out get the default that the schema gives them. Whoever
 * throws cancels.
 */
export type McpClientInputHandler = (
  request: McpClientInputRequest,
) => McpClientInputAnswer | Promise<McpClientInputAnswer>;

/** Of which operation the server asks. */
export interface InputContext extends Pick<
  McpClientInputRequest,
  'serverId' | 'toolName' | 'operationId'
> {
  readonly handler: McpClientInputHandler | undefined;
}

const ELICIT = 'elicitation/create';

/** Answers a request that a server of the 2025 revisions sends on the stream of a call. */
export async function replyTo(
  { method, params }: ServerRequest,
  context: InputContext,
  signal: AbortSignal,
): Promise<Reply> {
  if (method === 'ping') return { result: {} };
  if (method !== ELICIT || context.handler === undefined) {
    return { error: { code: JsonRpcErrorCode.MethodNotFound, message: 'Method not found' } };
  }
  const form = formOf(params);
  if (form === undefined) {
    return { error: { code: JsonRpcErrorCode.InvalidParams, message: 'Only forms are answered' } };
  }
  return { result: { ...(await askHandler(form, context, signal)) } };
}

/**
 * The `inputResponses` to a result of the type `input_required` (2026-07-28, basic/patterns/mrtr).
 *
 * @throws ExchangeError when the server asks for what the client did not offer
 */
export async function inputResponses(
  requests: unknown,
  context: InputContext,
  signal: AbortSignal,
): Promise<Readonly<Record<string, McpClientInputAnswer>>> {
  if (context.handler === undefined)
    throw new ExchangeError('the server asks for input, and nobody answers');
  const responses: [string, McpClientInputAnswer][] = [];
  for (const [key, request] of Object.entries(isObject(requests) ? requests : {})) {
    const isForm = isObject(request) && request['method'] === ELICIT && isObject(request['params']);
    const form = isForm ? formOf(request['params'] as Record<string, unknown>) : undefined;
    if (form === undefined)
      throw new ExchangeError('the server asks for more than the input of a form');
    responses.push([key, await askHandler(form, context, signal)]);
  }
  return Object.fromEntries(responses);
}

type Form = Pick<McpClientInputRequest, 'message' | 'requestedSchema'>;

function formOf({
  mode = 'form',
  message,
  requestedSchema,
}: Readonly<Record<string, unknown>>): Form | undefined {
  const isForm = mode === 'form' && typeof message === 'string' && isObject(requestedSchema);
  return isForm ? { message, requestedSchema } : undefined;
}

async function askHandler(
  form: Form,
  { handler, ...operation }: InputContext,
  signal: AbortSignal,
): Promise<McpClientInputAnswer> {
  let answer: unknown;
  try {
    answer = await handler?.({ ...operation, ...form, signal });
  } catch {
    return { action: 'cancel' };
  }
  if (!isObject(answer)) return { action: 'cancel' };
  if (answer['action'] === 'accept' && isObject(answer['content'])) {
    return {
      action: 'accept',
      content: { ...defaultsOf(form.requestedSchema), ...answer['content'] },
    };
  }
  return { action: answer['action'] === 'decline' ? 'decline' : 'cancel' };
}

/** SEP-1034: what a form is filled with before the user changes it. */
function defaultsOf({ properties }: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const members = Object.entries(isObject(properties) ? properties : {});
  return Object.fromEntries(
    members.flatMap(([name, schema]) =>
      isObject(schema) && schema['default'] !== undefined ? [[name, schema['default']]] : [],
    ),
  );
}
