const MARK = '[redacted]';
/** A shorter secret is a word of ordinary text. */
const MIN_SECRET_LENGTH = 4;
/** Members and parameters whose values are secrets in most APIs. */
const SECRET_NAMES =
  'authorization|proxy-authorization|cookie|set-cookie|password|passwd|secret|client_secret|token|access_token|refresh_token|id_token|api[-_]?key|x-api-key|private[-_]?key|session(?:[-_]?id)?';
const SECRET_MEMBER = new RegExp(
  `("(?:${SECRET_NAMES})"\\s*:\\s*)"(?:[^"\\\\]|\\\\.){0,4096}"?`,
  'gi',
);
const BEARER = /\b(bearer|basic)\s+[\w.~+/-]{8,}=*/gi;

/** Blots the secrets of a call out of bytes that the upstream sent, in every spelling that an echo may have. */
export function blotSecrets(bytes: Buffer, secrets: readonly string[]): Buffer {
  const spellings = spellingsOf(secrets);
  // One character a byte, so that nothing but the secrets changes, whatever the bytes are.
  const text = bytes.toString('latin1');
  const blotted = spellings.reduce((rest, spelling) => rest.replaceAll(spelling, MARK), text);
  return blotted === text ? bytes : Buffer.from(blotted, 'latin1');
}

function spellingsOf(secrets: readonly string[]): readonly string[] {
  const long = secrets.filter(({ length }) => length >= MIN_SECRET_LENGTH);
  const all = long.flatMap((secret) => {
    const json = JSON.stringify(secret).slice(1, -1);
    return [secret, json, json.replaceAll('/', '\\/'), encodeURIComponent(secret)];
  });
  // The longest first: a secret in base64 before a shorter one that stands in it.
  return [...new Set(all)]
    .map((spelling) => Buffer.from(spelling).toString('latin1'))
    .sort((a, b) => b.length - a.length);
}

/** Blots out what looks like a secret of somebody in the text of an error: the values of telling names, and bearer tokens. */
export function blotTellingNames(text: string): string {
  return text.replace(SECRET_MEMBER, `$1"${MARK}"`).replace(BEARER, `$1 ${MARK}`);
}
