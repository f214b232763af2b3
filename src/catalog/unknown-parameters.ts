import type { UnknownParameter } from '../schema/input-collector.js';

/** A route with parameters that only the application knows the arguments of. */
export interface UnknownOfRoute {
  readonly kind: UnknownParameter;
  /** As problems and logs name it. */
  readonly route: string;
}

const WHAT: Readonly<Record<UnknownParameter, string>> = {
  custom: 'A custom parameter decorator is used',
  request: '@Req() is used',
};
const MAX_NAMED = 20;

/** One line for each kind, whatever the number of routes: an application has `@CurrentUser()` on most of them. */
export function unknownWarnings(unknown: readonly UnknownOfRoute[]): string[] {
  return (['custom', 'request'] as const).flatMap((kind) => {
    const routes = new Set(unknown.filter((one) => one.kind === kind).map(({ route }) => route));
    if (routes.size === 0) return [];
    const named = [...routes].slice(0, MAX_NAMED).join(', ');
    const more = routes.size > MAX_NAMED ? ` and ${routes.size - MAX_NAMED} more` : '';
    return [
      `${WHAT[kind]}, and what it reads of a request is not known: declare it with @McpTool({ input }) where it takes arguments. Seen in ${named}${more}.`,
    ];
  });
}
