const COMMA = 0x2c;
const MINUS = 0x2d;
const ZERO = 0x30;
const NINE = 0x39;

/** Every decimal of 15 digits survives the way through a double (IEEE 754, binary64). */
const SAFE_NUMBER_LENGTH = 15;

/** Whether a byte outside strings begins a number (RFC 8259, section 6). */
export function startsNumber(byte: number): boolean {
  return byte <= NINE && (byte >= ZERO || byte === MINUS);
}

/** The offset after the number. */
export function endOfNumber(bytes: Buffer, start: number): number {
  let i = start + 1;
  while (i < bytes.length && isInNumber(bytes[i] as number)) i++;
  return i;
}

function isInNumber(byte: number): boolean {
  // From `+` to `9` there is a comma, which ends a number, and a slash, which no JSON has outside strings.
  return (byte <= NINE && byte >= 0x2b && byte !== COMMA) || byte === 0x65 || byte === 0x45;
}

/** Whether the number has so many digits, or an exponent, that JSON.parse may change it. */
export function isLong(bytes: Buffer, start: number, end: number): boolean {
  if (end - start > SAFE_NUMBER_LENGTH) return true;
  for (let i = start + 1; i < end; i++) {
    if (((bytes[i] as number) | 0x20) === 0x65) return true;
  }
  return false;
}

/** Whether the number is another one after JSON.parse and JSON.stringify: 9007199254740993, 1e400; not 1.0 or 1e2. */
export function isChanged(token: string): boolean {
  const written = String(Number(token));
  return written !== token && decimal(written) !== decimal(token);
}

/** The one spelling of a decimal value: no zeros around its digits, and the exponent of the last digit. */
function decimal(token: string): string {
  const sign = token.startsWith('-') ? '-' : '';
  const e = token.search(/e/i);
  const mantissa = token.slice(sign.length, e < 0 ? undefined : e);
  const point = mantissa.indexOf('.');
  const fraction = point < 0 ? 0 : mantissa.length - point - 1;
  const digits = point < 0 ? mantissa : mantissa.slice(0, point) + mantissa.slice(point + 1);
  // Loops, since a regular expression for the zeros at the end takes quadratic time.
  let first = 0;
  while (digits.charCodeAt(first) === ZERO) first++;
  let last = digits.length;
  while (last > first && digits.charCodeAt(last - 1) === ZERO) last--;
  if (first === last) return '0';
  const exponent = (e < 0 ? 0 : Number(token.slice(e + 1))) - fraction + digits.length - last;
  return `${sign}${digits.slice(first, last)}e${exponent}`;
}
