import {
  Injectable,
  NotFoundException,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common';
import { callOf } from './call.js';

/**
 * A global guard. Lets a tool call reach its own route and no other: an argument such as `admin` for `/users/:id` must not
 * reach `/users/admin`. Then asks the tool guards. Requests that are no tool calls pass.
 */
@Injectable()
export class McpCallGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    if (context.getType() !== 'http') return true;
    const call = callOf(context.switchToHttp().getRequest<object>());
    if (call === undefined) return true;
    call.reached = true;
    if (call.isOwnRoute(context.getClass(), context.getHandler())) return call.authorize();
    call.strayed = true;
    throw new NotFoundException();
  }
}
