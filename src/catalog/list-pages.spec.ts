import { CursorCodec } from './cursor.js';
import { listPage } from './list-pages.js';
import type { Tool } from './tool.js';

const cursors = new CursorCodec('the secret of this test');
const scope = 'mcp';

const tools = (...names: string[]): Tool[] => names.map((name) => ({ name }) as Tool);
const ALL = tools('a', 'b', 'c', 'd', 'e');

function names(list: readonly Tool[], cursor: unknown, pageSize: number): string[] | undefined {
  return listPage(list, cursor, { pageSize, cursors, scope })?.tools.map(({ name }) => name);
}

/** Follows the cursors to the end. */
function pages(list: readonly Tool[], pageSize: number): string[][] {
  const found: string[][] = [];
  let cursor: string | undefined;
  do {
    const page = listPage(list, cursor, { pageSize, cursors, scope });
    found.push(page?.tools.map(({ name }) => name) ?? []);
    cursor = page?.nextCursor;
  } while (cursor !== undefined && found.length < 20);
  return found;
}

describe('list pages', () => {
  it.each([
    [1, [['a'], ['b'], ['c'], ['d'], ['e']]],
    [2, [['a', 'b'], ['c', 'd'], ['e']]],
    [4, [['a', 'b', 'c', 'd'], ['e']]],
    [5, [['a', 'b', 'c', 'd', 'e']]],
    [100, [['a', 'b', 'c', 'd', 'e']]],
  ])('of %d', (pageSize, expected) => {
    expect(pages(ALL, pageSize)).toEqual(expected);
  });

  it('an empty list is one empty page', () => {
    expect(listPage([], undefined, { pageSize: 2, cursors, scope })).toEqual({
      tools: [],
      nextCursor: undefined,
    });
  });

  it('a cursor stays right when the tool that it names is gone', () => {
    const cursor = listPage(ALL, undefined, { pageSize: 2, cursors, scope })?.nextCursor;
    expect(names(tools('a', 'c', 'd'), cursor, 2)).toEqual(['c', 'd']);
  });

  it('a cursor stays right when a tool came in before it', () => {
    const cursor = listPage(ALL, undefined, { pageSize: 2, cursors, scope })?.nextCursor;
    expect(names(tools('a', 'aa', 'b', 'bb', 'c'), cursor, 2)).toEqual(['bb', 'c']);
  });

  it('a cursor after the last tool is an empty page without a next one', () => {
    expect(listPage(ALL, cursors.write('e', scope), { pageSize: 2, cursors, scope })).toEqual({
      tools: [],
      nextCursor: undefined,
    });
  });

  it.each([5, 0, null, true, {}, [], '', 'a', ['a'], cursors.write('a', 'another list')])(
    'P7: %j is no cursor',
    (cursor) => {
      expect(listPage(ALL, cursor, { pageSize: 2, cursors, scope })).toBeUndefined();
    },
  );
});
