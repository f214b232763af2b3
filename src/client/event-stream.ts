import { ByteBuffer } from './byte-buffer.js';
import { ExchangeError } from './exchange-error.js';

const LF = 0x0a;
const CR = 0x0d;
const COLON = 0x3a;
const SPACE = 0x20;
const NEW_LINE = Buffer.from('\n');
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);
/** What can stand in a `Last-Event-ID` header as it is. */
const SENDABLE_ID = /^[\x21-\x7e]{1,1024}$/;

/**
 * Takes the bytes of an event stream apart (HTML, section 9.2.6, Interpreting an event stream), as bytes, so that a message is
 * read as strictly here as everywhere.
 */
export class EventStreamParser {
  /** How long to wait before the stream is asked for again, in milliseconds, when the server said so. */
  retryMs: number | undefined;
  /** The id of the last event, when it has one that can be sent back. */
  lastEventId: string | undefined;

  private readonly line = new ByteBuffer();
  private readonly data = new ByteBuffer();
  private hasData = false;
  private eventBytes = 0;
  private type = '';
  private pendingId: string | undefined;
  private isStart = true;
  private afterCr = false;

  /** @param before the parser of the stream that this one goes on with */
  constructor(
    private readonly maxEventBytes: number,
    before?: EventStreamParser,
  ) {
    this.retryMs = before?.retryMs;
    this.lastEventId = before?.lastEventId;
  }

  /**
   * @returns the data of each message that the chunk completes
   * @throws ExchangeError when an event is longer than it may be
   */
  push(chunk: Uint8Array): Buffer[] {
    const messages: Buffer[] = [];
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length);
    let start = 0;
    for (let i = 0; i < bytes.length; i++) {
      const byte = bytes[i];
      const wasCr = this.afterCr;
      this.afterCr = byte === CR;
      if (byte !== LF && byte !== CR) continue;
      // CR LF is one end of a line.
      if (!(byte === LF && wasCr)) {
        this.keep(bytes.subarray(start, i));
        const message = this.endLine();
        if (message !== undefined) messages.push(message);
      }
      start = i + 1;
    }
    this.keep(bytes.subarray(start));
    return messages;
  }

  private keep(part: Buffer): void {
    if (part.length === 0) return;
    this.eventBytes += part.length;
    if (this.eventBytes > this.maxEventBytes) {
      throw new ExchangeError(`an event of the stream has over ${this.maxEventBytes} bytes`);
    }
    this.line.append(part);
  }

  private endLine(): Buffer | undefined {
    let line = this.line.take();
    if (this.isStart && line.subarray(0, 3).equals(BYTE_ORDER_MARK)) line = line.subarray(3);
    this.isStart = false;
    if (line.length === 0) return this.dispatch();
    const colon = line.indexOf(COLON);
    if (colon === 0) return undefined;
    const name = line.toString('latin1', 0, colon < 0 ? undefined : colon);
    const value = colon < 0 ? line.subarray(line.length) : line.subarray(colon + 1);
    this.field(name, value[0] === SPACE ? value.subarray(1) : value);
    return undefined;
  }

  private field(name: string, value: Buffer): void {
    if (name === 'data') {
      if (this.hasData) this.data.append(NEW_LINE);
      this.data.append(value);
      this.hasData = true;
    } else if (name === 'event') this.type = value.toString('latin1');
    else if (name === 'id') this.pendingId = value.toString('latin1');
    else if (name === 'retry' && /^\d{1,9}$/.test(value.toString('latin1'))) {
      this.retryMs = Number(value.toString('latin1'));
    }
  }

  private dispatch(): Buffer | undefined {
    const { type, pendingId } = this;
    const data = this.data.take();
    if (pendingId !== undefined) {
      this.lastEventId = SENDABLE_ID.test(pendingId) ? pendingId : undefined;
    }
    this.hasData = false;
    this.type = '';
    this.eventBytes = 0;
    this.pendingId = undefined;
    return data.length > 0 && (type === '' || type === 'message') ? data : undefined;
  }
}
