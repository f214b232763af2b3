import type { NestExpressApplication } from '@nestjs/platform-express';
import { Test } from '@nestjs/testing';
import { AppModule } from '../../src/app.module.js';
import { configure } from '../../src/configure.js';

export const ALICE = 'demo-token-of-alice';
export const BOB = 'demo-token-of-bob';

interface Sent {
  /** A bearer token, alice's unless told; `null` for none. */
  token?: string | null;
  headers?: Record<string, string>;
  body?: unknown;
}

interface Answer {
  status: number;
  headers: Headers;
  text: string;
  /** The parsed body, `undefined` where it is no JSON. */
  json: unknown;
}

/** The sample on a free port of this machine, and a plain HTTP client for it. */
export class Shop {
  private constructor(
    readonly app: NestExpressApplication,
    readonly url: string,
  ) {}

  static async start(): Promise<Shop> {
    const testing = await Test.createTestingModule({ imports: [AppModule] }).compile();
    const app = testing.createNestApplication<NestExpressApplication>({ logger: false });
    configure(app);
    await app.listen(0, '127.0.0.1');
    return new Shop(app, await app.getUrl());
  }

  stop(): Promise<void> {
    return this.app.close();
  }

  async send(method: string, path: string, sent: Sent = {}): Promise<Answer> {
    const { token = ALICE, body } = sent;
    const response = await fetch(this.url + path, {
      method,
      headers: {
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...sent.headers,
      },
      body: body === undefined ? null : JSON.stringify(body),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json') ?? false;
    const json: unknown = isJson ? JSON.parse(text) : undefined;
    return { status: response.status, headers: response.headers, text, json };
  }

  get(path: string, sent?: Sent): Promise<Answer> {
    return this.send('GET', path, sent);
  }

  post(path: string, body: unknown, sent?: Sent): Promise<Answer> {
    return this.send('POST', path, { ...sent, body });
  }
}
