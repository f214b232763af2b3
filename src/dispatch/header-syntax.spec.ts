import { isCookieValue, isFieldValue, isMediaType, isToken } from './header-syntax.js';

describe('a header or cookie name', () => {
  it.each(['x-request-id', 'a', "!#$%&'*+-.^_`|~", 'X9'])('may be %j', (name) => {
    expect(isToken(name)).toBe(true);
  });

  it.each(['', 'a b', 'a:b', 'a\r\n', 'a=b', 'ä', 'a;', '(a)'])('may not be %j', (name) => {
    expect(isToken(name)).toBe(false);
  });
});

describe('a header value', () => {
  it.each(['', 'a', 'Bearer abc.def', 'a\tb', 'text/html; q=0.5, */*', '"quoted"'])(
    'may be %j',
    (value) => {
      expect(isFieldValue(value)).toBe(true);
    },
  );

  it.each([
    ' a',
    'a ',
    '\ta',
    'a\r\nx-admin: 1',
    'a\nb',
    'a\rb',
    'a\0b',
    'é',
    '\u007f',
    ' ',
    '\u2028',
  ])('may not be %j', (value) => {
    expect(isFieldValue(value)).toBe(false);
  });

  it('is judged in linear time', () => {
    const started = performance.now();
    expect(isFieldValue(`a${' '.repeat(1_000_000)}\n`)).toBe(false);
    expect(performance.now() - started).toBeLessThan(500);
  });
});

describe('a cookie value', () => {
  it.each(['', 'dark', 'a=b', "!#$%&'()*+-./:<=>?@[]^_`{|}~"])('may be %j', (value) => {
    expect(isCookieValue(value)).toBe(true);
  });

  it.each(['dark; session=stolen', 'a b', 'a,b', '"a"', 'a\\b', 'a\r\nb', 'é', '\0', '\t'])(
    'may not be %j',
    (value) => {
      expect(isCookieValue(value)).toBe(false);
    },
  );
});

describe('a media type', () => {
  it.each(['image/png', 'text/plain; charset=utf-8', 'application/vnd.api+json', 'a/b; c="d e"'])(
    'may be %j',
    (value) => {
      expect(isMediaType(value)).toBe(true);
    },
  );

  it.each(['', 'image', 'image/', 'a/b\r\nx: y', 'a/b;', 'a/b; c="d"e"', 'a/b, c/d'])(
    'may not be %j',
    (value) => {
      expect(isMediaType(value)).toBe(false);
    },
  );
});
