import type { McpToolClient } from 'nestjs-mcp-routes/client';
import { ALICE, BOB, Shop } from '../../sample/shop/test/support/shop.js';
import { listDigests } from '../../src/client/list-digests.js';
import { clientOf, closeClients, descriptor, ended, ERAS } from './client.fixture.js';

describe.each([...ERAS, 'auto'] as const)(
  'client to the sample shop over sockets, %s',
  (revision) => {
    let shop: Shop;
    let endpoint: string;
    let token = ALICE;
    let client: McpToolClient;
    beforeAll(async () => {
      shop = await Shop.start();
      endpoint = `${shop.url.replace('[::1]', '127.0.0.1')}/api/mcp`;
      const authorization = `Bearer ${ALICE}`;
      const { tools } = await listDigests(endpoint, {
        revision,
        authorization,
        allowInsecureLoopback: true,
      });
      client = await clientOf({
        id: 'shop',
        endpoint,
        revision,
        credentials: { authorization: () => `Bearer ${token}` },
        // The shop takes no operation id, so only what reads can be called.
        tools: tools.map(({ name, inputSchemaDigest = '' }) => ({
          name,
          inputSchemaDigest,
          readOnly: true,
        })),
      });
    });
    beforeEach(() => {
      token = ALICE;
    });
    afterAll(async () => {
      await closeClients();
      await shop.stop();
    });

    const call = (tool: string, args: Record<string, unknown>) =>
      ended(client.execute(descriptor(tool, args, 'shop'), 'op-1'));

    it('reads what the shop serves', async () => {
      const { json } = await shop.get('/api/v1/orders/1001');
      expect(await call('get_order', { path: { id: 1001 } })).toMatchObject({
        outcome: 'success',
        output: { structuredContent: json },
      });
      const { output } = await call('get_invoice', { path: { id: 1001 } });
      expect(output?.content[0]?.['text']).toContain('Total: 33.50 EUR');
      expect(await call('search_products', { query: { category: ['tea'] } })).toMatchObject({
        outcome: 'success',
      });
    });

    it('asks for the credential each time', async () => {
      const customer = { path: { id: 2 } };
      const email = async () =>
        ((await call('get_customer', customer)).output?.structuredContent as { email: string })
          .email;
      expect(await email()).toBe('b***@example.com');
      token = BOB;
      expect(await email()).toBe('bruno.costa@example.com');
      token = 'none';
      expect(await call('get_customer', customer)).toMatchObject({ outcome: 'nothing submitted' });
    });

    it('gets the errors of the shop', async () => {
      const { outcome, error } = await call('get_order', { path: { id: 9999 } });
      expect(outcome).toBe('terminal');
      expect(JSON.stringify(error)).toContain('9999');
    });
  },
);
