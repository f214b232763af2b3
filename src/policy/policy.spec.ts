import { ForbiddenException, HttpException, UnauthorizedException } from '@nestjs/common';
import { jest } from '@jest/globals';
import type { Tool } from '../catalog/tool.js';
import type { MadeResult, ResultContext } from '../result/to-tool-result.js';
import type { GuardSource } from './guards.js';
import { Policy, type JudgedCall, type PolicyParts } from './policy.js';
import type { OutgoingAnswer } from './response-guard.js';

const toolOf = (name: string): Tool =>
  ({
    name,
    timeoutMs: 50,
    input: { layout: 'grouped', parameters: [] },
    route: { controller: class {}, handler: name },
  }) as unknown as Tool;
const [A, B] = [toolOf('a'), toolOf('b')];
const HTTP = { request: { user: 'ann' }, response: {} };
const CALL: JudgedCall = { tool: A, http: HTTP, args: { path: { id: 7 } } };
const CONTEXT: ResultContext = { checkOutput: undefined, newRef: () => 'f00' };
const MADE: MadeResult = {
  result: { isError: false, content: '[]', structured: undefined, ref: undefined },
  status: 200,
  carriesSuccess: true,
};

/** What a guard is asked about: the tool, and the request's `params`. */
type Ask = (tool: string, params: unknown) => unknown;
const guard =
  (answer: Ask): GuardSource =>
  () => ({
    canActivate: (context) => {
      const { params } = context.switchToHttp().getRequest<{ params: unknown }>();
      return answer(context.getHandler() as unknown as string, params) as boolean;
    },
  });
const yes = guard(() => true);
const no = guard(() => false);
const never = guard(() => new Promise(() => undefined));
const throwing = (reason: unknown): GuardSource =>
  guard(() => {
    throw reason;
  });

const policyOf = (parts: Partial<PolicyParts> = {}): Policy =>
  new Policy({
    toolGuards: [],
    endpointGuards: [],
    recheck: false,
    responseGuard: undefined,
    listTimeoutMs: 100,
    ...parts,
  });
const responseGuard = (
  act: (answer: OutgoingAnswer) => unknown,
): NonNullable<PolicyParts['responseGuard']> => ({ check: (answer) => act(answer) as undefined });

describe('Policy: who sees', () => {
  it('shows every tool where there are no tool guards', async () => {
    const tools = [A, B];
    expect(await policyOf({ endpointGuards: [no] }).visible(tools, HTTP)).toBe(tools);
  });

  it('shows what all tool guards allow', async () => {
    const onlyB = guard((tool) => tool === 'b');
    expect(await policyOf({ toolGuards: [yes] }).visible([A, B], HTTP)).toEqual([A, B]);
    expect(await policyOf({ toolGuards: [yes, onlyB] }).visible([A, B], HTTP)).toEqual([B]);
  });

  it('shows guards no arguments', async () => {
    const seen: unknown[] = [];
    const looking = guard((_tool, params) => seen.push(params) > 0);
    await policyOf({ toolGuards: [looking] }).visible([A], HTTP);
    expect(seen).toEqual([{}]);
  });

  it.each([401, 403, 404])('hides what a guard refuses with %d', async (status) => {
    const refusing = guard((tool) => {
      if (tool === 'a') throw new HttpException('no', status);
      return true;
    });
    expect(await policyOf({ toolGuards: [refusing] }).visible([A, B], HTTP)).toEqual([B]);
  });

  it.each<[string, unknown]>([
    ['400', new HttpException('no', 400)],
    ['402', new HttpException('no', 402)],
    ['500', new HttpException('no', 500)],
    ['an error', new Error('down')],
    ['null', null],
    ['something like an exception', { getStatus: () => 403 }],
  ])('fails on anything else: %s', async (_title, reason) => {
    const policy = policyOf({ toolGuards: [throwing(reason)] });
    await expect(policy.visible([A], HTTP)).rejects.toBe(reason);
  });

  it('judges sixteen tools at a time', async () => {
    let waiting = 0;
    const slow = guard(() => new Promise(() => waiting++));
    const tools = Array.from({ length: 40 }, (_, index) => toolOf(`t${index}`));
    const listed = policyOf({ toolGuards: [slow], listTimeoutMs: 10 }).visible(tools, HTTP);
    await expect(listed).rejects.toThrow('no answer in time');
    expect(waiting).toBe(16);
  });
});

