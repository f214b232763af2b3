import {
  ConflictException,
  Injectable,
  NotFoundException,
  UnprocessableEntityException,
} from '@nestjs/common';
import type { User } from '../auth/user.js';
import { type Page, paginate } from '../common/pagination.js';
import { CustomersService } from '../customers/customers.service.js';
import { ProductsService } from '../products/products.service.js';
import type { CreateOrderDto, OrderItemDto } from './dto/create-order.dto.js';
import type {
  AddNoteDto,
  CancelOrderDto,
  ListOrdersQuery,
  RefundOrderDto,
} from './dto/order-requests.js';
import { type Order, type OrderLine, type OrderNote, OrderStatus, totalCents } from './order.js';
import { OrdersRepository } from './orders.repository.js';

const now = (): string => new Date().toISOString();

@Injectable()
export class OrdersService {
  constructor(
    private readonly orders: OrdersRepository,
    private readonly products: ProductsService,
    private readonly customers: CustomersService,
  ) {}

  list(query: ListOrdersQuery): Page<Order> {
    const matching = this.orders
      .all()
      .filter(({ status }) => query.status?.includes(status) ?? true)
      .filter(({ customerId }) => customerId === (query.customerId ?? customerId));
    return paginate(matching, query);
  }

  get(id: number): Order {
    const order = this.orders.find(id);
    if (!order) throw new NotFoundException(`There is no order ${id}`);
    return order;
  }

  place(dto: CreateOrderDto, author: User): Order {
    const customer = this.customers.get(dto.customerId);
    const lines = this.reserve(dto.items);
    return this.orders.add({
      customerId: customer.id,
      status: OrderStatus.Pending,
      createdAt: now(),
      lines,
      shippingAddress: dto.shippingAddress ?? customer.address,
      notes: dto.note ? [note(dto.note, author)] : [],
      refundedCents: 0,
    });
  }

  /** Possible until the parcel has left; what was reserved goes back into stock. */
  cancel(id: number, { reason }: CancelOrderDto): Order {
    const order = this.expect(id, 'cancelled', [OrderStatus.Pending, OrderStatus.Paid]);
    for (const { sku, quantity } of order.lines) this.products.restock(sku, quantity);
    return this.orders.save({ ...order, status: OrderStatus.Cancelled, cancelReason: reason });
  }

  ship(id: number): Order {
    const order = this.expect(id, 'shipped', [OrderStatus.Paid]);
    return this.orders.save({ ...order, status: OrderStatus.Shipped });
  }

  refund(id: number, dto: RefundOrderDto, author: User): Order {
    const order = this.expect(id, 'refunded', [OrderStatus.Paid, OrderStatus.Shipped]);
    const left = totalCents(order.lines) - order.refundedCents;
    const amount = dto.amountCents ?? left;
    if (amount > left) {
      const message = `At most ${left} cents of order ${id} can be refunded`;
      throw new ConflictException({ code: 'REFUND_TOO_HIGH', message });
    }
    return this.orders.save({
      ...order,
      refundedCents: order.refundedCents + amount,
      status: amount === left ? OrderStatus.Refunded : order.status,
      notes: [...order.notes, note(`Refunded ${amount} cents: ${dto.reason}`, author)],
    });
  }

  addNote(id: number, { text }: AddNoteDto, author: User): OrderNote {
    const order = this.get(id);
    const added = note(text, author);
    this.orders.save({ ...order, notes: [...order.notes, added] });
    return added;
  }

  private expect(id: number, change: string, states: OrderStatus[]): Order {
    const order = this.get(id);
    if (states.includes(order.status)) return order;
    throw new ConflictException({
      code: `ORDER_${order.status.toUpperCase()}`,
      message: `Order ${id} is ${order.status} and can no longer be ${change}`,
    });
  }

  /** Takes every item out of stock, or none. */
  private reserve(items: readonly OrderItemDto[]): OrderLine[] {
    const skus = new Set(items.map(({ sku }) => sku));
    if (skus.size < items.length) {
      const message = 'Each product may stand in an order once, with its quantity';
      throw new UnprocessableEntityException({ code: 'DUPLICATE_ITEM', message });
    }
    const products = items.map(({ sku }) => this.products.get(sku));
    const short = items.filter(({ quantity }, index) => (products[index]?.stock ?? 0) < quantity);
    if (short.length > 0) {
      const message = 'There is not enough in stock';
      throw new ConflictException({ code: 'OUT_OF_STOCK', message, details: short });
    }
    return items.map(({ sku, quantity }) => {
      const { name, priceCents } = this.products.adjustStock(sku, { delta: -quantity });
      return { sku, name, quantity, unitPriceCents: priceCents };
    });
  }
}

function note(text: string, { name }: User): OrderNote {
  return { author: name, text, createdAt: now() };
}
