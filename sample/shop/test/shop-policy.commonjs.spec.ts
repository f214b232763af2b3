import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Test } from '@nestjs/testing';
import { McpModule } from 'nestjs-mcp-routes';
import { McpTestClient } from 'nestjs-mcp-routes/testing';
import { AuthGuard } from '../src/auth/auth.guard.js';
import { AuthModule } from '../src/auth/auth.module.js';
import { DEMO_ACCOUNTS } from '../src/auth/demo-accounts.js';
import { RolesGuard } from '../src/auth/roles.guard.js';
import { UsersService } from '../src/auth/users.service.js';
import { configure } from '../src/configure.js';
import { CustomersModule } from '../src/customers/customers.module.js';
import { OrdersModule } from '../src/orders/orders.module.js';
import { OrdersService } from '../src/orders/orders.service.js';
import { ProductsModule } from '../src/products/products.module.js';
import { ALICE, BOB } from './support/shop.js';

/** The sample, with its own roles guard asked by the MCP endpoint, too. */
@Module({
  imports: [
    McpModule.forRoot({
      name: 'shop',
      imports: [AuthModule],
      guards: [AuthGuard],
      toolGuards: [RolesGuard],
      recheck: true,
      listTtlMs: 0,
    }),
    AuthModule,
    ProductsModule,
    CustomersModule,
    OrdersModule,
  ],
  providers: [
    { provide: APP_GUARD, useClass: AuthGuard },
    { provide: APP_GUARD, useClass: RolesGuard },
  ],
})
class GuardedShopModule {}

const FOR_ADMINS = ['adjust_stock', 'refund_order'];

describe.each(['2025-11-25', '2026-07-28'] as const)('policy of the shop, in %s', (revision) => {
  let app: NestExpressApplication;
  let alice: McpTestClient;
  let bob: McpTestClient;
  beforeAll(async () => {
    const testing = await Test.createTestingModule({ imports: [GuardedShopModule] }).compile();
    app = testing.createNestApplication<NestExpressApplication>({ logger: false });
    configure(app);
    await app.init();
    const as = (token: string): Promise<McpTestClient> =>
      McpTestClient.connect(app, { headers: { authorization: `Bearer ${token}` }, revision });
    [alice, bob] = [await as(ALICE), await as(BOB)];
  });
  afterAll(async () => {
    await Promise.all([alice.close(), bob.close()]);
    await app.close();
  });

  const names = async (client: McpTestClient): Promise<string[]> =>
    (await client.listTools()).map(({ name }) => name);

  it('shows its two users different lists', async () => {
    const [seenByAlice, seenByBob] = [await names(alice), await names(bob)];
    expect(seenByBob).toEqual(expect.arrayContaining(FOR_ADMINS));
    expect(seenByAlice).toEqual(seenByBob.filter((name) => !FOR_ADMINS.includes(name)));
  });

  it('refuses a hidden tool that is called by name, in its own envelope', async () => {
    const refund = { path: { id: 1002 }, body: { reason: 'arrived broken' } };
    expect(await alice.expectToolError('refund_order', refund)).toMatchObject({
      error: { code: 'FORBIDDEN', message: 'This needs the role admin' },
    });
    expect(await bob.callTool('refund_order', refund)).toMatchObject({ status: 'refunded' });
  });

  it('refuses at the end a user whose role went while the call ran', async () => {
    const users = app.get(UsersService, { strict: false });
    const orders = app.get(OrdersService, { strict: false });
    const { refund } = orders;
    const findByToken = users.findByToken.bind(users);
    orders.refund = (...given) => {
      // From here on bob only answers customers.
      users.findByToken = (token) => {
        const user = findByToken(token);
        return user && { ...user, role: 'support' };
      };
      return refund.apply(orders, given);
    };
    try {
      const args = { path: { id: 1001 }, body: { amountCents: 100, reason: 'late' } };
      const refused = await bob.expectToolError('refund_order', args);
      expect(refused).toMatchObject({ message: 'This needs the role admin', statusCode: 403 });
      expect(await names(bob)).toEqual(await names(alice));
    } finally {
      orders.refund = refund;
      users.findByToken = findByToken;
    }
    expect(DEMO_ACCOUNTS).toHaveLength(2);
  });
});
