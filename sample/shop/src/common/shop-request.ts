import type { Request } from 'express';
import type { User } from '../auth/user.js';

/** The Express request with what this application puts on it. */
export interface ShopRequest extends Request {
  /** Set by `requestId`, for every request. */
  requestId?: string;
  /** Set by `AuthGuard`, for every route that is not `@Public()`. */
  user?: User;
}
