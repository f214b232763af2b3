import { annotationsOf } from './annotations.js';

describe('annotations: what an HTTP method promises', () => {
  it.each([
    ['GET', { readOnlyHint: true }],
    ['HEAD', { readOnlyHint: true }],
    ['OPTIONS', { readOnlyHint: true }],
    ['PUT', { idempotentHint: true }],
    ['DELETE', { destructiveHint: true, idempotentHint: true }],
    ['POST', {}],
    ['PATCH', {}],
    ['ALL', {}],
    ['constructor', {}],
  ])('%s: %j', (method, hints) => {
    expect(annotationsOf(method)).toEqual(hints);
  });

  it.each([
    ['GET', { readOnlyHint: false }, { readOnlyHint: false }],
    ['DELETE', { destructiveHint: false }, { destructiveHint: false, idempotentHint: true }],
    ['POST', { title: 'Pay', openWorldHint: true }, { title: 'Pay', openWorldHint: true }],
    ['PUT', {}, { idempotentHint: true }],
  ])('the decorator has the last word: %s with %j', (method, own, hints) => {
    expect(annotationsOf(method, own)).toEqual(hints);
  });

  it('changes neither the table nor what the decorator gave', () => {
    const own = Object.freeze({ destructiveHint: false });
    annotationsOf('DELETE', own);
    expect(annotationsOf('DELETE')).toEqual({ destructiveHint: true, idempotentHint: true });
  });
});
