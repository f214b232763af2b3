import canonicalize from 'canonicalize';
import fc from 'fast-check';
import { canonicalJson, digestOf } from './canonical-json.js';

const numRuns = Number(process.env['MCP_FUZZ_RUNS'] ?? 2000);
const seed = Number(process.env['MCP_FUZZ_SEED'] ?? Date.now() & 0x7fffffff);

describe('client: canonical JSON', () => {
  it('is that of RFC 8785, section 3.2.4', () => {
    const text = `{
      "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
      "string": "\\u20ac$\\u000F\\u000aA'\\u0042\\u0022\\u005c\\\\\\"\\/",
      "literals": [null, true, false]
    }`;
    expect(canonicalJson(JSON.parse(text))).toBe(
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    );
  });

  it('sorts by UTF-16 code units (RFC 8785, section 3.2.3)', () => {
    const names = ['\u20ac', '\r', '\ufb33', '1', '\ud83d\ude00', '\u0080', '\u00f6'];
    const value = Object.fromEntries(names.map((name) => [name, 0]));
    expect(Object.keys(JSON.parse(canonicalJson(value)) as object)).toHaveLength(7);
    expect(canonicalJson(value)).toBe(
      '{"\\r":0,"1":0,"\u0080":0,"\u00f6":0,"\u20ac":0,"\ud83d\ude00":0,"\ufb33":0}',
    );
  });

  it('is that of the canonicalize library, for any JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'grapheme' }), (value) => {
        expect(canonicalJson(value)).toBe(canonicalize(value));
      }),
      { numRuns, seed },
    );
  });

  it('does not depend on the order in which members were given, nor on how a text was spaced', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        const turned = Object.fromEntries(Object.entries(value).reverse());
        const spaced = JSON.parse(JSON.stringify(value, undefined, 3)) as object;
        expect([digestOf(turned), digestOf(spaced)]).toEqual([digestOf(value), digestOf(value)]);
      }),
      { numRuns, seed },
    );
  });

  it('is one digest of SHA-256', () => {
    expect(digestOf({})).toBe(
      'sha256:44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a',
    );
  });

  it.each([NaN, Infinity, undefined, () => 1, Symbol('a'), 1n, '\ud800', new Date(), new Map()])(
    'is not there for what JSON cannot hold: %p',
    (value) => {
      expect(() => canonicalJson(value)).toThrow(TypeError);
      expect(() => canonicalJson({ a: [value] })).toThrow(TypeError);
    },
  );

  it('is not there for a member whose name is no text', () => {
    expect(() => canonicalJson({ '\udc00': 1 })).toThrow(TypeError);
  });
});
