import { randomBytes } from 'node:crypto';
import type { Answer, Channel, McpRequest } from './channel.js';
import {
  errorResponse,
  JsonRpcErrorCode,
  type JsonRpcError,
  type JsonRpcId,
} from './json-rpc-error.js';
import type { Message, RequestMessage } from './message.js';

/** A message on its way through the protocol, with the way back. */
export interface Exchange<M extends Message = Message> {
  readonly message: M;
  readonly request: McpRequest;
  readonly channel: Channel;
}

export type RequestExchange = Exchange<RequestMessage>;

export function isRequest(exchange: Exchange): exchange is RequestExchange {
  return exchange.message.id !== undefined;
}

/** Answers with a result. @param result its JSON text, in pieces */
export function succeed(
  { message, channel }: RequestExchange,
  result: readonly (string | Buffer)[],
  headers?: Answer['headers'],
): void {
  const head = `{"jsonrpc":"2.0","id":${idText(message.id)},"result":`;
  const body = around(head, result, '}');
  channel.answer(headers === undefined ? { status: 200, body } : { status: 200, body, headers });
}

/** Pieces with text before and after them. Text joins the text beside it, since each piece costs when it is written. */
function around(
  head: string,
  pieces: readonly (string | Buffer)[],
  tail: string,
): (string | Buffer)[] {
  const joined: (string | Buffer)[] = [];
  let text = head;
  for (const piece of pieces) {
    if (typeof piece === 'string') text += piece;
    else {
      joined.push(text, piece);
      text = '';
    }
  }
  joined.push(text + tail);
  return joined;
}

/** Answers with an error. A message without an id gets an error without one. */
export function fail(
  { message, channel }: Exchange,
  error: JsonRpcError,
  status: number,
  headers: Answer['headers'] = {},
): void {
  channel.answer({ status, headers, body: [errorResponse(message.id, error)] });
}

/** Takes a notification, understood or not: nothing answers it (JSON-RPC 2.0, section 4.1). */
export function accept({ channel }: Exchange): void {
  channel.answer({ status: 202, body: [] });
}

/**
 * Answers that the server itself failed, and tells nothing but a reference to its log.
 *
 * @returns the reference
 */
export function failInternally(exchange: Exchange): string {
  const ref = newRef();
  const error = { code: JsonRpcErrorCode.InternalError, message: 'Internal error', data: { ref } };
  fail(exchange, error, 200);
  return ref;
}

/** A short random reference to a record of the log. */
export function newRef(): string {
  return randomBytes(6).toString('hex');
}

export function idText(id: JsonRpcId): string {
  return typeof id === 'number' ? String(id) : JSON.stringify(id);
}

export function invalidParams(message: string): JsonRpcError {
  return { code: JsonRpcErrorCode.InvalidParams, message };
}

export function invalidRequest(message: string): JsonRpcError {
  return { code: JsonRpcErrorCode.InvalidRequest, message };
}

export function unknownMethod(method: string): JsonRpcError {
  return { code: JsonRpcErrorCode.MethodNotFound, message: `Method not found: ${method}` };
}
