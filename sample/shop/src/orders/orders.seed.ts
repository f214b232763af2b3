import { CUSTOMERS } from '../customers/customers.seed.js';
import { PRODUCTS } from '../products/products.seed.js';
import { type Order, type OrderLine, type OrderNote, OrderStatus } from './order.js';

export const ORDERS: readonly Order[] = [
  order(1001, 1, OrderStatus.Paid, '2026-07-01T09:12:00.000Z', [
    line('TEA-ASSAM-250', 2),
    line('ACC-FILTER-100', 1),
  ]),
  order(1002, 2, OrderStatus.Shipped, '2026-07-02T15:40:00.000Z', [line('COF-YIRGA-500', 1)]),
  order(
    1003,
    3,
    OrderStatus.Pending,
    '2026-07-03T07:05:00.000Z',
    [line('ACC-KETTLE-08', 1)],
    [{ author: 'alice', text: 'Asked for gift wrapping.', createdAt: '2026-07-03T08:00:00.000Z' }],
  ),
  order(1004, 1, OrderStatus.Paid, '2026-07-04T18:22:00.000Z', [line('COF-SANTOS-1000', 3)]),
  order(1005, 2, OrderStatus.Cancelled, '2026-07-05T11:30:00.000Z', [line('TEA-ROOIBOS-200', 1)]),
];

function order(
  id: number,
  customerId: number,
  status: OrderStatus,
  createdAt: string,
  lines: OrderLine[],
  notes: OrderNote[] = [],
): Order {
  const shippingAddress = wanted(CUSTOMERS.find((customer) => customer.id === customerId)).address;
  return { id, customerId, status, createdAt, lines, notes, shippingAddress, refundedCents: 0 };
}

function line(sku: string, quantity: number): OrderLine {
  const { name, priceCents } = wanted(PRODUCTS.find((product) => product.sku === sku));
  return { sku, name, quantity, unitPriceCents: priceCents };
}

function wanted<T>(found: T | undefined): T {
  if (found === undefined) throw new Error('The seed names something that is not in the seeds.');
  return found;
}
