import { pipeline, type Readable, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';

/** The encodings that a request accepts. */
export const ACCEPTED_ENCODINGS = 'gzip, deflate, br';

/** A body that grew past its bound, before or after decompression. */
export class AnswerTooLargeError extends Error {}
/** A body whose encoding we did not ask for. */
export class AnswerEncodingError extends Error {}

/**
 * Reads a body, decompressed, up to a bound that is checked while it is read: a small body that unpacks into a large one
 * stops at the bound.
 *
 * @throws AnswerTooLargeError, AnswerEncodingError, and what the connection or the decompression throws
 */
export async function readAnswer(
  body: Readable,
  contentEncoding: string | undefined,
  maxBytes: number,
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of decompressed(body, contentEncoding)) {
    const bytes = chunk as Buffer;
    size += bytes.length;
    if (size > maxBytes) {
      body.destroy();
      throw new AnswerTooLargeError(`The answer is larger than ${maxBytes} bytes.`);
    }
    chunks.push(bytes);
  }
  return Buffer.concat(chunks);
}

function decompressed(body: Readable, contentEncoding: string | undefined): Readable {
  const decoder = decoderOf(contentEncoding?.trim().toLowerCase() ?? '');
  if (decoder === undefined) return body;
  // An error of either ends the decoder, whose reader throws it.
  return pipeline(body, decoder, () => undefined);
}

function decoderOf(encoding: string): Transform | undefined {
  switch (encoding) {
    case '':
    case 'identity':
      return undefined;
    case 'gzip':
    case 'x-gzip':
      return createGunzip();
    case 'deflate':
      return createInflate();
    case 'br':
      return createBrotliDecompress();
    default:
      throw new AnswerEncodingError('The answer is compressed in a way that was not asked for.');
  }
}
