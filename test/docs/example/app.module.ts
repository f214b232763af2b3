import { Module } from '@nestjs/common';
import { McpModule } from 'nestjs-mcp-routes';
import { OrdersController } from './orders.controller.js';

@Module({
  imports: [McpModule.forRoot({ name: 'orders', version: '1.0.0' })],
  controllers: [OrdersController],
})
export class AppModule {}
