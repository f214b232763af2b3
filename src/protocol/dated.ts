import { REF_META_KEY } from '../mcp.constants.js';
import {
  isObject,
  nextCursorMember,
  resultMembers,
  type Codec,
  type ServerIdentity,
} from './codec.js';
import { isDatedRevision, LATEST_DATED_REVISION, type DatedRevision } from './revision.js';

/** How 2025-03-26, 2025-06-18 and 2025-11-25 write results. */
export function datedCodec(revision: DatedRevision): Codec {
  const structures = revision !== '2025-03-26';
  return {
    revision,
    list: (nextCursor) => ['{"tools":[', `]${nextCursorMember(nextCursor)}}`],
    call: (_tool, result) => {
      // These revisions have objects only (schema CallToolResult).
      const members = resultMembers(result, structures && isObject(result.structured?.value));
      const meta = result.ref === undefined ? '' : `,"_meta":{"${REF_META_KEY}":"${result.ref}"}`;
      return `{${members}${meta}}`;
    },
  };
}

/** The revision that `initialize` settles on (2025-11-25, basic/lifecycle, "Version Negotiation"). */
export function negotiate(requested: string): DatedRevision {
  return isDatedRevision(requested) ? requested : LATEST_DATED_REVISION;
}

/**
 * The result of `initialize`.
 *
 * @param listChanged whether the server tells of changes of the list, for which it needs a session
 */
export function initializeResult(
  protocolVersion: DatedRevision,
  identity: ServerIdentity,
  listChanged: boolean,
): string {
  const { name, version, title, icons, instructions } = identity;
  return JSON.stringify({
    protocolVersion,
    capabilities: { tools: listChanged ? { listChanged } : {} },
    serverInfo: {
      name,
      version,
      ...(title !== undefined && protocolVersion >= '2025-06-18' ? { title } : {}),
      ...(icons !== undefined && protocolVersion >= '2025-11-25' ? { icons } : {}),
    },
    instructions,
  });
}
