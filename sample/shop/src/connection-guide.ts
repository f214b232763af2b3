import { DEMO_ACCOUNTS } from './auth/demo-accounts.js';
import { GLOBAL_PREFIX } from './configure.js';

/** The text that `main.ts` prints once the application listens: where it is and how a client connects. */
export function connectionGuide(baseUrl: string): string {
  const endpoint = `${baseUrl}/${GLOBAL_PREFIX}/mcp`;
  const accounts = DEMO_ACCOUNTS.map(
    ({ user, token }) => `  ${user.name.padEnd(6)} ${user.role.padEnd(8)} ${token}`,
  );
  return [
    '',
    `MCP endpoint:  ${endpoint}`,
    `API document:  ${baseUrl}/docs`,
    '',
    'Demo tokens:',
    ...accounts,
    '',
    'Client configuration:',
    JSON.stringify(clientConfiguration(endpoint), null, 2),
    '',
    '',
  ].join('\n');
}

function clientConfiguration(url: string): object {
  const [{ token }] = DEMO_ACCOUNTS;
  const headers = { Authorization: `Bearer ${token}` };
  return { mcpServers: { shop: { type: 'http', url, headers } } };
}
