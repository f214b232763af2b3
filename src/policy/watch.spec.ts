import { jest } from '@jest/globals';
import { watchAll, type Ended, type Started, type Watched, type Watcher } from './watch.js';

const STARTED = { method: 'tools/call', tool: 'x' } as Started;
const ENDED: Ended = { outcome: 'ok', status: 200, bytesOut: 1, ref: undefined };

/** A watcher that keeps what it is told. */
class Keeper implements Watcher {
  readonly told: unknown[] = [];
  constructor(private readonly traceHeaders?: readonly string[]) {}
  begin(started: Started): Watched {
    this.told.push(started);
    const end = (ended: Ended): void => void this.told.push(ended);
    return this.traceHeaders === undefined ? { end } : { traceHeaders: this.traceHeaders, end };
  }
}
const broken = (part: 'begin' | 'end', reason: unknown): Watcher => ({
  begin: () => {
    if (part === 'begin') throw reason;
    return {
      end: () => {
        throw reason;
      },
    };
  },
});

describe('watchAll', () => {
  const report = jest.fn();
  beforeEach(() => report.mockReset());

  it('tells all of them of the beginning and of the end', () => {
    const [one, two] = [new Keeper(), new Keeper()];
    const watched = watchAll([one, two], report).begin(STARTED);
    expect(one.told).toEqual([STARTED]);
    watched.end(ENDED);
    expect(one.told).toEqual([STARTED, ENDED]);
    expect(two.told).toEqual([STARTED, ENDED]);
    expect(report).not.toHaveBeenCalled();
  });

  it('has the trace headers of the first that has some', () => {
    const some = [new Keeper(), new Keeper(['traceparent', 'a']), new Keeper(['traceparent', 'b'])];
    expect(watchAll(some, report).begin(STARTED).traceHeaders).toEqual(['traceparent', 'a']);
    expect(watchAll([new Keeper()], report).begin(STARTED)).not.toHaveProperty('traceHeaders');
  });

  it.each([new Error('down'), null])('goes on without one that fails to begin: %s', (reason) => {
    const keeper = new Keeper();
    watchAll([broken('begin', reason), keeper], report)
      .begin(STARTED)
      .end(ENDED);
    expect(keeper.told).toEqual([STARTED, ENDED]);
    expect(report.mock.calls).toEqual([[reason]]);
  });

  it.each([new Error('down'), undefined])('goes on without one that fails to end: %s', (reason) => {
    const keeper = new Keeper();
    watchAll([broken('end', reason), keeper], report)
      .begin(STARTED)
      .end(ENDED);
    expect(keeper.told).toEqual([STARTED, ENDED]);
    expect(report.mock.calls).toEqual([[reason]]);
  });
});
