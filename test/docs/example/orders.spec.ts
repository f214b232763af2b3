import { ValidationPipe, type INestApplication } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { McpTestClient } from 'nestjs-mcp-routes/testing';
import { AppModule } from './app.module.js';

describe('the tools of the orders', () => {
  let app: INestApplication;
  let client: McpTestClient;

  beforeAll(async () => {
    const module = await Test.createTestingModule({ imports: [AppModule] }).compile();
    app = module.createNestApplication({ logger: false });
    app.useGlobalPipes(new ValidationPipe({ whitelist: true, transform: true }));
    client = await McpTestClient.connect(app);
  });
  afterAll(async () => {
    await client.close();
    await app.close();
  });

  it('are two', async () => {
    const tools = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['create_order', 'get_order']);
  });

  it('read an order', async () => {
    const order = await client.callTool('get_order', { path: { id: 1 } });
    expect(order).toEqual({ id: 1, sku: 'TEA-250', quantity: 2 });
  });

  it('say what is wrong', async () => {
    const error = await client.expectToolError('get_order', { path: { id: 9 } });
    expect(error).toMatchObject({ statusCode: 404, message: 'There is no order 9' });
  });
});
