import { isObject } from '../protocol/codec.js';
import { JsonRpcErrorCode } from '../protocol/json-rpc-error.js';
import {
  isDatedRevision,
  LATEST_DATED_REVISION,
  MODERN_REVISION,
  type Revision,
} from '../protocol/revision.js';
import { capabilitiesOf, CLIENT_INFO } from './client-info.js';
import type { Connection } from './connection.js';
import { ExchangeError } from './exchange-error.js';
import { encodeHeaderValue } from './param-headers.js';
import type { Wire, WireAnswer, WireRequest } from './wire.js';

/** What only a server that speaks 2026-07-28 answers with (basic/index, section Error Codes). */
const MODERN_ERRORS: readonly number[] = [
  JsonRpcErrorCode.HeaderMismatch,
  JsonRpcErrorCode.MissingClientCapability,
];
/** The client's credential is refused: another revision would not help. */
const REFUSED_STATUSES: readonly (number | undefined)[] = [401, 403];

/** There is nothing to open: each request says all of itself. */
export function openModern(wire: Wire): Connection {
  return {
    revision: MODERN_REVISION,
    request: (request) => requestModern(wire, request),
    // A server asks in its results alone.
    listen: () => Promise.resolve(() => {}),
    // The end of the stream says it (basic/patterns/cancellation), and it has ended by then.
    cancel: async () => {},
  };
}

/**
 * Asks the server what it speaks. It is asked once more when it does not know the version but lists it.
 *
 * @returns 2026-07-28, or the revision to propose for a session
 * @throws ExchangeError when the server cannot be asked or has no revision in common with the client
 */
export async function discover(wire: Wire): Promise<Revision> {
  const answer = await askVersions(wire);
  const supported = answer === undefined ? undefined : versionsIn(answer);
  if (answer?.kind !== 'fault' || supported?.includes(MODERN_REVISION) !== true) {
    return chooseRevision(answer, supported);
  }
  const again = await askVersions(wire);
  if (again?.kind === 'result') return chooseRevision(again, versionsIn(again));
  throw new ExchangeError(`the server lists ${MODERN_REVISION}, but does not answer it`);
}

async function askVersions(wire: Wire): Promise<WireAnswer | undefined> {
  try {
    return await requestModern(wire, { method: 'server/discover', params: {} });
  } catch (error) {
    // An answer that is none is that of a server from before 2026-07-28.
    const status = error instanceof ExchangeError ? error.details.status : undefined;
    if (status === undefined || REFUSED_STATUSES.includes(status)) throw error;
    return undefined;
  }
}

function chooseRevision(
  answer: WireAnswer | undefined,
  supported: readonly unknown[] | undefined,
): Revision {
  if (supported !== undefined) {
    if (supported.includes(MODERN_REVISION)) return MODERN_REVISION;
    const dated = supported.filter(isDatedRevision).sort().at(-1);
    if (dated !== undefined) return dated;
    throw new ExchangeError('the server speaks no revision that this client does');
  }
  if (answer?.kind === 'fault' && MODERN_ERRORS.includes(answer.code)) {
    throw new ExchangeError(`the server answered with the JSON-RPC error ${answer.code}`);
  }
  return LATEST_DATED_REVISION;
}

/** The versions that a discovery or the refusal of a version lists. */
function versionsIn(answer: WireAnswer): readonly unknown[] | undefined {
  if (answer.kind === 'result') {
    const versions = answer.result['supportedVersions'];
    return Array.isArray(versions) ? versions : undefined;
  }
  if (answer.code !== JsonRpcErrorCode.UnsupportedProtocolVersion || !isObject(answer.data))
    return undefined;
  const { supported } = answer.data;
  return Array.isArray(supported) ? supported : undefined;
}

function requestModern(wire: Wire, request: WireRequest): Promise<WireAnswer> {
  const { method, params, headers } = request;
  const { name } = params;
  const { reply: _, ...rest } = request;
  return wire.request({
    ...rest,
    resumable: false,
    params: {
      ...params,
      _meta: {
        'io.modelcontextprotocol/protocolVersion': MODERN_REVISION,
        'io.modelcontextprotocol/clientCapabilities': capabilitiesOf(wire.server),
        'io.modelcontextprotocol/clientInfo': CLIENT_INFO,
      },
    },
    headers: {
      ...headers,
      'mcp-protocol-version': MODERN_REVISION,
      'mcp-method': method,
      ...(typeof name === 'string' ? { 'mcp-name': encodeHeaderValue(name) } : {}),
    },
  });
}
