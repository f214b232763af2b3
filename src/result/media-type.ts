/** What becomes of a body in a result. */
export type BodyKind = 'json' | 'text' | 'image' | 'audio' | 'binary';

export interface MediaType {
  readonly kind: BodyKind;
  /** Type and subtype in lower case, without parameters. */
  readonly essence: string;
  /** The `charset` parameter in lower case. */
  readonly charset: string | undefined;
}

/** Types outside `text/*` that are text nevertheless. */
const TEXTUAL = new Set([
  'application/xml',
  'application/yaml',
  'application/x-ndjson',
  'application/javascript',
  'application/x-www-form-urlencoded',
  'application/graphql',
  'image/svg+xml',
]);

const known = new Map<string, MediaType>();

/** Reads a `Content-Type` (RFC 9110, section 8.3). An absent or unreadable one is `application/octet-stream`. */
export function readMediaType(contentType: string | undefined): MediaType {
  const header = contentType ?? '';
  const cached = known.get(header);
  if (cached !== undefined) return cached;
  const [type = '', ...parameters] = header.split(';');
  const essence = type.trim().toLowerCase() || 'application/octet-stream';
  const charset = parameters
    .map((parameter) => /^\s*charset="?([^"]*)"?\s*$/i.exec(parameter)?.[1])
    .find((value) => value !== undefined);
  const mediaType = { kind: kindOf(essence), essence, charset: charset?.toLowerCase() };
  // Applications send a handful of types; a generated one must not fill the memory.
  if (known.size < 256) known.set(header, mediaType);
  return mediaType;
}

function kindOf(essence: string): BodyKind {
  if (essence === 'application/json' || essence.endsWith('+json')) return 'json';
  if (essence.startsWith('text/') || TEXTUAL.has(essence) || essence.endsWith('+xml'))
    return 'text';
  if (essence.startsWith('image/')) return 'image';
  return essence.startsWith('audio/') ? 'audio' : 'binary';
}
