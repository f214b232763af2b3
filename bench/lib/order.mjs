/** @file The work that every variant does: looks an order up, for a caller with the right token. */

export const TOKEN = 'Bearer bench';
export const ORDER_ID = 'ord_1042';
export const ORDER_ID_PATTERN = /^ord_\d+$/;
export const TOOL = { name: 'find_order', description: 'Finds an order by its id.' };

const ORDERS = new Map(
  Array.from({ length: 50 }, (_, index) => {
    const id = `ord_${1000 + index}`;
    return [id, makeOrder(id)];
  }),
);

/** About 400 bytes of JSON. */
function makeOrder(id) {
  return {
    id,
    status: 'shipped',
    customer: { id: 'cus_77', name: 'Ada Lovelace', email: 'ada@example.com' },
    lines: [
      { sku: 'tea-assam-250', quantity: 2, price: 1290 },
      { sku: 'coffee-yirgacheffe-1000', quantity: 1, price: 2890 },
      { sku: 'cup-stoneware', quantity: 4, price: 850 },
    ],
    total: 8870,
    currency: 'EUR',
    note: 'Leave it with the neighbour on the second floor.',
    createdAt: '2026-03-14T09:26:53.589Z',
  };
}

/** The order of that id; throws when there is none. */
export function findOrder(id) {
  const order = ORDERS.get(id);
  if (order === undefined) throw new Error(`There is no order ${id}.`);
  return order;
}

export const ORDER = findOrder(ORDER_ID);
