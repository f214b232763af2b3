import { VERSION_NEUTRAL, VersioningType, type VersioningOptions } from '@nestjs/common';
import type { Route } from '../discovery/route.js';
import { FIELD_VALUE_RULE, isFieldValue, isToken } from './header-syntax.js';
import { FRAMING } from './write-request.js';

/** The headers that choose a route's version, as the application's author gives them: `{ 'x-api-version': '2' }`. */
export type HeadersOfVersion = (route: Route) => Readonly<Record<string, string>>;

type Verdict = { readonly headers: readonly string[] } | { readonly problem: string };

/**
 * The headers that make the application's versioning choose a route.
 *
 * @param own the option `versionHeaders`, asked where a custom extractor decides
 * @returns names in lower case and values in turn, or a problem where no header can choose the route
 */
export function versionHeaders(
  route: Route,
  versioning: VersioningOptions | undefined,
  own: HeadersOfVersion | undefined,
): Verdict {
  const { versions } = route;
  const version = versions.find((candidate) => candidate !== VERSION_NEUTRAL);
  if (versioning === undefined || version === undefined || versions.includes(VERSION_NEUTRAL)) {
    return { headers: [] };
  }
  switch (versioning.type) {
    case VersioningType.URI:
      return { headers: [] };
    case VersioningType.HEADER:
      return checked([[versioning.header, String(version)]]);
    case VersioningType.MEDIA_TYPE:
      return checked([['accept', mediaRange(versioning.key, String(version))]]);
    default:
      return customHeaders(route, own);
  }
}

/** RFC 9110, section 5.6.6: a parameter's value is a token, or quoted. */
function mediaRange(key: string, version: string): string {
  const value = isToken(version) ? version : `"${version.replace(/["\\]/g, '\\$&')}"`;
  return `application/json;${key}${value}`;
}

function customHeaders(route: Route, own: HeadersOfVersion | undefined): Verdict {
  if (own === undefined) {
    return {
      problem:
        "its version is chosen by a custom extractor. Say in the option versionHeaders which headers make it choose this route, such as (route) => ({ 'x-api-version': '2' }), or make the route version-neutral.",
    };
  }
  let given: unknown;
  try {
    given = own(route);
  } catch (error) {
    return {
      problem: `the option versionHeaders threw ${String(error)}. Make it return the headers that choose the route's version.`,
    };
  }
  if (typeof given !== 'object' || given === null) {
    return {
      problem: `the option versionHeaders gave ${String(given)}. Make it return an object of headers, such as { 'x-api-version': '2' }.`,
    };
  }
  return checked(Object.entries(given));
}

function checked(entries: readonly (readonly [string, unknown])[]): Verdict {
  const headers: string[] = [];
  for (const [given, value] of entries) {
    const name = given.toLowerCase();
    if (!isToken(name) || FRAMING.has(name)) {
      return { problem: `the header "${name}" cannot choose its version: no call can write it.` };
    }
    if (typeof value !== 'string' || !isFieldValue(value)) {
      return {
        problem: `the header "${name}" cannot choose its version: its value ${FIELD_VALUE_RULE}.`,
      };
    }
    headers.push(name, value);
  }
  return { headers };
}
