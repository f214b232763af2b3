import { IncomingMessage, ServerResponse } from 'node:http';
import type { InProcessSocket } from './in-process-socket.js';

/**
 * @file Constructors whose `prototype` already is the framework's: changing the prototype of a finished object, as Express does
 * with each request, is one of the dearest things to do in V8.
 *
 * The assignments in them never run. V8 counts them when it reads a constructor, and reserves that many slots of each object.
 * Without them every fourth member that Node and the framework add moves all of them to a larger array. They stand in both
 * constructors, since one function that makes both makes a call 4 to 10 % slower (`bench/cost.mjs`).
 */
type Reserved = Record<'r0' | 'r1' | 'r2' | 'r3' | 'r4' | 'r5' | 'r6' | 'r7', unknown>;
const NEVER = Number.isNaN(0);

/** The prototypes that the application's framework gives its requests and responses. */
export interface ExchangePrototypes {
  readonly request: object;
  readonly response: object;
}

/** A request as Node's parser makes it. */
export type ParsedRequest = IncomingMessage & {
  _addHeaderLines(lines: string[], count: number): void;
};

/** What Node's own constructors take. `options` are those that a server hands over. */
export interface ExchangeConstructors {
  readonly Request: new (socket: InProcessSocket) => ParsedRequest;
  readonly Response: new (request: IncomingMessage, options?: object) => ServerResponse;
}

const construct = {
  request: IncomingMessage as unknown as (this: unknown, socket: InProcessSocket) => void,
  response: ServerResponse as unknown as (
    this: unknown,
    request: IncomingMessage,
    options: object | undefined,
  ) => void,
};

/** To be made once for each framework, so that all its requests share their shape. */
export function exchangeConstructors(prototypes: ExchangePrototypes): ExchangeConstructors {
  return {
    Request: requestConstructor(prototypes.request),
    Response: responseConstructor(prototypes.response),
  };
}

function requestConstructor(prototype: object): ExchangeConstructors['Request'] {
  const Request = function (this: Reserved, socket: InProcessSocket): void {
    // prettier-ignore
    if (NEVER) {
      this.r0 = this.r1 = this.r2 = this.r3 = this.r4 = this.r5 = this.r6 = this.r7 = 0;
      this.r0 = this.r1 = this.r2 = this.r3 = this.r4 = this.r5 = this.r6 = this.r7 = 0;
      this.r0 = this.r1 = this.r2 = this.r3 = this.r4 = this.r5 = this.r6 = this.r7 = 0;
      this.r0 = this.r1 = this.r2 = this.r3 = this.r4 = this.r5 = this.r6 = this.r7 = 0;
      this.r0 = this.r1 = this.r2 = this.r3 = this.r4 = this.r5 = this.r6 = this.r7 = 0;
      this.r0 = this.r1 = this.r2 = this.r3 = this.r4 = this.r5 = this.r6 = this.r7 = 0;
    }
    construct.request.call(this, socket);
  };
  return withPrototype(Request, prototype);
}

function responseConstructor(prototype: object): ExchangeConstructors['Response'] {
  const Response = function (this: Reserved, request: IncomingMessage, options?: object): void {
    // prettier-ignore
    if (NEVER) {
      this.r0 = this.r1 = this.r2 = this.r3 = this.r4 = this.r5 = this.r6 = this.r7 = 0;
      this.r0 = this.r1 = this.r2 = this.r3 = this.r4 = this.r5 = this.r6 = this.r7 = 0;
      this.r0 = this.r1 = this.r2 = this.r3 = this.r4 = this.r5 = this.r6 = this.r7 = 0;
      this.r0 = this.r1 = this.r2 = this.r3 = this.r4 = this.r5 = this.r6 = this.r7 = 0;
      this.r0 = this.r1 = this.r2 = this.r3 = this.r4 = this.r5 = this.r6 = this.r7 = 0;
      this.r0 = this.r1 = this.r2 = this.r3 = this.r4 = this.r5 = this.r6 = this.r7 = 0;
      this.r0 = this.r1 = this.r2 = this.r3 = this.r4 = this.r5 = this.r6 = this.r7 = 0;
    }
    construct.response.call(this, request, options);
  };
  return withPrototype(Response, prototype);
}

function withPrototype<Made>(constructor: unknown, prototype: object): Made {
  Object.defineProperty(constructor, 'prototype', { value: prototype });
  return constructor as Made;
}
