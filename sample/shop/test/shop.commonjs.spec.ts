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
