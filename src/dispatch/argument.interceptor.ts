import {
  BadRequestException,
  Injectable,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { tap, type Observable } from 'rxjs';
import { callOf } from './call.js';

/**
 * A global interceptor: checks the arguments of a tool call against the tool's schema. It runs after every guard and before
 * the pipes, so that a caller who may not call learns nothing of what is wrong with the arguments, and so that the
 * application's own exception filters write the refusal.
 */
@Injectable()
export class McpArgumentInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    if (context.getType() !== 'http') return next.handle();
    const call = callOf(context.switchToHttp().getRequest<object>());
    if (call === undefined) return next.handle();
    const problems = [...call.problems, ...call.check(call.args)];
    if (problems.length > 0) throw new BadRequestException(problems);
    return next.handle().pipe(
      tap({
        error: (error: unknown) => {
          call.cause = error;
        },
      }),
    );
  }
}
