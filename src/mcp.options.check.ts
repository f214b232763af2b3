import { resolveResource } from './mcp.options.resource.js';
import { resolveSessions } from './mcp.options.sessions.js';
import { show } from './mcp.options.show.js';
import {
  DEFAULTS,
  MOUNT_OPTIONS,
  type McpModuleOptions,
  type ResolvedOptions,
} from './mcp.options.js';

/** The whole-number options and their ranges, both ends included. */
const RANGES = {
  maxRequestBytes: [1024, 1024 ** 3],
  maxResultBytes: [1024, 1024 ** 3],
  maxDepth: [8, 1000],
  callTimeoutMs: [1, 24 * 3_600_000],
  maxConcurrentCalls: [1, 1_000_000],
  shutdownGraceMs: [0, 3_600_000],
  pageSize: [1, 10_000],
  listTtlMs: [0, 365 * 24 * 3_600_000],
  streamAfterMs: [0, 24 * 3_600_000],
} as const satisfies Partial<Record<keyof McpModuleOptions, readonly [number, number]>>;

/** The options that take one of a few words. */
const CHOICES = {
  arguments: ['grouped', 'flat'],
  listScope: ['private', 'public'],
} as const satisfies Partial<Record<keyof McpModuleOptions, readonly string[]>>;

const TEXTS = ['name', 'version', 'title', 'instructions', 'path'] as const;
const TEXT_LISTS = [
  'tags',
  'forwardHeaders',
  'forwardCookies',
  'allowedHosts',
  'allowedOrigins',
] as const;
const FUNCTIONS = ['include', 'allowOrigin', 'versionHeaders'] as const;
/** Checked member by member. */
const NESTED: readonly string[] = ['sessions', 'resource'];
const MOUNT_ONLY: readonly string[] = MOUNT_OPTIONS.filter((name) => name !== 'path');

/** RFC 9110, section 5.6.2: a token. */
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/**
 * Lays the options over the defaults and checks each one.
 *
 * @returns the frozen options, and a sentence for each bad one that names the option, the value and the range; a bad
 *   option has its default, so that everything else can still be checked
 */
export function resolveOptions(given: McpModuleOptions): {
  options: ResolvedOptions;
  problems: string[];
} {
  const problems: string[] = [];
  const resolved: Record<string, unknown> = { ...DEFAULTS };
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined || NESTED.includes(name) || MOUNT_ONLY.includes(name)) continue;
    const expected = Object.hasOwn(DEFAULTS, name) ? expectation(name, value) : unknownOption();
    if (expected === undefined) resolved[name] = normalized(name, value);
    else problems.push(`option ${name}: ${shown(name, value)} ${expected}`);
  }
  const { sessions, problems: more } = resolveSessions(given.sessions ?? DEFAULTS.sessions);
  const { resource, problems: others } = resolveResource(
    given.resource,
    resolved['stepUp'] === true,
  );
  Object.assign(resolved, { sessions, resource });
  problems.push(...more, ...others);
  return { options: Object.freeze(resolved) as unknown as ResolvedOptions, problems };
}

/** A secret does not belong in a log, not even one that is too short. */
function shown(name: string, value: unknown): string {
  return name === 'secret' && typeof value === 'string'
    ? `a string of ${value.length} characters`
    : show(value);
}

function unknownOption(): string {
  return `is given to an option that does not exist. The options are: ${[...Object.keys(DEFAULTS), ...MOUNT_ONLY].join(', ')}.`;
}

/** What the value should have been, `undefined` when it is right. */
function expectation(name: string, value: unknown): string | undefined {
  if (name in RANGES) return rangeExpectation(name as keyof typeof RANGES, value);
  if (name in CHOICES) return choiceExpectation(CHOICES[name as keyof typeof CHOICES], value);
  if (isOneOf(TEXTS, name)) return textExpectation(name, value);
  if (isOneOf(TEXT_LISTS, name)) return listExpectation(name, value);
  if (isOneOf(FUNCTIONS, name)) {
    return typeof value === 'function'
      ? undefined
      : 'is not a function. Give one, or leave it out.';
  }
  if (name === 'secret') {
    return typeof value === 'string' && value.length >= 16
      ? undefined
      : 'is not a string of at least 16 characters. Give a longer secret, the same for every instance.';
  }
  return policyExpectation(name, value);
}