describe('Policy: who calls', () => {
  it('asks the tool guards, with the arguments', async () => {
    const seen: unknown[] = [];
    const looking = guard((tool, params) => seen.push(tool, params) > 0);
    expect(await policyOf({ toolGuards: [looking] }).mayCall(CALL)).toBe(true);
    expect(seen).toEqual(['a', { id: 7 }]);
    expect(await policyOf({ toolGuards: [yes, no] }).mayCall(CALL)).toBe(false);
  });

  it("does not ask the endpoint's guards again, nor for nothing", async () => {
    expect(await policyOf({ endpointGuards: [no], recheck: true }).mayCall(CALL)).toBe(true);
  });

  it('throws what a guard throws', async () => {
    const reason = new UnauthorizedException();
    await expect(policyOf({ toolGuards: [throwing(reason)] }).mayCall(CALL)).rejects.toBe(reason);
  });
});

describe('Policy: who is told what is wrong with arguments', () => {
  const admitted = (...toolGuards: GuardSource[]): Promise<MadeResult> =>
    policyOf({ toolGuards }).admit(CALL, MADE, CONTEXT);

  it('tells who may call', async () => {
    expect(await admitted()).toBe(MADE);
    expect(await admitted(yes)).toBe(MADE);
  });

  it('refuses who may not, and where a guard fails or hangs', async () => {
    expect(await admitted(no)).toMatchObject({ status: 403, result: { isError: true } });
    expect(await admitted(throwing(new UnauthorizedException()))).toMatchObject({ status: 401 });
    expect(await admitted(throwing(null))).toMatchObject({ status: 500, result: { ref: 'f00' } });
    expect(await admitted(never)).toMatchObject({ status: 500, result: { ref: 'f00' } });
  });
});

describe('Policy: whether results are judged', () => {
  it.each<[boolean, Partial<PolicyParts>]>([
    [false, { toolGuards: [yes] }],
    [true, { recheck: true }],
    [true, { responseGuard: responseGuard(() => undefined) }],
  ])('%s for %o', (judges, parts) => {
    expect(policyOf(parts).judgesResults).toBe(judges);
  });
});

describe('Policy: who still may', () => {
  it('asks nobody where recheck is off', async () => {
    const policy = policyOf({ toolGuards: [no], endpointGuards: [no] });
    await expect(policy.recheck(CALL)).resolves.toBeUndefined();
    expect(await policy.release(CALL, MADE, CONTEXT)).toBe(MADE);
  });

  it("asks the endpoint's guards, then the tool guards, with the arguments", async () => {
    const asked: unknown[] = [];
    const named = (name: string): GuardSource =>
      guard((tool, params) => asked.push([name, tool, params]) > 0);
    const parts = { endpointGuards: [named('endpoint')], toolGuards: [named('tool')] };
    await policyOf({ ...parts, recheck: true }).recheck(CALL);
    expect(asked).toEqual([
      ['endpoint', 'a', { id: 7 }],
      ['tool', 'a', { id: 7 }],
    ]);
  });

  it.each<[string, Partial<PolicyParts>]>([
    ['an endpoint guard', { endpointGuards: [no], toolGuards: [yes] }],
    ['a tool guard', { endpointGuards: [yes], toolGuards: [no] }],
  ])('refuses where %s does', async (_title, parts) => {
    const policy = policyOf({ ...parts, recheck: true });
    await expect(policy.recheck(CALL)).rejects.toThrow(ForbiddenException);
    const failed = { ...MADE, carriesSuccess: false };
    for (const made of [MADE, failed]) {
      const released = await policy.release(CALL, made, CONTEXT);
      expect(released).toMatchObject({ status: 403, result: { isError: true, ref: undefined } });
    }
  });

  it('refuses as internal where a guard fails, or hangs', async () => {
    for (const broken of [throwing(new Error('secret')), throwing(null), never]) {
      const policy = policyOf({ toolGuards: [broken], recheck: true });
      const released = await policy.release(CALL, MADE, CONTEXT);
      expect(released).toMatchObject({
        status: 500,
        carriesSuccess: false,
        result: { ref: 'f00' },
      });
      expect(released.result.content).not.toContain('secret');
    }
  });
});

