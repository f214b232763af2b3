import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { seconds, ThrottlerGuard, ThrottlerModule } from '@nestjs/throttler';
import { McpModule } from 'nestjs-mcp-routes';
import { AuthGuard } from './auth/auth.guard.js';
import { AuthModule } from './auth/auth.module.js';
import { RolesGuard } from './auth/roles.guard.js';
import { CustomersModule } from './customers/customers.module.js';
import { HealthController } from './health/health.controller.js';
import { OrdersModule } from './orders/orders.module.js';
import { ProductsModule } from './products/products.module.js';

/** How the MCP endpoint introduces itself. */
export const SHOP = {
  name: 'shop',
  title: 'Shop',
  version: '1.0.0',
  instructions:
    'Work on the orders, products and customers of a tea and coffee shop. Amounts are in euro ' +
    'cents. Read an order before you cancel or refund it.',
};

/** What the shop is made of, whoever signs people in. */
export const FEATURES = [
  ThrottlerModule.forRoot([{ ttl: seconds(60), limit: 300 }]),
  AuthModule,
  ProductsModule,
  CustomersModule,
  OrdersModule,
];

@Module({
  imports: [
    // Serves every `@McpTool()` route of this application at `POST /api/mcp`.
    McpModule.forRoot(SHOP),
    ...FEATURES,
  ],
  controllers: [HealthController],
  providers: [
    // In this order, for every route, the MCP endpoint among them.
    { provide: APP_GUARD, useClass: ThrottlerGuard },
    { provide: APP_GUARD, useClass: AuthGuard },
    { provide: APP_GUARD, useClass: RolesGuard },
  ],
})
export class AppModule {}