function policyExpectation(name: string, value: unknown): string | undefined {
  switch (name) {
    case 'observer':
      return implementationExpectation(value, 'observe', 'McpObserver');
    case 'responseGuard':
      return implementationExpectation(value, 'check', 'McpResponseGuard');
    case 'observeArguments':
      return redactionExpectation(value);
    case 'securitySchemes':
      return schemesExpectation(value);
    case 'recheck':
    case 'stepUp':
    case 'requireResponseGuard':
      return typeof value === 'boolean'
        ? undefined
        : 'is neither true nor false. Give one of them.';
    default:
      if (!Array.isArray(value)) return 'is not a list. Give an array, or leave it out.';
      return name === 'icons' ? iconsExpectation(value) : undefined;
  }
}

/** OpenAPI 3.1, Security Scheme Object: `in` and `name` are required of an API key. */
function schemesExpectation(value: unknown): string | undefined {
  const schemes = typeof value === 'object' && value !== null ? Object.values(value) : [null];
  const areSchemes = schemes.every((scheme) => {
    const { type, in: place, name, $ref } = (scheme ?? {}) as Record<string, unknown>;
    const isPlaced = ['header', 'query', 'cookie'].includes(String(place));
    return type === 'apiKey'
      ? isPlaced && typeof name === 'string' && name !== ''
      : typeof (type ?? $ref) === 'string';
  });
  return areSchemes
    ? undefined
    : "is not an object of OpenAPI security schemes, like { key: { type: 'apiKey', in: 'header', name: 'x-api-key' } }. Give the components.securitySchemes of the swagger document.";
}

function implementationExpectation(
  value: unknown,
  method: string,
  base: string,
): string | undefined {
  if (typeof value === 'function') return undefined;
  const implemented = (value as Record<string, unknown> | null)?.[method];
  return typeof implemented === 'function'
    ? undefined
    : `is neither a class nor an object with ${method}(). Extend ${base}.`;
}

function redactionExpectation(value: unknown): string | undefined {
  const redact = (value as { redact?: unknown } | null)?.redact;
  const names = Array.isArray(redact) && redact.every((item) => typeof item === 'string');
  return value === false || names
    ? undefined
    : 'is neither false nor { redact: [...] }. Name the members that nobody may see; an empty list blackens nothing.';
}

/** Specification 2025-11-25, schema `Icon`; `javascript:` and the like are never let through. */
function iconsExpectation(icons: readonly unknown[]): string | undefined {
  const wrong = icons.find((icon) => !isIcon(icon));
  if (icons.every(isIcon)) return undefined;
  return `has ${show(wrong)}, which is not an icon: an object with src (an https: or data: URI) and, if need be, mimeType, sizes (a list of 'WxH' or 'any') and theme ('light' or 'dark').`;
}

function isIcon(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { src, mimeType, sizes, theme } = value as Record<string, unknown>;
  return (
    typeof src === 'string' &&
    /^(https:\/\/|data:)./i.test(src) &&
    (mimeType === undefined || typeof mimeType === 'string') &&
    (sizes === undefined ||
      (Array.isArray(sizes) && sizes.every((size) => /^(\d+x\d+|any)$/.test(String(size))))) &&
    (theme === undefined || theme === 'light' || theme === 'dark')
  );
}

function rangeExpectation(name: keyof typeof RANGES, value: unknown): string | undefined {
  const [least, most] = RANGES[name];
  if (Number.isInteger(value) && Number(value) >= least && Number(value) <= most) return undefined;
  return `is not an integer from ${least} to ${most}. Give a number in that range, or leave it out for ${DEFAULTS[name] ?? 'no bound'}.`;
}

