import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { gzipSync } from 'node:zlib';
import { UpstreamConnections } from '../../../src/upstream/connections.js';
import type { RestOperation } from '../../../src/upstream/operation.js';
import { json, Upstream } from './upstream.fixture.js';

const upstream = new Upstream();
beforeAll(() => upstream.start());
afterAll(() => upstream.stop());
beforeEach(() => upstream.reset());

const order: Partial<RestOperation> = {
  url: '/orders/{id}',
  parameters: [{ name: 'id', in: 'path', from: '/id' }],
  input: { type: 'object', properties: { id: { type: 'string', pattern: '^[a-z0-9.]+$' } } },
};

describe('agents: a call of an operation', () => {
  it('gives the body of a 2xx as the upstream sent it', async () => {
    upstream.answer = (_, response) => {
      response.writeHead(201, { 'content-type': 'application/json; charset=utf-8' });
      response.end('{"id": 9007199254740993}');
    };
    const outcome = await upstream.call(order, { id: 'a7' });
    expect(outcome).toMatchObject({
      kind: 'success',
      status: 201,
      contentType: 'application/json; charset=utf-8',
    });
    expect(outcome.kind === 'success' && outcome.body.toString()).toBe('{"id": 9007199254740993}');
    expect(upstream.last).toMatchObject({ method: 'GET', target: '/orders/a7' });
  });

  it('validation: says which argument does not fit, and sends nothing', async () => {
    const outcome = await upstream.call(order, { id: 'A!' });
    expect(outcome).toMatchObject({ kind: 'failure', code: 'validation', sent: false });
    expect(outcome).toHaveProperty('messages', [expect.stringMatching(/^id .*pattern/)]);
    expect(await upstream.call(order, [])).toMatchObject({ code: 'validation' });
    expect(upstream.seen).toHaveLength(0);
  });

  it('mapping: says which argument is missing or cannot be written, and sends nothing', async () => {
    expect(await upstream.call(order, {})).toMatchObject({
      code: 'mapping',
      sent: false,
      messages: ['the path parameter "id" is required'],
    });
    const needed: Partial<RestOperation> = {
      parameters: [{ name: 'q', in: 'query', from: '/q', required: true }],
    };
    expect(await upstream.call(needed, {})).toMatchObject({
      code: 'mapping',
      messages: ['/q is missing in the arguments'],
    });
    expect(upstream.seen).toHaveLength(0);
  });

  it('mapping: says that an answer is not what the result is made of, and that the operation was done', async () => {
    const response = { content: { from: '/body/order', required: true } };
    const outcome = await upstream.call({ ...order, response }, { id: '7' });
    expect(outcome).toMatchObject({ kind: 'failure', code: 'mapping', sent: true });
    expect(outcome).toHaveProperty('messages', [
      '/body/order is missing in the answer',
      'The operation was done: the upstream answered 200.',
    ]);
    upstream.answer = (_, answer) => answer.end('<html>');
    const unread = await upstream.call({ ...order, response }, { id: '7' });
    expect(unread).toMatchObject({ code: 'mapping', sent: true });
  });

  it('upstream: tells the status and the beginning of the body', async () => {
    upstream.answer = (_, response) => json(response, 422, { message: 'no stock' });
    expect(await upstream.call(order, { id: '7' })).toEqual({
      kind: 'failure',
      code: 'upstream',
      messages: ['The upstream answered 422.'],
      sent: true,
      status: 422,
      body: '{"message":"no stock"}',
    });
  });

  it('upstream: caps the body of an error, and shows none that is no text', async () => {
    upstream.answer = (_, response) => {
      response.writeHead(500, { 'content-type': 'text/plain' });
      response.end('x'.repeat(50_000));
    };
    const long = await upstream.call(order, { id: '7' });
    expect(long.kind === 'failure' && long.body).toBe(`${'x'.repeat(2_048)}…`);
    upstream.answer = (_, response) => {
      response.writeHead(500, { 'content-type': 'image/png' }).end('PNG');
    };
    expect(await upstream.call(order, { id: '7' })).not.toHaveProperty('body');
    upstream.answer = (_, response) => {
      response.writeHead(500, { 'content-type': 'text/plain' }).end('x'.repeat(5_000_000));
    };
    expect(await upstream.call(order, { id: '7' })).toMatchObject({
      code: 'upstream',
      status: 500,
    });
  });

  it('upstream: says that nothing was sent where nothing listens', async () => {
    const dead = await new Upstream().start();
    const { origin } = dead;
    await dead.stop();
    const outcome = await upstream.call(
      { url: `${origin}/` },
      {},
      { policy: { origins: [origin] } },
    );
    expect(outcome).toMatchObject({
      code: 'upstream',
      sent: false,
      messages: ['The upstream cannot be reached. Nothing was sent.'],
    });
  });

  it('upstream: says that it may have been done where the first attempt broke and the second found nobody', async () => {
    upstream.answer = (_, response) => response.socket?.destroy();
    let turns = 0;
    const connections = new UpstreamConnections({
      lookup: (_, found) => {
        turns += 1;
        if (turns === 1) found(null, [{ address: '127.0.0.1', family: 4 }]);
        else found(new Error('no such host'), []);
      },
    });
    const origin = `http://once.example:${upstream.port}`;
    const call = { url: `${origin}/` };
    const context = { connections, policy: { origins: [origin] } };
    const outcome = await upstream.call(call, {}, context);
    expect({ turns, ...outcome }).toMatchObject({
      turns: 2,
      code: 'upstream',
      sent: true,
      messages: [expect.stringMatching(/^The upstream cannot be reached. .* may have completed/)],
    });
    expect(await upstream.call(call, {}, context)).toMatchObject({
      sent: false,
      messages: ['The upstream cannot be reached. Nothing was sent.'],
    });
    await connections.close();
  });

  it('upstream: says that the operation may have completed where the connection breaks, and repeats no POST', async () => {
    upstream.answer = (_, response) => response.destroy();
    const outcome = await upstream.call({ ...order, method: 'POST' }, { id: '7' });
    expect(outcome).toMatchObject({ code: 'upstream', sent: true });
    expect(outcome).toHaveProperty('messages', [expect.stringMatching(/may have completed/)]);
    expect(upstream.seen).toHaveLength(1);
  });

  it.each(['GET', 'HEAD'] as const)(
    'sends a %s once more when the connection broke',
    async (method) => {
      upstream.answer = (_, response) =>
        upstream.seen.length === 1 ? response.destroy() : json(response, 200, 'second');
      expect(await upstream.call({ ...order, method }, { id: '7' })).toMatchObject({ status: 200 });
      expect(upstream.seen).toHaveLength(2);
      upstream.answer = (_, response) => response.destroy();
      upstream.seen.length = 0;
      expect(await upstream.call({ ...order, method }, { id: '7' })).toMatchObject({ sent: true });
      expect(upstream.seen).toHaveLength(2);
    },
  );

  it.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const)(
    'never repeats a %s, nor any call because of its status',
    async (method) => {
      upstream.answer = (_, response) => response.destroy();
      await upstream.call({ ...order, method }, { id: '7' });
      expect(upstream.seen).toHaveLength(1);
      upstream.answer = (_, response) => json(response, 503, {});
      await upstream.call({ ...order, method }, { id: '7' });
      await upstream.call(order, { id: '7' });
      expect(upstream.seen).toHaveLength(3);
    },
  );

  it('timeout: says that the operation may have completed, before an answer and inside one', async () => {
    upstream.answer = () => undefined;
    const silent = await upstream.call({ ...order, timeoutMs: 50 }, { id: '7' });
    expect(silent).toMatchObject({ code: 'timeout', sent: true });
    expect(silent).toHaveProperty('messages', [
      expect.stringMatching(/within 50 ms\. The operation may have completed/),
    ]);
    upstream.answer = (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const drip = setInterval(() => response.write(' '), 5);
      response.on('close', () => clearInterval(drip));
    };
    const dripping = await upstream.call({ ...order, timeoutMs: 50 }, { id: '7' });
    expect(dripping).toMatchObject({ code: 'timeout', sent: true });
  });

  it('timeout: a credential source that hangs does not hang the call, which sends nothing', async () => {
    const outcome = await upstream.call(
      { ...order, timeoutMs: 50, credentials: [{ ref: 'r', in: 'header', name: 'x-key' }] },
      { id: '7' },
      { credentials: { resolve: () => new Promise(() => undefined) } },
    );
    expect(outcome).toMatchObject({ code: 'timeout', sent: false });
    expect(upstream.seen).toHaveLength(0);
  });

  it('cancelled: the caller gives up, and the request is aborted', async () => {
    const controller = new AbortController();
    const aborted = new Promise<void>((resolve) => {
      upstream.answer = (_, response) => {
        response.on('close', resolve);
        controller.abort();
      };
    });
    const outcome = await upstream.call(order, { id: '7' }, { signal: controller.signal });
    expect(outcome).toMatchObject({ code: 'cancelled', sent: true });
    await aborted;
    const before = await upstream.call(order, { id: '7' }, { signal: controller.signal });
    expect(before).toMatchObject({ code: 'cancelled' });
    expect(upstream.seen).toHaveLength(1);
  });

  it('internal: a credential source that throws is told to the log only', async () => {
    const outcome = await upstream.call(
      { ...order, credentials: [{ ref: 'r', in: 'header', name: 'x-key' }] },
      { id: '7' },
      {
        credentials: {
          resolve: () => {
            throw new Error('vault at 10.0.0.1 is sealed');
          },
        },
      },
    );
    expect(outcome).toMatchObject({
      code: 'internal',
      messages: ['Internal server error'],
      sent: false,
      cause: new Error('vault at 10.0.0.1 is sealed'),
    });
  });

  it('stops reading at the bound of the response, also of one that unpacks into more', async () => {
    const policy = { maxResponseBytes: 10_000 };
    const tooLarge = { code: 'upstream', status: 200, sent: true };
    upstream.answer = (_, response) => {
      response.writeHead(200, { 'content-type': 'text/plain' });
      const write = () =>
        void (response.destroyed || response.write('x'.repeat(4_096), () => setImmediate(write)));
      write();
    };
    expect(await upstream.call(order, { id: '7' }, { policy })).toMatchObject(tooLarge);
    const bomb = gzipSync('x'.repeat(20_000_000));
    upstream.answer = (_, response) => {
      response
        .writeHead(200, { 'content-type': 'text/plain', 'content-encoding': 'gzip' })
        .end(bomb);
    };
    expect(await upstream.call(order, { id: '7' }, { policy })).toMatchObject(tooLarge);
    upstream.answer = (_, response) => {
      const small = gzipSync('{"a":1}');
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
      response.end(small);
    };
    const read = await upstream.call(order, { id: '7' }, { policy });
    expect(read.kind === 'success' && read.body.toString()).toBe('{"a":1}');
  });

  it('refuses an encoding that was not asked for, and a body that breaks off', async () => {
    upstream.answer = (_, response) => {
      response.writeHead(200, { 'content-encoding': 'zstd' }).end('x');
    };
    expect(await upstream.call(order, { id: '7' })).toMatchObject({ code: 'upstream', sent: true });
    upstream.answer = (_, response) => {
      response.writeHead(200, { 'content-length': '100' }).write('x', () => response.destroy());
    };
    const broken = await upstream.call({ ...order, method: 'POST' }, { id: '7' });
    expect(broken).toHaveProperty('messages', [expect.stringMatching(/broke off/)]);
    upstream.answer = (_, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end('not gzip');
    };
    expect(await upstream.call(order, { id: '7' })).toMatchObject({ code: 'upstream' });
  });

  it('takes an empty body, and a HEAD', async () => {
    upstream.answer = (_, response) => response.writeHead(204).end();
    const empty = await upstream.call({ ...order, method: 'DELETE' }, { id: '7' });
    expect(empty).toMatchObject({ kind: 'success', status: 204, body: Buffer.alloc(0) });
    upstream.answer = (_, response) => json(response, 200, {});
    const head = await upstream.call({ ...order, method: 'HEAD' }, { id: '7' });
    expect(head).toMatchObject({ kind: 'success', body: Buffer.alloc(0) });
  });
});
