import { REF_META_KEY } from '../mcp.constants.js';
import { isObject, resultMembers, type Codec, type ServerIdentity } from './codec.js';
import { isDatedRevision, LATEST_DATED_REVISION, type DatedRevision } from './revision.js';

/** How 2025-03-26, 2025-06-18 and 2025-11-25 write results. */
export function datedCodec(revision: DatedRevision): Codec {
  const structures = revision !== '2025-03-26';
  return {
    revision,
    list: (tools, nextCursor) =>
      `{"tools":[${tools.join(',')}]${nextCursor === undefined ? '' : `,"nextCursor":${JSON.stringify(nextCursor)}`}}`,
    call: (_tool, result) => {
      // These revisions have objects only (schema CallToolResult).
      const members = resultMembers(result, structures && isObject(result.structured?.value));
      const meta = result.ref === undefined ? '' : `,"_meta":{"${REF_META_KEY}":"${result.ref}"}`;
      return `{${members}${meta}}`;
    },
  };
}

/**
 * The result of `initialize` (2025-11-25, basic/lifecycle, "Version Negotiation"): the revision asked for when it is known,
 * else the latest of its kind.
 */
export function initializeResult(requested: string, identity: ServerIdentity): string {
  const protocolVersion = isDatedRevision(requested) ? requested : LATEST_DATED_REVISION;
  const { name, version, title, icons, instructions } = identity;
  return JSON.stringify({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: {
      name,
      version,
      ...(title !== undefined && protocolVersion >= '2025-06-18' ? { title } : {}),
      ...(icons !== undefined && protocolVersion >= '2025-11-25' ? { icons } : {}),
    },
    instructions,
  });
}
