/** A call that may run. */
export interface Slot {
  /** Frees the slot. A second time does nothing. */
  leave(): void;
}

/** A call that may not run yet. */
export interface Crowded {
  /** When a slot is free at the latest, in milliseconds from now. */
  readonly retryAfterMs: number;
}

/** Bounds how many calls of one principal run at the same time. Callers that are nobody (`null`) share one bound. */
export class CallLimiter {
  /** By principal, when each of its running calls times out (`performance.now()`). */
  private readonly running = new Map<string | null, Set<{ readonly deadline: number }>>();

  constructor(readonly limit: number) {}

  /** @param timeoutMs after which the call ends in any case */
  enter(principal: string | null, timeoutMs: number): Slot | Crowded {
    const now = performance.now();
    const calls = this.running.get(principal) ?? new Set();
    if (calls.size >= this.limit) {
      const first = Math.min(...[...calls].map(({ deadline }) => deadline));
      return { retryAfterMs: Math.max(1, first - now) };
    }
    const call = { deadline: now + timeoutMs };
    this.running.set(principal, calls.add(call));
    return {
      leave: () => {
        if (calls.delete(call) && calls.size === 0) this.running.delete(principal);
      },
    };
  }
}
