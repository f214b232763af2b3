import { EventEmitter } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';

/**
 * Stands where a request's socket stands, and tells of the real one what an application asks a socket: addresses and TLS
 * state. It carries no bytes.
 */
export class InProcessSocket extends EventEmitter {
  readonly remoteAddress: string | undefined;
  readonly remotePort: number | undefined;
  readonly remoteFamily: string | undefined;
  readonly localAddress: string | undefined;
  readonly localPort: number | undefined;
  /** `true` behind TLS, else absent, as on a real socket. */
  readonly encrypted: boolean | undefined;
  readonly authorized: boolean | undefined;
  /** Body parsers take a request on a socket that cannot be read for a finished one. */
  readonly readable = true;
  readonly writable = true;
  readonly writableLength = 0;
  readonly readableHighWaterMark = 16_384;
  readonly bufferSize = 0;
  readonly connecting = false;
  timeout = 0;
  destroyed = false;

  private constructor(private readonly outer: Partial<Socket>) {
    super();
    this.remoteAddress = outer.remoteAddress;
    this.remotePort = outer.remotePort;
    this.remoteFamily = outer.remoteFamily;
    this.localAddress = outer.localAddress;
    this.localPort = outer.localPort;
    this.encrypted = (outer as Partial<TLSSocket>).encrypted;
    this.authorized = (outer as Partial<TLSSocket>).authorized;
  }

  /** The socket that a call's request stands on, made of the one that the MCP request came over. */
  static of(outer: IncomingMessage): Socket {
    return new InProcessSocket(outer.socket) as unknown as Socket;
  }

  /** A socket of this machine's own, for a request that no network carried. */
  static loopback(): Socket {
    const outer = { remoteAddress: '127.0.0.1', remotePort: 0, remoteFamily: 'IPv4' };
    return new InProcessSocket(outer) as unknown as Socket;
  }

  address(): object {
    return this.outer.address?.() ?? {};
  }

  getPeerCertificate(detailed?: boolean): object {
    const outer = this.outer as Partial<TLSSocket>;
    return typeof outer.getPeerCertificate === 'function' ? outer.getPeerCertificate(detailed) : {};
  }

  destroy(): this {
    if (this.destroyed) return this;
    this.destroyed = true;
    this.emit('close', false);
    return this;
  }

  end(): this {
    return this.destroy();
  }

  setTimeout(milliseconds: number): this {
    this.timeout = milliseconds;
    return this;
  }

  write(): boolean {
    return true;
  }
  setNoDelay(): this {
    return this;
  }
  setKeepAlive(): this {
    return this;
  }
  cork(): void {}
  uncork(): void {}
  pause(): this {
    return this;
  }
  resume(): this {
    return this;
  }
  ref(): this {
    return this;
  }
  unref(): this {
    return this;
  }
}
