import { GatewayTimeoutException } from '@nestjs/common';
import { jest } from '@jest/globals';
import { mapBounded, within } from './bounded.js';

const never = new Promise<never>(() => undefined);

describe('within', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('gives what the work gives, and leaves no timer', async () => {
    expect(await within(50, Promise.resolve('done'))).toBe('done');
    expect(jest.getTimerCount()).toBe(0);
  });

  it.each([new Error('no'), null, undefined])(
    'rejects as the work does: %s, and leaves no timer',
    async (reason) => {
      // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- guards reject with anything
      await expect(within(50, Promise.reject(reason))).rejects.toBe(reason);
      expect(jest.getTimerCount()).toBe(0);
    },
  );

  it('waits as long as it was told, and then refuses', async () => {
    let outcome: unknown;
    void within(50, never).catch((error: unknown) => (outcome = error));
    await jest.advanceTimersByTimeAsync(49);
    expect(outcome).toBeUndefined();
    await jest.advanceTimersByTimeAsync(1);
    expect(outcome).toBeInstanceOf(GatewayTimeoutException);
    expect((outcome as Error).message).toBe('The policy of this tool gave no answer in time.');
  });
});

describe('mapBounded', () => {
  it('gives the results in the order of the items', async () => {
    const work = async (item: number): Promise<string> => {
      for (let turn = 0; turn < 5 - item; turn++) await Promise.resolve();
      return `${item}`;
    };
    expect(await mapBounded([1, 2, 3, 4], 3, work)).toEqual(['1', '2', '3', '4']);
  });

  it('runs as many at a time as it may, and no more', async () => {
    const waiting: (() => void)[] = [];
    const work = (): Promise<void> => new Promise((resolve) => waiting.push(resolve));
    const all = mapBounded([1, 2, 3, 4, 5], 2, work);
    expect(waiting).toHaveLength(2);
    waiting[0]?.();
    await Promise.resolve();
    await Promise.resolve();
    expect(waiting).toHaveLength(3);
    for (let next = 1; next < 5; next++) {
      waiting[next]?.();
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(await all).toHaveLength(5);
    expect(waiting).toHaveLength(5);
  });

  it('asks nobody for nothing', async () => {
    const work = jest.fn(() => Promise.resolve(1));
    expect(await mapBounded([], 4, work)).toEqual([]);
    expect(work).not.toHaveBeenCalled();
  });

  it('fails with the first failure', async () => {
    const work = (item: number): Promise<number> =>
      item === 2 ? Promise.reject(new Error('second')) : Promise.resolve(item);
    await expect(mapBounded([1, 2, 3], 1, work)).rejects.toThrow('second');
  });
});
