import {
  Injectable,
  NotFoundException,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common';
import { callOf } from './call.js';

/**
 * A global guard. Lets a tool call reach its own route and no other: an argument such as `admin` for `/users/:id` must not
 * reach `/users/admin`. Requests that are no tool calls pass.
 */
@Injectable()
export class McpCallGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    if (context.getType() !== 'http') return true;
    const call = callOf(context.switchToHttp().getRequest<object>());
    if (call === undefined) return true;
    call.reached = true;
    if (call.isOwnRoute(context.getClass(), context.getHandler())) return true;
    call.strayed = true;
    throw new NotFoundException();
  }
}
