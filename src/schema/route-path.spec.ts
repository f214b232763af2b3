import { pathParameters } from './route-path.js';

describe('the parameters of a path', () => {
  it.each([
    ['/orders', []],
    ['/v1/orders/:id/items/:itemId', ['id', 'itemId']],
    ['/files/:name.:extension', ['name', 'extension']],
    ['/from/:a-:b', ['a', 'b']],
    ['/:"quoted name"', ['quoted name']],
    ['/literal\\:colon/:id', ['id']],
    ['/users/:id(\\d+)', ['id']],
  ])('of %s', (path, names) => {
    expect(pathParameters(path).map(({ name }) => name)).toEqual(names);
  });

  it('may be optional, or take the rest', () => {
    expect(pathParameters('/a{/:b}/*rest')).toEqual([
      { name: 'b', optional: true, wildcard: false },
      { name: 'rest', optional: false, wildcard: true },
    ]);
    expect(pathParameters('/files/*')).toEqual([{ name: '*', optional: false, wildcard: true }]);
  });
});
