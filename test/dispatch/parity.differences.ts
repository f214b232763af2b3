import type { ParitySection } from './parity.row.js';

const item = { name: 'chair', amount: 2 };

/** The rows of the fixture application in which a call answers otherwise, each for a reason of `DIFFERENCES`. */
export const DIFFERENT: ParitySection = {
  title: 'Where a call is another thing than a request',
  rows: [
    {
      title: 'R7: a path argument that spells a sibling route',
      tool: 'get_u',
      args: { path: { id: 'admin' } },
      http: ['GET', '/api/u/admin'],
      status: 200,
      holds: 'of the admin',
      differs: 'own route only',
      toolSays: "another resource than this tool's own",
    },
    {
      title: 'R8: a path argument of dots, which an HTTP client makes another path of',
      tool: 'pipe_class',
      args: { path: { text: '..' } },
      http: ['GET', '/api/pipes/class/..'],
      status: 404,
      holds: 'Cannot GET /api/pipes',
      differs: 'own route only',
      toolSays: 'path.text',
    },
    {
      title: 'a member of the wrong type',
      tool: 'create_item',
      args: { body: { ...item, amount: 'many' } },
      http: ['POST', '/api/items', { ...item, amount: 'many' }],
      status: 400,
      holds: 'amount must be an integer number',
      differs: 'arguments are checked',
      toolSays: 'body.amount must be an integer',
    },
    {
      title: 'null for an optional member of a query',
      tool: 'list_items',
      args: { query: { colour: 'red', page: null } },
      http: ['GET', '/api/items?colour=red&page='],
      status: 400,
      holds: 'page must',
      differs: 'arguments are repaired',
      toolSays: '"page":1',
      toolSucceeds: true,
    },
  ],
};
