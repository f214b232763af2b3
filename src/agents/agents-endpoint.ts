import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { FrameworkRequest } from '../endpoint/endpoint.js';
import { writeRefusal } from '../endpoint/write-answer.js';
import type { AgentServer } from './agent-server.js';
import type { AttemptLimiter } from './attempts.js';
import type { AgentKeyRecord } from './catalog-document.js';
import type { KeyRing } from './key-ring.js';
import { prefixOf } from './key.js';

/** What the endpoint of all agents asks. */
export interface AgentsEndpointParts {
  readonly keys: KeyRing;
  readonly attempts: AttemptLimiter;
  /** A header that keys are taken from beside `Authorization`, in lower case. */
  readonly keyHeader: string | undefined;
  readonly find: (workspace: string, agent: string) => AgentServer | undefined;
}

/** What frameworks and guards put on a request. */
interface AgentRequest {
  readonly params?: Readonly<Record<string, unknown>>;
  readonly ip?: unknown;
  auth?: unknown;
}

type KeyVerdict = { readonly key: AgentKeyRecord } | { readonly message: string };

/** Stands in front of every agent: asks for a key, and hands the request to the agent that the path names. */
export class AgentsEndpoint {
  private parts: AgentsEndpointParts | undefined;
  /** The requests of each key that are not answered yet, streams above all. */
  private readonly open = new Map<string, Set<ServerResponse>>();

  /** Set once, when there is a catalog. */
  start(parts: AgentsEndpointParts): void {
    this.parts = parts;
  }

  async serve(request: FrameworkRequest, response: object, raw: ServerResponse): Promise<void> {
    if (raw.closed) return;
    if (this.parts === undefined) {
      raw.setHeader('Retry-After', '1');
      return writeRefusal(raw, 503, 'The server is not ready.');
    }
    const { keys, attempts, keyHeader, find } = this.parts;
    const incoming = 'raw' in request ? request.raw : request;
    const address = addressOf(request, incoming);
    const waitMs = attempts.refusedFor(address);
    if (waitMs > 0) {
      raw.setHeader('Retry-After', String(Math.ceil(waitMs / 1000)));
      return writeRefusal(raw, 429, 'Too many attempts without a valid key. Wait, then try again.');
    }
    const verdict = judge(incoming.headers, keyHeader, keys);
    if ('message' in verdict) {
      attempts.failed(address);
      const error = incoming.headers.authorization === undefined ? '' : ', error="invalid_token"';
      raw.setHeader('WWW-Authenticate', `Bearer realm="mcp"${error}`);
      return writeRefusal(raw, 401, verdict.message);
    }
    const { key } = verdict;
    const { workspaceSlug, agentSlug } = (request as AgentRequest).params ?? {};
    const isOwn = key.workspace === workspaceSlug && key.agent === agentSlug;
    const agent = isOwn ? find(key.workspace, key.agent) : undefined;
    if (agent === undefined) return writeRefusal(raw, 404, 'There is no such agent.');
    (request as AgentRequest).auth = callerOf(key);
    this.track(key.prefix, raw);
    return agent.endpoint.serve(request, response, raw);
  }

  /** Ends every open request of keys that are not good any more: a listen stream outlives the check of its key. */
  endRefused(keys: Pick<KeyRing, 'holds'>): void {
    for (const [prefix, responses] of this.open) {
      if (!keys.holds(prefix)) for (const response of responses) response.destroy();
    }
  }

  private track(prefix: string, response: ServerResponse): void {
    const open = this.open.get(prefix) ?? new Set();
    this.open.set(prefix, open.add(response));
    response.once('close', () => {
      open.delete(response);
      if (open.size === 0 && this.open.get(prefix) === open) this.open.delete(prefix);
    });
  }
}

/** What guards and sessions know a caller by: the agent and the public part of the key. */
export function callerOf({ workspace, agent, prefix }: AgentKeyRecord): object {
  return { scheme: 'mcp-agent-key', iss: `${workspace}/${agent}`, id: prefix, workspace, agent };
}

function judge(
  headers: IncomingHttpHeaders,
  keyHeader: string | undefined,
  keys: KeyRing,
): KeyVerdict {
  const token = tokenOf(headers, keyHeader) ?? '';
  if (prefixOf(token) === undefined) return { message: `${supported(keyHeader)} Nothing else is.` };
  const key = keys.find(token);
  return key === undefined
    ? { message: 'The key is not valid: it is unknown, expired or revoked.' }
    : { key };
}

/** The caller's key, of one place only: two that differ are somebody's attempt to have one checked and the other used. */
function tokenOf(headers: IncomingHttpHeaders, keyHeader: string | undefined): string | undefined {
  const own = keyHeader === undefined ? undefined : headers[keyHeader];
  if (headers.authorization === undefined) return typeof own === 'string' ? own : undefined;
  const bearer = /^bearer +(\S+)$/i.exec(headers.authorization.trim())?.[1];
  return own === undefined || own === bearer ? bearer : undefined;
}

function supported(keyHeader: string | undefined): string {
  const header = keyHeader === undefined ? '' : `, or in the header ${keyHeader}`;
  return `A static key of this agent (mcpk_…) is supported, as "Authorization: Bearer <key>"${header}.`;
}

/** The framework's own view of the address, so that the application's rule about proxies counts. */
function addressOf(request: FrameworkRequest, { socket }: IncomingMessage): string {
  const { ip } = request as AgentRequest;
  return typeof ip === 'string' ? ip : (socket.remoteAddress ?? '');
}
