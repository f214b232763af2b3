/** @file One kept-alive HTTP/1.1 connection. As little work as can be, so that the server is what is measured. */
import { connect } from 'node:net';

const HEAD_END = Buffer.from('\r\n\r\n');

export class Connection {
  #socket;
  #buffer = Buffer.alloc(0);
  #pending;

  /** @param port a port of the loopback address */
  static open(port) {
    const connection = new Connection();
    return new Promise((resolve, reject) => {
      connection.#socket = connect({ port, host: '127.0.0.1', noDelay: true });
      connection.#socket.once('connect', () => resolve(connection));
      connection.#socket.once('error', reject);
      connection.#socket.on('error', (error) => connection.#fail(error));
      connection.#socket.on('close', () => connection.#fail(new Error('The server hung up.')));
      connection.#socket.on('data', (chunk) => connection.#read(chunk));
    });
  }

  /** Sends a request. `done(answer)` gets status, head and body, or an `Error`. */
  send(request, done) {
    this.#pending = done;
    this.#socket.write(request, 'utf8');
  }

  close() {
    this.#pending = undefined;
    this.#socket.destroy();
  }

  #read(chunk) {
    this.#buffer = this.#buffer.length === 0 ? chunk : Buffer.concat([this.#buffer, chunk]);
    const answer = parseAnswer(this.#buffer);
    if (answer === undefined) return;
    this.#buffer = this.#buffer.subarray(answer.end);
    const done = this.#pending;
    this.#pending = undefined;
    done?.(answer);
  }

  #fail(error) {
    const done = this.#pending;
    this.#pending = undefined;
    done?.(error);
  }
}

/** @returns the answer that the buffer begins with, `undefined` while some of it is missing */
function parseAnswer(buffer) {
  const headEnd = buffer.indexOf(HEAD_END);
  if (headEnd < 0) return undefined;
  const head = buffer.latin1Slice(0, headEnd);
  const status = Number(head.slice(9, 12));
  const start = headEnd + HEAD_END.length;
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
  if (length !== undefined) {
    const end = start + Number(length);
    return buffer.length < end
      ? undefined
      : { status, head, body: buffer.subarray(start, end), end };
  }
  if (/\r\ntransfer-encoding: *chunked/i.test(head))
    return parseChunks(buffer, start, { status, head });
  return { status, head, body: buffer.subarray(start, start), end: start };
}

function parseChunks(buffer, start, answer) {
  const chunks = [];
  for (let at = start; ;) {
    const lineEnd = buffer.indexOf('\r\n', at);
    if (lineEnd < 0) return undefined;
    const size = parseInt(buffer.latin1Slice(at, lineEnd), 16);
    const end = lineEnd + 2 + size + 2;
    if (buffer.length < end) return undefined;
    if (size === 0) return { ...answer, body: Buffer.concat(chunks), end };
    chunks.push(buffer.subarray(lineEnd + 2, lineEnd + 2 + size));
    at = end;
  }
}
