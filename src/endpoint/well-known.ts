import type { IncomingMessage, ServerResponse } from 'node:http';
import { WELL_KNOWN, type ProtectedResource } from './protected-resource.js';

/** How long a client may keep the metadata, in seconds. */
const MAX_AGE = 5 * 60;

/**
 * Answers with the metadata document of a protected resource: at the path that its URL makes, and that of the first at the
 * root (RFC 9728, section 3.1). Every page may read it, since a client in a page has nothing but the endpoint's URL to begin with.
 *
 * @param path of the request, without a query
 * @returns whether it was answered
 */
export function serveMetadata(
  path: string,
  request: IncomingMessage,
  response: ServerResponse,
  resources: readonly ProtectedResource[],
): boolean {
  const place = path.endsWith('/') ? path.slice(0, -1) : path;
  const found =
    resources.find(({ metadataPath }) => metadataPath === place) ??
    (place === WELL_KNOWN ? resources[0] : undefined);
  if (found === undefined) return false;
  response.setHeader('Access-Control-Allow-Origin', '*');
  switch (request.method) {
    case 'OPTIONS':
      response.setHeader('Access-Control-Allow-Methods', 'GET, HEAD');
      response.setHeader('Access-Control-Allow-Headers', '*');
      response.statusCode = 204;
      response.end();
      break;
    case 'GET':
    case 'HEAD':
      response.setHeader('Content-Type', 'application/json');
      response.setHeader('Cache-Control', `public, max-age=${MAX_AGE}`);
      response.setHeader('Content-Length', Buffer.byteLength(found.metadata));
      response.end(found.metadata);
      break;
    default:
      response.setHeader('Allow', 'GET, HEAD, OPTIONS');
      response.statusCode = 405;
      response.end();
  }
  return true;
}

/** @returns whether a request target can be that of a metadata document: most cannot, and are not looked at further */
export function mayBeMetadata(url: string | undefined): boolean {
  return url?.startsWith(WELL_KNOWN) === true;
}
