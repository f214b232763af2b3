import {
  Inexpressible,
  listOf,
  membersOf,
  textOf,
  type Members,
  type OpenApiDocument,
} from './document.js';

/**
 * The URL that an operation's path is appended to: the one given, else the first server of the operation, its path or the
 * document, with its variables at their defaults.
 *
 * @returns without a slash at the end
 * @throws Inexpressible when there is none that is absolute
 */
export function serverOf(
  document: OpenApiDocument,
  pathItem: Members,
  operation: Members,
  given: string | undefined,
): string {
  const servers = [operation, pathItem, document.root]
    .map(({ servers: list }) => listOf(list))
    .find((list) => list.length > 0);
  const url = given ?? withDefaults(membersOf(servers?.[0]));
  if (url === undefined || !URL.canParse(url) || !/^https?:\/\//i.test(url)) {
    throw Inexpressible.create(
      `its server is ${url === undefined ? 'not named' : JSON.stringify(url)}: give the absolute URL with --server`,
    );
  }
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname.replace(/\/+$/, '')}`;
}

function withDefaults(server: Members): string | undefined {
  const variables = membersOf(server['variables']);
  return textOf(server['url'])?.replace(/\{([^{}]+)\}/g, (whole, name: string) => {
    const value = Object.hasOwn(variables, name)
      ? membersOf(variables[name])['default']
      : undefined;
    return typeof value === 'string' ? value : whole;
  });
}
