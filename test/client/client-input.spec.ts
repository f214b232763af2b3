import type { McpClientInputHandler, McpClientInputRequest } from 'nestjs-mcp-routes/client';
import { httpFetch, type McpFetch } from '../../src/client/http-fetch.js';
import { clientOf, descriptor, ended, scriptedServer, serverAt } from './client.fixture.js';
import { FAULTS, HANGING, LIMITS } from './hostile.cases.js';
import { answerWell, type Exchange } from './scripted-server.js';

const server = await scriptedServer();

const FORM = {
  message: 'Pay?',
  requestedSchema: {
    type: 'object',
    properties: { sure: { type: 'boolean' }, note: { type: 'string', default: 'none' } },
  },
};
const accept: McpClientInputHandler = () => ({ action: 'accept', content: { sure: true } });

describe('client input, 2025-11-25', () => {
  /** Asks on the stream of the call, and answers the call with what the client replied. */
  function askBy(method: string, params: object): void {
    let call: Exchange | undefined;
    server.reactions['tools/call'] = (x) => {
      call = x;
      x.stream(JSON.stringify({ jsonrpc: '2.0', id: 'q-1', method, params }));
    };
    server.reactions['POST'] = (x) => {
      x.response.writeHead(202).end();
      const { id, result, error } = x.message;
      const text = JSON.stringify({ id, result, error });
      call?.response.end(`data: ${call.text({ content: [{ type: 'text', text }] })}\n\n`);
    };
  }

  async function reply(input: McpClientInputHandler | undefined): Promise<unknown> {
    const more = input === undefined ? {} : { input };
    const client = await clientOf(serverAt(server.url, { revision: '2025-11-25', ...more }));
    const { outcome, output } = await ended(client.execute(descriptor(), 'op-1'));
    expect([outcome, server.submissions()]).toEqual(['success', 1]);
    return JSON.parse(output?.content[0]?.['text'] as string) as unknown;
  }

  it('is what the handler gives, with the defaults of the form', async () => {
    askBy('elicitation/create', FORM);
    const asked: McpClientInputRequest[] = [];
    const answer = await reply((request) => {
      asked.push(request);
      return accept(request);
    });
    expect(answer).toEqual({
      id: 'q-1',
      result: { action: 'accept', content: { sure: true, note: 'none' } },
    });
    expect(asked).toMatchObject([
      { ...FORM, serverId: 'bank', toolName: 'pay', operationId: 'op-1' },
    ]);
    expect(server.received[0]?.message.params?.['capabilities']).toEqual({ elicitation: {} });
  });

  it.each<[string, McpClientInputHandler, string]>([
    ['declines', () => ({ action: 'decline' }), 'decline'],
    ['throws', () => Promise.reject(new Error('secret')), 'cancel'],
    ['gives nothing', () => undefined as never, 'cancel'],
    ['accepts nothing', () => ({ action: 'accept' }) as never, 'cancel'],
  ])('a handler that %s', async (_, handler, action) => {
    askBy('elicitation/create', FORM);
    expect(await reply(handler)).toEqual({ id: 'q-1', result: { action } });
  });

  it('may be asked for on the stream beside the requests', async () => {
    let listening: Exchange | undefined;
    let call: Exchange | undefined;
    server.reactions['GET'] = (x) => {
      listening = x;
      x.stream().flushHeaders();
    };
    server.reactions['tools/call'] = (x) => {
      call = x;
      const question = { jsonrpc: '2.0', id: 1, method: 'elicitation/create', params: FORM };
      listening?.response.write(`data: ${JSON.stringify(question)}\n\n`);
    };
    server.reactions['POST'] = (x) => {
      x.response.writeHead(202).end();
      call?.send(
        call.text({ content: [{ type: 'text', text: JSON.stringify(x.message.result) }] }),
      );
    };
    expect(await reply(accept)).toMatchObject({ action: 'accept' });
    expect(server.methods()).toEqual([
      'initialize',
      'notifications/initialized',
      'tools/list',
      'GET',
      'tools/call',
      'POST',
      'DELETE',
    ]);
    expect(listening?.request.headers['mcp-session-id']).toBe('session-1');
  });

  it.each(Object.keys(FAULTS))(
    '%s where the stream beside the requests is asked for: no matter',
    async (name) => {
      const client = await clientOf(
        serverAt(server.url, { revision: '2025-11-25', input: accept }),
        {
          ...LIMITS,
          requestTimeoutMs: HANGING.includes(name) ? 1_500 : 30_000,
        },
      );
      server.reactions['GET'] = FAULTS[name];
      expect(await ended(client.execute(descriptor(), 'op-1'))).toMatchObject({
        outcome: 'success',
      });
      expect(server.submissions()).toBe(1);
    },
  );

  it('without a handler there is no such method, and none is declared; a ping is answered', async () => {
    askBy('elicitation/create', FORM);
    expect(await reply(undefined)).toMatchObject({ error: { code: -32601 } });
    expect(server.received[0]?.message.params?.['capabilities']).toEqual({});
    server.reset();
    askBy('ping', {});
    expect(await reply(undefined)).toEqual({ id: 'q-1', result: {} });
  });

  it('a URL is no form, and sampling no input', async () => {
    askBy('elicitation/create', { mode: 'url', url: 'https://example.com', message: 'Log in' });
    expect(await reply(accept)).toMatchObject({ error: { code: -32602 } });
    server.reset();
    askBy('sampling/createMessage', { messages: [] });
    expect(await reply(accept)).toMatchObject({ error: { code: -32601 } });
  });
});

