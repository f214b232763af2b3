import { isObject } from '../protocol/codec.js';
import { isBelow, readJson, type ChangedNumber } from '../protocol/strict-json.js';
import { ExchangeError } from './exchange-error.js';

/** The answer to a request. */
export type ServerAnswer = ServerResult | ServerFault;

export interface ServerResult {
  readonly kind: 'result';
  readonly id: unknown;
  readonly result: Readonly<Record<string, unknown>>;
  /** Whether each number of `structuredContent` is the one that was sent. */
  readonly exact: boolean;
}

/** A JSON-RPC error. Its message is for people, and may hold anything. */
export interface ServerFault {
  readonly kind: 'fault';
  readonly id: unknown;
  readonly code: number;
  readonly data: unknown;
}

/** What the server asks of the client in the middle of a request (2025 revisions). */
export interface ServerRequest {
  readonly kind: 'request';
  readonly id: string | number;
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
}

export type ServerMessage = ServerAnswer | ServerRequest | { readonly kind: 'notification' };

const MAX_DEPTH = 128;
const STRUCTURED = ['result', 'structuredContent'] as const;

/**
 * Reads a message of a server as strictly as the server of this package reads those of a client: UTF-8, no member twice, nested
 * up to 128 deep.
 *
 * @throws ExchangeError for what is no JSON-RPC 2.0 message
 */
export function readServerMessage(bytes: Uint8Array): ServerMessage {
  const json = readJson(bytes, { maxDepth: MAX_DEPTH, apart: STRUCTURED });
  if (!json.ok) throw new ExchangeError(`the answer cannot be read: ${json.message}`);
  const message = json.value;
  if (!isObject(message) || message['jsonrpc'] !== '2.0') throw unreadable();
  if (Object.hasOwn(message, 'method')) return readCall(message);
  const { id, result, error } = message;
  if ((result === undefined) === (error === undefined)) throw unreadable();
  if (error === undefined) {
    if (!isObject(result)) throw unreadable();
    return { kind: 'result', id, result, exact: !json.changedNumbers.some(isStructured) };
  }
  if (!isObject(error) || !Number.isInteger(error['code'])) throw unreadable();
  return { kind: 'fault', id, code: error['code'] as number, data: error['data'] };
}

function readCall(message: Readonly<Record<string, unknown>>): ServerMessage {
  const { id, method, params = {} } = message;
  if (typeof method !== 'string' || !isObject(params)) throw unreadable();
  if (id === undefined) return { kind: 'notification' };
  if (typeof id !== 'string' && !Number.isSafeInteger(id)) throw unreadable();
  return { kind: 'request', id: id as string | number, method, params };
}

function isStructured({ path }: ChangedNumber): boolean {
  return isBelow(path, STRUCTURED) || path.join('/') === STRUCTURED.join('/');
}

function unreadable(): ExchangeError {
  return new ExchangeError('the answer is not a JSON-RPC message');
}
