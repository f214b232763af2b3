import { compilePathWriter } from './write-path.js';

function write(path: string, values: Record<string, unknown>, names = Object.keys(values)) {
  const problems: string[] = [];
  const url = compilePathWriter(path, names, 'path')(values, problems);
  return problems.length > 0 ? problems : url;
}

describe('the path of a request', () => {
  it.each([
    ['/v1/orders/:id', { id: '7' }, '/v1/orders/7'],
    ['/v1/orders/:id', { id: 7 }, '/v1/orders/7'],
    ['/on/:flag', { flag: false }, '/on/false'],
    ['/orders', {}, '/orders'],
    ['', {}, '/'],
    ['/', {}, '/'],
    ['orders/:id', { id: 1 }, '/orders/1'],
    ['/u/:id/posts/:post', { id: 'a', post: 'b' }, '/u/a/posts/b'],
    ['/u/:id', { id: 'a/b' }, '/u/a%2Fb'],
    ['/u/:id', { id: 'a?b#c&d=e;f' }, '/u/a%3Fb%23c%26d%3De%3Bf'],
    ['/u/:id', { id: '100%' }, '/u/100%25'],
    ['/u/:id', { id: '\u{1F600}é' }, '/u/%F0%9F%98%80%C3%A9'],
    ['/u/:id', { id: '...' }, '/u/...'],
    ['/u/:id', { id: '.hidden' }, '/u/.hidden'],
    ['/u/:id', { id: '1..2' }, '/u/1..2'],
    ['/u/:__proto__', JSON.parse('{"__proto__":"x"}'), '/u/x'],
    ['/u/:constructor', { constructor: 'x' }, '/u/x'],
    ['/f/:name.json', { name: 'a.b' }, '/f/a.b.json'],
    ['/geo/:lat-:lng', { lat: '1', lng: '2' }, '/geo/1-2'],
    ['/a\\:b/:id', { id: 1 }, '/a:b/1'],
    ['/a::b/:id', { id: 1 }, '/a:b/1'],
    ['/:"the id"/x', { 'the id': 1 }, '/1/x'],
    ['/caf\u00e9/:id', { id: 1 }, '/caf%C3%A9/1'],
    ['/u/:id(\\d+)', { id: 12 }, '/u/12'],
    ['/u/:id((?:a|b)\\))/x', { id: 'a' }, '/u/a/x'],
  ])('of %s with %j is %s', (path, values: Record<string, unknown>, url) => {
    expect(write(path, values)).toBe(url);
  });

  it.each([
    ['/items{/:opt}', {}, '/items'],
    ['/items{/:opt}', { opt: 'x' }, '/items/x'],
    ['/a{/:b{/:c}}', { b: 1 }, '/a/1'],
    ['/a{/:b{/:c}}', { b: 1, c: 2 }, '/a/1/2'],
    ['/a/:b?', {}, '/a'],
    ['/a/:b?', { b: 1 }, '/a/1'],
    ['/:b?', {}, '/'],
    ['/a{/list}/:id', { id: 1 }, '/a/1'],
  ])('of %s leaves out optional parts without a value: %j is %s', (path, values, url) => {
    expect(write(path, values)).toBe(url);
  });

  it('asks for the other parameters of an optional part of which one is given', () => {
    expect(write('/a{/:b/:c}', { c: 1 })).toEqual(['path.b is required']);
  });

  it.each([
    ['/files/*rest', { rest: 'a/b c' }, '/files/a/b%20c'],
    ['/files/*rest', { rest: ['a', 'b/c', 1] }, '/files/a/b%2Fc/1'],
    ['/files/{*rest}', {}, '/files/'],
    ['/files/{*rest}', { rest: 'a' }, '/files/a'],
    ['/files/*', { '*': 'a/b' }, '/files/a/b'],
    ['/files/*', { path: 'a/b' }, '/files/a/b'],
    ['/files/*', { anything: 'a' }, '/files/a'],
    ['/:id/*', { id: 1, path: 'a' }, '/1/a'],
    ['/files/(.*)', { path: 'a' }, '/files/a'],
    ['/files/*', {}, '/files/'],
  ])('writes the segments of a wildcard: %s with %j is %s', (path, values, url) => {
    expect(write(path, values)).toBe(url);
  });

  it.each([
    ['missing', undefined, 'path.id is required'],
    ['empty', '', 'path.id must not be empty'],
    ['null', null, 'path.id must be a string, a number or a boolean'],
    ['an object', {}, 'path.id must be a string, a number or a boolean'],
    ['not finite', Infinity, 'path.id must be a string, a number or a boolean'],
    ['half a pair', '\ud800', 'path.id must not hold half of a surrogate pair'],
  ])('refuses a parameter that is %s', (_, id, problem) => {
    expect(write('/u/:id', { id })).toEqual([problem]);
  });

  it.each([
    '.',
    '..',
    '%2e',
    '%2E%2e',
    '.%2E',
    '%2e.',
    '../admin',
    'a/../b',
    '..%2fadmin',
    'a%2F%2e%2E',
    '..\\admin',
    '%2e%2e%5cadmin',
    '..%2f%',
  ])('refuses the parameter %j, a step in the path', (id) => {
    const problem = ['path.id must not hold "." or ".." as a path segment, encoded or not'];
    expect(write('/u/:id', { id })).toEqual(problem);
    expect(write('/u/*id', { id: [id] })).toEqual([problem[0]?.replace('path.id', 'path.id[0]')]);
  });

  it.each([
    '',
    '/a',
    'a/',
    'a//b',
    '..',
    'a/../b',
    'a/%2e%2e/b',
    'a/\udc00',
    [],
    ['a', ''],
    [null],
    {},
  ])('refuses the wildcard %j', (rest) => {
    expect(write('/files/*rest', { rest })).toEqual([expect.stringMatching(/^path\.rest/)]);
  });

  it('refuses a value that holds what separates it from the next one in its segment', () => {
    expect(write('/geo/:lat-:lng', { lat: '1-2', lng: '3' })).toEqual([
      'path.lat must not hold "-", which ends it in the path of this route',
    ]);
    expect(write('/:aX:b', { aX: '1' })).toEqual(['path.b is required']);
  });

  it('does not take an inherited member for an argument', () => {
    expect(write('/u/:toString', {}, ['toString'])).toEqual(['path.toString is required']);
  });

  it('names a parameter of a flat tool by its name alone', () => {
    const problems: string[] = [];
    compilePathWriter('/u/:id', ['id'], '')({ id: '' }, problems);
    expect(problems).toEqual(['id must not be empty']);
  });

  it.each(['/a{/:b', '/a/:', '/a/:"b', '/u/:id(\\d+'])('cannot be made of %j', (path) => {
    expect(() => compilePathWriter(path, [], 'path')).toThrow(`The route's path "${path}"`);
  });
});
