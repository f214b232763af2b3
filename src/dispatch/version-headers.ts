import { VERSION_NEUTRAL, VersioningType, type VersioningOptions } from '@nestjs/common';
import type { Route } from '../discovery/route.js';

/**
 * The headers that make the application's versioning choose a route.
 *
 * @returns names and values in turn, or a problem where a custom extractor decides
 */
export function versionHeaders(
  { versions }: Route,
  versioning: VersioningOptions | undefined,
): { readonly headers: readonly string[] } | { readonly problem: string } {
  const version = versions.find((candidate) => candidate !== VERSION_NEUTRAL);
  if (versioning === undefined || version === undefined || versions.includes(VERSION_NEUTRAL)) {
    return { headers: [] };
  }
  switch (versioning.type) {
    case VersioningType.URI:
      return { headers: [] };
    case VersioningType.HEADER:
      return { headers: [versioning.header.toLowerCase(), String(version)] };
    case VersioningType.MEDIA_TYPE:
      return { headers: ['accept', `application/json;${versioning.key}${String(version)}`] };
    default:
      return {
        problem:
          'its version is chosen by a custom extractor, for which a call cannot write a request. Use URI, header or media type versioning for routes that are tools, or make the route version-neutral.',
      };
  }
}
