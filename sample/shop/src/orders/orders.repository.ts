import { Injectable } from '@nestjs/common';
import type { Order } from './order.js';
import { ORDERS } from './orders.seed.js';

@Injectable()
export class OrdersRepository {
  private readonly orders = new Map(ORDERS.map((order) => [order.id, structuredClone(order)]));
  private nextId = 1001 + ORDERS.length;

  /** The newest first. */
  all(): Order[] {
    return [...this.orders.values()].reverse();
  }

  find(id: number): Order | undefined {
    return this.orders.get(id);
  }

  add(order: Omit<Order, 'id'>): Order {
    return this.save({ id: this.nextId++, ...order });
  }

  save(order: Order): Order {
    this.orders.set(order.id, order);
    return order;
  }
}
