import type { IncomingHttpHeaders } from 'node:http';
import { REF_META_KEY } from '../mcp.constants.js';
import {
  isObject,
  nextCursorMember,
  resultMembers,
  type Codec,
  type ServerIdentity,
} from './codec.js';
import { headerValueEquals } from './header-value.js';
import { JsonRpcErrorCode, type JsonRpcError } from './json-rpc-error.js';
import type { RequestMessage } from './message.js';
import { checkParamHeaders } from './param-headers.js';
import { MODERN_REVISION } from './revision.js';

const PROTOCOL_VERSION = 'io.modelcontextprotocol/protocolVersion';
const CLIENT_CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';
const SERVER_INFO = 'io.modelcontextprotocol/serverInfo';

/** How long and by whom a list may be kept (2026-07-28, server/utilities/caching). */
export interface ListCaching {
  readonly ttlMs: number;
  readonly cacheScope: 'private' | 'public';
}

/** The member of `_meta` that says who answers, which every result of 2026-07-28 carries. As JSON text. */
export function serverInfoMember({ name, version, title, icons }: ServerIdentity): string {
  return `"${SERVER_INFO}":${JSON.stringify({ name, version, title, icons })}`;
}

/** How 2026-07-28 writes results. */
export function modernCodec(identity: ServerIdentity, caching: ListCaching): Codec {
  const serverInfo = serverInfoMember(identity);
  const cached = `"ttlMs":${caching.ttlMs},"cacheScope":"${caching.cacheScope}"`;
  return {
    revision: MODERN_REVISION,
    list: (nextCursor) => [
      '{"resultType":"complete","tools":[',
      `]${nextCursorMember(nextCursor)},${cached},"_meta":{${serverInfo}}}`,
    ],
    checkHeaders: ({ headers = [] }, args, given) => checkParamHeaders(headers, args, given),
    call: (_tool, result) => {
      const ref = result.ref === undefined ? '' : `,"${REF_META_KEY}":"${result.ref}"`;
      return `{"resultType":"complete",${resultMembers(result, true)},"_meta":{${serverInfo}${ref}}}`;
    },
  };
}

/** The result of `server/discover` (2026-07-28, server/discover). */
export function discoverResult(
  identity: ServerIdentity,
  { ttlMs, cacheScope }: ListCaching,
): string {
  const supportedVersions = JSON.stringify([MODERN_REVISION]);
  const instructions = JSON.stringify(identity.instructions);
  return `{"resultType":"complete","supportedVersions":${supportedVersions},"capabilities":{"tools":{"listChanged":true}},"instructions":${instructions},"ttlMs":${ttlMs},"cacheScope":"${cacheScope}","_meta":{${serverInfoMember(identity)}}}`;
}

/** @returns the revision that a message's `_meta` names, of any type, `undefined` when it names none */
export function modernVersionOf(params: Record<string, unknown> | undefined): unknown {
  const meta = params?.['_meta'];
  return isObject(meta) ? meta[PROTOCOL_VERSION] : undefined;
}

/** @returns what a request says that its client can do */
export function clientCapabilitiesOf(
  params: Record<string, unknown> | undefined,
): Readonly<Record<string, unknown>> {
  const meta = params?.['_meta'];
  const capabilities = isObject(meta) ? meta[CLIENT_CAPABILITIES] : undefined;
  return isObject(capabilities) ? capabilities : {};
}

/**
 * Checks what 2026-07-28 wants of every request (basic/index, "_meta"; basic/transports/streamable-http, "Request Metadata").
 *
 * @returns the error that answers it with status 400, `undefined` when the request is in order
 */
export function checkModernRequest(
  { method, params }: RequestMessage,
  headers: IncomingHttpHeaders,
): JsonRpcError | undefined {
  const version = modernVersionOf(params);
  const header = headers['mcp-protocol-version'];
  if (typeof version !== 'string') {
    return invalidParams(`params._meta must name the protocol version under "${PROTOCOL_VERSION}"`);
  }
  if (header !== version) {
    return mismatch(`the header MCP-Protocol-Version must be the version in _meta, "${version}"`);
  }
  if (version !== MODERN_REVISION) return unsupportedVersion(version);
  const meta = params?.['_meta'] as Record<string, unknown>;
  if (!isObject(meta[CLIENT_CAPABILITIES])) {
    return invalidParams(
      `params._meta must hold the client's capabilities under "${CLIENT_CAPABILITIES}"`,
    );
  }
  if (!matches(headers['mcp-method'], method))
    return mismatch('the header Mcp-Method must be the method');
  const name = params?.['name'];
  if (method === 'tools/call' && typeof name === 'string' && !matches(headers['mcp-name'], name)) {
    return mismatch('the header Mcp-Name must be params.name');
  }
  return undefined;
}

function matches(header: string | string[] | undefined, value: string): boolean {
  return typeof header === 'string' && headerValueEquals(header, value);
}

function invalidParams(message: string): JsonRpcError {
  return { code: JsonRpcErrorCode.InvalidParams, message };
}

function mismatch(message: string): JsonRpcError {
  return { code: JsonRpcErrorCode.HeaderMismatch, message };
}

function unsupportedVersion(requested: unknown): JsonRpcError {
  return {
    code: JsonRpcErrorCode.UnsupportedProtocolVersion,
    message: `This server speaks ${MODERN_REVISION}.`,
    data: {
      supported: [MODERN_REVISION],
      requested: typeof requested === 'string' ? requested : '',
    },
  };
}
