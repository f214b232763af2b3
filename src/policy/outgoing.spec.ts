import type { Tool } from '../catalog/tool.js';
import type { MadeResult, ResultContext } from '../result/to-tool-result.js';
import { judged } from './outgoing.js';
import { McpResponseGuard, type OutgoingAnswer } from './response-guard.js';

const TOOL = { name: 'person' } as Tool;
const CALLER = {};
const PERSON = { name: 'Ann', email: 'ann@example.com' };
const TEXT = JSON.stringify([{ type: 'text', text: JSON.stringify(PERSON) }]);

const made = (more: Partial<MadeResult['result']> = {}): MadeResult => ({
  result: {
    isError: false,
    content: TEXT,
    structured: { text: JSON.stringify(PERSON), value: structuredClone(PERSON) },
    ref: undefined,
    ...more,
  },
  status: 201,
  carriesSuccess: true,
});

class Guard extends McpResponseGuard {
  readonly seen: OutgoingAnswer[] = [];
  constructor(private readonly act: (result: Record<string, unknown>) => unknown) {
    super();
  }
  override check(answer: OutgoingAnswer): never {
    this.seen.push(structuredClone({ ...answer, caller: {} }));
    const { result } = answer as Extract<OutgoingAnswer, { tool: Tool }>;
    return this.act(result as unknown as Record<string, unknown>) as never;
  }
}
const free: ResultContext = { checkOutput: undefined, newRef: () => 'f00' };
/** Declares an output schema that wants a name and an e-mail. */
const strict: ResultContext = {
  checkOutput: (value) =>
    ['name', 'email']
      .filter((name) => (value as Record<string, unknown> | undefined)?.[name] === undefined)
      .map((name) => `${name} is missing`),
  newRef: () => 'f00',
};
const judge = (
  act: (result: Record<string, unknown>) => unknown,
  result: MadeResult = made(),
  context: ResultContext = free,
): Promise<MadeResult> => judged(new Guard(act), { tool: TOOL, caller: CALLER }, result, context);

