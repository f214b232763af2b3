import { hasLoneSurrogate } from './argument-text.js';

/** `.` and `..` between separators, of which `\` is one to some readers of a URL (WHATWG URL, section 4.4). */
const DOT_SEGMENT = /(?:^|[/\\])\.{1,2}(?:$|[/\\])/;
const ENCODED_DOT_OR_SEPARATOR = /%(2e|2f|5c)/gi;

/**
 * What is wrong with a text that is to be one segment of a path, beginning with a verb; `undefined` when nothing is.
 *
 * Whatever else it holds is written in percent-encoding: `a/b` is `a%2Fb` (RFC 3986, section 2.2). What a reader might take
 * for a step in the path is refused: nothing, `.` and `..`, also when encoded once.
 */
export function segmentProblem(text: string): string | undefined {
  if (text === '') return 'must not be empty';
  if (holdsDotSegment(text)) {
    return 'must not hold "." or ".." as a path segment, encoded or not';
  }
  return hasLoneSurrogate(text) ? 'must not hold half of a surrogate pair' : undefined;
}

function holdsDotSegment(text: string): boolean {
  if (DOT_SEGMENT.test(text)) return true;
  return (
    text.includes('%') &&
    DOT_SEGMENT.test(text.replace(ENCODED_DOT_OR_SEPARATOR, decodeURIComponent))
  );
}
