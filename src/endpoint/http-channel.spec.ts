import { jest } from '@jest/globals';
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { HttpChannel } from './http-channel.js';

const SSE = { accept: 'text/event-stream' };

/** A response of a real server whose client reads only when it is told to. */
async function open(headers: Record<string, string> = SSE): Promise<{
  channel: HttpChannel;
  response: ServerResponse;
  client: Promise<IncomingMessage>;
  leave: () => void;
  close: () => Promise<void>;
}> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const arrived = new Promise<[IncomingMessage, ServerResponse]>((resolve) =>
    server.once('request', (...pair) => resolve(pair)),
  );
  const outgoing = request({ port, method: 'POST', headers, agent: false });
  const client = new Promise<IncomingMessage>((resolve) => outgoing.once('response', resolve));
  outgoing.on('error', () => undefined);
  outgoing.end();
  const [incoming, response] = await arrived;
  return {
    channel: new HttpChannel(incoming, response),
    response,
    client,
    leave: () => void outgoing.destroy(),
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

const over = (response: ServerResponse): Promise<void> =>
  new Promise((resolve) => (response.closed ? resolve() : response.once('close', resolve)));

describe('HttpChannel', () => {
  afterEach(() => jest.useRealTimers());

  it('keeps no stream alive that has ended and waits for a slow reader', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
    const { channel, response, client, close } = await open();
    const errors: unknown[] = [];
    response.on('error', (error) => errors.push(error));
    channel.send('x'.repeat(20_000_000));
    (await client).pause();
    channel.end();
    jest.advanceTimersByTime(60_000);
    await new Promise((resolve) => setImmediate(resolve));
    expect([response.closed, errors]).toEqual([false, []]);
    await close();
  });

  it('gives up a client that does not read, once much waits for it, and no client for one large message', async () => {
    const { channel, response, client, close } = await open();
    channel.send('x'.repeat(20_000_000));
    expect(response.destroyed).toBe(false);
    (await client).pause();
    channel.send('y');
    await over(response);
    expect(response.destroyed).toBe(true);
    await close();
  });

  it('leaves out what may be left out while the client is behind', async () => {
    const { channel, response, client, close } = await open();
    channel.sendIfFree('first');
    channel.send('x'.repeat(1_000_000));
    const waiting = response.writableLength;
    channel.sendIfFree('second');
    expect(response.writableLength).toBe(waiting);
    channel.send('third');
    expect(response.writableLength).toBeGreaterThan(waiting);
    (await client).resume();
    await close();
  });

  it('tells of a client that has left, once, before or after it is asked to', async () => {
    const { channel, response, leave, close } = await open();
    const calls: string[] = [];
    channel.onClientClosed(() => calls.push('before'));
    leave();
    await over(response);
    channel.onClientClosed(() => calls.push('after'));
    channel.onOver(() => calls.push('over'));
    expect(calls).toEqual(['before', 'after', 'over']);
    channel.send('nothing');
    channel.answer({ status: 200, body: ['nothing'] });
    expect(response.headersSent).toBe(false);
    await close();
  });

  it('does not take the end of an answered exchange for a client that left', async () => {
    const { channel, response, client, close } = await open({ accept: 'application/json' });
    const left = jest.fn();
    channel.onClientClosed(left);
    channel.answer({ status: 200, body: ['{}'] });
    (await client).resume();
    await over(response);
    channel.onClientClosed(left);
    expect(left).not.toHaveBeenCalled();
    await close();
  });

  it('writes a message on one line, whatever line breaks it has', async () => {
    const { channel, client, close } = await open();
    channel.answer({ status: 200, body: ['{\n"a":\r\n1}', Buffer.from('\n')] });
    let text = '';
    for await (const chunk of await client) text += String(chunk);
    expect(text).toBe('event: message\ndata: { "a": 1} \n\n');
    await close();
  });
});
