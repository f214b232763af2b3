import { ForbiddenException, HttpException } from '@nestjs/common';
import { refusal } from './refusal.js';

const CONTEXT = { checkOutput: undefined, newRef: () => 'f00' };
const textOf = (error: unknown): unknown => {
  const [{ text } = { text: '' }] = JSON.parse(refusal(error, CONTEXT).result.content) as {
    text: string;
  }[];
  return JSON.parse(text);
};

describe('refusal', () => {
  it.each<[string, HttpException, number, object]>([
    [
      "Nest's own words",
      new ForbiddenException('personal data'),
      403,
      { message: 'personal data', error: 'Forbidden', statusCode: 403 },
    ],
    ['a text alone', new HttpException('gone', 410), 410, { statusCode: 410, message: 'gone' }],
    ['a body of its own', new HttpException({ code: 'E7' }, 499), 499, { code: 'E7' }],
  ])('has %s', (_title, error, status, body) => {
    expect(textOf(error)).toEqual(body);
    expect(refusal(error, CONTEXT)).toEqual({
      result: {
        isError: true,
        content: expect.any(String) as string,
        structured: undefined,
        ref: undefined,
      },
      status,
      carriesSuccess: false,
    });
  });

  const circular: Record<string, unknown> = {};
  circular['self'] = circular;
  it.each<[string, unknown]>([
    ['an error', new Error('password of the vault')],
    ['an exception of 500', new HttpException('password of the vault', 500)],
    ['an exception of 503', new HttpException('password of the vault', 503)],
    ['an exception without a status', new HttpException('vault', undefined as unknown as number)],
    ['an exception whose body cannot be written', new HttpException(circular, 403)],
    ['an exception without a body', new HttpException(undefined as unknown as string, 403)],
    ['a text', 'password of the vault'],
    ['something like an exception', { getStatus: () => 403, getResponse: () => 'vault' }],
  ])('tells nothing of %s but a reference to the log', (_title, error) => {
    expect(textOf(error)).toEqual({
      statusCode: 500,
      message: 'Internal server error',
      ref: 'f00',
    });
    const made = refusal(error, CONTEXT);
    expect(made).toMatchObject({
      result: { isError: true, structured: undefined, ref: 'f00' },
      status: 500,
      carriesSuccess: false,
    });
    expect(made.log).toEqual({ message: 'the policy failed (ref f00)', error });
    expect(made.log?.error).toBe(error);
  });

  it.each([null, undefined])('has a record of what was thrown as %s', (error) => {
    expect(refusal(error, CONTEXT).log?.error).toBe('no reason given');
  });
});
