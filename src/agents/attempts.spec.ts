import { AttemptLimiter } from './attempts.js';

describe('agents: attempts of an address', () => {
  it('are counted within a minute of the first, each address by itself', () => {
    let now = 0;
    const limiter = new AttemptLimiter(2, () => now);
    limiter.failed('1.1.1.1');
    expect(limiter.refusedFor('1.1.1.1')).toBe(0);
    now = 10_000;
    limiter.failed('1.1.1.1');
    expect(limiter.refusedFor('1.1.1.1')).toBe(50_000);
    expect(limiter.refusedFor('1.1.1.2')).toBe(0);
    now = 60_000;
    expect(limiter.refusedFor('1.1.1.1')).toBe(0);
    limiter.failed('1.1.1.1');
    expect(limiter.refusedFor('1.1.1.1')).toBe(0);
  });

  it.each([
    ['2001:db8:1:2::1', '2001:db8:1:2:ffff::9', true],
    ['2001:db8:1:2:3:4:5:6', '2001:0db8:1:2::', true],
    ['2001:db8:1:2::1', '2001:db8:1:3::1', false],
    ['::ffff:10.0.0.1', '10.0.0.1', true],
    ['::ffff:10.0.0.1', '::ffff:10.0.0.2', false],
    ['::1', '::2', true],
  ])('%s and %s are of one network: %s', (failed, asked, isSame) => {
    const limiter = new AttemptLimiter(1);
    limiter.failed(failed);
    expect(limiter.refusedFor(asked) > 0).toBe(isSame);
  });
});
