import { type Connect, connectV1, connectV2, type DemoClient } from './clients.js';
import { Scenario } from './scenario.js';
import { ShopProcess } from './shop-process.js';
import { Transcript } from './transcript.js';

const TIME_LIMIT_MS = 60_000;
// A tool call carries the request id over, so the bodies of errors are the same in every run.
const REQUEST_ID = { 'x-request-id': 'demo' };

const transcript = new Transcript();

async function demonstrate(shop: ShopProcess): Promise<void> {
  const { url, headers: alice } = shop.configuration;
  const bob = { Authorization: `Bearer ${shop.tokenOf('bob')}` };

  transcript.heading('Without a token');
  await refusesStrangers(url);

  transcript.heading('@modelcontextprotocol/client v2, pinned to 2026-07-28, as alice (support)');
  await withClient(connectV2, url, alice, '2026-07-28', (client) => support(client, 1001));
  await isCancelledOverHttp(shop.origin, alice, 1001);

  transcript.heading('@modelcontextprotocol/sdk v1, as alice (support)');
  await withClient(connectV1, url, alice, '2025-11-25', (client) => support(client, 1004));
  await isCancelledOverHttp(shop.origin, alice, 1004);

  transcript.heading('@modelcontextprotocol/sdk v1, as bob (admin)');
  await withClient(connectV1, url, bob, '2025-11-25', async (client) => {
    const refund = { path: { id: 1002 }, body: { reason: 'arrived broken' } };
    const expected = { id: 1002, status: 'refunded', refundedCents: 1890 };
    await new Scenario(client, transcript).succeeds('refund_order', refund, expected);
  });
}

async function refusesStrangers(url: string): Promise<void> {
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
  const headers = {
    ...REQUEST_ID,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  };
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(message) });
  transcript.print(`POST ${new URL(url).pathname} -> HTTP ${response.status}`);
  transcript.print(`  ${await response.text()}`);
  transcript.expect('the status without a token', response.status, 401);
}

async function withClient(
  connect: Connect,
  url: string,
  headers: Record<string, string>,
  revision: string,
  work: (client: DemoClient) => Promise<void>,
): Promise<void> {
  const client = await connect(url, { ...headers, ...REQUEST_ID });
  transcript.print(`connected to ${client.server}, revision ${client.revision}`);
  transcript.expect('the revision', client.revision, revision);
  await work(client);
  await client.close();
}

/** What a clerk does, and what a clerk may not do. */
async function support(client: DemoClient, id: number): Promise<void> {
  const scenario = new Scenario(client, transcript);
  const reason = 'customer_request';
  await scenario.listTools();
  await scenario.succeeds('get_order', { path: { id } }, { id, customerId: 1, status: 'paid' });
  await scenario.succeeds(
    'cancel_order',
    { path: { id }, body: { reason } },
    { id, status: 'cancelled', cancelReason: reason },
  );
  await scenario.fails(
    'cancel_order',
    { path: { id: 1002 }, body: { reason } },
    { code: 'ORDER_SHIPPED' },
  );
  await scenario.fails(
    'create_order',
    { body: { customerId: 1, items: [{ sku: 'TEA-ASSAM-250', quantity: 0 }] } },
    { code: 'BAD_REQUEST' },
  );
  await scenario.fails(
    'refund_order',
    { path: { id: 1002 }, body: { reason: 'arrived broken' } },
    { code: 'FORBIDDEN' },
  );
}

/** The tool call was the route's own request: an HTTP client sees what it did. */
async function isCancelledOverHttp(
  origin: string,
  headers: Record<string, string>,
  id: number,
): Promise<void> {
  const path = `/api/v1/orders/${id}`;
  const { status } = (await (await fetch(origin + path, { headers })).json()) as {
    status?: string;
  };
  transcript.print(`\nGET ${path} over plain HTTP -> status ${status}`);
  transcript.expect(`order ${id} over HTTP`, status, 'cancelled');
}

async function main(): Promise<void> {
  const shop = await ShopProcess.start();
  try {
    await demonstrate(shop);
  } catch (error) {
    process.stderr.write(`What the sample printed:\n${shop.log}\n`);
    throw error;
  } finally {
    await shop.stop();
  }
  if (!transcript.conclude()) process.exitCode = 1;
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
setTimeout(() => {
  process.stderr.write(`The demonstration was not over after ${TIME_LIMIT_MS / 1000} s.\n`);
  process.exit(1);
}, TIME_LIMIT_MS).unref();

await main();
