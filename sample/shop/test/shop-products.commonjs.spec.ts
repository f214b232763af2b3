import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { BOB, Shop } from './support/shop.js';

describe('the shop', () => {
  let shop: Shop;
  beforeAll(async () => {
    shop = await Shop.start();
  });
  afterAll(() => shop.stop());

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
      const query =
        'category=tea&category=coffee&q=arabica&maxPriceCents=2000&availability[]=in_stock';
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
});
