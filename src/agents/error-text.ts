/** What an error says of itself, on one line of a log. */
export function errorText(error: unknown): string {
  const { message, errors } = Object(error) as { message?: unknown; errors?: unknown };
  // Of a host with several addresses Node says only in the parts what went wrong.
  if (message === '' && Array.isArray(errors)) return errors.map(errorText).join(', ');
  return typeof message === 'string' && message !== '' ? message : String(error);
}
