import type { McpToolClient } from 'nestjs-mcp-routes/client';
import {
  clientOf,
  closeClients,
  descriptor,
  ended,
  ERAS,
  serverAt,
  type Ended,
  type Era,
} from './client.fixture.js';
import { FAULTS, HANGING, LIMITS, REDIRECTS, STATUSES } from './hostile.cases.js';
import { ScriptedServer, type Reaction, type Step } from './scripted-server.js';

let server: ScriptedServer;
let elsewhere: ScriptedServer;
const clients = {} as Record<Era | 'auto', McpToolClient>;

beforeAll(async () => {
  server = await ScriptedServer.start();
  elsewhere = await ScriptedServer.start();
  for (const revision of [...ERAS, 'auto'] as const) {
    const credentials = { authorization: () => 'Bearer secret-of-the-bank' };
    clients[revision] = await clientOf(serverAt(server.url, { revision, credentials }), LIMITS);
  }
});
afterEach(() => {
  expect(elsewhere.received).toEqual([]);
  server.reset();
});
afterAll(async () => {
  await closeClients();
  await Promise.all([server.close(), elsewhere.close()]);
});

const REACTIONS: readonly [string, Reaction][] = [
  ...Object.entries(FAULTS),
  ...STATUSES.map((status): [string, Reaction] => [
    `the status is ${status}`,
    (x) => x.send('{}', { 'retry-after': '0', 'www-authenticate': 'Bearer' }, status),
  ]),
  ...REDIRECTS.map((status): [string, Reaction] => [
    `the status is ${status} and leads elsewhere`,
    (x) => x.send('', { location: elsewhere.url }, status),
  ]),
  [
    'the version is refused though it is listed',
    (x) => x.fault(-32022, 400, { supported: ['2026-07-28', '2025-11-25'] }),
  ],
];

const run = (revision: Era | 'auto', signal?: AbortSignal) =>
  ended(clients[revision].execute(descriptor(), 'op-1', signal));

/** Runs against a server that does this at a step. Where nothing more would happen, the caller gives up. */
function runAgainst(
  name: string,
  step: Step,
  react: Reaction,
  revision: Era | 'auto',
): Promise<Ended> {
  const caller = new AbortController();
  server.reactions[step] = (x) => {
    react(x);
    if (HANGING.includes(name)) setTimeout(() => caller.abort(), 30);
  };
  return run(revision, caller.signal);
}

