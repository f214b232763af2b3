import { show } from '../mcp.options.show.js';
import { isObject } from '../protocol/codec.js';
import { DATED_REVISIONS, MODERN_REVISION } from '../protocol/revision.js';
import type { McpClientServer, PinnedTool, ResolvedServer } from './client-options.js';
import { parsePointer } from './json-pointer.js';

const MEMBERS = ['id', 'endpoint', 'revision', 'credentials', 'tools', 'reconcile', 'input'];
const TOOL_MEMBERS = ['name', 'inputSchemaDigest', 'operationId', 'readOnly'];
const RECONCILE_MEMBERS = ['name', 'inputSchemaDigest', 'operationId'];
const REVISIONS: readonly unknown[] = ['auto', MODERN_REVISION, ...DATED_REVISIONS];
const LOOPBACK = ['127.0.0.1', '[::1]', 'localhost'];
const ID = /^[A-Za-z0-9._-]{1,64}$/;
const DIGEST = /^sha256:[0-9a-f]{64}$/;
const MAX_TOOL_NAME = 256;

/**
 * Checks one server of the options.
 *
 * @param where how a problem names it: `option servers[0]`
 * @returns the server as the client uses it, good for use only without problems
 */
export function checkServer(
  given: unknown,
  where: string,
  insecure: boolean,
): { readonly server: ResolvedServer; readonly problems: readonly string[] } {
  const problems: string[] = [];
  const say = (member: string, problem: string) =>
    void problems.push(`${where}${member}: ${problem}`);
  const one: Partial<McpClientServer> = members(given, MEMBERS, '', say) ?? {};
  const { id, revision = 'auto', credentials, input } = one;
  if (typeof id !== 'string' || !ID.test(id)) {
    say('.id', `${show(id)} is not 1 to 64 of the characters A-Z a-z 0-9 . _ -.`);
  }
  const endpointFault = endpointProblem(one.endpoint, insecure);
  if (endpointFault !== undefined) say('.endpoint', endpointFault);
  if (!REVISIONS.includes(revision)) {
    say('.revision', `${show(revision)} is none of ${REVISIONS.join(', ')}.`);
  }
  if (credentials !== undefined && typeof credentials?.authorization !== 'function') {
    say(
      '.credentials',
      'it has no method authorization(). Give one that makes the header of a request.',
    );
  }
  if (input !== undefined && typeof input !== 'function') {
    say('.input', `${show(input)} is not a function. Give one that answers, or leave it out.`);
  }
  const tools = checkTools(one.tools, say);
  const reconcile = checkReconcile(one.reconcile, tools, say);
  const server = {
    id: String(id),
    endpoint: String(one.endpoint),
    revision,
    tools: new Map(tools.map(({ tool }) => [tool.name, tool])),
    reconcile,
    ...(credentials === undefined ? {} : { credentials }),
    ...(input === undefined ? {} : { input }),
  };
  return { server: Object.freeze(server), problems };
}

type Say = (member: string, problem: string) => void;

/** What is wrong with an endpoint, as a sentence; `undefined` when it may be called. */
export function endpointProblem(endpoint: unknown, insecure: boolean): string | undefined {
  const shown = show(typeof endpoint === 'string' ? endpoint.split('?')[0] : endpoint);
  if (typeof endpoint !== 'string') return `${shown} is not a URL.`;
  if (!URL.canParse(endpoint)) return 'it is not a URL.';
  const url = new URL(endpoint);
  // What is shown must not hold a password.
  if (url.username !== '' || url.password !== '') {
    return 'it has user info. Take it out, and make the header in credentials.';
  }
  if (/[?#]/.test(endpoint)) return `${shown} has a query or a fragment. Take it out.`;
  if (url.protocol === 'https:') return undefined;
  if (url.protocol !== 'http:') return `${shown} is not an https URL.`;
  if (!LOOPBACK.includes(url.hostname)) {
    return `${shown} is http. Give an https URL: http is for 127.0.0.1, [::1] and localhost.`;
  }
  return insecure
    ? undefined
    : `${shown} is http. Give an https URL, or set allowInsecureLoopback in a test.`;
}

interface CheckedTool {
  readonly tool: PinnedTool;
  readonly readOnly: boolean;
}

function checkTools(given: unknown, say: Say): readonly CheckedTool[] {
  if (!Array.isArray(given) || given.length === 0) {
    say(
      '.tools',
      `${show(given)} is not a list with a tool in it. Pin each tool that may be called.`,
    );
    return [];
  }
  const names = new Set<unknown>();
  return (given as unknown[]).map((one, index) => {
    const where = `.tools[${index}]`;
    const tool = members(one, TOOL_MEMBERS, where, say) ?? {};
    const { readOnly = false } = tool;
    if (typeof readOnly !== 'boolean')
      say(`${where}.readOnly`, `${show(readOnly)} is not true or false.`);
    if (names.has(tool['name']))
      say(`${where}.name`, `${show(tool['name'])} is pinned twice. Pin it once.`);
    names.add(tool['name']);
    const isOptional = readOnly === true && tool['operationId'] === undefined;
    return { tool: pinned(tool, where, isOptional, say), readOnly: readOnly === true };
  });
}

function checkReconcile(
  given: unknown,
  tools: readonly CheckedTool[],
  say: Say,
): PinnedTool | undefined {
  if (given === undefined) {
    const changing = tools.filter(({ readOnly }) => !readOnly).map(({ tool }) => tool.name);
    if (changing.length > 0) {
      say(
        '.reconcile',
        `it is missing, but ${changing.join(', ')} may change something. Name the tool that tells what became of an operation, or declare tools that change nothing readOnly.`,
      );
    }
    return undefined;
  }
  const one = members(given, RECONCILE_MEMBERS, '.reconcile', say);
  if (one === undefined) return undefined;
  const reconcile = pinned(one, '.reconcile', false, say);
  if (tools.some(({ tool }) => tool.name === reconcile.name)) {
    say('.reconcile.name', `${show(reconcile.name)} is among tools as well. Pin it once.`);
  }
  return reconcile;
}

function pinned(
  { name, inputSchemaDigest: digest, operationId }: Readonly<Record<string, unknown>>,
  where: string,
  isOptional: boolean,
  say: Say,
): PinnedTool {
  if (typeof name !== 'string' || name === '' || name.length > MAX_TOOL_NAME) {
    say(`${where}.name`, `${show(name)} is not a name of 1 to ${MAX_TOOL_NAME} characters.`);
  }
  if (typeof digest !== 'string' || !DIGEST.test(digest)) {
    say(
      `${where}.inputSchemaDigest`,
      `${show(digest)} is not "sha256:" and 64 lower-case hexadecimal digits. \`nestjs-mcp-routes digests <url>\` prints it.`,
    );
  }
  const steps = typeof operationId === 'string' ? parsePointer(operationId) : undefined;
  if (steps === undefined && !isOptional) {
    say(
      `${where}.operationId`,
      `${show(operationId)} is not a JSON Pointer to a member. Say where the operation id goes: "/operation_id", "/body/operationId".`,
    );
  }
  return { name: String(name), digest: String(digest), operationId: steps };
}

/** The members of an object of the options; what it should not have, or is, is said. */
function members(
  value: unknown,
  known: readonly string[],
  where: string,
  say: Say,
): Readonly<Record<string, unknown>> | undefined {
  if (!isObject(value)) {
    say(where, `${show(value)} is not an object.`);
    return undefined;
  }
  for (const name of Object.keys(value)) {
    if (!known.includes(name))
      say(`${where}.${name}`, `there is no such option. Known are: ${known.join(', ')}.`);
  }
  return value;
}
