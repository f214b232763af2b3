import { scopesProblem } from './mcp.scopes.js';
import { show } from './mcp.options.show.js';

/** The endpoint as an OAuth protected resource (RFC 9728): what clients that know nothing but its URL sign in with. */
export interface McpResourceOptions {
  /**
   * The endpoint's URL as clients give it, which is the audience of its tokens (RFC 8707). Never taken from a `Host` header,
   * so it is right behind a proxy that ends TLS.
   */
  readonly url: string;
  /** The issuer URLs of the authorization servers whose tokens the guards take, one at the least. */
  readonly authorizationServers: readonly string[];
  /** What every request to the endpoint needs. Default: none. */
  readonly scopes?: readonly string[];
  /** The resource's name for people. Default: the option `title`. */
  readonly name?: string;
  /** A page for developers. */
  readonly documentation?: string;
  /**
   * What the caller was granted, of the framework's request as the guards left it. Default: `scopes`, `scope` or `scp` of
   * `request.auth`, else of `request.user`; a string of them is separated by spaces.
   */
  readonly scopesOf?: (request: object) => readonly string[];
}

/** The options of a resource with every default in place but the name. */
export type ResolvedResource = Required<Pick<McpResourceOptions, 'scopes'>> & McpResourceOptions;

const MEMBERS = ['url', 'authorizationServers', 'scopes', 'name', 'documentation', 'scopesOf'];

/** Lays the options of a resource over their defaults, and gives a sentence for each bad one. */
export function resolveResource(
  given: unknown,
  stepUp: boolean,
): { resource: ResolvedResource | undefined; problems: string[] } {
  if (given === undefined) {
    const problem =
      'option stepUp: it is true, but there is no resource whose metadata a challenge could name. Give the option resource.';
    return { resource: undefined, problems: stepUp ? [problem] : [] };
  }
  if (typeof given !== 'object' || given === null) {
    const problem = `option resource: ${show(given)} is not an object. Give { url, authorizationServers }.`;
    return { resource: undefined, problems: [problem] };
  }
  const members = given as Partial<Record<string, unknown>>;
  const names = new Set(['url', 'authorizationServers', ...Object.keys(members)]);
  const problems = [...names].flatMap((name) => {
    const problem = memberProblem(name, members[name]);
    return problem === undefined ? [] : [`option resource.${name}: ${problem}`];
  });
  const resource = {
    ...(given as McpResourceOptions),
    scopes: (members['scopes'] ?? []) as string[],
  };
  return { resource: problems.length === 0 ? resource : undefined, problems };
}

function memberProblem(name: string, value: unknown): string | undefined {
  if (name === 'url') return urlProblem(value);
  if (name === 'authorizationServers') return serversProblem(value);
  if (!MEMBERS.includes(name)) return `there is no such option. There are: ${MEMBERS.join(', ')}.`;
  if (value === undefined) return undefined;
  switch (name) {
    case 'scopes':
      return scopesProblem(value);
    case 'scopesOf':
      return typeof value === 'function'
        ? undefined
        : `${show(value)} is not a function. Give one.`;
    case 'name':
      return typeof value === 'string' && value !== ''
        ? undefined
        : `${show(value)} is not a text.`;
    default:
      return typeof value === 'string' && /^https?:\/\/./.test(value) && URL.canParse(value)
        ? undefined
        : `${show(value)} is not the URL of a page.`;
  }
}

/**
 * RFC 8707, section 2: an absolute URI without a fragment; clients compare it with the URL that they were given, as a string
 * in its canonical form and without a slash at the end (2025-11-25, basic/authorization, "Canonical Server URI").
 */
function urlProblem(value: unknown): string | undefined {
  const problem = `${show(value)} is not the URL of the endpoint. Give it as clients do, like 'https://api.example.com/mcp'`;
  if (typeof value !== 'string' || !URL.canParse(value)) return `${problem}.`;
  const { href, pathname } = new URL(value);
  if (!isSecure(value)) return `${problem}: https, or http on a loopback address.`;
  if (hasMore(value)) return `${problem}, without user, query and fragment.`;
  if (value !== href && `${value}/` !== href)
    return `${problem}, in its canonical form ${show(href)}.`;
  return pathname.length > 1 && pathname.endsWith('/')
    ? `${problem}, without a slash at the end.`
    : undefined;
}

/** RFC 8414, section 2: an issuer is an https URL without query and fragment. */
function serversProblem(value: unknown): string | undefined {
  const advice = "Give the issuer URLs, like ['https://login.example.com'].";
  if (!Array.isArray(value) || value.length === 0) {
    return `${show(value)} is not a list of one or more authorization servers. ${advice}`;
  }
  const wrong = value.findIndex((one) => typeof one !== 'string' || !isIssuer(one));
  return wrong < 0
    ? undefined
    : `it has ${show(value[wrong])}, which is not an issuer: https (or http on a loopback address) without query and fragment. ${advice}`;
}

function isIssuer(value: string): boolean {
  return URL.canParse(value) && isSecure(value) && !hasMore(value);
}

/** A token must not travel in the clear, except within a developer's machine. */
function isSecure(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return (
    protocol === 'https:' ||
    (protocol === 'http:' && /^(localhost|\[::1\]|127(\.\d+){3})$/.test(hostname))
  );
}

function hasMore(url: string): boolean {
  const { username, password } = new URL(url);
  return username !== '' || password !== '' || url.includes('?') || url.includes('#');
}
