import { jest } from '@jest/globals';
import { auditWatcher, type McpAuditEvent, type ObserveArguments } from './observer.js';
import type { Ended, Started } from './watch.js';

const STARTED = {
  method: 'tools/call',
  tool: 'get_order',
  arguments: { path: { id: 7 } },
  principal: 'ann',
  requestId: 'r1',
  revision: '2025-11-25',
  bytesIn: 120,
  outer: {},
} as unknown as Started;
const ENDED: Ended = { outcome: 'error', status: 500, bytesOut: 40, ref: 'f00' };

function eventOf(
  started: Partial<Started>,
  observeArguments: ObserveArguments = false,
): McpAuditEvent {
  const events: McpAuditEvent[] = [];
  const observe = (event: McpAuditEvent): void => void events.push(event);
  const watcher = auditWatcher({ observe }, observeArguments, () => undefined);
  watcher.begin({ ...STARTED, ...started }).end(ENDED);
  expect(events).toHaveLength(1);
  return events[0] as McpAuditEvent;
}
const seen = (args: Record<string, unknown>, ...redact: string[]): unknown =>
  eventOf({ arguments: args }, { redact }).arguments;

describe('auditWatcher', () => {
  it('tells all there is to tell of a call', () => {
    expect(eventOf({})).toEqual({
      kind: 'call',
      tool: 'get_order',
      principal: 'ann',
      requestId: 'r1',
      outcome: 'error',
      status: 500,
      durationMs: expect.any(Number) as number,
      bytesIn: 120,
      bytesOut: 40,
      ref: 'f00',
      arguments: undefined,
    });
  });

  it('tells a list from a call', () => {
    const list = { method: 'tools/list', tool: undefined, arguments: undefined } as const;
    expect(eventOf(list)).toMatchObject({ kind: 'list', tool: undefined });
    expect(eventOf(list, { redact: [] }).arguments).toBeUndefined();
  });

  it('measures from the beginning to the end', () => {
    const clock = jest
      .spyOn(performance, 'now')
      .mockReturnValueOnce(1000)
      .mockReturnValueOnce(1250);
    expect(eventOf({}).durationMs).toBe(250);
    clock.mockRestore();
  });

  it('says nothing before the end', () => {
    const observe = jest.fn<() => void>();
    const watched = auditWatcher({ observe }, false, () => undefined).begin(STARTED);
    expect(observe).not.toHaveBeenCalled();
    watched.end(ENDED);
    expect(observe).toHaveBeenCalledTimes(1);
  });

  it('shows arguments only where they are asked for', () => {
    expect(eventOf({}, false).arguments).toBeUndefined();
    expect(eventOf({}, { redact: [] }).arguments).toEqual({ path: { id: 7 } });
  });

  it('gives a copy, and leaves the arguments as they are', () => {
    const args = { body: { password: 'p' } };
    expect(seen(args, 'password')).not.toBe(args);
    expect(args).toEqual({ body: { password: 'p' } });
  });

  it.each<[string, Record<string, unknown>, unknown]>([
    ['at the root', { token: 1, other: 2 }, { token: '[redacted]', other: 2 }],
    ['in lists', { a: [{ token: 1 }, 'x', null] }, { a: [{ token: '[redacted]' }, 'x', null] }],
    ['whatever their case', { TOKEN: { deep: 1 } }, { TOKEN: '[redacted]' }],
    ['and no others', { tokens: 1, a: { to: true } }, { tokens: 1, a: { to: true } }],
  ])('blackens the members named: %s', (_title, args, expected) => {
    expect(seen(args, 'Token')).toEqual(expected);
  });

  it('blackens below a member that is called __proto__', () => {
    const args = JSON.parse('{"__proto__":{"token":"t","b":1}}') as Record<string, unknown>;
    expect(JSON.stringify(seen(args, 'token'))).toBe('{"__proto__":{"token":"[redacted]","b":1}}');
  });

  it('blackens what lies too deep', () => {
    const nested = (depth: number): Record<string, unknown> => {
      let value: unknown = 'bottom';
      for (let level = 0; level < depth; level++) value = { a: value };
      return value as Record<string, unknown>;
    };
    expect(JSON.stringify(seen(nested(1001)))).toContain('bottom');
    expect(JSON.stringify(seen(nested(1002)))).not.toContain('bottom');
    expect(JSON.stringify(seen(nested(1002)))).toContain('{"a":"[redacted]"}');
    let list: unknown = 'bottom';
    for (let level = 0; level < 1002; level++) list = [list];
    expect(JSON.stringify(seen({ list }))).not.toContain('bottom');
  });

  it('reports what an observer rejects with, and throws what it throws', async () => {
    const report = jest.fn();
    const rejecting = auditWatcher(
      { observe: () => Promise.reject(new Error('down')) },
      false,
      report,
    );
    rejecting.begin(STARTED).end(ENDED);
    await new Promise((resolve) => setImmediate(resolve));
    expect(report.mock.calls).toEqual([[new Error('down')]]);
    const throwing = auditWatcher(
      {
        observe: () => {
          throw new Error('down');
        },
      },
      false,
      report,
    );
    expect(() => throwing.begin(STARTED).end(ENDED)).toThrow('down');
  });
});
