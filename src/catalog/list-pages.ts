import type { CursorCodec } from './cursor.js';
import type { Tool } from './tool.js';

/** A page of a tool list. */
export interface ListPage {
  readonly tools: readonly Tool[];
  readonly nextCursor: string | undefined;
}

/**
 * Cuts the page out of a list that a cursor names.
 *
 * @param tools sorted by name
 * @param cursor as the client sent it; `undefined` for the first page
 * @param scope what the list belongs to: a cursor is good for its own list only
 * @returns `undefined` for a cursor that is none of ours
 */
export function listPage(
  tools: readonly Tool[],
  cursor: unknown,
  { pageSize, cursors, scope }: { pageSize: number; cursors: CursorCodec; scope: string },
): ListPage | undefined {
  let start = 0;
  if (cursor !== undefined) {
    const after = typeof cursor === 'string' ? cursors.read(cursor, scope) : undefined;
    if (after === undefined) return undefined;
    start = tools.findIndex(({ name }) => name > after);
    if (start === -1) start = tools.length;
  }
  const page = tools.slice(start, start + pageSize);
  const last = page.at(-1);
  const more = last !== undefined && start + page.length < tools.length;
  return { tools: page, nextCursor: more ? cursors.write(last.name, scope) : undefined };
}
