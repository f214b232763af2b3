import {
  Body,
  Controller,
  Get,
  NotFoundException,
  Param,
  ParseIntPipe,
  Post,
} from '@nestjs/common';
import { McpTool } from 'nestjs-mcp-routes';
import { CreateOrderDto } from './create-order.dto.js';

@Controller('orders')
export class OrdersController {
  private readonly orders = [{ id: 1, sku: 'TEA-250', quantity: 2 }];

  @Get(':id')
  @McpTool('get_order')
  find(@Param('id', ParseIntPipe) id: number): object {
    const order = this.orders.find((one) => one.id === id);
    if (order === undefined) throw new NotFoundException(`There is no order ${id}`);
    return order;
  }

  @Post()
  @McpTool({ name: 'create_order', description: 'Places an order.' })
  create(@Body() body: CreateOrderDto): object {
    const order = { id: this.orders.length + 1, ...body };
    this.orders.push(order);
    return order;
  }

  // No @McpTool(): a route, and no tool.
  @Get()
  list(): object {
    return this.orders;
  }
}
