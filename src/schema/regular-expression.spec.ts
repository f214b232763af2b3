import { patternOf } from './regular-expression.js';

describe('the pattern of a regular expression', () => {
  it.each([
    [/^[a-z]+$/, '^[a-z]+$'],
    [/^a$/g, '^a$'],
    [/^\p{L}$/u, '^\\p{L}$'],
    ['^\\d{3}\\-\\d{4}$', '^\\d{3}-\\d{4}$'],
    ['^[\\w\\-]+\\@[^@]+\\.\\w+$', '^[\\w\\-]+@[^@]+\\.\\w+$'],
    [/^(?=.*\d).+$/, '^(?=.*\\d).+$'],
    [/\./, '\\.'],
    [/[.]/, '[.]'],
  ])('of %s says the same', (expression, pattern) => {
    expect(patternOf(expression)).toBe(pattern);
  });

  it.each([
    ['flags change what it takes', /^a$/i],
    ['flags change what it takes', /^a$/m],
    ['flags change what it takes', /a/y],
    ['it counts the halves of an emoji', /^.{3}$/],
    ['it counts the halves of an emoji', /^[^a]$/],
    ['it counts the halves of an emoji', /^\W$/],
    ['it is no expression under the u flag', /^\c$/],
    ['it is no expression', '('],
    ['it is no expression', undefined],
  ])('is left out where %s', (_reason, expression) => {
    expect(patternOf(expression)).toBeUndefined();
  });

  it('takes an expression as text, with its modifiers', () => {
    expect(patternOf('^a$')).toBe('^a$');
    expect(patternOf('^a$', 'i')).toBeUndefined();
  });
});
