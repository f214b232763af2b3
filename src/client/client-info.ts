import type { ResolvedServer } from './client-options.js';

/** Who the client says it is. */
export const CLIENT_INFO = { name: 'nestjs-mcp-routes', version: '0.1.0' };

/** What a server may ask of the client: input of the user, where somebody answers. */
export function capabilitiesOf({ input }: ResolvedServer): Readonly<Record<string, object>> {
  return input === undefined ? {} : { elicitation: {} };
}
