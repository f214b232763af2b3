/** RFC 9110, section 5.6.2: `token`, the syntax of header and cookie names. */
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
/** RFC 9110, section 5.5: `field-value` without `obs-text`: visible characters, spaces and tabs only between them. */
const FIELD_VALUE = /^(?:[\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?)?$/;
/** RFC 6265, section 4.1.1: `*cookie-octet`. */
const COOKIE_VALUE = /^[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]*$/;
/** RFC 9110, section 8.3.1: `media-type` whose parameters are tokens or quoted strings without escapes. */
const MEDIA_TYPE =
  /^[!#$%&'*+\-.^_`|~\w]+\/[!#$%&'*+\-.^_`|~\w]+(?: *; *[!#$%&'*+\-.^_`|~\w]+=(?:[!#$%&'*+\-.^_`|~\w]+|"[\x20\x21\x23-\x5b\x5d-\x7e]*"))*$/;

/** What is said of a value that `isFieldValue` refuses. */
export const FIELD_VALUE_RULE =
  'must be printable ASCII on one line, without a space at either end (RFC 9110, section 5.5)';
/** What is said of a value that `isCookieValue` refuses. */
export const COOKIE_VALUE_RULE =
  'must be printable ASCII without spaces, quotes, commas, semicolons and backslashes (RFC 6265, section 4.1.1)';

/** Whether the text may be the name of a header or a cookie (RFC 9110, section 5.6.2; RFC 6265, section 4.1.1). */
export function isToken(text: string): boolean {
  return TOKEN.test(text);
}

/**
 * Whether the text may be the value of a header (RFC 9110, section 5.5). Stricter than the RFC in one point: bytes above
 * 0x7f are refused, since what they mean is for each reader to guess.
 */
export function isFieldValue(text: string): boolean {
  return FIELD_VALUE.test(text);
}

/** Whether the text may be the value of a cookie as it is, without quotes (RFC 6265, section 4.1.1). */
export function isCookieValue(text: string): boolean {
  return COOKIE_VALUE.test(text);
}

/** Whether the text may be the value of a `content-type` (RFC 9110, section 8.3.1). */
export function isMediaType(text: string): boolean {
  return MEDIA_TYPE.test(text);
}
