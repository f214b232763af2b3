import type { Tool } from '../catalog/tool.js';
import { changedNumberProblem } from './changed-number.js';

const schema = {
  type: 'object',
  properties: {
    body: {
      type: 'object',
      properties: {
        count: { type: 'integer' },
        id: { type: 'string' },
        either: { type: ['string', 'number'] },
        any: {},
        list: { type: 'array', items: { $ref: '#/$defs/Item' } },
      },
    },
  },
  $defs: { Item: { type: 'object', properties: { price: { type: 'number' } } } },
};
const tool = { input: { layout: 'grouped', schema, parameters: [] } } as unknown as Tool;

describe('what is told of a number that cannot be kept', () => {
  it.each([
    [
      ['body', 'count'],
      '1e400',
      'body.count: the number 1e400 cannot be kept exactly. Send a number of at most 15 digits.',
    ],
    [
      ['body', 'list', 0, 'price'],
      '1e400',
      'body.list[0].price: the number 1e400 cannot be kept exactly. Send a number of at most 15 digits.',
    ],
    [
      ['body', 'id'],
      '9007199254740993',
      'body.id: the number 9007199254740993 cannot be kept exactly. Send it as a string.',
    ],
    [
      ['body', 'either'],
      '9007199254740993',
      'body.either: the number 9007199254740993 cannot be kept exactly. Send it as a string.',
    ],
    [
      ['body', 'any'],
      '9007199254740993',
      'body.any: the number 9007199254740993 cannot be kept exactly. Send it as a string.',
    ],
    [
      ['nowhere', 'at'],
      '9007199254740993',
      'nowhere.at: the number 9007199254740993 cannot be kept exactly. Send it as a string.',
    ],
  ])('%j', (path, token, problem) => {
    expect(changedNumberProblem(tool, { path, token })).toBe(problem);
  });
});
