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

type Base<Argument> = (this: unknown, argument: Argument) => void;
type Constructor<Argument, Instance> = new (argument: Argument) => Instance;

const construct = {
  request: IncomingMessage as unknown as Base<InProcessSocket>,
  response: ServerResponse as unknown as Base<IncomingMessage>,
};

/** A request as Node's parser makes it. */
export type ParsedRequest = IncomingMessage & {
  _addHeaderLines(lines: string[], count: number): void;
};

export function requestConstructor(prototype: object): Constructor<InProcessSocket, ParsedRequest> {
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

export function responseConstructor(
  prototype: object,
): Constructor<IncomingMessage, ServerResponse> {
  const Response = function (this: Reserved, request: IncomingMessage): void {
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
    construct.response.call(this, request);
  };
  return withPrototype(Response, prototype);
}

function withPrototype<Argument, Instance>(
  constructor: (this: Reserved, argument: Argument) => void,
  prototype: object,
): Constructor<Argument, Instance> {
  Object.defineProperty(constructor, 'prototype', { value: prototype });
  return constructor as unknown as Constructor<Argument, Instance>;
}