describe('Policy: what may leave', () => {
  it('lets a result go that the response guard says nothing of', async () => {
    const seen: OutgoingAnswer[] = [];
    const looking = responseGuard((answer) => void seen.push(answer));
    const policy = policyOf({ responseGuard: looking });
    expect(await policy.release(CALL, MADE, CONTEXT)).toBe(MADE);
    expect(seen).toEqual([
      { tool: A, caller: HTTP.request, result: { content: [], isError: false } },
    ]);
    expect((seen[0] as OutgoingAnswer).tool).toBe(A);
    expect((seen[0] as OutgoingAnswer).caller).toBe(HTTP.request);
  });

  it('asks the response guard only about what carries a success', async () => {
    const check = jest.fn<() => undefined>();
    const failed = { ...MADE, carriesSuccess: false };
    expect(await policyOf({ responseGuard: { check } }).release(CALL, failed, CONTEXT)).toBe(
      failed,
    );
    expect(check).not.toHaveBeenCalled();
  });

  it('asks the response guard only for a caller who still may', async () => {
    const check = jest.fn<() => undefined>();
    const policy = policyOf({ toolGuards: [no], recheck: true, responseGuard: { check } });
    await policy.release(CALL, MADE, CONTEXT);
    expect(check).not.toHaveBeenCalled();
  });

  it('refuses where the response guard throws or hangs, and replaces where it replaces', async () => {
    const released = (act: () => unknown): Promise<MadeResult> =>
      policyOf({ responseGuard: responseGuard(act) }).release(CALL, MADE, CONTEXT);
    const forbidding = (): never => {
      throw new ForbiddenException('personal');
    };
    expect(await released(forbidding)).toMatchObject({ status: 403 });
    expect(await released(() => new Promise(() => undefined))).toMatchObject({ status: 500 });
    const replacement = { content: [{ type: 'text', text: 'x' }] };
    expect((await released(() => replacement)).result.content).toContain('"x"');
  });
});

describe('Policy: what may leave of a list', () => {
  it('lets it go where nobody judges', async () => {
    expect(await policyOf({ toolGuards: [no] }).releaseList([A, B], HTTP)).toEqual([A, B]);
  });

  it.each(['endpointGuards', 'toolGuards'] as const)(
    'asks %s again for every tool of it',
    async (guards) => {
      const onlyA = guard(
        (tool, params) => tool === 'a' && Object.keys(params as object).length === 0,
      );
      const policy = policyOf({ [guards]: [onlyA], recheck: true });
      expect(await policy.releaseList([A, B], HTTP)).toEqual([A]);
      expect(await policyOf({ [guards]: [onlyA] }).releaseList([A, B], HTTP)).toEqual([A, B]);
    },
  );

  it('shows the response guard what is left, and lets it change nothing', async () => {
    const seen: OutgoingAnswer[] = [];
    const looking = responseGuard((answer) => void seen.push(answer));
    const onlyB = guard((tool) => tool === 'b');
    const policy = policyOf({ toolGuards: [onlyB], recheck: true, responseGuard: looking });
    expect(await policy.releaseList([A, B], HTTP)).toEqual([B]);
    expect(seen).toEqual([{ tool: null, caller: HTTP.request, tools: [B] }]);
    expect(Object.isFrozen((seen[0] as { tools?: unknown }).tools)).toBe(true);
  });

  it.each<[string, (answer: OutgoingAnswer) => unknown, string]>([
    [
      'throws',
      () => {
        throw new Error('no');
      },
      'no',
    ],
    ['hangs', () => new Promise(() => undefined), 'no answer in time'],
    ['returns something', () => false, 'must return nothing for a list: it cannot be changed'],
    [
      'takes tools out',
      (answer) => ('tools' in answer ? (answer.tools as Tool[]).pop() : 0),
      'delete',
    ],
  ])('fails where the response guard %s', async (_title, act, message) => {
    const policy = policyOf({ responseGuard: responseGuard(act), listTimeoutMs: 10 });
    await expect(policy.releaseList([A, B], HTTP)).rejects.toThrow(message);
  });
});
