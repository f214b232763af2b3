import { GLOBAL_PREFIX } from '../configure.js';

const { PORT = '3000', ISSUER_PORT = '3001' } = process.env;

/** The MCP endpoint as an OAuth protected resource, and who signs people in for it. */
export const SHOP_RESOURCE = {
  port: Number(PORT),
  url: `http://127.0.0.1:${PORT}/${GLOBAL_PREFIX}/mcp`,
  issuerPort: Number(ISSUER_PORT),
  issuer: `http://127.0.0.1:${ISSUER_PORT}`,
  scope: 'shop',
} as const;