describe.each(ERAS)('client against a hostile server, %s', (revision) => {
  const opening: Step = revision === '2026-07-28' ? 'tools/list' : 'initialize';

  it('pays once when all goes well', async () => {
    expect(await run(revision)).toEqual({
      outcome: 'success',
      output: { content: [{ type: 'text', text: '{"paid":5}' }], structuredContent: { paid: 5 } },
    });
    expect(server.submissions()).toBe(1);
    expect([...server.ledger]).toEqual([['op-1', 1]]);
  });

  describe.each(REACTIONS)('%s', (name, react) => {
    it('in answer to the call: uncertain, one submission', async () => {
      const { outcome } = await runAgainst(name, 'tools/call', react, revision);
      expect(outcome).toBe('uncertain');
      expect(server.submissions()).toBe(1);
    });

    it.each([...new Set<Step>([opening, 'tools/list'])])(
      'in answer to %s: nothing submitted',
      async (step) => {
        const { outcome } = await runAgainst(name, step, react, revision);
        expect(outcome).toBe('nothing submitted');
        expect(server.submissions()).toBe(0);
        expect(server.ledger.size).toBe(0);
      },
    );
  });

  it.each<[string, Reaction]>([
    ['the stream goes on after the answer', (x) => void x.stream(x.text())],
    [
      'a second answer follows on the stream',
      (x) => void x.stream(x.text(), x.text({ isError: true, content: [] })).end(),
    ],
    [
      'the connection is reset after the answer',
      (x) => {
        const text = x.text();
        x.raw(
          `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${text.length}\r\n\r\n${text}`,
        );
        setTimeout(() => x.cut(), 20);
      },
    ],
    [
      'the answer has more bytes than its length',
      (x) => {
        const text = x.text();
        x.raw(
          `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${text.length}\r\n\r\n${text}HTTP`,
        );
      },
    ],
    [
      'the answer ends with the connection',
      (x) => {
        x.raw(`HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n${x.text()}`);
        x.request.socket.end();
      },
    ],
    [
      'the stream sends a byte at a time',
      (x) => {
        const stream = x.stream();
        for (const byte of `event: message\r\ndata: ${x.text()}\r\n\r\n`) stream.write(byte);
      },
    ],
  ])('%s: a success, one submission', async (_, react) => {
    server.reactions['tools/call'] = react;
    expect(await run(revision)).toMatchObject({
      outcome: 'success',
      output: { structuredContent: { paid: 5 } },
    });
    expect(server.submissions()).toBe(1);
  });

  it.each<[string, object]>([
    ['has no content', {}],
    ['has a content that is no list', { content: {} }],
    ['has a block without a type', { content: [{ text: 'paid' }] }],
    [
      'has a block of an unknown type',
      { content: [{ type: 'video', data: '', mimeType: 'video/mp4' }] },
    ],
    ['has a text without text', { content: [{ type: 'text' }] }],
    ['has a resource without a URI', { content: [{ type: 'resource', resource: {} }] }],
    ['is an error, or so it says', { content: [], isError: 'yes' }],
    ['is of a type that nobody agreed on', { resultType: 'task', task: {} }],
    ['asks for input', { resultType: 'input_required', inputRequests: {}, requestState: 'x' }],
  ])('a result that %s is uncertain', async (_, result) => {
    server.reactions['tools/call'] = (x) => x.send(x.text(result));
    expect(await run(revision)).toMatchObject({ outcome: 'uncertain' });
    expect(server.submissions()).toBe(1);
  });

  it('an error of the tool is terminal, and carries no secret though the server echoes it', async () => {
    const { authorization = '' } = { authorization: 'Bearer secret-of-the-bank' };
    const content = [
      {
        type: 'text',
        text: `no such account, ${authorization}`,
        _meta: { 'secret-of-the-bank': 1 },
      },
    ];
    server.reactions['tools/call'] = (x) => x.send(x.text({ content, isError: true }));
    const { outcome, error } = await run(revision);
    expect(outcome).toBe('terminal');
    expect(error).toMatchObject({
      content: [{ type: 'text', text: 'no such account, [redacted]', _meta: { '[redacted]': 1 } }],
    });
    expect(JSON.stringify([error, error?.message, error?.stack])).not.toContain(
      'secret-of-the-bank',
    );
  });

  it('no error has a secret, a cause or the words of the server', async () => {
    for (const [name, react] of REACTIONS.slice(0, 12)) {
      server.reset();
      server.reactions['tools/call'] = react;
      const { error } = await run(revision);
      expect(Object.keys(error ?? {})).toEqual(['name']);
      expect({ name, text: String(error) }).not.toEqual({
        name,
        text: expect.stringContaining('secret') as string,
      });
    }
  });

  it.each(HANGING)('%s and the time is up: uncertain', async (name) => {
    const hasty = await clientOf(serverAt(server.url, { revision }), {
      ...LIMITS,
      requestTimeoutMs: 1_500,
    });
    server.reactions['tools/call'] = FAULTS[name];
    const { outcome, error } = await ended(hasty.execute(descriptor(), 'op-1'));
    expect(outcome).toBe('uncertain');
    expect(error?.message).toContain('the time was up');
    expect(server.submissions()).toBe(1);
  });

  it('a schema that changed since it was pinned: nothing submitted', async () => {
    server.tools = [{ name: 'pay', inputSchema: { type: 'object' } }];
    const { outcome, error } = await run(revision);
    expect(outcome).toBe('nothing submitted');
    expect(error?.message).toMatch(/the pinned one, its digest is sha256:[0-9a-f]{64}/);
    expect(server.submissions()).toBe(0);
  });

  it('a schema that changes between the list and the call: what the server says of the call', async () => {
    server.reactions['tools/list'] = (x) => {
      server.tools = [{ name: 'pay', inputSchema: { type: 'object', required: ['currency'] } }];
      x.send(x.text());
    };
    server.performs = () => false;
    server.reactions['tools/call'] = (x) => x.send(x.text({ content: [], isError: true }));
    expect(await run(revision)).toMatchObject({ outcome: 'terminal' });
    server.reset();
    server.reactions['tools/call'] = (x) => x.fault(-32602);
    expect(await run(revision)).toMatchObject({ outcome: 'uncertain' });
    expect(server.submissions()).toBe(1);
  });

  it.each<[string, Reaction]>([
    ['pages for ever', (x) => x.send(x.text({ tools: [], nextCursor: `after ${x.id}` }))],
    ['the same page again', (x) => x.send(x.text({ ...x.good, nextCursor: 'again' }))],
    ['a cursor that is none', (x) => x.send(x.text({ ...x.good, nextCursor: 7 }))],
    [
      'more tools than the options allow',
      (x) => {
        const tools = Array.from({ length: 1_001 }, (__, i) => ({
          name: `t${i}`,
          inputSchema: {},
        }));
        x.send(x.text({ tools }));
      },
    ],
    [
      'a tool that stands twice',
      (x) => x.send(x.text({ tools: [...server.tools, ...server.tools] })),
    ],
    ['no tool of that name', (x) => x.send(x.text({ tools: [] }))],
    ['a tool without a schema', (x) => x.send(x.text({ tools: [{ name: 'pay' }] }))],
    ['no tools', (x) => x.send(x.text({}))],
  ])('a list with %s: nothing submitted', async (_, react) => {
    server.reactions['tools/list'] = react;
    expect(await run(revision)).toMatchObject({ outcome: 'nothing submitted' });
    expect(server.submissions()).toBe(0);
    expect(server.methods().filter((method) => method === 'tools/list').length).toBeLessThanOrEqual(
      20,
    );
  });
});