describe('judged', () => {
  it('shows a guard the tool, the caller and the whole result', async () => {
    const seen: unknown[] = [];
    const guard = { check: (answer: OutgoingAnswer) => void seen.push(answer) };
    await judged(guard, { tool: TOOL, caller: CALLER }, made(), free);
    expect(seen).toEqual([
      {
        tool: TOOL,
        caller: CALLER,
        result: { content: JSON.parse(TEXT) as unknown, structuredContent: PERSON, isError: false },
      },
    ]);
    expect((seen[0] as OutgoingAnswer).caller).toBe(CALLER);
  });

  it('shows no structured content where there is none', async () => {
    const guard = new Guard(() => undefined);
    const plain = made({ structured: undefined, isError: true });
    await judged(guard, { tool: TOOL, caller: CALLER }, plain, free);
    expect(guard.seen).toMatchObject([{ result: { isError: true } }]);
    expect(guard.seen[0]).not.toHaveProperty('result.structuredContent');
  });

  it('lets the result itself go when the guard says nothing', async () => {
    const result = made();
    expect(await judge(() => undefined, result)).toBe(result);
    expect(await judge(() => Promise.resolve(undefined), result)).toBe(result);
  });

  it.each<[string, (result: Record<string, unknown>) => unknown]>([
    [
      'throws',
      () => {
        throw new Error('no');
      },
    ],
    ['rejects', () => Promise.reject(new Error('no'))],
  ])('fails when the guard %s', async (_title, act) => {
    await expect(judge(act)).rejects.toThrow('no');
  });

  it('fails when the guard changes the result and says nothing', async () => {
    const change = (result: Record<string, unknown>): void => {
      (result['structuredContent'] as typeof PERSON).email = 'removed';
    };
    const result = made();
    await expect(judge(change, result)).rejects.toThrow(
      new TypeError(
        'A response guard changed a result in place and returned nothing. It must return the result that is to go out.',
      ),
    );
    expect(result).toEqual(made());
  });

  it('sends what the guard changed and returned', async () => {
    const change = (result: Record<string, unknown>): unknown => {
      (result['structuredContent'] as typeof PERSON).email = 'removed';
      result['content'] = [];
      return result;
    };
    const value = { name: 'Ann', email: 'removed' };
    expect(await judge(change)).toEqual({
      result: {
        isError: false,
        content: '[]',
        structured: { text: JSON.stringify(value), value },
        ref: undefined,
      },
      status: 201,
      carriesSuccess: true,
    });
  });

  it('keeps the reference of a replaced result', async () => {
    const act = (): unknown => ({ content: [] });
    expect((await judge(act, made({ ref: 'abc' }))).result.ref).toBe('abc');
  });

  it.each<[string, unknown, boolean]>([
    ['an error', { content: [], structuredContent: PERSON, isError: true }, true],
    ['no structured content', { content: [], isError: false }, false],
    ['no word on errors', { content: [] }, false],
  ])('has no structured content in a replacement with %s', async (_title, given, isError) => {
    const { result } = await judge(() => given);
    expect(result).toEqual({ isError, content: '[]', structured: undefined, ref: undefined });
  });

  it('reads what is sent, not what is shown', async () => {
    const block = { type: 'text', text: 'shown', toJSON: () => ({ type: 'text', text: 'sent' }) };
    const structuredContent = { toJSON: () => ({ name: 'Ann' }), ...PERSON };
    const { result } = await judge(() => ({ content: [block], structuredContent }), made(), strict);
    expect(result.isError).toBe(true);
    const free = await judge(() => ({ content: [block] }));
    expect(free.result.content).toBe('[{"type":"text","text":"sent"}]');
  });

  const circular: unknown[] = [];
  circular.push(circular);
  it.each<[string, unknown]>([
    ['null', null],
    ['a word', 'garbage'],
    ['false', false],
    ['a function', () => undefined],
    ['a symbol', Symbol('x')],
    ['no content', {}],
    ['content that is no list', { content: 'x' }],
    ['blocks that are none', { content: [1] }],
    ['a block that is null', { content: [null] }],
    ['a block that is a word', { content: ['text'] }],
    ['a block that is a list', { content: [[]] }],
    ['a block without a type', { content: [{ text: 'x' }] }],
    ['a block with a type of 7', { content: [{ type: 'text' }, { type: 7 }] }],
    ['an error of a word', { content: [], isError: 'no' }],
    ['an error of null', { content: [], isError: null }],
  ])('fails when the guard returns %s', async (_title, given) => {
    await expect(judge(() => given)).rejects.toThrow(
      new TypeError(
        'A response guard must return nothing, or a result: { content: [{ type, … }], structuredContent?, isError? }.',
      ),
    );
  });

  it.each<[string, unknown]>([
    ['a circle', { content: circular }],
    ['a big integer', { content: [], structuredContent: 1n }],
  ])('fails when the guard returns %s', async (_title, given) => {
    await expect(judge(() => given)).rejects.toThrow(TypeError);
  });

  it('holds a replacement to the output schema', async () => {
    const fits = await judge(() => ({ content: [], structuredContent: PERSON }), made(), strict);
    expect(fits.result).toMatchObject({ isError: false, structured: { value: PERSON } });
    expect(fits).not.toHaveProperty('log');
    const failed = await judge(() => ({ content: [], isError: true }), made(), strict);
    expect(failed.result).toMatchObject({ isError: true, content: '[]' });
  });

  it('makes an error of a replacement that does not fit', async () => {
    const act = (): unknown => ({ content: [{ type: 'text', text: 'x' }], structuredContent: {} });
    const message =
      'The result was changed before it left, and does not fit the declared output schema any more: name is missing; email is missing.';
    expect(await judge(act, made({ ref: 'abc' }), strict)).toEqual({
      result: {
        isError: true,
        content: JSON.stringify([{ type: 'text', text: message }]),
        structured: undefined,
        ref: undefined,
      },
      status: 201,
      carriesSuccess: true,
      log: { message },
    });
  });
});
