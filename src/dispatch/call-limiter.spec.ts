import { CallLimiter, type Slot } from './call-limiter.js';

describe('the bound of concurrent calls', () => {
  it('is one for each principal', () => {
    const limiter = new CallLimiter(1);
    expect(limiter.enter('ann', 100)).toHaveProperty('leave');
    expect(limiter.enter('bob', 100)).toHaveProperty('leave');
    expect(limiter.enter(null, 100)).toHaveProperty('leave');
    expect(limiter.enter('ann', 100)).not.toHaveProperty('leave');
    expect(limiter.enter(null, 100)).not.toHaveProperty('leave');
  });

  it('tells when the first of the running calls ends at the latest', () => {
    const limiter = new CallLimiter(2);
    limiter.enter('ann', 60_000);
    limiter.enter('ann', 1_000);
    const { retryAfterMs } = limiter.enter('ann', 10) as { retryAfterMs: number };
    expect(retryAfterMs).toBeGreaterThan(500);
    expect(retryAfterMs).toBeLessThanOrEqual(1_000);
  });

  it('frees a slot once, and keeps nothing of principals that are gone', () => {
    const limiter = new CallLimiter(1);
    const slot = limiter.enter('ann', 100) as Slot;
    slot.leave();
    expect(limiter).toHaveProperty('running.size', 0);
    limiter.enter('ann', 100);
    slot.leave();
    expect(limiter.enter('ann', 100)).not.toHaveProperty('leave');
  });
});
