import type { CanActivate, ExecutionContext } from '@nestjs/common';
import { EMPTY, of, throwError } from 'rxjs';
import { allow, type GuardSource } from './guards.js';

const CONTEXT = {} as ExecutionContext;
const REQUEST = {};

/** A guard that answers so, whatever the types say. */
const answering = (answer: unknown): GuardSource => {
  const guard = { canActivate: () => answer } as CanActivate;
  return () => guard;
};
const asked = (...sources: GuardSource[]): Promise<boolean> => allow(sources, REQUEST, CONTEXT);

describe('allow', () => {
  it('lets pass where nobody is asked', async () => {
    expect(await asked()).toBe(true);
  });

  it.each<[string, unknown]>([
    ['true', true],
    ['a promise of true', Promise.resolve(true)],
    ['an observable of true', of(true)],
    ['an observable whose last word is true', of(false, true)],
  ])('lets pass on %s', async (_title, answer) => {
    expect(await asked(answering(answer))).toBe(true);
  });

  it.each<[string, unknown]>([
    ['false', false],
    ['a promise of false', Promise.resolve(false)],
    ['an observable of false', of(false)],
    ['an observable whose last word is false', of(true, false)],
    ['a word', 'yes'],
    ['1', 1],
    ['nothing', undefined],
    ['null', null],
    ['a promise of an object', Promise.resolve({})],
    ['an observable of a word', of('true')],
  ])('refuses on %s', async (_title, answer) => {
    expect(await asked(answering(answer))).toBe(false);
  });

  it('fails where an observable ends without a word', async () => {
    await expect(asked(answering(EMPTY))).rejects.toThrow('no elements');
  });

  it.each([new Error('down'), null, undefined, 'text'])(
    'fails with what is thrown: %s',
    async (reason) => {
      const throwing: GuardSource = () => ({
        canActivate: () => {
          throw reason as Error;
        },
      });
      await expect(asked(throwing)).rejects.toBe(reason);
      await expect(asked(answering(throwError(() => reason)))).rejects.toBe(reason);
    },
  );

  it('needs every guard, and asks none after the first that refuses', async () => {
    const order: string[] = [];
    const naming =
      (name: string, answer: boolean): GuardSource =>
      () => ({ canActivate: () => order.push(name) > 0 && answer });
    expect(await asked(naming('a', true), naming('b', false), naming('c', true))).toBe(false);
    expect(order).toEqual(['a', 'b']);
    expect(await asked(naming('d', true), naming('e', true))).toBe(true);
  });

  it('asks the guard of this request, with this context', async () => {
    const seen: unknown[] = [];
    const source: GuardSource = (request) =>
      Promise.resolve({ canActivate: (context) => seen.push(request, context) > 0 });
    expect(await asked(source)).toBe(true);
    expect(seen).toEqual([REQUEST, CONTEXT]);
    expect(seen[0]).toBe(REQUEST);
    expect(seen[1]).toBe(CONTEXT);
  });

  it('fails where no guard can be built', async () => {
    await expect(asked(() => Promise.reject(new Error('no such provider')))).rejects.toThrow(
      'no such',
    );
  });
});
