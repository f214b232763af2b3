import { BadRequestException, type NestInterceptor } from '@nestjs/common';
import { tap } from 'rxjs';
import { callOf } from './call.js';

/** The key of `@UseInterceptors()` (`@nestjs/common`, its `constants.js`, which is no public entry). */
const INTERCEPTORS = '__interceptors__';

/**
 * Checks the caller's scopes and the arguments of a tool call against the tool's. It is the last interceptor of each route: it runs after every
 * guard, so that a caller who may not call learns nothing of what is wrong with the arguments, and before the pipes, so that
 * the application's own interceptors and exception filters see the refusal as they see that of a pipe.
 *
 * No global interceptor, though that is simpler: with one, the endpoint's own requests take Nest's way through rxjs as well.
 */
const argumentInterceptor: NestInterceptor = {
  intercept(context, next) {
    if (context.getType() !== 'http') return next.handle();
    const call = callOf(context.switchToHttp().getRequest<object>());
    if (call === undefined) return next.handle();
    call.checkScopes();
    const misfits = call.check(call.args);
    const problems = call.problems.length === 0 ? misfits : [...call.problems, ...misfits];
    if (problems.length > 0) throw new BadRequestException(problems);
    return next.handle().pipe(
      tap({
        error: (error: unknown) => {
          call.cause = error;
        },
      }),
    );
  },
};

/** Makes the check of arguments the last interceptor of a route. To be called before routes are registered. */
export function appendArgumentInterceptor(method: object): void {
  const given = (Reflect.getMetadata(INTERCEPTORS, method) as unknown[] | undefined) ?? [];
  if (given.includes(argumentInterceptor)) return;
  Reflect.defineMetadata(INTERCEPTORS, [...given, argumentInterceptor], method);
}