function choiceExpectation(choices: readonly string[], value: unknown): string | undefined {
  if (choices.includes(value as string)) return undefined;
  return `is none of ${choices.map((choice) => `'${choice}'`).join(', ')}. Give one of them, or leave it out.`;
}

/** Segments without parameters. A client would resolve the segments `.` and `..` before it asks. */
export function isPlainPath(value: unknown): value is string {
  const plain = /^\/?(?!\.\.?(\/|$))[A-Za-z0-9._~-]+(\/(?!\.\.?(\/|$))[A-Za-z0-9._~-]+)*$/;
  return typeof value === 'string' && plain.test(value);
}

function textExpectation(name: string, value: unknown): string | undefined {
  if (typeof value !== 'string') return 'is not a string. Give one, or leave it out.';
  if (name === 'path' && !isPlainPath(value)) {
    return "is not a path of plain segments. Give one like 'mcp' or 'agents/mcp', without parameters.";
  }
  return undefined;
}

function listExpectation(name: (typeof TEXT_LISTS)[number], value: unknown): string | undefined {
  if (!Array.isArray(value) || value.some((item) => typeof item !== 'string' || item === '')) {
    return 'is not a list of non-empty strings. Give an array of strings, or leave it out.';
  }
  const wrong = (value as string[]).find((item) => itemProblem(name, item) !== undefined);
  return wrong === undefined ? undefined : itemProblem(name, wrong);
}

function itemProblem(name: (typeof TEXT_LISTS)[number], item: string): string | undefined {
  switch (name) {
    case 'allowedOrigins':
      return originProblem(item);
    case 'allowedHosts':
      return /^(\[[0-9a-fA-F:.]+\]|[A-Za-z0-9.-]+)$/.test(item)
        ? undefined
        : `has ${show(item)}, which is not a host name without scheme and port, like 'api.example.com'.`;
    case 'forwardHeaders':
      return forwardHeaderProblem(item);
    case 'forwardCookies':
      return TOKEN.test(item) ? undefined : `has ${show(item)}, which is not a cookie name.`;
    default:
      return undefined;
  }
}

function originProblem(origin: string): string | undefined {
  if (origin === '*' || origin === 'null') {
    return `has ${show(origin)}, which would let any page call the endpoint. List the origins, or decide in allowOrigin.`;
  }
  const isOrigin = URL.canParse(origin) && new URL(origin).origin === origin;
  if (isOrigin && !origin.includes('*')) return undefined;
  return `has ${show(origin)}, which is not an origin like 'https://inspector.example.com' (scheme, host, port; no path, no trailing slash).`;
}

/** Headers that belong to one request on one connection, or that would let a browser's context into the call. */
const NEVER_FORWARDED =
  /^(origin|host|connection|cookie|expect|upgrade|te|trailer|transfer-encoding|accept|accept-encoding|keep-alive|content-.*|sec-.*|proxy-.*|mcp-.*)$/;

function forwardHeaderProblem(header: string): string | undefined {
  if (!TOKEN.test(header)) return `has ${show(header)}, which is not a header name.`;
  if (!NEVER_FORWARDED.test(header.toLowerCase())) return undefined;
  return `has ${show(header)}, which a call writes itself or never carries over. Leave it out${header.toLowerCase() === 'cookie' ? ' and name cookies in forwardCookies' : ''}.`;
}

function normalized(name: string, value: unknown): unknown {
  if (name === 'forwardHeaders' || name === 'allowedHosts') {
    return (value as string[]).map((item) => item.toLowerCase());
  }
  return name === 'path' ? (value as string).replace(/^\//, '') : value;
}

function isOneOf<T extends string>(names: readonly T[], name: string): name is T {
  return (names as readonly string[]).includes(name);
}
