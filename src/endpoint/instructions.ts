import type { ResolvedOptions } from '../mcp.options.js';

const GROUPED =
  'Arguments are grouped by where the request carries them: path, query, header, cookie, body or form.';
const ERRORS =
  'A result with isError holds the answer of the application, with a status and what to mend: change the arguments accordingly before calling again. After a time-out the operation may have completed: check before repeating it.';

/** What every client is told, and the user's own advice after it. */
export function instructionsOf({ arguments: layout, instructions }: ResolvedOptions): string {
  const parts = [...(layout === 'grouped' ? [GROUPED] : []), ERRORS, instructions];
  return parts.filter((part) => part !== undefined && part !== '').join('\n\n');
}
