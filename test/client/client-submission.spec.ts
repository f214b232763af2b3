import { createServer } from 'node:net';
import {
  McpClientError,
  type McpFetch,
  type McpFetchInit,
  type McpToolClient,
} from 'nestjs-mcp-routes/client';
import { httpFetch } from '../../src/client/http-fetch.js';
import { clientOf, descriptor, ended, ERAS, scriptedServer, serverAt } from './client.fixture.js';
import { answerWell, structured } from './scripted-server.js';

const server = await scriptedServer();

const isCall = ({ body = '' }: McpFetchInit): boolean => body.includes('"tools/call"');
const run = (client: McpToolClient, signal?: AbortSignal) =>
  ended(client.execute(descriptor(), 'op-1', signal));

/** A port that nobody listens on. */
async function closedUrl(): Promise<string> {
  const listener = createServer();
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  const { port } = listener.address() as { port: number };
  await new Promise((resolve) => listener.close(resolve));
  return `http://127.0.0.1:${port}/mcp`;
}

describe.each(ERAS)('client submission, %s', (revision) => {
  it('sends what the revision asks for, and the credential that was asked for each request', async () => {
    let asked = 0;
    const credentials = { authorization: async () => `Bearer token-${++asked}` };
    const client = await clientOf(serverAt(server.url, { revision, credentials }));
    await client.execute(descriptor(), 'op-1');
    expect(asked).toBe(server.received.length);
    expect(server.received.map(({ headers }) => headers.authorization)).toEqual(
      server.received.map((_, index) => `Bearer token-${index + 1}`),
    );
    const isModern = revision === '2026-07-28';
    expect(server.methods()).toEqual(
      isModern
        ? ['tools/list', 'tools/call']
        : ['initialize', 'notifications/initialized', 'tools/list', 'tools/call', 'DELETE'],
    );
    const [first, ...later] = server.received;
    for (const { headers } of isModern ? server.received : later) {
      expect(headers['mcp-protocol-version']).toBe(revision);
      expect(headers['mcp-session-id']).toBe(isModern ? undefined : 'session-1');
    }
    expect(first?.headers).toMatchObject({
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'accept-encoding': 'identity',
    });
    const call = server.received.find(({ method }) => method === 'tools/call');
    expect(call?.message.params?.arguments).toEqual({ amount: 5, operation_id: 'op-1' });
    if (!isModern) return;
    expect(call?.headers).toMatchObject({ 'mcp-method': 'tools/call', 'mcp-name': 'pay' });
    expect(call?.message.params?.['_meta']).toEqual({
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
      'io.modelcontextprotocol/clientInfo': {
        name: 'nestjs-mcp-routes',
        version: expect.any(String) as string,
      },
    });
  });

  it('an unknown server or tool is unauthorized, and the network is not touched', async () => {
    let fetched = 0;
    const fetch: McpFetch = (url, init) => {
      fetched++;
      return httpFetch(url, init);
    };
    const client = await clientOf(serverAt(server.url, { revision }), { fetch });
    for (const one of [
      descriptor('drain'),
      descriptor('pay', {}, 'casino'),
      descriptor('status'),
    ]) {
      expect(await ended(client.execute(one, 'op-1'))).toMatchObject({ outcome: 'unauthorized' });
      expect(await ended(client.reconcile(one, 'op-1'))).toMatchObject({ outcome: 'unauthorized' });
    }
    expect(fetched).toBe(0);
  });

  it('a server that does not listen: nothing submitted', async () => {
    const client = await clientOf(serverAt(await closedUrl(), { revision }));
    expect(await run(client)).toMatchObject({ outcome: 'nothing submitted' });
  });

  it('a call whose connection is refused: nothing submitted', async () => {
    const nowhere = await closedUrl();
    const fetch: McpFetch = (url, init) => httpFetch(isCall(init) ? nowhere : url, init);
    const client = await clientOf(serverAt(server.url, { revision }), { fetch });
    const { outcome, error } = await run(client);
    expect(outcome).toBe('nothing submitted');
    expect(error?.message).toContain('could not be reached');
  });

  it.each([
    ['does not know better: uncertain', new TypeError('fetch failed'), 'uncertain'],
    [
      'says that nothing left: nothing submitted',
      McpClientError.create('no route'),
      'nothing submitted',
    ],
  ])('a call that fails in a fetch which %s', async (_, error, outcome) => {
    const fetch: McpFetch = (url, init) =>
      isCall(init) ? Promise.reject(error) : httpFetch(url, init);
    const client = await clientOf(serverAt(server.url, { revision }), { fetch });
    expect(await run(client)).toMatchObject({ outcome });
  });

  it('a fetch that follows redirects: its answer is refused', async () => {
    const fetch: McpFetch = async (url, init) => {
      const response = await httpFetch(url, init);
      return isCall(init) ? { ...response, redirected: true } : response;
    };
    const client = await clientOf(serverAt(server.url, { revision }), { fetch });
    expect(await run(client)).toMatchObject({ outcome: 'uncertain' });
  });

  it('a fetch that knows no signal is left when the caller gives up', async () => {
    const caller = new AbortController();
    const fetch: McpFetch = (url, init) => {
      if (!isCall(init)) return httpFetch(url, init);
      setImmediate(() => caller.abort());
      return new Promise(() => {});
    };
    const client = await clientOf(serverAt(server.url, { revision }), { fetch });
    expect(await run(client, caller.signal)).toMatchObject({ outcome: 'uncertain' });
  });

  it("Node's own fetch will do, but for a 421", async () => {
    const client = await clientOf(serverAt(server.url, { revision }), { fetch });
    expect(await run(client)).toMatchObject({ outcome: 'success' });
    server.reset();
    server.reactions['tools/call'] = (x) => x.send('', {}, 421);
    expect(await run(client)).toMatchObject({ outcome: 'uncertain' });
    // Which is why the client brings a transport of its own, that sends it once.
    expect(server.submissions()).toBe(2);
  });

  it.each([
    ['throws', () => Promise.reject(new Error('secret store down: hunter2'))],
    ['gives nothing', () => Promise.resolve('')],
    ['gives a line break', () => Promise.resolve('Bearer a\r\nx-admin: 1')],
    ['gives no text', () => Promise.resolve(7 as never)],
  ])(
    'a credential source that %s for the call: nothing submitted, and no secret',
    async (_, fail) => {
      const last = revision === '2026-07-28' ? 2 : 4;
      let asked = 0;
      const authorization = (): Promise<string> =>
        ++asked === last ? fail() : Promise.resolve('Bearer a');
      const client = await clientOf(
        serverAt(server.url, { revision, credentials: { authorization } }),
      );
      const { outcome, error } = await run(client);
      expect(outcome).toBe('nothing submitted');
      expect(String(error)).not.toMatch(/hunter2|x-admin/);
      expect(server.submissions()).toBe(0);
    },
  );

  it('a credential source that never answers: the caller gives up, nothing submitted', async () => {
    const caller = new AbortController();
    const authorization = (): Promise<string> => {
      setImmediate(() => caller.abort());
      return new Promise(() => {});
    };
    const client = await clientOf(
      serverAt(server.url, { revision, credentials: { authorization } }),
    );
    expect(await run(client, caller.signal)).toMatchObject({ outcome: 'nothing submitted' });
    expect(server.received).toEqual([]);
  });

  it('a caller that has given up before: nothing submitted, and the network is not touched', async () => {
    const client = await clientOf(serverAt(server.url, { revision }));
    expect(await run(client, AbortSignal.abort())).toMatchObject({ outcome: 'nothing submitted' });
    expect(server.received).toEqual([]);
  });

  it('a caller that gives up during the call: uncertain, and the server is told', async () => {
    const caller = new AbortController();
    const closed = new Promise<void>((resolve) => {
      server.reactions['tools/call'] = (x) => {
        x.request.socket.once('close', resolve);
        caller.abort();
      };
    });
    const client = await clientOf(serverAt(server.url, { revision }));
    expect(await run(client, caller.signal)).toMatchObject({ outcome: 'uncertain' });
    await closed;
    if (revision === '2026-07-28') return;
    expect(server.methods().slice(-3)).toEqual(['tools/call', 'notifications/cancelled', 'DELETE']);
    const [call, cancelled] = server.received.slice(-3);
    expect(cancelled?.message.params?.['requestId']).toBe(call?.message.id);
  });

  it('a server that does not take the cancellation holds nobody up', async () => {
    const caller = new AbortController();
    server.reactions['tools/call'] = () => caller.abort();
    server.reactions['notifications/cancelled'] = () => {};
    const client = await clientOf(serverAt(server.url, { revision }), { cancelTimeoutMs: 50 });
    expect(await run(client, caller.signal)).toMatchObject({ outcome: 'uncertain' });
  });

  it('the operation id is put into its place, and only there', async () => {
    const client = await clientOf(serverAt(server.url, { revision }));
    const own = descriptor('pay', { amount: 5, operation_id: 'op-1' });
    expect(await ended(client.execute(own, 'op-1'))).toMatchObject({ outcome: 'success' });
    for (const value of ['op-2', '', null, 1, {}]) {
      const other = descriptor('pay', { amount: 5, operation_id: value });
      expect(await ended(client.execute(other, 'op-1'))).toMatchObject({
        outcome: 'invalid descriptor',
      });
    }
    expect(server.submissions()).toBe(1);
  });

  it.each(['', 'a b', 'é', 'x'.repeat(257), 7, undefined])(
    '%j is no operation id: nothing submitted',
    async (id) => {
      const client = await clientOf(serverAt(server.url, { revision }));
      expect(await ended(client.execute(descriptor(), id as string))).toMatchObject({
        outcome: 'nothing submitted',
      });
      expect(server.received).toEqual([]);
    },
  );

  it('arguments that do not fit the pinned schema: invalid, before the call', async () => {
    const client = await clientOf(serverAt(server.url, { revision }));
    const { outcome, error } = await ended(
      client.execute(descriptor('pay', { amount: 0 }), 'op-1'),
    );
    expect(outcome).toBe('invalid descriptor');
    expect(error?.message).toContain('/amount: must be >= 1');
    expect(server.submissions()).toBe(0);
  });

  it('a descriptor that changes while it is executed: what it was', async () => {
    const client = await clientOf(serverAt(server.url, { revision }));
    const args = { amount: 5 };
    const running = client.execute(descriptor('pay', args), 'op-1');
    args.amount = 5_000;
    await running;
    expect(
      server.received.find(({ method }) => method === 'tools/call')?.message.params?.arguments,
    ).toEqual({
      amount: 5,
      operation_id: 'op-1',
    });
  });

  it('a number that JavaScript cannot hold is left to the text of the result', async () => {
    const client = await clientOf(serverAt(server.url, { revision }));
    server.reactions['tools/call'] = (x) =>
      x.send(
        x
          .text(structured({ id: 1 }))
          .replaceAll('1}', '9007199254740993}')
          .replaceAll('"id":1', '"id":9'),
      );
    const { output } = await run(client);
    expect(output).toEqual({
      content: [{ type: 'text', text: expect.stringContaining('9007199254740993') as string }],
    });
  });

  it('several operations at once do not meet', async () => {
    const client = await clientOf(serverAt(server.url, { revision }));
    const ids = Array.from({ length: 20 }, (_, i) => `op-${i}`);
    server.reactions['tools/call'] = (x) => setTimeout(() => answerWell(x), Math.random() * 20);
    const outcomes = await Promise.all(
      ids.map((id, amount) => ended(client.execute(descriptor('pay', { amount: amount + 1 }), id))),
    );
    expect(outcomes.map(({ output }) => output?.structuredContent)).toEqual(
      ids.map((_, amount) => ({ paid: amount + 1 })),
    );
    expect([...server.ledger.values()]).toEqual(ids.map(() => 1));
  });
});

