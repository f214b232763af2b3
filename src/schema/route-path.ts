/** A parameter in the path of a route. */
export interface PathParameter {
  readonly name: string;
  /** It stands in braces (`/files{/:id}`): the path is one of the route's without it too. */
  readonly optional: boolean;
  /** It takes the rest of the path (`*rest`). */
  readonly wildcard: boolean;
}

const TOKEN =
  /\\.|\((?:\\.|[^\\()])*\)|([:*])(?:"((?:\\.|[^"\\])+)"|([\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*))?|[{}]/gu;

/** The parameters of a path in the syntax of path-to-regexp 8, Fastify's `:id(\\d+)` and bare `*` included. */
export function pathParameters(path: string): readonly PathParameter[] {
  const parameters: PathParameter[] = [];
  let depth = 0;
  for (const [token, kind, quoted, plain] of path.matchAll(TOKEN)) {
    if (token === '{') depth += 1;
    else if (token === '}') depth -= 1;
    const name = quoted?.replace(/\\(.)/g, '$1') ?? plain ?? (kind === '*' ? '*' : undefined);
    if (kind === undefined || name === undefined) continue;
    parameters.push({ name, optional: depth > 0, wildcard: kind === '*' });
  }
  return parameters;
}
