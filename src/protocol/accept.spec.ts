import { isJsonContentType, readAccept } from './accept.js';

const BOTH = { json: true, sse: true };
const JSON_ONLY = { json: true, sse: false };
const SSE_ONLY = { json: false, sse: true };
const NEITHER = { json: false, sse: false };

describe('readAccept', () => {
  it.each<[string | undefined, object]>([
    [undefined, BOTH],
    ['*/*', BOTH],
    ['application/json, text/event-stream', BOTH],
    ['text/event-stream,application/json', BOTH],
    ['application/json', JSON_ONLY],
    ['text/event-stream', SSE_ONLY],
    ['text/html', NEITHER],
    ['', NEITHER],
  ])('reads %j', (header, accepted) => {
    expect(readAccept(header)).toEqual(accepted);
  });

  describe('takes ranges', () => {
    it.each([
      ['application/*', JSON_ONLY],
      ['text/*', SSE_ONLY],
      ['application/*, text/*', BOTH],
      ['text/html, */*', BOTH],
      ['text/html,application/xhtml+xml,*/*;q=0.8', BOTH],
      ['image/*', NEITHER],
    ])('as in %j', (header, accepted) => {
      expect(readAccept(header)).toEqual(accepted);
    });
  });

  describe('lets the most specific range decide', () => {
    it.each([
      ['application/json;q=0, */*', SSE_ONLY],
      ['*/*, application/json;q=0', SSE_ONLY],
      ['application/*;q=0, application/json', JSON_ONLY],
      ['text/*;q=0, */*;q=0.1', JSON_ONLY],
      ['*/*;q=0, text/event-stream', SSE_ONLY],
      ['*/*;q=0', NEITHER],
      ['application/json;q=0, application/json', JSON_ONLY],
      ['application/json, application/json;q=0', JSON_ONLY],
    ])('in %j', (header, accepted) => {
      expect(readAccept(header)).toEqual(accepted);
    });
  });

  describe('reads weights', () => {
    it.each([
      ['application/json;q=0.001', JSON_ONLY],
      ['application/json; Q=1.000', JSON_ONLY],
      ['application/json ; q=0.5 ,text/event-stream;q=0.0', JSON_ONLY],
      ['application/json;q=0.000', NEITHER],
      ['application/json;q="0"', NEITHER],
      ['application/json;q=', NEITHER],
      ['application/json;q=high', NEITHER],
    ])('as in %j', (header, accepted) => {
      expect(readAccept(header)).toEqual(accepted);
    });
  });

  describe('passes over parameters', () => {
    it.each([
      ['application/json;charset=utf-8', JSON_ONLY],
      ['application/json; profile="a,b;q=0", text/event-stream', BOTH],
      ['application/json; profile="\\",text/event-stream"', JSON_ONLY],
      ['application/json;version=2;q=0, application/json', JSON_ONLY],
      ['application/json;version=2;q=0, */*', BOTH],
      ['application/json;q=0;extension=1', NEITHER],
    ])('in %j', (header, accepted) => {
      expect(readAccept(header)).toEqual(accepted);
    });
  });

  it('does not mind letter case, spaces, tabs and empty elements', () => {
    expect(readAccept('\tApplication/JSON ,, ,TEXT/Event-Stream\t,')).toEqual(BOTH);
  });

  it.each([
    'json',
    'application/jsonp',
    'application/json-seq',
    'application /json',
    'application/json q=1',
    '*',
    'application/json; profile="open',
    'application/json\u00a0',
  ])('gives nothing for %j', (header) => {
    expect(readAccept(header)).toEqual(NEITHER);
  });
});

describe('isJsonContentType', () => {
  it.each([
    'application/json',
    'Application/JSON',
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8',
    'application/json ; Charset="Utf-8" ;',
    'application/json; charset="\\utf-8"',
    'application/json; profile=x',
    ' application/json\t',
  ])('takes %j', (header) => {
    expect(isJsonContentType(header)).toBe(true);
  });

  it.each([
    undefined,
    '',
    'text/plain',
    'text/json',
    'application/*',
    'application/jsonp',
    'application/problem+json',
    'application/x-www-form-urlencoded',
    'application/json; charset=utf-16',
    'application/json; charset=latin1',
    'application/json; charset=utf8',
    'application/json; charset=',
    'application/json; charset="utf-8',
    'application/json; charset=utf-8; charset=utf-16',
    'application/json; charset',
    'application/json; charset = utf-8',
    'application/json, text/plain',
    'application/json text/plain',
  ])('does not take %j', (header) => {
    expect(isJsonContentType(header)).toBe(false);
  });
});
