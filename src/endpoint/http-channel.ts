import type { IncomingMessage, ServerResponse } from 'node:http';
import { readAccept } from '../protocol/accept.js';
import type { Answer, Channel } from '../protocol/channel.js';
import { writeJson } from './write-answer.js';

/** How often a stream says that it is alive, in milliseconds: more often than proxies lose patience. */
const KEEP_ALIVE_MS = 15_000;

/** How much may wait for a client that does not read, in bytes, before it is given up. */
const MAX_WAITING_BYTES = 4 * 1024 * 1024;

/** The way back of one HTTP request: a JSON body, or an event stream once one is begun. */
export class HttpChannel implements Channel {
  readonly canStream: boolean;
  private readonly takesJson: boolean;
  private streaming = false;
  private answered = false;
  private keepAlive: NodeJS.Timeout | undefined;

  constructor(
    { headers, method }: IncomingMessage,
    private readonly response: ServerResponse,
  ) {
    const { accept } = headers;
    const { json, sse } = readAccept(accept);
    this.takesJson = json && method === 'POST';
    // `*/*` and no header at all are sent by clients that know nothing of streams.
    this.canStream =
      sse && (!json || (accept?.toLowerCase().includes('text/event-stream') ?? false));
  }

  /** The client takes neither of the two kinds of answer. */
  get acceptsNothing(): boolean {
    return !this.takesJson && !this.canStream;
  }

  answer(answer: Answer): void {
    const { response } = this;
    if (this.isOver()) return;
    if (this.streaming || (!this.takesJson && answer.status === 200)) {
      if (!this.streaming) setHeaders(response, answer);
      this.send(answer.body.map(String).join(''));
      this.end();
    } else {
      this.answered = true;
      setHeaders(response, answer);
      writeJson(response, answer);
    }
  }

  send(message: string): void {
    this.open();
    if (!this.streaming || this.isOver()) return;
    if (this.response.writableLength > MAX_WAITING_BYTES) {
      this.response.destroy();
      return;
    }
    // Line breaks of a JSON text stand between its tokens only, where a space is as good.
    this.response.write(`event: message\ndata: ${message.replace(/[\r\n]+/g, ' ')}\n\n`);
  }

  sendIfFree(message: string): void {
    if (!this.response.writableNeedDrain) this.send(message);
  }

  open(): void {
    const { response } = this;
    if (this.streaming || !this.canStream || this.isOver() || response.headersSent) return;
    this.streaming = true;
    response.statusCode = 200;
    response.setHeader('Content-Type', 'text/event-stream');
    response.setHeader('Cache-Control', 'no-store, no-transform');
    // Asks nginx not to wait for more.
    response.setHeader('X-Accel-Buffering', 'no');
    response.flushHeaders();
    this.keepAlive = setInterval(() => response.write(': keep-alive\n\n'), KEEP_ALIVE_MS);
    this.keepAlive.unref();
    response.once('close', () => clearInterval(this.keepAlive));
  }

  end(): void {
    if (this.isOver()) return;
    this.answered = true;
    // The end may wait for a slow reader for long, and a write after it would be an error that nobody catches.
    clearInterval(this.keepAlive);
    this.response.end();
  }

  onClientClosed(listener: () => void): void {
    if (this.response.closed && !this.answered) {
      listener();
      return;
    }
    this.response.once('close', () => {
      if (!this.answered) listener();
    });
  }

  onOver(listener: () => void): void {
    if (this.response.closed) listener();
    else this.response.once('close', listener);
  }

  private isOver(): boolean {
    return this.answered || this.response.destroyed;
  }
}

function setHeaders(response: ServerResponse, { headers }: Answer): void {
  if (headers === undefined || response.headersSent) return;
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
}
