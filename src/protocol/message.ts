import { JsonRpcErrorCode, type JsonRpcError, type JsonRpcId } from './json-rpc-error.js';
import { isBelow, readJson, type ChangedNumber, type JsonPath } from './strict-json.js';

interface MessageMembers {
  readonly method: string;
  readonly params: Record<string, unknown> | undefined;
  /**
   * Numbers in `params.arguments` that JSON.parse changed (9007199254740993), the first eight, their paths relative to
   * `arguments`. They are no fault of the message but of the arguments: the caller makes a tool result of them.
   */
  readonly unfaithfulNumbers: readonly ChangedNumber[];
}

export interface RequestMessage extends MessageMembers {
  readonly id: JsonRpcId;
}

/** A message without an id, which nothing answers (JSON-RPC 2.0, section 4.1). */
export interface NotificationMessage extends MessageMembers {
  readonly id?: undefined;
}

export type Message = RequestMessage | NotificationMessage;

/** A client's answer to a request of the server's (2025 revisions, in a session). */
export interface ResponseMessage {
  readonly id: JsonRpcId;
  /** `undefined` when the client answered with an error. */
  readonly result: unknown;
}

export interface ReadMessageOptions {
  readonly maxDepth: number;
  /** Responses are taken, since the server sends requests of its own. Default `false`. */
  readonly responses?: boolean;
}

/** A message that was refused. `id` is only there when it was read, and may stand in the answer. */
export interface RefusedMessage {
  readonly ok: false;
  readonly status: 400;
  readonly error: JsonRpcError;
  readonly id?: JsonRpcId;
}

export type ReadMessage =
  | { readonly ok: true; readonly message: Message }
  | { readonly ok: true; readonly response: ResponseMessage }
  | RefusedMessage;

const MEMBERS: ReadonlySet<string> = new Set(['jsonrpc', 'id', 'method', 'params']);
const ARGUMENTS = ['params', 'arguments'] as const;
const RESPONSE_MEMBERS: ReadonlySet<string> = new Set(['jsonrpc', 'id', 'result', 'error']);
const MAX_SHOWN_LENGTH = 200;

/**
 * Reads one request or notification (JSON-RPC 2.0, section 4; MCP basic/index, section Messages) from the bytes of a
 * POST. Stricter than both: no member that they do not name, no member twice, and no id or other number that would
 * be another one after JSON.parse. Batches are served in no revision, though 2025-03-26 asks for them.
 */
export function readMessage(bytes: Uint8Array, options: ReadMessageOptions): ReadMessage {
  const json = readJson(bytes, { maxDepth: options.maxDepth, apart: ARGUMENTS });
  if (!json.ok && json.reason !== 'duplicate') {
    return json.reason === 'depth' ? invalidRequest(json.message) : parseError(json.message);
  }
  const root = json.value;
  if (Array.isArray(root)) {
    return invalidRequest('batches are not served, send each message by itself');
  }
  if (!isObject(root)) return invalidRequest('a message is an object');

  if (options.responses === true && json.ok && isResponse(root))
    return readResponse(root, json.idSource);
  const id = isResponse(root) ? undefined : readId(root['id'], json.idSource);
  if (!json.ok) return invalidRequest(json.message, id);
  const problem = findProblem(root, id, json.changedNumbers);
  if (problem !== undefined) return invalidRequest(problem, id);

  const method = root['method'] as string;
  const params = root['params'] as Record<string, unknown> | undefined;
  const unfaithfulNumbers = relativeToArguments(json.changedNumbers);
  const members = { method, params, unfaithfulNumbers };
  return { ok: true, message: id === undefined ? members : { id, ...members } };
}

/** A path for a message to people, cut off where it is very long: `items[0].id`. */
export function describePath(path: JsonPath): string {
  let text = '';
  for (const step of path) {
    text += typeof step === 'number' ? `[${step}]` : text === '' ? step : `.${step}`;
    if (text.length > MAX_SHOWN_LENGTH) return `${text.slice(0, MAX_SHOWN_LENGTH)}…`;
  }
  return text;
}

/**
 * The id of a response names a request of the server's, so it must not come back in an answer, where the client would
 * take it for a request of its own.
 */
function isResponse(root: Record<string, unknown>): boolean {
  if (Object.hasOwn(root, 'method')) return false;
  return Object.hasOwn(root, 'result') || Object.hasOwn(root, 'error');
}

/**
 * The id, where there is one and it may be answered.
 *
 * @param source how it is written: JSON.parse makes the same of 1, 1.0 and 1e0. It is `undefined` where `id` stands
 * twice, of which neither is good.
 */
function readId(id: unknown, source: string | undefined): JsonRpcId | undefined {
  if (source === undefined) return undefined;
  if (typeof id === 'string') return id;
  return Number.isSafeInteger(id) && String(id) === source ? (id as number) : undefined;
}

/** Of a response, only what it answers and the result count; its error is for people to read. */
function readResponse(root: Record<string, unknown>, idSource: string | undefined): ReadMessage {
  const id = readId(root['id'], idSource);
  const stray = Object.keys(root).find((name) => !RESPONSE_MEMBERS.has(name));
  if (stray !== undefined)
    return invalidRequest(`a response has no member ${JSON.stringify(stray.slice(0, 40))}`);
  if (root['jsonrpc'] !== '2.0') return invalidRequest('jsonrpc must be "2.0"');
  if (id === undefined) return invalidRequest('the id of a response must be that of a request');
  if (Object.hasOwn(root, 'result') === Object.hasOwn(root, 'error')) {
    return invalidRequest('a response has either a result or an error');
  }
  return { ok: true, response: { id, result: root['result'] } };
}

function findProblem(
  root: Record<string, unknown>,
  id: JsonRpcId | undefined,
  changed: readonly ChangedNumber[],
): string | undefined {
  if (isResponse(root)) return 'responses are not accepted, the server sends no requests';
  for (const name of Object.keys(root)) {
    if (!MEMBERS.has(name)) return `a message has no member ${JSON.stringify(name.slice(0, 40))}`;
  }
  if (root['jsonrpc'] !== '2.0') return 'jsonrpc must be "2.0"';
  if (id === undefined && Object.hasOwn(root, 'id')) {
    return 'id must be a string, or an integer within ±9007199254740991 without fraction or exponent';
  }
  if (typeof root['method'] !== 'string') return 'method must be a string';
  if (Object.hasOwn(root, 'params') && !isObject(root['params'])) return 'params must be an object';
  const outside = changed.find(({ path }) => !isBelow(path, ARGUMENTS));
  if (outside === undefined) return undefined;
  return `${describePath(outside.path)}: the number ${outside.token} cannot be kept exactly`;
}

function relativeToArguments(changed: readonly ChangedNumber[]): readonly ChangedNumber[] {
  if (changed.length === 0) return changed;
  return changed.map(({ path, token }) => ({ path: path.slice(ARGUMENTS.length), token }));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parseError(reason: string): RefusedMessage {
  const error = { code: JsonRpcErrorCode.ParseError, message: `Parse error: ${reason}` };
  return { ok: false, status: 400, error };
}

function invalidRequest(reason: string, id?: JsonRpcId): RefusedMessage {
  const error = { code: JsonRpcErrorCode.InvalidRequest, message: `Invalid Request: ${reason}` };
  return id === undefined
    ? { ok: false, status: 400, error }
    : { ok: false, status: 400, error, id };
}
