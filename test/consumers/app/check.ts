import { ValidationPipe, type INestApplication } from '@nestjs/common';
import assert from 'node:assert/strict';

interface Result {
  readonly isError?: boolean;
  readonly structuredContent?: unknown;
  readonly content: readonly object[];
}

/** Lists the tools and calls each of them through the official client, over HTTP. */
export async function check(app: INestApplication): Promise<void> {
  app.useGlobalPipes(new ValidationPipe({ transform: true, whitelist: true }));
  await app.listen(0, '127.0.0.1');
  const { Client, StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client');
  const client = new Client({ name: 'consumer', version: '1.0.0' });
  const url = new URL('/mcp', (await app.getUrl()).replace('[::1]', '127.0.0.1'));
  await client.connect(new StreamableHTTPClientTransport(url));
  try {
    const { tools } = await client.listTools();
    assert.deepEqual(
      tools.map(({ name }) => name),
      ['count_orders', 'create_order', 'get_order'],
    );
    const create = tools.find(({ name }) => name === 'create_order');
    assert.deepEqual(create?.inputSchema.required, ['body']);

    const call = async (name: string, args: Record<string, unknown> = {}): Promise<Result> =>
      await client.callTool({ name, arguments: args });
    const found = await call('get_order', { path: { id: 7 } });
    assert.deepEqual(JSON.parse(JSON.stringify(found.content)), [
      { type: 'text', text: '{"id":7,"status":"open"}' },
    ]);
    const order = { sku: 'a', quantity: 2 };
    const created = await call('create_order', { body: order });
    assert.match(JSON.stringify(created.content), /\\"id\\":8/);
    assert.equal((await call('create_order', { body: { sku: 'a' } })).isError, true);
    assert.equal((await call('get_order', { path: { id: 404 } })).isError, true);
    assert.match(JSON.stringify((await call('count_orders')).content), /\\"count\\":8/);
  } finally {
    await client.close();
    await app.close();
  }
}
