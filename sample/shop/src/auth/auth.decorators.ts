import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { ShopRequest } from '../common/shop-request.js';
import type { Role, User } from './user.js';

/** The route needs no token. */
export const Public = Reflector.createDecorator<void, true>({ transform: () => true });

/** Only users of one of these roles may call the route. */
export const Roles = Reflector.createDecorator<Role[]>();

/** The user that `AuthGuard` found. */
export const CurrentUser = createParamDecorator((_: unknown, context: ExecutionContext): User => {
  const { user } = context.switchToHttp().getRequest<ShopRequest>();
  if (!user) throw new Error('@CurrentUser() stands on a route that is public.');
  return user;
});
