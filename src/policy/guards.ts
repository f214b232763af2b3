import type { CanActivate, ExecutionContext } from '@nestjs/common';
import { isObservable, lastValueFrom } from 'rxjs';

/** Gives a guard for one request: the same each time, or one of the request's own. */
export type GuardSource = (request: object) => CanActivate | Promise<CanActivate>;

/**
 * Asks guards in order, as Nest does: the first that does not allow decides.
 *
 * @returns `true` when all allow; anything but `true` from a guard is a refusal
 * @throws what a guard throws
 */
export async function allow(
  guards: readonly GuardSource[],
  request: object,
  context: ExecutionContext,
): Promise<boolean> {
  for (const source of guards) {
    const guard = await source(request);
    const answer = guard.canActivate(context);
    const allowed = isObservable(answer) ? await lastValueFrom(answer) : await answer;
    // Nest lets any truthy value pass; a policy that answers with something else than yes has not said yes.
    if (allowed !== true) return false;
  }
  return true;
}
