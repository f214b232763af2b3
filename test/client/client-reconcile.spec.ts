import type { McpToolClient } from 'nestjs-mcp-routes/client';
import { httpFetch, type McpFetch } from '../../src/client/http-fetch.js';
import {
  clientOf,
  descriptor,
  ended,
  ERAS,
  scriptedServer,
  serverAt,
  type Outcome,
} from './client.fixture.js';
import { FAULTS, HANGING, LIMITS } from './hostile.cases.js';
import { structured } from './scripted-server.js';

const server = await scriptedServer();

const reconcile = (client: McpToolClient, signal?: AbortSignal) =>
  ended(client.reconcile(descriptor(), 'op-1', signal));

describe.each(ERAS)('client reconcile, %s', (revision) => {
  const open = () => clientOf(serverAt(server.url, { revision }), LIMITS);

  it('tells what was done, and never calls the tool itself', async () => {
    const client = await open();
    expect(await reconcile(client)).toMatchObject({ outcome: 'uncertain' });
    await client.execute(descriptor(), 'op-1');
    const { outcome, output } = await reconcile(client);
    expect(outcome).toBe('success');
    expect(output?.structuredContent).toEqual({ paid: 5 });
    expect([server.submissions(), server.submissions('status')]).toEqual([1, 2]);
    const status = server.received.filter(({ message }) => message.params?.name === 'status');
    expect(status.map(({ message }) => message.params?.arguments)).toEqual([
      { operation_id: 'op-1' },
      { operation_id: 'op-1' },
    ]);
  });

  const of = (value: object): object => structured({ operation_id: 'op-1', ...value });
  it.each<[string, object, Outcome]>([
    ['succeeded', of({ state: 'succeeded' }), 'success'],
    ['failed', of({ state: 'failed', output: { why: 'no funds' } }), 'terminal'],
    ['cancelled', of({ state: 'cancelled' }), 'terminal'],
    ['running', of({ state: 'running' }), 'uncertain'],
    ['SUCCEEDED', of({ state: 'SUCCEEDED' }), 'uncertain'],
    ['a list with succeeded in it', of({ state: ['succeeded'] }), 'uncertain'],
    ['nothing of the state', of({}), 'uncertain'],
    [
      'succeeded of another operation',
      of({ state: 'succeeded', operation_id: 'op-2' }),
      'uncertain',
    ],
    ['succeeded of no operation', structured({ state: 'succeeded' }), 'uncertain'],
    ['succeeded, but as an error', { ...of({ state: 'succeeded' }), isError: true }, 'uncertain'],
    [
      'succeeded in its text alone',
      { content: [{ type: 'text', text: '{"operation_id":"op-1","state":"succeeded"}' }] },
      'uncertain',
    ],
    [
      'succeeded in a list',
      { content: [], structuredContent: [{ operation_id: 'op-1', state: 'succeeded' }] },
      'uncertain',
    ],
    [
      'succeeded in a result that is none',
      { structuredContent: { operation_id: 'op-1', state: 'succeeded' } },
      'uncertain',
    ],
  ])('a status that says %s', async (_, result, outcome) => {
    server.reactions['status'] = (x) => x.send(x.text(result));
    expect(await reconcile(await open())).toMatchObject({ outcome });
    expect(server.submissions()).toBe(0);
  });

  it('a status whose output JavaScript cannot hold is a success without it', async () => {
    server.reactions['status'] = (x) =>
      x.send(
        x
          .text(of({ state: 'succeeded', output: { id: 77 } }))
          .replaceAll(':77', ':9007199254740993'),
      );
    const { outcome, output } = await reconcile(await open());
    expect(outcome).toBe('success');
    expect(Object.keys(output ?? {})).toEqual(['content']);
  });

  it.each(Object.entries(FAULTS))('%s in answer to the status: uncertain', async (name, react) => {
    const caller = new AbortController();
    server.reactions['status'] = (x) => {
      react(x);
      if (HANGING.includes(name)) setTimeout(() => caller.abort(), 30);
    };
    expect(await reconcile(await open(), caller.signal)).toMatchObject({ outcome: 'uncertain' });
    expect(server.submissions()).toBe(0);
  });

  it('whatever fails on the way is uncertain, never "nothing was submitted"', async () => {
    const client = await open();
    server.reactions['tools/list'] = (x) => x.cut();
    expect(await reconcile(client)).toMatchObject({ outcome: 'uncertain' });
    server.reset();
    server.tools = [{ name: 'status', inputSchema: { type: 'object' } }];
    expect(await reconcile(client)).toMatchObject({ outcome: 'uncertain' });
    expect(await reconcile(client, AbortSignal.abort())).toMatchObject({ outcome: 'uncertain' });
    expect(server.submissions('status')).toBe(0);
  });

  it('a status tool that wants more than the operation id: uncertain', async () => {
    const schema = { type: 'object', required: ['operation_id', 'tenant'] };
    const { digestOf } = await import('../../src/client/canonical-json.js');
    const pin = {
      name: 'status',
      inputSchemaDigest: digestOf(schema),
      operationId: '/operation_id',
    };
    server.tools = [{ name: 'status', inputSchema: schema }];
    const client = await clientOf(serverAt(server.url, { revision, reconcile: pin }));
    expect(await reconcile(client)).toMatchObject({ outcome: 'uncertain' });
    expect(server.submissions('status')).toBe(0);
  });

  it('without a reconcile tool, which tools that only read may do without: uncertain', async () => {
    const { tools } = serverAt(server.url);
    const readOnly = tools.filter((tool) => tool.readOnly === true);
    const { reconcile: _, ...rest } = serverAt(server.url, { revision, tools: readOnly });
    const client = await clientOf(rest);
    expect(await ended(client.execute(descriptor('read', { text: 'a' }), 'op-1'))).toMatchObject({
      outcome: 'success',
    });
    expect(await ended(client.reconcile(descriptor('read', {}), 'op-1'))).toMatchObject({
      outcome: 'uncertain',
    });
    expect(server.methods().filter((method) => method === 'tools/call')).toHaveLength(1);
  });
});

