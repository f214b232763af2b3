import type { IncomingMessage } from 'node:http';
import type { ResolvedOptions } from '../mcp.options.js';

/**
 * The headers of the MCP request that every call carries over: where it came from, who calls, and what traces belong
 * together. `Host` and the proxy headers go along so that the application's own trust-proxy rule decides on them.
 */
const ALWAYS = [
  'host',
  'forwarded',
  'x-request-id',
  'traceparent',
  'tracestate',
  'authorization',
  'user-agent',
  'accept-language',
];

/**
 * Appends the carried-over headers of the MCP request to the raw headers of a call's request. A header that the call wrote
 * itself (an argument, a version) stays as it is: Node would join two of a name to one that neither side meant.
 *
 * @param rawHeaders names and values in turn, as in `IncomingMessage.rawHeaders`
 */
export type CarryOver = (outer: IncomingMessage, rawHeaders: string[]) => void;

/** Everything that is not on the list stays behind, above all `Origin`, `Sec-Fetch-*`, `Content-*` and cookies. */
export function compileCarryOver({ forwardHeaders, forwardCookies }: ResolvedOptions): CarryOver {
  const carried = new Set([...ALWAYS, ...forwardHeaders]);
  const cookies = new Set(forwardCookies);
  return (outer, rawHeaders) => {
    const raw = outer.rawHeaders;
    const written = rawHeaders.length;
    for (let i = 0; i + 1 < raw.length; i += 2) {
      const name = (raw[i] as string).toLowerCase();
      const value = raw[i + 1] as string;
      if (carried.has(name) || name.startsWith('x-forwarded-')) {
        if (!hasName(rawHeaders, name, written)) rawHeaders.push(name, value);
      } else if (name === 'cookie' && cookies.size > 0) pushCookies(value, cookies, rawHeaders);
    }
  };
}

function hasName(rawHeaders: readonly string[], name: string, end: number): boolean {
  for (let i = 0; i < end; i += 2) if (rawHeaders[i] === name) return true;
  return false;
}

/** RFC 6265, section 5.4: pairs of name and value, separated by `; `. */
function pushCookies(value: string, names: ReadonlySet<string>, rawHeaders: string[]): void {
  const kept = value
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => names.has(pair.slice(0, Math.max(0, pair.indexOf('=')))));
  if (kept.length > 0) rawHeaders.push('cookie', kept.join('; '));
}
