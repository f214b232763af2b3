import { randomUUID } from 'node:crypto';
import type { NextFunction, Response } from 'express';
import type { ShopRequest } from './shop-request.js';

const HEADER = 'x-request-id';
const ACCEPTABLE = /^[\w.-]{1,64}$/;

/** Keeps the caller's request id where it is a harmless one, makes one otherwise, and sends it back. */
export function requestId(request: ShopRequest, response: Response, next: NextFunction): void {
  const given = request.get(HEADER);
  request.requestId = given !== undefined && ACCEPTABLE.test(given) ? given : randomUUID();
  response.setHeader(HEADER, request.requestId);
  next();
}
