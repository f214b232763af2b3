import { McpToolCatalog } from '../../src/index.js';
import { FixtureApp } from '../support/fixture-app.js';
import { PLATFORMS } from '../support/platforms.js';
import { as, TOOLS, UserGuard } from './tools.fixture.js';
import { envelope, message, modernHeaders, rpc, Session, Stream, verdict } from './wire.js';

const CHANGED = 'notifications/tools/list_changed';
const SUBSCRIPTION = 'io.modelcontextprotocol/subscriptionId';

describe.each(PLATFORMS)('protocol on $name: changes of the list', (platform) => {
  let app: FixtureApp;
  let catalog: McpToolCatalog;
  beforeEach(async () => {
    const mcp = { sessions: {}, guards: [UserGuard] };
    app = await FixtureApp.start({ ...TOOLS, platform, mcp });
    catalog = app.app.get(McpToolCatalog, { strict: false });
  });
  afterEach(() => app.close());

  const listen = (
    id: string | number,
    notifications: unknown = { toolsListChanged: true },
    headers: Record<string, string> = {},
  ): Promise<Stream> =>
    Stream.open(
      app,
      'POST',
      { ...modernHeaders('subscriptions/listen'), ...headers },
      message('subscriptions/listen', { notifications, _meta: envelope() }, id),
    );
  const names = async (): Promise<unknown[]> => {
    const { tools } = rpc(await app.request('tools/list')).result as { tools: { name: string }[] };
    return tools.map(({ name }) => name);
  };

  it('a disabled tool is neither listed nor called, until it is enabled', async () => {
    const session = await Session.open(app);
    catalog.disable('echo');
    expect(await names()).not.toContain('echo');
    expect(verdict(await app.request('tools/call', { name: 'echo' }))).toEqual([200, -32602]);
    expect(verdict(await session.call('echo'))).toEqual([200, -32602]);
    catalog.enable('echo');
    expect(await names()).toContain('echo');
    const answer = await session.call('echo', { path: { text: 'a' } });
    expect(rpc(answer).result).toMatchObject({ structuredContent: { text: 'a' } });
  });

  it.each([1, 'one', ''])(
    'subscriptions/listen %j: acknowledged first, every message tagged',
    async (id) => {
      const stream = await listen(id);
      expect(stream.headers).toMatchObject({
        'content-type': 'text/event-stream',
        'x-accel-buffering': 'no',
      });
      expect(await stream.message(1)).toEqual({
        jsonrpc: '2.0',
        method: 'notifications/subscriptions/acknowledged',
        params: { notifications: { toolsListChanged: true }, _meta: { [SUBSCRIPTION]: id } },
      });
      catalog.disable('echo');
      expect(await stream.message(2)).toEqual({
        jsonrpc: '2.0',
        method: CHANGED,
        params: { _meta: { [SUBSCRIPTION]: id } },
      });
      catalog.disable('echo');
      catalog.enable('echo');
      await stream.message(3);
      expect(stream.messages).toHaveLength(3);
      stream.close();
    },
  );

  it('honours what it serves, and sends nothing that was not asked for', async () => {
    const wanted = {
      promptsListChanged: true,
      resourceSubscriptions: ['x:y'],
      toolsListChanged: false,
    };
    const [silent, told] = [await listen(1, wanted), await listen(2)];
    expect((await silent.message(1)).params).toEqual({
      notifications: {},
      _meta: { [SUBSCRIPTION]: 1 },
    });
    catalog.disable('echo');
    await told.message(2);
    expect(silent.messages).toHaveLength(1);
    for (const stream of [silent, told]) stream.close();
  });

  it.each([
    ['no wish', {}, {}, [200, -32602]],
    ['a wish that is a list', { notifications: [] }, {}, [200, -32602]],
    [
      'a client that takes no stream',
      { notifications: {} },
      { accept: 'application/json' },
      [406, -32600],
    ],
  ])('refuses %s', async (_, params, headers, expected) => {
    expect(verdict(await app.request('subscriptions/listen', params, headers))).toEqual(expected);
  });

  it('bounds the streams of one principal, and of that one only', async () => {
    const streams = [];
    for (let i = 0; i < 16; i++) streams.push(await listen(i, {}, as('ann')));
    const refused = await listen(16, {}, as('ann'));
    expect(refused.status).toBe(429);
    const other = await listen(1, {}, as('bob'));
    expect(other.status).toBe(200);
    streams.pop()?.close();
    let again = await listen(17, {}, as('ann'));
    for (let i = 0; i < 1000 && again.status === 429; i++) again = await listen(17, {}, as('ann'));
    expect(again.status).toBe(200);
    for (const stream of [...streams, other, again]) stream.close();
  });

  it('ends gracefully when the server shuts down: with the result, then the end', async () => {
    const session = await Session.open(app);
    const [stream, get] = [await listen('last'), await session.stream()];
    await stream.message(1);
    const closed = app.close();
    await Promise.all([stream.ended(), get.ended()]);
    expect(stream.messages.at(-1)).toEqual({
      jsonrpc: '2.0',
      id: 'last',
      result: {
        resultType: 'complete',
        _meta: {
          [SUBSCRIPTION]: 'last',
          'io.modelcontextprotocol/serverInfo': { name: 'nestjs-mcp-routes', version: '0.0.0' },
        },
      },
    });
    expect(get.messages).toEqual([]);
    await closed;
  });

  it('a GET stream hears of changes, and of nothing else', async () => {
    const session = await Session.open(app);
    const stream = await session.stream();
    expect([stream.status, stream.headers['content-type']]).toEqual([200, 'text/event-stream']);
    await session.call('echo', { path: { text: 'a' } });
    catalog.disable('echo');
    expect(await stream.message(1)).toEqual({ jsonrpc: '2.0', method: CHANGED });
    expect(stream.messages).toHaveLength(1);
    stream.close();
  });

  it('one message, one stream: of several GET streams of a session one is told', async () => {
    const [session, other] = [await Session.open(app), await Session.open(app)];
    const [first, second] = [await session.stream(), await session.stream()];
    const foreign = await other.stream();
    catalog.disable('echo');
    await foreign.message(1);
    await second.message(1);
    expect([first, second, foreign].map(({ messages }) => messages.length)).toEqual([0, 1, 1]);
    second.close();
    for (let i = 0; i < 50; i++) await session.request('ping');
    catalog.enable('echo');
    await first.message(1);
    first.close();
    foreign.close();
  });

  it('Last-Event-ID replays nothing', async () => {
    const session = await Session.open(app);
    catalog.disable('echo');
    const stream = await session.stream({ 'last-event-id': '1' });
    catalog.enable('echo');
    await stream.message(1);
    expect(stream.messages).toHaveLength(1);
    expect(stream.received).not.toMatch(/^id:/m);
    stream.close();
  });
});
