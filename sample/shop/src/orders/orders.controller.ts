import {
  Body,
  Controller,
  Get,
  Header,
  HttpCode,
  Param,
  ParseIntPipe,
  Post,
  Query,
} from '@nestjs/common';
import {
  ApiCreatedResponse,
  ApiOkResponse,
  ApiOperation,
  ApiParam,
  ApiProduces,
  ApiTags,
} from '@nestjs/swagger';
import { seconds, Throttle } from '@nestjs/throttler';
import { McpTool } from 'nestjs-mcp-routes';
import { CurrentUser, Roles } from '../auth/auth.decorators.js';
import type { User } from '../auth/user.js';
import { CreateOrderDto } from './dto/create-order.dto.js';
import {
  AddNoteDto,
  CancelOrderDto,
  ListOrdersQuery,
  RefundOrderDto,
} from './dto/order-requests.js';
import { OrderNoteView, OrderPage, OrderView } from './dto/order-views.js';
import { invoiceOf } from './invoice.js';
import { OrdersService } from './orders.service.js';

const OrderId = (): MethodDecorator =>
  ApiParam({ name: 'id', type: 'integer', description: "The order's number.", example: 1001 });

@ApiTags('orders')
@Controller({ path: 'orders', version: '1' })
export class OrdersController {
  constructor(private readonly orders: OrdersService) {}

  @Get()
  @McpTool('list_orders')
  @ApiOperation({ summary: 'List orders, the newest first' })
  @ApiOkResponse({ type: OrderPage })
  list(@Query() query: ListOrdersQuery): OrderPage {
    const page = this.orders.list(query);
    return { ...page, items: page.items.map((order) => OrderView.of(order)) };
  }

  @Get(':id')
  @McpTool('get_order')
  @OrderId()
  @ApiOperation({ summary: 'Fetch one order' })
  @ApiOkResponse({ type: OrderView })
  get(@Param('id', ParseIntPipe) id: number): OrderView {
    return OrderView.of(this.orders.get(id));
  }

  @Post()
  @McpTool({ name: 'create_order', annotations: { destructiveHint: false } })
  @ApiOperation({ summary: 'Place an order for a customer' })
  @ApiCreatedResponse({ type: OrderView })
  create(@Body() body: CreateOrderDto, @CurrentUser() user: User): OrderView {
    return OrderView.of(this.orders.place(body, user));
  }

  @Post(':id/cancel')
  @HttpCode(200)
  @McpTool({ name: 'cancel_order', annotations: { destructiveHint: true } })
  @OrderId()
  @ApiOperation({
    summary: 'Cancel an order that has not shipped',
    description: 'Puts its items back into stock. There is no way to undo it.',
  })
  @ApiOkResponse({ type: OrderView })
  cancel(@Param('id', ParseIntPipe) id: number, @Body() body: CancelOrderDto): OrderView {
    return OrderView.of(this.orders.cancel(id, body));
  }

  @Post(':id/notes')
  @McpTool({ name: 'add_order_note', annotations: { destructiveHint: false } })
  @OrderId()
  @ApiOperation({ summary: 'Write a note to an order' })
  @ApiCreatedResponse({ type: OrderNoteView })
  addNote(
    @Param('id', ParseIntPipe) id: number,
    @Body() body: AddNoteDto,
    @CurrentUser() user: User,
  ): OrderNoteView {
    return this.orders.addNote(id, body, user);
  }

  @Post(':id/refund')
  @HttpCode(200)
  @Roles(['admin'])
  @Throttle({ default: { ttl: seconds(60), limit: 5 } })
  @McpTool({ name: 'refund_order', annotations: { destructiveHint: true } })
  @OrderId()
  @ApiOperation({ summary: 'Pay money back, which only an admin may do' })
  @ApiOkResponse({ type: OrderView })
  refund(
    @Param('id', ParseIntPipe) id: number,
    @Body() body: RefundOrderDto,
    @CurrentUser() user: User,
  ): OrderView {
    return OrderView.of(this.orders.refund(id, body, user));
  }

  @Get(':id/invoice')
  @Header('content-type', 'text/plain; charset=utf-8')
  @McpTool('get_invoice')
  @OrderId()
  @ApiOperation({ summary: 'Fetch the invoice of an order as plain text' })
  @ApiProduces('text/plain')
  invoice(@Param('id', ParseIntPipe) id: number): string {
    return invoiceOf(this.orders.get(id));
  }

  /** The warehouse calls this when the parcel has left: a route, but no tool. */
  @Post(':id/ship')
  @HttpCode(200)
  @Roles(['admin'])
  @OrderId()
  @ApiOperation({ summary: 'Mark an order as shipped' })
  ship(@Param('id', ParseIntPipe) id: number): OrderView {
    return OrderView.of(this.orders.ship(id));
  }
}
