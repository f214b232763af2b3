import type { Address } from '../customers/customer.js';

export enum OrderStatus {
  Pending = 'pending',
  Paid = 'paid',
  Shipped = 'shipped',
  Cancelled = 'cancelled',
  Refunded = 'refunded',
}

/** Name and price as they were when the order was placed. */
export interface OrderLine {
  readonly sku: string;
  readonly name: string;
  readonly quantity: number;
  readonly unitPriceCents: number;
}

export interface OrderNote {
  readonly author: string;
  readonly text: string;
  readonly createdAt: string;
}

export interface Order {
  readonly id: number;
  readonly customerId: number;
  readonly createdAt: string;
  readonly lines: readonly OrderLine[];
  readonly shippingAddress: Address;
  readonly status: OrderStatus;
  readonly notes: readonly OrderNote[];
  readonly refundedCents: number;
  readonly cancelReason?: string;
}

export const totalCents = (lines: readonly OrderLine[]): number =>
  lines.reduce((sum, line) => sum + line.quantity * line.unitPriceCents, 0);
