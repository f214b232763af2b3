import type { JsonSchemaObject } from './json-schema.js';
import { patternOf } from './regular-expression.js';

/** What a validator says of a value, given the validator's arguments. */
export type ValidatorRule = (constraints: readonly unknown[]) => JsonSchemaObject;

const text = (keywords: JsonSchemaObject = {}): JsonSchemaObject => ({
  type: 'string',
  ...keywords,
});
const matching = (pattern: string): ValidatorRule => {
  const schema = text({ pattern });
  return () => schema;
};
const ISO_8601 = 'An ISO 8601 date, or date and time.';
const date: ValidatorRule = () => text({ description: ISO_8601 });
const plain: ValidatorRule = () => text();

/** Validators that take strings only and have no keyword of JSON Schema to say which. */
const PLAIN = [
  'isBase32',
  'isBase58',
  'isBIC',
  'isBtcAddress',
  'isCreditCard',
  'isCurrency',
  'isDataURI',
  'isDecimal',
  'isEAN',
  'isEthereumAddress',
  'IsFirebasePushId',
  'isFullWidth',
  'isHalfWidth',
  'isHash',
  'isHSL',
  'isIBAN',
  'isIdentityCard',
  'isIsbn',
  'isIsin',
  'isISO31661Alpha2',
  'isISO31661Alpha3',
  'isISO31661Numeric',
  'isISO4217CurrencyCode',
  'isISO6391',
  'isISRC',
  'isISSN',
  'isJwt',
  'isLocale',
  'isLowercase',
  'isMacAddress',
  'isMagnetURI',
  'isMimeType',
  'isMobilePhone',
  'isMultibyte',
  'isOctal',
  'isPassportNumber',
  'isPhoneNumber',
  'isPostalCode',
  'isRgbColor',
  'isStrongPassword',
  'isSurrogatePair',
  'isTaxId',
  'isTimeZone',
  'isUppercase',
  'isVariableWidth',
  'isLatLong',
] as const;

/**
 * The validators of strings, by class-validator's name for them. A `format` stands only where the format takes whatever the
 * validator takes (`@IsUrl()` takes `example.com`, `@IsDateString()` takes `2026`).
 */
export const STRING_VALIDATORS: Readonly<Record<string, ValidatorRule>> = {
  ...Object.fromEntries(PLAIN.map((name) => [name, plain])),
  isString: plain,
  minLength: ([min]) => text(size('minLength', min)),
  maxLength: ([max]) => text(size('maxLength', max)),
  isLength: ([min, max]) => text({ ...size('minLength', min), ...size('maxLength', max) }),
  // A code point takes one to four bytes.
  isByteLength: ([min, max]) =>
    text({
      ...size('minLength', typeof min === 'number' ? Math.ceil(min / 4) : min),
      ...size('maxLength', max),
    }),
  matches: ([pattern, modifiers]) => withPattern(patternOf(pattern, modifiers)),
  contains: ([seed]) => withPattern(escaped(seed)),
  notContains: ([seed]) => {
    const pattern = escaped(seed);
    return withPattern(pattern && `^(?![\\s\\S]*${pattern})`);
  },
  isEmail: ([options]) =>
    isLoosened(options, ['allow_display_name', 'require_display_name', 'allow_ip_domain'])
      ? text()
      : text({ format: 'email' }),
  isUrl: ([options]) =>
    isLoosened(options, ['require_protocol']) ? text({ format: 'uri' }) : text(),
  isUuid: () => text({ format: 'uuid' }),
  isIp: ([version]) =>
    String(version) === '4' || String(version) === '6'
      ? text({ format: `ipv${String(version)}` })
      : text(),
  isFqdn: ([options]) =>
    isLoosened(options, ['allow_underscores', 'allow_trailing_dot', 'allow_wildcard'])
      ? text()
      : text({ format: 'hostname' }),
  isIso8601: date,
  isDateString: date,
  isRFC3339: () => text({ format: 'date-time' }),
  isJson: () => text({ contentMediaType: 'application/json' }),
  isBase64: ([options]) =>
    isLoosened(options, ['urlSafe']) ? text() : text({ contentEncoding: 'base64' }),
  isBooleanString: () => text({ enum: ['true', 'false', '1', '0'] }),
  isNumberString: ([options]) => withPattern(numberStringPattern(options)),
  isAlpha: ([locale]) => withPattern(isEnglish(locale) ? '^[A-Za-z]+$' : undefined),
  isAlphanumeric: ([locale]) => withPattern(isEnglish(locale) ? '^[0-9A-Za-z]+$' : undefined),
  isAscii: matching('^[\\x00-\\x7F]+$'),
  isHexadecimal: matching('^(0[xXhH])?[0-9A-Fa-f]+$'),
  isHexColor: matching('^#?([0-9A-Fa-f]{3}|[0-9A-Fa-f]{4}|[0-9A-Fa-f]{6}|[0-9A-Fa-f]{8})$'),
  isMongoId: () => text({ pattern: '^(0[xXhH])?[0-9A-Fa-f]+$', minLength: 24, maxLength: 24 }),
  isMilitaryTime: matching('^([01]\\d|2[0-3]):?([0-5]\\d)$'),
  isPort: matching('^[-+]?(0|[1-9][0-9]{0,4})$'),
  isSemVer: matching('^\\d+\\.\\d+\\.\\d+'),
};

function size(keyword: string, value: unknown): JsonSchemaObject {
  return typeof value === 'number' && value >= 0 ? { [keyword]: Math.ceil(value) } : {};
}

function withPattern(pattern: string | undefined): JsonSchemaObject {
  return pattern === undefined ? text() : text({ pattern });
}

function escaped(seed: unknown): string | undefined {
  if (typeof seed !== 'string' || seed === '') return undefined;
  return seed.replace(/[$()*+./?[\\\]^{|}]/g, '\\$&');
}

function isEnglish(locale: unknown): boolean {
  return locale === undefined || locale === 'en-US';
}

function isLoosened(options: unknown, names: readonly string[]): boolean {
  const given = options as Readonly<Record<string, unknown>> | null | undefined;
  return names.some((name) => Boolean(given?.[name]));
}

function numberStringPattern(options: unknown): string | undefined {
  const { no_symbols: noSymbols, locale } = (options ?? {}) as Readonly<Record<string, unknown>>;
  if (noSymbols) return '^[0-9]+$';
  return locale === undefined ? '^[+-]?([0-9]*[.])?[0-9]+$' : undefined;
}
