import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';

type Item = Record<string, unknown> & { readonly id: number };

/** What the shop has, by collection: each can be listed, read, added to and changed. */
const SHOP: Readonly<Record<string, Item[]>> = {
  products: [
    { id: 1, name: 'Mug', price: 9.5 },
    { id: 2, name: 'Teapot', price: 34 },
  ],
  customers: [{ id: 1, name: 'Ada', email: 'ada@example.com' }],
  orders: [{ id: 1, customerId: 1, productId: 2, quantity: 1, status: 'open' }],
  shipments: [{ id: 1, orderId: 1, carrier: 'post', status: 'packed' }],
  tickets: [{ id: 1, customerId: 1, subject: 'A chipped spout', status: 'open' }],
};

/** Starts a small REST API of twenty operations: `GET` and `POST /products`, `GET` and `PATCH /products/{id}`, and so on. */
export async function startUpstream(port: number): Promise<Server> {
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', resolve);
  });
  return server;
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const [, collection = '', id] = new URL(request.url ?? '/', 'http://shop').pathname.split('/');
  const items = SHOP[collection];
  const item = items?.find((one) => String(one.id) === id);
  if (items === undefined || (id !== undefined && item === undefined)) {
    return send(response, 404, { message: `There is no ${request.url}` });
  }
  const body = await bodyOf(request);
  if (request.method === 'GET') return send(response, 200, item ?? { items });
  if (body === undefined) return send(response, 400, { message: 'The body must be an object.' });
  if (request.method === 'POST' && item === undefined) {
    const made = { ...body, id: items.length + 1 };
    items.push(made);
    return send(response, 201, made);
  }
  if (request.method !== 'PATCH' || item === undefined) {
    return send(response, 405, { message: `${request.method} is not served.` });
  }
  return send(response, 200, Object.assign(item, body, { id: item.id }));
}

async function bodyOf(request: IncomingMessage): Promise<Record<string, unknown> | undefined> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}
