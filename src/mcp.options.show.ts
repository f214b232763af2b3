/** A value as an error of set-up names it. What JSON cannot show, or would show as something else, is named in words. */
export function show(value: unknown): string {
  if (typeof value === 'function') return 'a function';
  if (typeof value === 'number') return String(value);
  if (typeof value === 'bigint') return `${value}n`;
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return 'an object that JSON cannot hold';
  }
}
