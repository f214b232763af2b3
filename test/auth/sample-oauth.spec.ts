import {
  Client,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { has } from '../support/needs.js';
import { Browser } from './browser.js';
import { freePort } from './free-port.js';
import { CALLBACK, RememberingProvider } from './remembering-provider.js';

const MAIN = fileURLToPath(new URL('../../sample/shop/dist/oauth/main.js', import.meta.url));

describe('auth: the sample behind an authorization server', () => {
  (has([MAIN], 'npm run demo builds it') ? it : it.skip)(
    'takes a client that has nothing but the URL, and a person with a browser',
    async () => {
      const [port, issuerPort] = [await freePort(), await freePort()];
      const env = { ...process.env, PORT: String(port), ISSUER_PORT: String(issuerPort) };
      const child = spawn(process.execPath, [MAIN], { env, stdio: ['ignore', 'pipe', 'ignore'] });
      try {
        let printed = '';
        child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
        while (!printed.includes('with any password')) await once(child.stdout, 'data');
        const url = new URL(/MCP endpoint: +(\S+)/.exec(printed)?.[1] ?? '');

        const provider = new RememberingProvider('by registration');
        const transport = new StreamableHTTPClientTransport(url, { authProvider: provider });
        const client = new Client({ name: 'host', version: '1' });
        await expect(client.connect(transport)).rejects.toThrow(UnauthorizedError);
        await transport.finishAuth(await new Browser(CALLBACK).visit(provider.authorizationUrl));
        await client.close();

        await client.connect(new StreamableHTTPClientTransport(url, { authProvider: provider }));
        expect((await client.listTools()).tools).toHaveLength(14);
        const order = { name: 'get_order', arguments: { path: { id: 1001 } } };
        expect((await client.callTool(order)).structuredContent).toMatchObject({ id: 1001 });
        const refund = { path: { id: 1002 }, body: { reason: 'arrived broken' } };
        const refused = await client.callTool({ name: 'refund_order', arguments: refund });
        expect(JSON.stringify(refused)).toContain('This needs the role admin');
        await client.close();
      } finally {
        const ended = once(child, 'exit');
        child.kill();
        await ended;
      }
    },
  );
});
