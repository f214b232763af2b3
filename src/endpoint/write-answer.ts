import type { ServerResponse } from 'node:http';
import { errorResponse, JsonRpcErrorCode, type JsonRpcError } from '../protocol/json-rpc-error.js';
import type { Answer } from '../protocol/channel.js';

/** Writes a JSON answer. Does nothing when the response was answered elsewhere, by a filter after a time-out, say. */
export function writeJson(response: ServerResponse, { status, body }: Answer): void {
  if (response.headersSent || response.destroyed) return;
  response.statusCode = status;
  response.setHeader('Cache-Control', 'no-store');
  if (body.length === 0) {
    response.end();
    return;
  }
  response.setHeader('Content-Type', 'application/json');
  let length = 0;
  for (const piece of body)
    length += typeof piece === 'string' ? Buffer.byteLength(piece) : piece.length;
  response.setHeader('Content-Length', length);
  // Ended while it is corked: the head, all pieces and the end go to the socket in one write.
  const last = body.length - 1;
  if (last > 0) response.cork();
  for (let i = 0; i < last; i++) response.write(body[i]);
  response.end(body[last]);
}

/** Refuses a request whose message was not read: a JSON-RPC error without an id. */
export function writeRefusal(
  response: ServerResponse,
  status: number,
  message: string,
  rest: Partial<JsonRpcError> = {},
): void {
  const error = { code: JsonRpcErrorCode.InvalidRequest, message, ...rest };
  writeJson(response, { status, body: [errorResponse(undefined, error)] });
}
