import { isObject } from '../protocol/codec.js';
import { ExchangeError } from './exchange-error.js';

/** A block of a result: text, an image, audio, a resource or a link to one, with the members of the specification. */
export interface McpContentBlock {
  readonly type: string;
  readonly [member: string]: unknown;
}

/** What a tool answered. */
export interface McpToolOutput {
  readonly content: readonly McpContentBlock[];
  /** Left out where the server sent none, and where JavaScript cannot hold one of its numbers: the text has it exactly. */
  readonly structuredContent?: unknown;
}

/** The result of a `tools/call`, and what is not for the caller to see. */
export interface ToolAnswer {
  readonly content: readonly McpContentBlock[];
  readonly structured: unknown;
  /** Whether each number of `structured` is the one that was sent. */
  readonly exact: boolean;
  readonly isError: boolean;
  /** The credential that the server was sent, and may echo. */
  readonly authorization: string | undefined;
}

/** The text that each kind of block must have (server/tools, section Tool Result). */
const TEXTS: Readonly<Record<string, readonly string[]>> = {
  text: ['text'],
  image: ['data', 'mimeType'],
  audio: ['data', 'mimeType'],
  resource_link: ['uri'],
};

/**
 * Reads the result of a call.
 *
 * @throws ExchangeError for what is no result
 */
export function readToolAnswer(
  result: Readonly<Record<string, unknown>>,
  exact: boolean,
  authorization: string | undefined,
): ToolAnswer {
  const { content, structuredContent: structured, isError = false } = result;
  if (!Array.isArray(content) || !content.every(isBlock)) throw unreadable('content');
  if (typeof isError !== 'boolean') throw unreadable('isError');
  return { content, structured, exact, isError, authorization };
}

/** What the caller gets of an answer, or of the part of its structure that is meant for it. */
export function outputOf({ content, exact }: ToolAnswer, structured: unknown): McpToolOutput {
  return structured === undefined || !exact
    ? { content }
    : { content, structuredContent: structured };
}

/** An output with every mention of the credential cut out: a server may echo in an error what it was sent. */
export function withoutSecret(
  output: McpToolOutput,
  authorization: string | undefined,
): McpToolOutput {
  const secrets = secretsIn(authorization);
  return secrets.length === 0 ? output : (redact(output, secrets) as McpToolOutput);
}

/** The whole value first, then what stands behind its scheme: `Bearer abc`, `abc`. */
function secretsIn(authorization: string | undefined): string[] {
  if (authorization === undefined) return [];
  const [, ...rest] = authorization.split(' ');
  return [authorization, rest.join(' ')].filter((secret) => secret !== '');
}

function redact(value: unknown, secrets: readonly string[]): unknown {
  if (typeof value === 'string') {
    return secrets.reduce((text, secret) => text.replaceAll(secret, '[redacted]'), value);
  }
  if (Array.isArray(value)) return value.map((one) => redact(one, secrets));
  if (!isObject(value)) return value;
  const members = Object.entries(value).map(([name, member]) => [
    redact(name, secrets) as string,
    redact(member, secrets),
  ]);
  return Object.fromEntries(members) as unknown;
}

function isBlock(block: unknown): block is McpContentBlock {
  if (!isObject(block) || typeof block['type'] !== 'string') return false;
  if (block['type'] === 'resource') {
    return isObject(block['resource']) && typeof block['resource']['uri'] === 'string';
  }
  const texts = TEXTS[block['type']];
  return texts !== undefined && texts.every((name) => typeof block[name] === 'string');
}

function unreadable(member: string): ExchangeError {
  return new ExchangeError(`the ${member} of the result cannot be read`);
}
