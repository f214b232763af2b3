import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { BOB, Shop } from './support/shop.js';

const ORDERS = '/api/v1/orders';

describe('orders of the shop', () => {
  let shop: Shop;
  beforeEach(async () => {
    shop = await Shop.start();
  });
  afterEach(() => shop.stop());

  const stockOf = async (sku: string): Promise<number> => {
    const { json } = await shop.get(`/api/v1/products/${sku}`);
    return (json as { stock: number }).stock;
  };

  it('are read one by one', async () => {
    expect((await shop.get(`${ORDERS}/1001`)).json).toMatchObject({
      id: 1001,
      customerId: 1,
      status: 'paid',
      totalCents: 3350,
      lines: [{ sku: 'TEA-ASSAM-250', quantity: 2 }, { sku: 'ACC-FILTER-100' }],
    });
    expect(await shop.get(`${ORDERS}/999`)).toMatchObject({
      status: 404,
      json: { error: { code: 'NOT_FOUND', message: 'There is no order 999' } },
    });
    expect((await shop.get(`${ORDERS}/first`)).status).toBe(400);
  });

  it('are listed by state and customer', async () => {
    const answer = await shop.get(`${ORDERS}?status=paid&status=shipped&customerId=1`);
    expect(answer.json).toMatchObject({ items: [{ id: 1004 }, { id: 1001 }], total: 2 });
  });

  it('take what they hold out of stock', async () => {
    const items = [{ sku: 'TEA-SENCHA-100', quantity: 2 }];
    const placed = await shop.post(ORDERS, { customerId: 2, items, note: 'No hurry.' });
    expect(placed.status).toBe(201);
    expect(placed.json).toMatchObject({
      id: 1006,
      status: 'pending',
      totalCents: 2580,
      shippingAddress: { city: 'Porto' },
      notes: [{ author: 'alice', text: 'No hurry.' }],
    });
    expect(await stockOf('TEA-SENCHA-100')).toBe(1);
  });

  it('take nothing out of stock when one product is short', async () => {
    const items = [
      { sku: 'TEA-ASSAM-250', quantity: 1 },
      { sku: 'TEA-SENCHA-100', quantity: 4 },
    ];
    const refused = await shop.post(ORDERS, { customerId: 2, items });
    expect(refused).toMatchObject({
      status: 409,
      json: { error: { code: 'OUT_OF_STOCK', details: [{ sku: 'TEA-SENCHA-100', quantity: 4 }] } },
    });
    expect(await stockOf('TEA-ASSAM-250')).toBe(42);
  });

  it('say of each wrong member what is wrong', async () => {
    const items = [{ sku: 'tea', quantity: 0 }];
    const refused = await shop.post(ORDERS, { customerId: 2, items, discount: 100 });
    expect(refused).toMatchObject({
      status: 400,
      json: { error: { code: 'BAD_REQUEST', message: 'The request is not valid' } },
    });
    const { error } = refused.json as { error: { details: string[] } };
    expect(error.details).toContain('property discount should not exist');
    expect(error.details).toContain('items.0.quantity must not be less than 1');
  });

  it('are cancelled until they have shipped, once', async () => {
    const reason = { reason: 'customer_request' };
    const first = await shop.post(`${ORDERS}/1001/cancel`, reason);
    const second = await shop.post(`${ORDERS}/1001/cancel`, reason);
    const shipped = await shop.post(`${ORDERS}/1002/cancel`, reason);
    expect(first).toMatchObject({ status: 200, json: { status: 'cancelled' } });
    expect(second).toMatchObject({ status: 409, json: { error: { code: 'ORDER_CANCELLED' } } });
    expect(shipped).toMatchObject({ status: 409, json: { error: { code: 'ORDER_SHIPPED' } } });
    expect(await stockOf('TEA-ASSAM-250')).toBe(44);
  });

  it('are refunded by an admin, in parts and never too much', async () => {
    const refund = (amountCents?: number) =>
      shop.post(`${ORDERS}/1002/refund`, { amountCents, reason: 'broken' }, { token: BOB });
    expect((await refund(800)).json).toMatchObject({ status: 'shipped', refundedCents: 800 });
    expect((await refund(1091)).json).toMatchObject({ error: { code: 'REFUND_TOO_HIGH' } });
    expect((await refund()).json).toMatchObject({ status: 'refunded', refundedCents: 1890 });
    expect((await refund()).json).toMatchObject({ error: { code: 'ORDER_REFUNDED' } });
  });

  it('ship when they are paid', async () => {
    const ship = (id: number) => shop.send('POST', `${ORDERS}/${id}/ship`, { token: BOB });
    expect((await ship(1004)).json).toMatchObject({ status: 'shipped' });
    expect((await ship(1003)).status).toBe(409);
  });

  it('keep notes with their author', async () => {
    const text = 'Ring twice.';
    expect((await shop.post(`${ORDERS}/1003/notes`, { text }, { token: BOB })).json).toMatchObject({
      author: 'bob',
      text,
    });
    expect((await shop.get(`${ORDERS}/1003`)).json).toMatchObject({
      notes: [{ author: 'alice' }, { author: 'bob' }],
    });
  });

  it('have an invoice that is plain text', async () => {
    const { headers, text } = await shop.get(`${ORDERS}/1001/invoice`);
    expect(headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(text).toBe(
      [
        'Invoice for order 1001 of 2026-07-01',
        '2 x Assam, second flush: 29.00 EUR',
        '1 x Paper filters: 4.50 EUR',
        'Total: 33.50 EUR',
        '',
      ].join('\n'),
    );
  });
});
