import { brotliDecompress, gunzip, inflate } from 'node:zlib';

type Decoder = (
  body: Buffer,
  options: { readonly maxOutputLength: number },
  done: (error: Error | null, decoded: Buffer) => void,
) => void;

/** RFC 9110, section 8.4.1, and RFC 7932. */
const DECODERS: Readonly<Record<string, Decoder>> = {
  gzip: gunzip,
  'x-gzip': gunzip,
  deflate: inflate,
  br: brotliDecompress,
};

/** A body without its content codings, or why there is none. */
export type DecodedBody =
  | { readonly kind: 'decoded'; readonly body: Buffer }
  | { readonly kind: 'too-large' }
  | { readonly kind: 'unreadable'; readonly error: Error };

/** The codings of a `Content-Encoding`, in the order in which they were applied. */
export function contentCodings(contentEncoding: string | undefined): readonly string[] {
  if (contentEncoding === undefined) return [];
  const codings = contentEncoding.split(',').map((coding) => coding.trim().toLowerCase());
  return codings.filter((coding) => coding !== '' && coding !== 'identity');
}

/**
 * Takes the content codings off a body: a call asks for none, and some routes compress all the same.
 *
 * @param limit how large the body may become, in bytes; a few compressed ones can be many
 */
export function decodeBody(
  body: Buffer,
  codings: readonly string[],
  limit: number,
  done: (decoded: DecodedBody) => void,
): void {
  const coding = codings.at(-1);
  if (coding === undefined) return done({ kind: 'decoded', body });
  const decode = Object.hasOwn(DECODERS, coding) ? DECODERS[coding] : undefined;
  if (decode === undefined || codings.length > 4) {
    const error = new Error(`The content encoding ${codings.join(', ')} cannot be read.`);
    return done({ kind: 'unreadable', error });
  }
  decode(body, { maxOutputLength: limit }, (error, decoded) => {
    if (error === null) return decodeBody(decoded, codings.slice(0, -1), limit, done);
    const isTooLarge = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
    return done(isTooLarge ? { kind: 'too-large' } : { kind: 'unreadable', error });
  });
}
