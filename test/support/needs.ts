import { existsSync } from 'node:fs';

/**
 * Tells whether a test has what it needs, beyond what `npm ci` installs. Where CI runs, it always has: what is missing there
 * fails. Elsewhere a test without it is skipped, and the output says so, with what to do.
 *
 * @param files all of them must exist
 * @param remedy the command that makes them
 */
export function has(files: readonly string[], remedy: string): boolean {
  const missing = files.find((file) => !existsSync(file));
  if (missing === undefined || process.env['CI'] !== undefined) return true;
  console.warn(`SKIPPED, since there is no ${missing}: ${remedy}`);
  return false;
}
