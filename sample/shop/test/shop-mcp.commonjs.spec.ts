import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { McpTestClient } from 'nestjs-mcp-routes/testing';
import { ALICE, BOB, Shop } from './support/shop.js';

const as = (shop: Shop, token: string): Promise<McpTestClient> =>
  McpTestClient.connect(shop.app, {
    headers: { authorization: `Bearer ${token}`, 'x-request-id': 'test' },
  });

describe('the shop as MCP tools', () => {
  let shop: Shop;
  let alice: McpTestClient;
  let bob: McpTestClient;
  beforeAll(async () => {
    shop = await Shop.start();
    [alice, bob] = [await as(shop, ALICE), await as(shop, BOB)];
  });
  afterAll(async () => {
    await Promise.all([alice.close(), bob.close()]);
    await shop.stop();
  });

  it('are the chosen routes and no others', async () => {
    const tools = await alice.listTools();
    expect(tools.map(({ name }) => name).sort()).toEqual([
      'add_order_note',
      'adjust_stock',
      'cancel_order',
      'create_order',
      'find_customers',
      'get_customer',
      'get_invoice',
      'get_order',
      'get_product',
      'list_orders',
      'list_products',
      'refund_order',
      'search_products',
      'update_customer_address',
    ]);
  });

  it('describe their arguments from the DTOs', async () => {
    const tools = await alice.listTools();
    const search = tools.find(({ name }) => name === 'search_products');
    expect(search).toMatchObject({
      description: 'Find products by words, category, price and stock',
      inputSchema: {
        properties: {
          query: {
            properties: {
              page: { type: 'integer', minimum: 1, default: 1 },
              sort: { enum: ['name', 'price', 'stock'], default: 'name' },
              category: { items: { enum: ['tea', 'coffee', 'accessories'] } },
            },
          },
        },
      },
      annotations: { readOnlyHint: true },
    });
  });

  it('need a token at the endpoint itself', async () => {
    const answer = await shop.post('/api/mcp', {}, { token: null });
    expect(answer).toMatchObject({ status: 401, json: { error: { code: 'UNAUTHORIZED' } } });
  });

  it('answer what the route answers', async () => {
    const { json } = await shop.get('/api/v1/orders/1001');
    expect(await alice.callTool('get_order', { path: { id: 1001 } })).toEqual(json);
    expect(await alice.callTool('get_invoice', { path: { id: 1001 } })).toContain(
      'Total: 33.50 EUR',
    );
  });

  it.each([{ category: ['tea'] }, { category: ['tea'], availability: ['sold_out', 'low_stock'] }])(
    'take the lists of a query: %j',
    async (query) => {
      const { items } = (await alice.callTool('search_products', { query })) as {
        items: { sku: string }[];
      };
      expect(items.length).toBeGreaterThan(0);
      expect(items.every(({ sku }) => sku.startsWith('TEA-'))).toBe(true);
    },
  );

  it('serve the version that the route has', async () => {
    const product = await alice.callTool('get_product', { path: { sku: 'TEA-ASSAM-250' } });
    expect(product).toMatchObject({ price: { amount: 1450, currency: 'EUR' } });
  });

  it('do for a user what the user may do', async () => {
    const refund = { path: { id: 1002 }, body: { reason: 'arrived broken' } };
    expect(await alice.expectToolError('refund_order', refund)).toEqual({
      error: { code: 'FORBIDDEN', message: 'This needs the role admin' },
      requestId: 'test',
      path: '/api/v1/orders/1002/refund',
    });
    expect(await bob.callTool('refund_order', refund)).toMatchObject({ status: 'refunded' });
  });

  it('show each user what the user may see', async () => {
    const customer = { path: { id: 2 } };
    expect(await alice.callTool('get_customer', customer)).toMatchObject({
      email: 'b***@example.com',
    });
    expect(await bob.callTool('get_customer', customer)).toMatchObject({
      email: 'bruno.costa@example.com',
    });
  });

  it('keep the rules of the shop', async () => {
    const cancel = { path: { id: 1004 }, body: { reason: 'customer_request' } };
    expect(await alice.callTool('cancel_order', cancel)).toMatchObject({ status: 'cancelled' });
    expect(await alice.expectToolError('cancel_order', cancel)).toMatchObject({
      error: { code: 'ORDER_CANCELLED' },
    });
  });

  it('say what is wrong with arguments, in the envelope of the shop', async () => {
    const items = [{ sku: 'TEA-ASSAM-250', quantity: 0 }];
    const body = { customerId: 1, items };
    expect(await alice.expectToolError('create_order', { body })).toMatchObject({
      error: { code: 'BAD_REQUEST', details: [expect.stringContaining('quantity')] },
      requestId: 'test',
    });
  });
});
