import { EventEmitter } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';

/**
 * Stands where a request's socket stands, and tells of the real one what an application asks a socket: addresses and TLS
 * state. It carries no bytes.
 */
export class InProcessSocket extends EventEmitter {
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
  private onDestroy: ((owner: unknown) => void) | undefined;
  private owner: unknown;

  private constructor(private readonly outer: Partial<Socket>) {
    super();
    this.encrypted = (outer as Partial<TLSSocket>).encrypted;
    this.authorized = (outer as Partial<TLSSocket>).authorized;
  }

  /** The socket that a call's request stands on, made of the one that the MCP request came over. */
  static of(outer: IncomingMessage): InProcessSocket {
    return new InProcessSocket(outer.socket);
  }

  /** A socket of this machine's own, for a request that no network carried. */
  static loopback(): InProcessSocket {
    const outer = { remoteAddress: '127.0.0.1', remotePort: 0, remoteFamily: 'IPv4' };
    return new InProcessSocket(outer);
  }

  /** Calls back, once, when the socket is destroyed. Cheaper than a listener of `close`, which the application may remove. */
  belongTo<T>(owner: T, onDestroy: (owner: T) => void): void {
    this.owner = owner;
    this.onDestroy = onDestroy as (owner: unknown) => void;
  }

  get remoteAddress(): string | undefined {
    return this.outer.remoteAddress;
  }
  get remotePort(): number | undefined {
    return this.outer.remotePort;
  }
  get remoteFamily(): string | undefined {
    return this.outer.remoteFamily;
  }
  get localAddress(): string | undefined {
    return this.outer.localAddress;
  }
  get localPort(): number | undefined {
    return this.outer.localPort;
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
    this.onDestroy?.(this.owner);
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
