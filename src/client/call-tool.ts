import type { ResolvedClientOptions, ResolvedServer } from './client-options.js';
import { resultOf, type Connection } from './connection.js';
import { ExchangeError } from './exchange-error.js';
import { inputResponses, replyTo, type InputContext } from './input-answers.js';
import { deadline, untilAborted } from './read-body.js';
import { readToolAnswer, type ToolAnswer } from './tool-output.js';
import type { ServerReply, WireAnswer } from './wire.js';

/** A call that is ready to be sent. */
export interface ReadyCall {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  /** The `Mcp-Param-*` headers. */
  readonly headers: Readonly<Record<string, string>>;
  readonly operationId: string;
}

/** How long the user may take, in milliseconds, and whether the caller still waits. */
export interface InputLimits extends Pick<ResolvedClientOptions, 'requestTimeoutMs'> {
  readonly signal: AbortSignal | undefined;
}

/** How often a server may ask for input before it must answer. */
const MAX_ROUNDS = 8;

/**
 * Submits a call. It is sent once; a server that asks for input in the manner of 2026-07-28 gets it with the input, for which it
 * said that it waits.
 *
 * @throws ExchangeError when no result came; `unsent` in it tells that the call cannot have arrived
 */
export async function callTool(
  connection: Connection,
  server: ResolvedServer,
  call: ReadyCall,
  limits: InputLimits,
): Promise<ToolAnswer> {
  const context: InputContext = {
    handler: server.input,
    serverId: server.id,
    toolName: call.name,
    operationId: call.operationId,
  };
  const reply: ServerReply = (request, signal) => replyTo(request, context, signal);
  const stopListening = await connection.listen(reply);
  try {
    return await untilComplete(connection, call, { reply, context, limits });
  } finally {
    stopListening();
  }
}

interface Conversation {
  readonly reply: ServerReply;
  readonly context: InputContext;
  readonly limits: InputLimits;
}

async function untilComplete(
  connection: Connection,
  call: ReadyCall,
  { reply, context, limits }: Conversation,
): Promise<ToolAnswer> {
  let answer = await send(connection, call, {}, reply);
  try {
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const result = resultOf(answer);
      const { resultType = 'complete' } = result;
      if (resultType === 'complete') {
        const exact = answer.kind === 'result' && answer.exact;
        return readToolAnswer(result, exact, answer.authorization);
      }
      if (resultType !== 'input_required')
        throw new ExchangeError('the type of the result is unknown');
      answer = await send(connection, call, await nextRound(result, context, limits), reply);
    }
  } catch (error) {
    throw arrived(error);
  }
  throw new ExchangeError('the server asks for input again and again');
}

function send(
  connection: Connection,
  { name, arguments: args, headers }: ReadyCall,
  more: Readonly<Record<string, unknown>>,
  reply: ServerReply,
): Promise<WireAnswer> {
  return connection.request({
    method: 'tools/call',
    params: { name, arguments: args, ...more },
    headers,
    reply,
  });
}

async function nextRound(
  { inputRequests, requestState }: Readonly<Record<string, unknown>>,
  context: InputContext,
  { requestTimeoutMs, signal }: InputLimits,
): Promise<Readonly<Record<string, unknown>>> {
  const time = deadline(requestTimeoutMs, signal);
  try {
    const responses = await untilAborted(
      inputResponses(inputRequests, context, time.signal),
      time.signal,
    );
    // A state is given back as it came, and none is made up.
    return { inputResponses: responses, ...(requestState === undefined ? {} : { requestState }) };
  } finally {
    time.clear();
  }
}

/** Whatever a later round fails with, the first one was sent. */
function arrived(error: unknown): unknown {
  if (!(error instanceof ExchangeError)) return error;
  return new ExchangeError(error.reason, { ...error.details, unsent: false });
}