describe('client submission, by discovery', () => {
  it('speaks 2026-07-28 to a server that does', async () => {
    const client = await clientOf(serverAt(server.url));
    expect(await run(client)).toMatchObject({ outcome: 'success' });
    expect(server.methods()).toEqual(['server/discover', 'tools/list', 'tools/call']);
  });

  it('asks once more when the version is refused but listed', async () => {
    let asked = 0;
    server.reactions['server/discover'] = (x) =>
      ++asked === 1 ? x.fault(-32022, 400, { supported: ['2026-07-28'] }) : answerWell(x);
    const client = await clientOf(serverAt(server.url));
    expect(await run(client)).toMatchObject({ outcome: 'success' });
    expect(server.methods()).toEqual([
      'server/discover',
      'server/discover',
      'tools/list',
      'tools/call',
    ]);
  });

  it.each([
    [
      'lists its versions',
      (): unknown => ({ supportedVersions: ['2025-06-18', '2025-03-26'] }),
      '2025-06-18',
    ],
    ['answers anything', (): unknown => ({}), '2025-11-25'],
  ])('opens a session with a server of before that %s', async (_, result, revision) => {
    server.reactions['server/discover'] = (x) => x.send(x.text(result() as object));
    const client = await clientOf(serverAt(server.url));
    expect(await run(client)).toMatchObject({ outcome: 'success' });
    const list = server.received.find(({ method }) => method === 'tools/list');
    expect(list?.headers['mcp-protocol-version']).toBe(revision);
  });

  it.each([
    ['lists only what the client does not speak', { supported: ['2031-01-01'] }, -32022],
    ['finds fault with a header', undefined, -32020],
  ])('nothing submitted to a server that %s', async (_, data, code) => {
    server.reactions['server/discover'] = (x) => x.fault(code, 400, data);
    const client = await clientOf(serverAt(server.url));
    expect(await run(client)).toMatchObject({ outcome: 'nothing submitted' });
    expect(server.methods()).toEqual(['server/discover']);
  });

  it('takes another of the 2025 revisions than it proposed, and none besides', async () => {
    const client = await clientOf(serverAt(server.url, { revision: '2025-11-25' }));
    server.reactions['initialize'] = (x) =>
      x.send(x.text({ ...x.good, protocolVersion: '2025-03-26' }));
    expect(await run(client)).toMatchObject({ outcome: 'success' });
    expect(server.received.at(-1)?.headers['mcp-protocol-version']).toBeUndefined();
    server.reactions['initialize'] = (x) =>
      x.send(x.text({ ...x.good, protocolVersion: '2026-07-28' }));
    expect(await run(client)).toMatchObject({ outcome: 'nothing submitted' });
  });
});
