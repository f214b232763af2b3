import { decodeHeaderValue, headerValueEquals } from './header-value.js';

const encoded = (value: string) => `=?base64?${Buffer.from(value).toString('base64')}?=`;

describe('decodeHeaderValue', () => {
  it.each([
    ['us-west1', 'us-west1'],
    ['', ''],
    ['a b\tc', 'a b\tc'],
    [' \t padded \t', 'padded'],
    [' !~ ', '!~'],
    ['=?base64?SGVsbG8sIOS4lueVjA==?=', 'Hello, 世界'],
    ['=?base64?IHBhZGRlZCA=?=', ' padded '],
    ['  =?base64?bGluZTEKbGluZTI=?=\t', 'line1\nline2'],
    ['=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?=', '=?base64?literal?='],
    ['=?base64??=', ''],
    [encoded('\ufeff\u0000😀'), '\ufeff\u0000😀'],
  ])('reads %j', (header, value) => {
    expect(decodeHeaderValue(header)).toBe(value);
  });

  it.each([
    '=?base64?SGVsbG8=',
    'SGVsbG8=?=',
    '=?BASE64?SGVsbG8=?=',
    '=?Base64?SGVsbG8=?=',
    '=?base64SGVsbG8=?=',
    'x=?base64?SGVsbG8=?=',
    '=?utf-8?B?SGVsbG8=?=',
  ])('takes %j literally, without both markers', (header) => {
    expect(decodeHeaderValue(header)).toBe(header);
  });

  it.each([
    ['no padding', '=?base64?SGVsbG8?='],
    ['too much padding', '=?base64?SGVsbG8==?='],
    ['padding inside', '=?base64?SGVs=bG8?='],
    ['the alphabet of URLs', `=?base64?${Buffer.from('ÿÿ>?').toString('base64url')}?=`],
    ['white space', '=?base64?SGVs bG8=?='],
    ['a character of no alphabet', '=?base64?SGVs!G8=?='],
    ['bits that are left over', '=?base64?SGVsbG9=?='],
    ['bytes that are not UTF-8', '=?base64?/w==?='],
    ['a surrogate', '=?base64?7aCA?='],
    ['markers that overlap', '=?base64?='],
  ])('refuses %s between the markers', (_, header) => {
    expect(decodeHeaderValue(header)).toBeUndefined();
  });

  it.each(['é', 'caf\u00e9', 'a\nb', 'a\u0000', '\u007f', '世'])(
    'refuses %j, which must be encoded',
    (header) => {
      expect(decodeHeaderValue(header)).toBeUndefined();
    },
  );
});

describe('headerValueEquals', () => {
  it.each<[string, string | number | boolean]>([
    ['tools/call', 'tools/call'],
    [' tools/call ', 'tools/call'],
    [encoded('Größe'), 'Größe'],
    [encoded('plain'), 'plain'],
    ['', ''],
    ['42', '42'],
    ['42', 42],
    ['42.0', 42],
    ['-7.000', -7],
    ['042', 42],
    ['0', -0],
    ['-0', 0],
    [encoded('42'), 42],
    ['9007199254740991', 9007199254740991],
    ['1.5', 1.5],
    ['true', true],
    ['false', false],
  ])('takes %j for %j', (header, value) => {
    expect(headerValueEquals(header, value)).toBe(true);
  });

  it.each<[string, string | number | boolean]>([
    ['Tools/call', 'tools/call'],
    ['tools/call x', 'tools/call'],
    ['', 'a'],
    ['42.0', '42'],
    ['padded', ' padded'],
    ['=?base64?c?=', 'c'],
    ['é', 'é'],
    ['43', 42],
    ['42.5', 42],
    ['42.00000000000000000001', 42],
    ['4.2e1', 42],
    ['0x2a', 42],
    ['+42', 42],
    ['42.', 42],
    ['', 0],
    ['9007199254740993', 9007199254740992],
    ['9007199254740992', 9007199254740992],
    ['1.50', 1.5],
    ['True', true],
    ['1', true],
    ['0', false],
    ['', false],
  ])('does not take %j for %j', (header, value) => {
    expect(headerValueEquals(header, value)).toBe(false);
  });
});
