import { jest } from '@jest/globals';
import { FixtureApp } from '../support/fixture-app.js';
import { PLATFORMS } from '../support/platforms.js';
import { Gate, TOOLS } from './tools.fixture.js';
import { envelope, eventually, message, modernHeaders, Session, Stream, type Rpc } from './wire.js';

const callMessage = (name: string, args: object, meta: object = {}): Record<string, unknown> =>
  message('tools/call', { name, arguments: args, _meta: envelope({ ...meta }) });
const progressOf = (messages: readonly Rpc[]): unknown[] =>
  messages
    .filter(({ method }) => method === 'notifications/progress')
    .map(({ params }) => params?.['progress']);

describe.each(PLATFORMS)('protocol on $name: the stream of a call', (platform) => {
  let app: FixtureApp;
  let gate: Gate;
  const start = async (mcp: object = {}): Promise<void> => {
    app = await FixtureApp.start({ ...TOOLS, platform, mcp });
    gate = app.app.get(Gate);
  };
  const modern = (name: string, args: object = {}, meta?: object): Promise<Stream> =>
    Stream.open(app, 'POST', modernHeaders('tools/call', name), callMessage(name, args, meta));
  afterEach(async () => {
    jest.useRealTimers();
    gate.releaseAll();
    await app.close();
  });

  it('is plain JSON when the call is quick and tells no progress', async () => {
    await start();
    const answer = await modern('echo', { path: { text: 'a' } }, { progressToken: 1 });
    expect(answer.headers['content-type']).toBe('application/json');
    await answer.ended();
  });

  it('begins after streamAfterMs, keeps alive with comments, and ends with the answer', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
    await start({ streamAfterMs: 2_000 });
    const opened = modern('slow');
    await eventually(() => gate.started === 1);
    jest.advanceTimersByTime(2_000);
    const stream = await opened;
    expect(stream.status).toBe(200);
    expect(stream.headers).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
    });
    jest.advanceTimersByTime(15_000);
    await stream.until(() => stream.received.includes(': keep-alive'));
    expect(stream.messages).toEqual([]);
    gate.releaseAll();
    await stream.ended();
    expect(stream.messages).toHaveLength(1);
    expect(stream.messages[0]).toMatchObject({
      id: 1,
      result: { resultType: 'complete', structuredContent: { value: 'released' } },
    });
  });

  it.each([
    ['a number', 7],
    ['zero', 0],
    ['a text', 'token'],
  ])(
    'progress goes to the token, %s: only what increases, nothing after the end',
    async (_, token) => {
      await start();
      const steps = [0, 0, 10, 5, 10, 50.5, 100];
      const stream = await modern('progress', { body: { steps } }, { progressToken: token });
      await stream.ended();
      expect(progressOf(stream.messages)).toEqual([0, 10, 50.5, 100]);
      expect(stream.messages[0]?.params).toEqual({
        progressToken: token,
        progress: 0,
        total: 100,
        message: 'at 0',
      });
      expect(stream.messages.at(-1)).toMatchObject({ id: 1, result: {} });
      expect(stream.messages).toHaveLength(5);
    },
  );

  it.each([
    ['none', undefined],
    ['null', null],
    ['a fraction', 1.5],
    ['an object', {}],
  ])('no progress for a token that is %s', async (_, progressToken) => {
    await start();
    const meta = progressToken === undefined ? {} : { progressToken };
    const answer = await modern('progress', { body: { steps: [1, 2] } }, meta);
    expect(answer.headers['content-type']).toBe('application/json');
    expect(await answer.ended()).not.toContain('progress"');
  });

  it('calls in flight with one id and one token have a stream each', async () => {
    await start();
    const streams = await Promise.all(
      [[1, 2], [3], [4, 5, 6]].map((steps) =>
        modern('progress', { body: { steps } }, { progressToken: 1 }),
      ),
    );
    for (const stream of streams) await stream.ended();
    expect(streams.map(({ messages }) => progressOf(messages))).toEqual([[1, 2], [3], [4, 5, 6]]);
  });

  it('A8: in 2026-07-28 a closed connection cancels, streaming or not', async () => {
    await start({ streamAfterMs: 60_000 });
    for (const meta of [{}, { progressToken: 1 }]) {
      const { aborted, started } = gate;
      const controller = new AbortController();
      const refused = fetch(new URL(app.path, app.url), {
        method: 'POST',
        signal: controller.signal,
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          ...modernHeaders('tools/call', 'slow'),
        },
        body: JSON.stringify(callMessage('slow', {}, meta)),
      });
      await eventually(() => gate.started === started + 1);
      controller.abort();
      await expect(refused).rejects.toThrow();
      await eventually(() => gate.aborted === aborted + 1);
    }
  });

  it('A8: in the 2025 revisions it does not, and the call can still be cancelled', async () => {
    await start({ sessions: {}, streamAfterMs: 0 });
    const session = await Session.open(app);
    const leave = async (id: number): Promise<void> => {
      const { started } = gate;
      const call = message('tools/call', { name: 'slow' }, id);
      const stream = await Stream.open(app, 'POST', session.headers, call);
      await eventually(() => gate.started === started + 1);
      stream.close();
      await stream.ended();
      for (let i = 0; i < 3; i++) expect((await session.request('ping')).status).toBe(200);
    };
    await leave(1);
    expect(gate.aborted).toBe(0);
    await session.cancel(1);
    expect(gate.aborted).toBe(1);
    await leave(2);
    await session.end();
    expect(gate.aborted).toBe(2);
  });

  it('cancelled while it streams, the exchange is completed', async () => {
    await start({ sessions: {}, streamAfterMs: 0 });
    const session = await Session.open(app);
    const call = message('tools/call', { name: 'slow' }, 'x');
    const stream = await Stream.open(app, 'POST', session.headers, call);
    expect(stream.headers['content-type']).toBe('text/event-stream');
    await eventually(() => gate.started === 1);
    await session.cancel('x');
    await stream.ended();
    expect(stream.messages).toEqual([expect.objectContaining({ id: 'x' })]);
    expect(gate.aborted).toBe(1);
  });

  it('a large result goes over a stream whole', async () => {
    await start();
    const stream = await Stream.open(
      app,
      'POST',
      { ...modernHeaders('tools/call', 'large'), accept: 'text/event-stream' },
      callMessage('large', {}),
    );
    await stream.ended();
    expect(stream.messages).toHaveLength(1);
    const { structuredContent } = stream.messages[0]?.result as {
      structuredContent: { text: string };
    };
    expect(structuredContent.text).toHaveLength(900_000);
  });

  it('more progress than the client reads is left out, and the answer still comes', async () => {
    await start();
    const stream = await modern('progress', { body: { upTo: 60_000 } }, { progressToken: 1 });
    await stream.ended();
    expect(stream.messages.at(-1)).toMatchObject({ id: 1, result: {} });
    const told = progressOf(stream.messages) as number[];
    expect(told.length).toBeGreaterThan(0);
    expect(told).toEqual([...told].sort((a, b) => a - b));
  });

  it('P8: a handler that throws null, or rejects with undefined, is an answer', async () => {
    await start({ sessions: {} });
    const session = await Session.open(app);
    for (const name of ['throws_null', 'rejects_undefined']) {
      for (const result of [
        await app.call(name),
        (JSON.parse((await session.call(name)).text) as Rpc).result,
      ]) {
        expect(result).toMatchObject({ isError: true });
      }
    }
  });
});