describe('client input, 2026-07-28', () => {
  const open = (input?: McpClientInputHandler, fetch?: McpFetch) =>
    clientOf(
      serverAt(server.url, { revision: '2026-07-28', ...(input === undefined ? {} : { input }) }),
      fetch === undefined ? {} : { fetch },
    );
  const ask = (x: Exchange, requestState?: string): void =>
    x.send(
      x.text({
        resultType: 'input_required',
        inputRequests: { sure: { method: 'elicitation/create', params: FORM } },
        requestState,
      }),
    );

  it('goes with the call, under a new id, with the state as it came', async () => {
    server.reactions['tools/call'] = (x) =>
      x.message.params?.['inputResponses'] === undefined ? ask(x, ' {"s":1} ') : answerWell(x);
    expect(await ended((await open(accept)).execute(descriptor(), 'op-1'))).toMatchObject({
      outcome: 'success',
    });
    const [first, second] = server.received.filter(({ method }) => method === 'tools/call');
    expect(second?.message.id).not.toBe(first?.message.id);
    expect(second?.message.params).toMatchObject({
      name: 'pay',
      arguments: { amount: 5, operation_id: 'op-1' },
      inputResponses: { sure: { action: 'accept', content: { sure: true, note: 'none' } } },
      requestState: ' {"s":1} ',
    });
  });

  it('no state is made up where the server gave none', async () => {
    server.reactions['tools/call'] = (x) =>
      x.message.params?.['inputResponses'] === undefined ? ask(x) : answerWell(x);
    await (await open(accept)).execute(descriptor(), 'op-1');
    expect(server.received.at(-1)?.message.params).not.toHaveProperty('requestState');
  });

  it('a server that asks for ever gets eight answers: uncertain', async () => {
    server.reactions['tools/call'] = (x) => ask(x);
    expect(await ended((await open(accept)).execute(descriptor(), 'op-1'))).toMatchObject({
      outcome: 'uncertain',
    });
    expect(server.submissions()).toBe(9);
  });

  it('without a handler the call is sent once: uncertain', async () => {
    server.reactions['tools/call'] = (x) => ask(x);
    expect(await ended((await open()).execute(descriptor(), 'op-1'))).toMatchObject({
      outcome: 'uncertain',
    });
    expect(server.submissions()).toBe(1);
  });

  it('an answer that cannot be sent is uncertain, since the first call was', async () => {
    server.reactions['tools/call'] = (x) => ask(x);
    const fetch: McpFetch = (url, init) =>
      httpFetch(
        init.body?.includes('inputResponses') === true ? 'http://127.0.0.1:1/mcp' : url,
        init,
      );
    const client = await open(accept, fetch);
    expect(await ended(client.execute(descriptor(), 'op-1'))).toMatchObject({
      outcome: 'uncertain',
    });
  });

  it('a handler that never answers is left when the caller gives up: uncertain', async () => {
    server.reactions['tools/call'] = (x) => ask(x);
    const caller = new AbortController();
    const client = await open(() => {
      setImmediate(() => caller.abort());
      return new Promise(() => {});
    });
    expect(await ended(client.execute(descriptor(), 'op-1', caller.signal))).toMatchObject({
      outcome: 'uncertain',
    });
    expect(server.submissions()).toBe(1);
  });

  it.each([
    ['sampling', { method: 'sampling/createMessage', params: {} }],
    [
      'a URL',
      { method: 'elicitation/create', params: { mode: 'url', message: '', requestedSchema: {} } },
    ],
    ['nothing that can be read', 'name'],
  ])('a server that asks for %s: uncertain', async (_, request) => {
    server.reactions['tools/call'] = (x) =>
      x.send(x.text({ resultType: 'input_required', inputRequests: { a: request } }));
    expect(await ended((await open(accept)).execute(descriptor(), 'op-1'))).toMatchObject({
      outcome: 'uncertain',
    });
    expect(server.submissions()).toBe(1);
  });
});
