import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { ProtectedResource } from './protected-resource.js';

const NAME = 'www-authenticate';

type WriteHead = (this: ServerResponse, status: number, ...rest: never[]) => ServerResponse;

/**
 * Gives a 401 of the endpoint its challenge, whoever writes it: a guard of its own or of the whole application, a middleware,
 * the application's exception filters. An own Bearer challenge of theirs gives way, since clients read one only, unless it
 * names a metadata document.
 */
export function challengeUnauthorized(
  request: IncomingMessage,
  response: ServerResponse,
  resource: ProtectedResource,
): void {
  // eslint-disable-next-line @typescript-eslint/unbound-method -- called with the response, whoever has wrapped it meanwhile
  const writeHead: WriteHead = response.writeHead;
  const patched: WriteHead = function (status, ...rest) {
    if (status !== 401) return writeHead.call(this, status, ...rest);
    const { headers, given } = withoutChallenge(rest.at(-1));
    const theirs = [given ?? this.getHeader(NAME) ?? []].flat().map(String);
    if (!theirs.some((value) => value.includes('resource_metadata='))) {
      const others = theirs.filter((value) => !/^bearer( |,|$)/i.test(value));
      this.setHeader(NAME, [resource.unauthorized(request), ...others]);
      return writeHead.call(this, status, ...rest.slice(0, -1), headers as never);
    }
    return writeHead.call(this, status, ...rest);
  };
  response.writeHead = patched;
}

/** Fastify hands all headers over here, where they would win over those that are set. */
function withoutChallenge(last: unknown): {
  headers: unknown;
  given: OutgoingHttpHeaders[string];
} {
  if (typeof last !== 'object' || last === null || Array.isArray(last)) {
    return { headers: last, given: undefined };
  }
  const headers = last as OutgoingHttpHeaders;
  const name = Object.keys(headers).find((key) => key.toLowerCase() === NAME);
  if (name === undefined) return { headers, given: undefined };
  const { [name]: given, ...others } = headers;
  return { headers: others, given };
}
