import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { BOB, Shop } from './support/shop.js';

describe('the shop', () => {
  let shop: Shop;
  beforeAll(async () => {
    shop = await Shop.start();
  });
  afterAll(() => shop.stop());

  describe('who may call', () => {
    it('tells anyone that it is up', async () => {
      const answer = await shop.get('/api/health', { token: null });
      expect(answer).toMatchObject({ status: 200, json: { status: 'ok' } });
    });

    it.each([null, 'demo-token-of-mallory', 'demo-token-of-alic', ''])(
      'refuses the token %j',
      async (token) => {
        const headers = { 'x-request-id': 'test-1' };
        const answer = await shop.get('/api/v1/orders/1001', { token, headers });
        expect(answer.status).toBe(401);
        expect(answer.headers.get('www-authenticate')).toBe('Bearer realm="shop"');
        expect(answer.json).toEqual({
          error: { code: 'UNAUTHORIZED', message: 'Send one of the demo tokens as a bearer token' },
          requestId: 'test-1',
          path: '/api/v1/orders/1001',
        });
      },
    );

    it('refuses a role that does not suffice before it looks at the body', async () => {
      const answer = await shop.post('/api/v1/orders/1002/refund', { amountCents: 'all' });
      expect(answer).toMatchObject({
        status: 403,
        json: { error: { code: 'FORBIDDEN', message: 'This needs the role admin' } },
      });
    });

    it('limits how often money is paid back', async () => {
      const refund = () =>
        shop.post('/api/v1/orders/1/refund', { reason: 'no such order' }, { token: BOB });
      const statuses: number[] = [];
      for (let call = 0; call < 6; call++) statuses.push((await refund()).status);
      expect([statuses.at(0), statuses.at(-1)]).toEqual([404, 429]);
      expect((await refund()).json).toMatchObject({ error: { code: 'TOO_MANY_REQUESTS' } });
    });
  });

  describe('what every answer has', () => {
    it('carries the request id of the caller, or one of its own', async () => {
      const kept = await shop.get('/api/health', { headers: { 'x-request-id': 'trace.7' } });
      const made = await shop.get('/api/health', { headers: { 'x-request-id': 'not this one' } });
      expect(kept.headers.get('x-request-id')).toBe('trace.7');
      expect(made.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
      expect(kept.headers.get('x-served-by')).toBe('shop');
    });

    it('writes an unknown path and a body that is no JSON in the same envelope', async () => {
      const headers = { 'content-type': 'application/json' };
      const unknown = await shop.get('/api/v1/nothing?at=all');
      const malformed = await fetch(`${shop.url}/api/v1/orders`, {
        method: 'POST',
        headers,
        body: '{',
      });
      expect(unknown).toMatchObject({
        status: 404,
        json: { error: { code: 'NOT_FOUND' }, path: '/api/v1/nothing' },
      });
      expect(malformed.status).toBe(400);
      expect(await malformed.json()).toMatchObject({ error: { code: 'BAD_REQUEST' } });
    });
  });

  describe('products', () => {
    it('are listed in the asked order, page by page', async () => {
      const answer = await shop.get('/api/v1/products?sort=price&order=desc&page=2&pageSize=2');
      expect(answer.json).toMatchObject({
        items: [{ sku: 'COF-YIRGA-500' }, { sku: 'TEA-ASSAM-250' }],
        page: 2,
        pageSize: 2,
        total: 7,
      });
    });

    it('are found by words, categories, price and stock', async () => {
      const query = 'category=tea&category=coffee&q=arabica&maxPriceCents=2000&availability[]=in_stock';
      const answer = await shop.get(`/api/v1/products/search?${query}`);
      expect(answer.json).toMatchObject({ items: [{ sku: 'COF-YIRGA-500' }], total: 1 });
    });

    it('are found by a list of one', async () => {
      const answer = await shop.get('/api/v1/products/search?category[]=tea');
      expect(answer.json).toMatchObject({ total: 3 });
    });

    it.each(['sort=colour', 'page=0', 'pageSize=1000', 'colour=red'])(
      'refuse the query %s',
      async (query) => {
        const answer = await shop.get(`/api/v1/products?${query}`);
        expect(answer).toMatchObject({ status: 400, json: { error: { code: 'BAD_REQUEST' } } });
      },
    );

    it('have another form in version 2', async () => {
      const [v1, v2] = await Promise.all([
        shop.get('/api/v1/products/TEA-SENCHA-100'),
        shop.get('/api/v2/products/TEA-SENCHA-100'),
      ]);
      expect(v1.json).toMatchObject({ priceCents: 1290, stock: 3 });
      expect(v2.json).toMatchObject({
        price: { amount: 1290, currency: 'EUR' },
        availability: 'low_stock',
      });
      expect(v2.json).not.toHaveProperty('stock');
    });

    it('are kept by an admin', async () => {
      const product = {
        sku: 'TEA-TEST-1',
        name: 'Test',
        description: '',
        category: 'tea',
        priceCents: 100,
        stock: 1,
      };
      const admin = { token: BOB };
      const path = '/api/v1/products/TEA-TEST-1';
      const created = await shop.post('/api/v1/products', product, admin);
      const twice = await shop.post('/api/v1/products', product, admin);
      const body = { priceCents: 200 };
      const changed = await shop.send('PATCH', path, { ...admin, body });
      const adjustment = { delta: -2, reason: 'counted again' };
      const short = await shop.post(`${path}/stock`, adjustment, admin);
      const removed = await shop.send('DELETE', path, admin);
      expect(created.status).toBe(201);
      expect(twice).toMatchObject({ status: 409, json: { error: { code: 'SKU_TAKEN' } } });
      expect(changed.json).toEqual({ ...product, priceCents: 200 });
      expect(short).toMatchObject({ status: 409, json: { error: { code: 'OUT_OF_STOCK' } } });
      expect(removed.status).toBe(204);
    });
  });

  describe('customers', () => {
    it('show their e-mail address to an admin only', async () => {
      const asAlice = await shop.get('/api/v1/customers/2');
      const asBob = await shop.get('/api/v1/customers/2', { token: BOB });
      expect(asAlice.json).toMatchObject({ name: 'Bruno Costa', email: 'b***@example.com' });
      expect(asBob.json).toMatchObject({ email: 'bruno.costa@example.com' });
    });

    it('are found by a part of the name', async () => {
      const answer = await shop.get('/api/v1/customers?name=okafor');
      expect(answer.json).toMatchObject({ items: [{ id: 3, email: 'c***@example.org' }] });
    });

    it('move', async () => {
      const address = { line1: 'Hauptstr. 1', postalCode: '10827', city: 'Berlin', country: 'DE' };
      const path = '/api/v1/customers/1/address';
      const moved = await shop.send('PUT', path, { body: address });
      const nowhere = await shop.send('PUT', path, { body: { ...address, country: 'Germany' } });
      expect(moved).toMatchObject({ status: 200, json: { id: 1, address } });
      expect(nowhere.json).toMatchObject({
        error: { details: ['country must be a valid ISO31661 Alpha2 code'] },
      });
    });
  });

  it('documents its routes, the MCP endpoint excepted', async () => {
    const page = await shop.get('/docs', { token: null });
    const { json } = await shop.get('/docs-json', { token: null });
    const paths = Object.keys((json as { paths: object }).paths);
    expect(page.status).toBe(200);
    expect(paths).toContain('/api/v1/orders/{id}/cancel');
    expect(paths).toContain('/api/v2/products/{sku}');
    expect(paths.filter((path) => path.includes('mcp'))).toEqual([]);
  });
});