describe('client against a hostile server, by discovery', () => {
  it.each(REACTIONS)(
    '%s: never more than one submission, and the right outcome',
    async (name, react) => {
      const { outcome } = await runAgainst(name, 'server/discover', react, 'auto');
      // A server that answers what is none is taken for one of before 2026-07-28.
      expect(['success', 'nothing submitted']).toContain(outcome);
      expect(server.submissions()).toBe(outcome === 'success' ? 1 : 0);
    },
  );
});

describe('client against a hostile server with sessions', () => {
  const sessionFaults = REACTIONS.filter(
    ([name]) => !/^the (status is (300|4|5)|answer is accepted)|no content/.test(name),
  );

  it.each(STATUSES)('the handshake is refused with %i: nothing submitted', async (status) => {
    server.reactions['notifications/initialized'] = (x) => x.send('', {}, status);
    expect(await run('2025-11-25')).toMatchObject({ outcome: 'nothing submitted' });
    expect(server.submissions()).toBe(0);
    expect(server.methods().at(-1)).toBe('DELETE');
  });

  it.each(sessionFaults)('%s at its end: a success all the same', async (_, react) => {
    server.reactions['DELETE'] = react;
    expect(await run('2025-11-25')).toMatchObject({ outcome: 'success' });
    expect(server.submissions()).toBe(1);
  });

  it.each([
    ['of spaces', 'a b'],
    ['of over 1 KiB', 'x'.repeat(2_000)],
  ])('a session id %s: nothing submitted', async (_, session) => {
    server.reactions['initialize'] = (x) => x.send(x.text(), { 'mcp-session-id': session });
    expect(await run('2025-11-25')).toMatchObject({ outcome: 'nothing submitted' });
    expect(server.methods()).toEqual(['initialize']);
  });

  it('a session that is refused half-way: uncertain when it is the call, else nothing submitted', async () => {
    const refused: Reaction = (x) => x.fault(-32001, 404);
    server.reactions['tools/list'] = refused;
    expect(await run('2025-11-25')).toMatchObject({ outcome: 'nothing submitted' });
    server.reset();
    server.reactions['tools/call'] = refused;
    expect(await run('2025-11-25')).toMatchObject({ outcome: 'uncertain' });
    expect(server.methods()).toEqual([
      'initialize',
      'notifications/initialized',
      'tools/list',
      'tools/call',
      'DELETE',
    ]);
  });
});
