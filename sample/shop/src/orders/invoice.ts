import { type Order, totalCents } from './order.js';

const euro = (cents: number): string => `${(cents / 100).toFixed(2)} EUR`;

/** The invoice as a text that prints well. */
export function invoiceOf(order: Order): string {
  const lines = order.lines.map(
    ({ quantity, name, unitPriceCents }) =>
      `${quantity} x ${name}: ${euro(quantity * unitPriceCents)}`,
  );
  return [
    `Invoice for order ${order.id} of ${order.createdAt.slice(0, 10)}`,
    ...lines,
    `Total: ${euro(totalCents(order.lines))}`,
    '',
  ].join('\n');
}
