/** A part of a multipart body. */
export interface BodyPart {
  readonly contentType: string | undefined;
  readonly body: Buffer;
}

/** More than any person would put into one answer: beyond it a body of tiny parts would grow many times over. */
const MAX_PARTS = 64;

/** RFC 2046, section 5.1.1: a boundary, in quotes or not. */
const BOUNDARY = /;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i;

/**
 * Takes a multipart body apart (RFC 2046, section 5.1). Line breaks are CR LF, as in every HTTP body.
 *
 * @returns `undefined` for a body that is not one, and for one of more than 64 parts
 */
export function readMultipart(body: Buffer, contentType: string): readonly BodyPart[] | undefined {
  const [, quoted, plain] = BOUNDARY.exec(contentType) ?? [];
  const boundary = quoted ?? plain;
  if (boundary === undefined) return undefined;
  const delimiter = `\r\n--${boundary}`;
  // The first delimiter may stand at the very beginning, where no line ends before it.
  const text = Buffer.concat([Buffer.from('\r\n'), body]);
  const parts: BodyPart[] = [];
  let at = text.indexOf(delimiter);
  while (at !== -1) {
    const start = at + delimiter.length;
    if (text.toString('latin1', start, start + 2) === '--') return parts;
    const end = text.indexOf(delimiter, start);
    const part = end === -1 ? undefined : readPart(text.subarray(start, end));
    if (part === undefined || parts.length === MAX_PARTS) return undefined;
    parts.push(part);
    at = end;
  }
  return undefined;
}

/** @param bytes from behind the delimiter: white space, a line break, headers, an empty line and the body */
function readPart(bytes: Buffer): BodyPart | undefined {
  const headEnd = bytes.indexOf('\r\n\r\n');
  if (headEnd === -1) return undefined;
  const [padding = '', ...lines] = bytes.toString('latin1', 0, headEnd).split('\r\n');
  if (padding.trim() !== '') return undefined;
  const contentType = lines
    .map((line) => /^content-type:\s*(.*?)\s*$/i.exec(line)?.[1])
    .find((value) => value !== undefined);
  return { contentType: contentType ?? 'text/plain', body: bytes.subarray(headEnd + 4) };
}
