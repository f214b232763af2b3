import { readMediaType } from './media-type.js';

describe('media type', () => {
  it.each([
    ['application/json', 'json'],
    ['application/json; charset=utf-8', 'json'],
    ['APPLICATION/JSON', 'json'],
    [' application/json ;charset=UTF-8', 'json'],
    ['application/problem+json', 'json'],
    ['application/vnd.api+json', 'json'],
    ['text/plain', 'text'],
    ['text/html; charset=utf-8', 'text'],
    ['text/event-stream', 'text'],
    ['text/csv;header=present', 'text'],
    ['application/xml', 'text'],
    ['application/atom+xml', 'text'],
    ['image/svg+xml', 'text'],
    ['application/yaml', 'text'],
    ['application/x-ndjson', 'text'],
    ['application/javascript', 'text'],
    ['application/x-www-form-urlencoded', 'text'],
    ['image/png', 'image'],
    ['image/vnd.microsoft.icon', 'image'],
    ['audio/mpeg', 'audio'],
    ['video/mp4', 'binary'],
    ['application/pdf', 'binary'],
    ['application/zip', 'binary'],
    ['application/octet-stream', 'binary'],
    ['application/jsonp', 'binary'],
    ['xtext/plain', 'binary'],
    ['json', 'binary'],
  ])('%j is %s', (contentType, kind) => {
    expect(readMediaType(contentType).kind).toBe(kind);
  });

  it.each([undefined, '', ' ', ';', '; charset=utf-8'])(
    '%j is taken for bytes of any kind',
    (contentType) => {
      expect(readMediaType(contentType)).toMatchObject({
        kind: 'binary',
        essence: 'application/octet-stream',
      });
    },
  );

  it.each([
    ['text/plain', undefined],
    ['text/plain; charset=ISO-8859-1', 'iso-8859-1'],
    ['text/plain;charset="utf-16le"', 'utf-16le'],
    ['text/plain; format=flowed; Charset=UTF-8', 'utf-8'],
    ['text/plain; xcharset=latin1', undefined],
    ['text/plain; charset', undefined],
  ])('the charset of %j is %j', (contentType, charset) => {
    expect(readMediaType(contentType).charset).toBe(charset);
  });

  it('the essence has no parameters, and is in lower case', () => {
    expect(readMediaType('Image/PNG; q=1').essence).toBe('image/png');
  });

  it('gives the same for a type that it has seen, and for the 1000th that it has not', () => {
    for (let number = 0; number < 1000; number++) {
      expect(readMediaType(`image/x-${number}`)).toEqual({
        kind: 'image',
        essence: `image/x-${number}`,
        charset: undefined,
      });
    }
    expect(readMediaType('image/x-1')).toEqual(readMediaType('image/x-1'));
  });
});
