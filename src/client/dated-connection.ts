import { isDatedRevision, type DatedRevision } from '../protocol/revision.js';
import { capabilitiesOf, CLIENT_INFO } from './client-info.js';
import { resultOf, type Connection } from './connection.js';
import { ExchangeError } from './exchange-error.js';
import type { Wire, WireAnswer } from './wire.js';

/** 2025-11-25, basic/transports, section Session Management. */
const SESSION_ID = /^[\x21-\x7e]{1,1024}$/;

/**
 * Opens a session, or what a server without sessions makes of it (2025-11-25, basic/lifecycle).
 *
 * @param proposed what `initialize` asks for; the server may answer with another of the 2025 revisions
 * @throws ExchangeError when the server refuses, or speaks none of them
 */
export async function openDated(wire: Wire, proposed: DatedRevision): Promise<Connection> {
  const answer = await wire.request({
    method: 'initialize',
    params: {
      protocolVersion: proposed,
      capabilities: capabilitiesOf(wire.server),
      clientInfo: CLIENT_INFO,
    },
  });
  const { protocolVersion: revision } = resultOf(answer);
  const session = sessionOf(answer);
  // From here on there is a session to end, even if it is of no use.
  if (session !== undefined) wire.headers['mcp-session-id'] = session;
  if (!isDatedRevision(revision)) {
    throw new ExchangeError('the server speaks no revision that this client does');
  }
  // 2025-03-26 does not know the header.
  if (revision !== '2025-03-26') wire.headers['mcp-protocol-version'] = revision;
  await wire.send({ method: 'notifications/initialized' });
  return {
    revision,
    request: (request) => wire.request({ ...request, resumable: true }),
    // Nobody has anything to say to a server that does not know of input.
    listen: async (reply) => (wire.server.input === undefined ? () => {} : wire.listen(reply)),
    cancel: (signal) => {
      const params = { requestId: wire.lastId, reason: 'the client gave up' };
      return wire.send({ method: 'notifications/cancelled', params }, signal);
    },
  };
}

function sessionOf(answer: WireAnswer): string | undefined {
  const session = answer.header('mcp-session-id');
  if (session === null) return undefined;
  if (SESSION_ID.test(session)) return session;
  throw new ExchangeError('the session id of the server is not of visible characters');
}
