import { isObject } from '../protocol/codec.js';
import { readJson } from '../protocol/strict-json.js';
import { canonicalJson } from './canonical-json.js';
import { InvalidDescriptorError } from './errors.js';

/** An action that somebody has authorized: which tool of which server, with what arguments, and nothing of how it is reached. */
export interface McpToolDescriptor {
  readonly version: 'mcp.tool/v1';
  /** The `id` of one of the client's servers. */
  readonly server_id: string;
  /** The name of a tool that is pinned for that server. */
  readonly tool_name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

const MAX_BYTES = 256 * 1024;
const MAX_DEPTH = 128;
const MEMBERS = ['version', 'server_id', 'tool_name', 'arguments'];

/**
 * Reads a descriptor: exactly the members of `mcp.tool/v1`, in any order, none twice, with nothing after the object, at most
 * 256 KiB, nested 128 deep at most, and no number that JavaScript would change (9007199254740993).
 *
 * @throws InvalidDescriptorError for everything else
 */
export function decodeDescriptor(bytes: Uint8Array): McpToolDescriptor {
  if (!(bytes instanceof Uint8Array)) throw InvalidDescriptorError.create('it is not bytes');
  if (bytes.length > MAX_BYTES)
    throw InvalidDescriptorError.create(`it has over ${MAX_BYTES} bytes`);
  const json = readJson(bytes, { maxDepth: MAX_DEPTH });
  if (!json.ok) throw InvalidDescriptorError.create(json.message);
  const problem = problemOf(json.value, json.changedNumbers[0]?.token);
  if (problem !== undefined) throw InvalidDescriptorError.create(problem);
  return json.value as McpToolDescriptor;
}

/**
 * A copy of a descriptor that a caller made or changed since it was decoded, held to the same rules.
 *
 * @throws InvalidDescriptorError as `decodeDescriptor` does
 */
export function copyDescriptor(descriptor: unknown): McpToolDescriptor {
  let text: string;
  try {
    text = canonicalJson(descriptor);
  } catch (error) {
    const reason = error instanceof TypeError ? error.message : 'it nests too deep';
    throw InvalidDescriptorError.create(reason);
  }
  return decodeDescriptor(Buffer.from(text, 'utf8'));
}

function problemOf(value: unknown, changedNumber: string | undefined): string | undefined {
  if (!isObject(value)) return 'it is not an object';
  const stray = Object.keys(value).find((name) => !MEMBERS.includes(name));
  if (stray !== undefined) return `it has no member ${JSON.stringify(stray.slice(0, 40))}`;
  if (value['version'] !== 'mcp.tool/v1') return 'version must be "mcp.tool/v1"';
  for (const name of ['server_id', 'tool_name']) {
    const member = value[name];
    if (typeof member !== 'string' || member === '') return `${name} must be a string, not empty`;
  }
  if (!isObject(value['arguments'])) return 'arguments must be an object';
  if (changedNumber !== undefined) return `the number ${changedNumber} cannot be kept exactly`;
  return undefined;
}
