import { gzipSync } from 'node:zlib';
import type { Reaction } from './scripted-server.js';

/** The limits that the hostile suite sets, so that a bound is reached soon. */
export const LIMITS = {
  requestTimeoutMs: 30_000,
  cancelTimeoutMs: 200,
  maxResultBytes: 64 * 1024,
  maxEventBytes: 16 * 1024,
  maxHeaderBytes: 8 * 1024,
} as const;

const BOMB = gzipSync(`{"jsonrpc":"2.0","more":"${'x'.repeat(50_000_000)}"}`);
const HUGE = 'x'.repeat(LIMITS.maxResultBytes);
const progress = (text: string): string =>
  JSON.stringify({
    jsonrpc: '2.0',
    method: 'notifications/message',
    params: { level: 'info', data: text },
  });

/** Writes on until the client has had enough. */
function forever(write: () => boolean, socket: NodeJS.EventEmitter & { destroyed: boolean }): void {
  const next = (): void => {
    while (!socket.destroyed && write());
    if (!socket.destroyed) socket.once('drain', next);
  };
  next();
}

/** Every way not to answer a request: whatever was asked, it has no answer after one of these. */
export const FAULTS: Readonly<Record<string, Reaction>> = {
  'the connection ends before the head': (x) => void x.request.socket.end(),
  'the connection is reset before the head': (x) => x.cut(),
  'the connection is reset within the head': (x) => {
    x.raw('HTTP/1.1 200 OK\r\ncontent-ty');
    setImmediate(() => x.cut());
  },
  'the head is no HTTP': (x) => x.raw('SSH-2.0-OpenSSH_9.6\r\n\r\n'),
  'the head has over 8 KiB': (x) => x.send(x.text(), { 'x-filler': 'x'.repeat(12 * 1024) }),
  'the head goes on for ever': (x) => {
    x.raw('HTTP/1.1 200 OK\r\n');
    const { socket } = x.request;
    let i = 0;
    forever(() => socket.write(`x-${i++}: ${'y'.repeat(500)}\r\n`), socket);
  },
  'the status is 600': (x) => x.raw('HTTP/1.1 600 Odd\r\ncontent-length: 2\r\n\r\n{}'),
  'the body ends early by its length': (x) => {
    x.raw(
      `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 5000\r\n\r\n${x.text()}`,
    );
    x.request.socket.end();
  },
  'the body is cut between two bytes': (x) => {
    const text = x.text();
    x.raw(
      `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${text.length}\r\n\r\n`,
    );
    x.raw(text.slice(0, text.length / 2));
    setImmediate(() => x.cut());
  },
  'the body ends in the middle of its JSON': (x) => x.send(x.text().slice(0, -5)),
  'the chunks are cut': (x) => {
    x.response.writeHead(200, { 'content-type': 'application/json' });
    x.response.write(x.text());
    setImmediate(() => x.cut());
  },
  'the chunks are no chunks': (x) =>
    x.raw(
      'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n{}\r\n',
    ),
  'nothing ever comes': () => {},
  'a head comes and no body': (x) =>
    x.response.writeHead(200, { 'content-type': 'application/json' }).flushHeaders(),
  'a byte comes now and then': (x) => {
    x.response.writeHead(200, { 'content-type': 'application/json' });
    const timer = setInterval(() => x.response.write(' '), 20);
    x.request.socket.once('close', () => clearInterval(timer));
  },
  'the answer is huge by its length': (x) => x.send(x.text({ ...x.good, more: HUGE })),
  'the answer goes on for ever': (x) => {
    x.response.writeHead(200, { 'content-type': 'application/json' });
    x.response.write('{"jsonrpc":"2.0","more":"');
    forever(() => x.response.write('x'.repeat(1024)), x.request.socket);
  },
  'the answer is a gzip bomb': (x) => x.send(BOMB, { 'content-encoding': 'gzip' }),
  'the gzip is cut': (x) =>
    x.send(gzipSync(x.text()).subarray(0, -12), { 'content-encoding': 'gzip' }),
  'the gzip is none': (x) => x.send(x.text(), { 'content-encoding': 'gzip' }),
  'the encoding is unknown': (x) => x.send(x.text(), { 'content-encoding': 'snappy' }),
  'the id is another': (x) => x.send(x.text(x.good, x.id + 1)),
  'the id is the text of it': (x) => x.send(x.text(x.good, String(x.id))),
  'the id is missing': (x) => x.send(JSON.stringify({ jsonrpc: '2.0', result: x.good })),
  'the id is null': (x) => x.send(x.text(x.good, null)),
  'there are two answers in a row': (x) => x.send(x.text() + x.text()),
  'there is a batch of answers': (x) => x.send(`[${x.text()},${x.text()}]`),
  'the result stands twice': (x) =>
    x.send(`{"jsonrpc":"2.0","id":${x.id},"result":${JSON.stringify(x.good)},"result":{}}`),
  'there is a result and an error': (x) =>
    x.send(
      JSON.stringify({ jsonrpc: '2.0', id: x.id, result: x.good, error: { code: 1, message: '' } }),
    ),
  'there is neither a result nor an error': (x) =>
    x.send(JSON.stringify({ jsonrpc: '2.0', id: x.id })),
  'the result is a list': (x) =>
    x.send(JSON.stringify({ jsonrpc: '2.0', id: x.id, result: [x.good] })),
  'the version is another': (x) =>
    x.send(JSON.stringify({ jsonrpc: '1.0', id: x.id, result: x.good })),
  'the answer nests too deep': (x) =>
    x.send(
      x.text().replace('"result":{', `"result":{"deep":${'['.repeat(500)}${']'.repeat(500)},`),
    ),
  'the answer is not UTF-8': (x) => x.send(Buffer.from(x.text({ ...x.good, more: 'é' }), 'latin1')),
  'the answer begins with a byte order mark': (x) => x.send(`\ufeff${x.text()}`),
  'the answer is HTML': (x) => x.send('<html></html>', { 'content-type': 'text/html' }),
  'the answer is accepted and nothing more': (x) => void x.response.writeHead(202).end(),
  'there is no content': (x) => void x.response.writeHead(204).end(),
  'the answer is a notification': (x) => x.send(progress('done')),
  'the JSON-RPC error is -32602': (x) => x.fault(-32602),
  'the JSON-RPC error is -32603': (x) => x.fault(-32603, 500),
  'the JSON-RPC error is of no number': (x) =>
    x.send(JSON.stringify({ jsonrpc: '2.0', id: x.id, error: { code: 'E' } })),
  'the stream ends without the answer': (x) => void x.stream(progress('working')).end(),
  'the stream is empty': (x) => void x.stream().end(),
  'the stream ends within the answer': (x) => void x.stream().end(`data: ${x.text().slice(0, -4)}`),
  'the stream ends before the blank line': (x) => void x.stream().end(`data: ${x.text()}\n`),
  'the stream is cut within the answer': (x) => {
    x.stream().write(`data: ${x.text()}`);
    setImmediate(() => x.cut());
  },
  'the stream stays open without the answer': (x) => void x.stream(progress('working')),
  'the stream has the answer to another request': (x) =>
    void x.stream(x.text(x.good, x.id + 1)).end(),
  'the stream has an event of over 16 KiB': (x) =>
    void x.stream(progress('x'.repeat(20_000)), x.text()).end(),
  'the stream has an event that never ends': (x) => {
    const stream = x.stream();
    stream.write('data: ');
    forever(() => stream.write('x'.repeat(1024)), x.request.socket);
  },
  'the stream has notifications for ever': (x) => {
    const stream = x.stream();
    forever(() => stream.write(`data: ${progress('working')}\n\n`), x.request.socket);
  },
  'the stream has comments for ever': (x) => {
    const stream = x.stream();
    forever(() => stream.write(': still working\n\n'), x.request.socket);
  },
  'the stream has no JSON': (x) => void x.stream('done').end(),
  'the stream has requests for ever': (x) => {
    const stream = x.stream();
    let id = 0;
    forever(
      () => stream.write(`data: {"jsonrpc":"2.0","id":${id++},"method":"ping"}\n\n`),
      x.request.socket,
    );
  },
};

/** Those after which nothing more happens until somebody gives up. */
export const HANGING: readonly string[] = [
  'nothing ever comes',
  'a head comes and no body',
  'a byte comes now and then',
  'the stream stays open without the answer',
];

/** Answers with a status that invites a client to try again, to go elsewhere, or to log in. */
export const STATUSES = [400, 401, 403, 404, 407, 408, 409, 410, 421, 425, 429, 500, 502, 503, 504];
export const REDIRECTS = [300, 301, 302, 303, 307, 308];
