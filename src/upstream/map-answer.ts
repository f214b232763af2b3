import { randomUUID } from 'node:crypto';
import { readMediaType } from '../result/media-type.js';
import { isChanged } from '../protocol/json-number.js';
import { readJson } from '../protocol/strict-json.js';
import type { Mapper } from './mapping.js';

/** What an upstream answered, read to its end. */
export interface UpstreamAnswer {
  readonly status: number;
  /** Names in lower case; of a header that stands several times, the values with commas between them. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

const MAX_DEPTH = 500;
const STRING_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g;
/** A longer number is noise, and slow to look at. */
const MAX_NUMBER = 1_000;

/** Makes the JSON text of a mapped result; `undefined` after a problem. */
export function mapAnswer(
  map: Mapper,
  { status, headers, body }: UpstreamAnswer,
  problems: string[],
): Buffer | undefined {
  const read = body.length === 0 ? undefined : readBody(headers['content-type'], body, problems);
  if (problems.length > 0) return undefined;
  const value = map({ status, headers, ...(read && { body: read.value }) }, problems);
  if (problems.length > 0) return undefined;
  if (value === undefined) {
    problems.push('the answer holds nothing of what the result is made of');
    return undefined;
  }
  return Buffer.from(read?.restore(JSON.stringify(value)) ?? JSON.stringify(value));
}

interface ReadBody {
  readonly value: unknown;
  /** Puts the numbers that JSON.parse would change back in, as the upstream wrote them. */
  readonly restore: (text: string) => string;
}

function readBody(
  contentType: string | undefined,
  bytes: Buffer,
  problems: string[],
): ReadBody | undefined {
  if (readMediaType(contentType).kind !== 'json') {
    problems.push(`the answer is ${contentType ?? 'of no media type'}, not JSON`);
    return undefined;
  }
  const { text, restore } = keepNumbers(bytes.toString('utf8').replace(/^\ufeff/, ''));
  const json = readJson(Buffer.from(text), { maxDepth: MAX_DEPTH });
  if (json.ok) return { value: json.value, restore };
  problems.push(`the answer cannot be read: ${json.message}`);
  return undefined;
}

/** 9007199254740993 is another number to JSON.parse: each such one is a mark for the time of the mapping. */
function keepNumbers(json: string): Pick<ReadBody, 'restore'> & { readonly text: string } {
  const id = randomUUID();
  const kept: string[] = [];
  const text = json.replace(STRING_OR_NUMBER, (token) => {
    const isKept = !token.startsWith('"') && token.length <= MAX_NUMBER && isChanged(token);
    return isKept ? `"${id}:${kept.push(token) - 1}"` : token;
  });
  if (kept.length === 0) return { text, restore: (written) => written };
  const mark = new RegExp(`"${id}:(\\d+)"`, 'g');
  const restore = (written: string) =>
    written.replace(mark, (_, index: string) => kept[Number(index)] as string);
  return { text, restore };
}