describe('client resumption, 2025-11-25', () => {
  const event = (id: string, data: string): string => `id: ${id}\ndata: ${data}\n\n`;
  const open = () => clientOf(serverAt(server.url, { revision: '2025-11-25' }), LIMITS);

  it('asks for the rest of a stream that ends early, and submits nothing again', async () => {
    let text = '';
    const asked: unknown[] = [];
    server.reactions['tools/call'] = (x) => {
      text = x.text();
      x.stream().end(`retry: 1\n${event('a', '')}`);
    };
    server.reactions['GET'] = (x) => {
      asked.push(x.request.headers['last-event-id']);
      if (asked.length === 1) {
        x.stream().write(event('b', '{"jsonrpc":"2.0","method":"notifications/message"}'));
        setImmediate(() => x.cut());
      } else x.stream().end(event('c', text));
    };
    expect(await ended((await open()).execute(descriptor(), 'op-1'))).toMatchObject({
      outcome: 'success',
    });
    expect(asked).toEqual(['a', 'b']);
    expect(server.submissions()).toBe(1);
  });

  it.each([
    ['is not given', 405],
    ['has no answer', 200],
  ])('a rest that %s is uncertain', async (_, status) => {
    server.reactions['tools/call'] = (x) => void x.stream().end(`retry: 0\n${event('a', '')}`);
    server.reactions['GET'] = (x) =>
      status === 200 ? void x.stream().end() : void x.response.writeHead(status).end();
    const { outcome } = await ended((await open()).execute(descriptor(), 'op-1'));
    expect(outcome).toBe('uncertain');
    expect(server.submissions()).toBe(1);
    expect(server.methods().filter((method) => method === 'GET').length).toBeLessThanOrEqual(101);
  });

  it('a rest that cannot be asked for is uncertain, though nothing of the asking was sent', async () => {
    server.reactions['tools/call'] = (x) => void x.stream().end(`retry: 0\n${event('a', '')}`);
    const fetch: McpFetch = (url, init) =>
      httpFetch(init.method === 'GET' ? 'http://127.0.0.1:1/mcp' : url, init);
    const client = await clientOf(serverAt(server.url, { revision: '2025-11-25' }), { fetch });
    expect(await ended(client.execute(descriptor(), 'op-1'))).toMatchObject({
      outcome: 'uncertain',
    });
  });

  it('2026-07-28 knows no resumption', async () => {
    server.reactions['tools/call'] = (x) => void x.stream().end(`retry: 0\n${event('a', '')}`);
    const client = await clientOf(serverAt(server.url, { revision: '2026-07-28' }));
    expect(await ended(client.execute(descriptor(), 'op-1'))).toMatchObject({
      outcome: 'uncertain',
    });
    expect(server.methods()).toEqual(['tools/list', 'tools/call']);
  });
});
