import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { readMessage } from '../../src/protocol/message.js';
import { readJson } from '../../src/protocol/strict-json.js';

const numRuns = Number(process.env['MCP_FUZZ_RUNS'] ?? 2000);
const seed = Number(process.env['MCP_FUZZ_SEED'] ?? Date.now() & 0x7fffffff);
const MAX_DEPTH = 32;

/** Fails with the seed, the path and the counterexample in its message. */
const check = <T extends unknown[]>(property: fc.IPropertyWithHooks<T>) =>
  fc.assert(property, { numRuns, seed });

const bytesOf = (text: string) => Buffer.from(text, 'utf8');
const read = (text: string, maxDepth = MAX_DEPTH) => readJson(bytesOf(text), { maxDepth });

function parse(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}

const key = fc.oneof(
  fc.constantFrom('id', 'a', 'b', '', '__proto__', 'constructor', '1', '"', '\\', 'é', '😀'),
  fc.string({ unit: 'binary', maxLength: 8 }),
);
const json = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5, depthSize: 'small' },
    fc.constantFrom(null, true, false, 0, 1, -1.5, 0.1, 1e21, 5e-324, 9007199254740991),
    fc.double({ noDefaultInfinity: true, noNaN: true }),
    fc.integer(),
    fc.string({ unit: 'binary', maxLength: 100 }),
    fc.array(tie('value'), { maxLength: 5 }),
    fc.array(fc.tuple(key, tie('value')), { maxLength: 5 }).map(Object.fromEntries),
  ),
})).value;

/** Another way to write the same JSON string: the bits of `choice` say which characters are escaped. */
function escaped(text: string, choice: number): string {
  const units = text.split('').map((unit, i) => {
    const hex = unit.charCodeAt(0).toString(16).padStart(4, '0');
    return ((choice >> (i % 30)) & 1) === 1 ? `\\u${hex}` : JSON.stringify(unit).slice(1, -1);
  });
  return `"${units.join('')}"`;
}

/** Where a mutation may hurt: what the grammar is made of, and what readers stumble over. */
const fragment = fc.oneof(
  fc.constantFrom('"', '\\', '{', '}', '[', ']', ',', ':', ' ', '\n', '-', '.', 'e', '0', '9', 'u'),
  fc.constantFrom('{"id":1}', '"id":2,', ',"id":3', '"\\u0069d":4,', '1e400', '9007199254740993'),
  fc.constantFrom('\\"', '\\\\', '\\u0022', 'null', '-0', '1.0', '\ufeff', '\u0000', '"a":1,"a":2'),
  fc.string({ unit: 'binary', maxLength: 4 }),
);
const edit = fc.record({ at: fc.nat(), length: fc.nat({ max: 6 }), insert: fragment });
type Edit = typeof edit extends fc.Arbitrary<infer E> ? E : never;

function mutate(text: string, edits: readonly Edit[]): string {
  let mutated = text;
  for (const { at, length, insert } of edits) {
    const start = at % (mutated.length + 1);
    mutated = mutated.slice(0, start) + insert + mutated.slice(start + length);
  }
  // An edit may have halved a character, of which UTF-8 has no halves.
  return bytesOf(mutated).toString('utf8');
}

const edits = fc.array(edit, { minLength: 1, maxLength: 4 });
const bigNumber = fc.oneof(
  fc.bigInt({ min: -(10n ** 25n), max: 10n ** 25n }).map(String),
  fc.tuple(fc.bigInt({ min: 0n, max: 10n ** 20n }), fc.nat({ max: 30 })).map(([n, places]) => {
    const digits = String(n).padStart(places + 1, '0');
    return places === 0 ? digits : `${digits.slice(0, -places)}.${digits.slice(-places)}`;
  }),
  // A double as it is written, with further digits at the end of its mantissa.
  fc
    .tuple(fc.double({ noDefaultInfinity: true, noNaN: true }), fc.nat({ max: 99 }))
    .map(([n, digits]) => String(n).replace(/e|$/, (end) => `${digits}${end}`)),
  fc
    .tuple(fc.integer(), fc.constantFrom('e', 'E', 'e+', 'E-', 'e-'), fc.nat({ max: 330 }))
    .map((parts) => parts.join('')),
);

/** The exact value of a decimal as a fraction over a power of ten, by big integers: slow, and another way than ours. */
function exact(token: string): string {
  const [, sign, whole, fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(token) ?? [];
  let numerator = BigInt(`${whole}${fraction}`);
  let tens = Number(exponent) - fraction.length;
  if (numerator === 0n) return '0';
  for (; numerator % 10n === 0n; tens++) numerator /= 10n;
  return `${sign}${numerator}*10^${tens}`;
}

const survives = (token: string) =>
  Number.isFinite(Number(token)) && exact(token) === exact(String(Number(token)));

beforeAll(() => {
  console.info(`fuzz of messages: MCP_FUZZ_SEED=${seed} MCP_FUZZ_RUNS=${numRuns}`);
});

describe('readJson', () => {
  it('reads whatever JSON.stringify writes', () => {
    check(
      fc.property(json, fc.constantFrom(undefined, 1, '\t'), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        const result = read(text);
        expect(result.ok && isDeepStrictEqual(result.value, JSON.parse(text))).toBe(true);
        expect(result.ok && result.changedNumbers).toEqual([]);
      }),
    );
  });

  it('agrees with JSON.parse on mutated texts, and takes none that it refuses', () => {
    check(
      fc.property(json, edits, (value, changes) => {
        const text = mutate(JSON.stringify(value), changes);
        const result = read(text);
        const parsed = parse(text);
        if (parsed === undefined) expect(result.ok).toBe(false);
        if (result.ok) expect(isDeepStrictEqual(result.value, parsed?.value)).toBe(true);
        else if (parsed !== undefined) expect(result.reason).not.toBe('syntax');
      }),
    );
  });

  it('refuses bytes that a strict decoder refuses', () => {
    const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
    const decode = (bytes: Uint8Array) => {
      try {
        return decoder.decode(bytes);
      } catch {
        return undefined;
      }
    };
    check(
      fc.property(
        json,
        fc.nat(),
        fc.uint8Array({ minLength: 1, maxLength: 3 }),
        (value, at, noise) => {
          const bytes = bytesOf(JSON.stringify([value]));
          bytes.set(noise, at % Math.max(1, bytes.length - noise.length));
          const result = readJson(bytes, { maxDepth: MAX_DEPTH });
          const text = decode(bytes);
          if (text === undefined) expect(result).toMatchObject({ ok: false, reason: 'encoding' });
          if (result.ok) expect(result.text).toBe(text);
        },
      ),
    );
  });

  it('finds a member that stands twice, wherever and however it is spelled', () => {
    const around = fc.array(fc.tuple(fc.boolean(), json), { maxLength: 4 });
    check(
      fc.property(key, json, json, fc.nat(), around, (name, first, second, choice, wraps) => {
        const other = escaped(name, choice);
        const body = (twice: string) => {
          const members = `${JSON.stringify(name)}:${JSON.stringify(first)}`;
          return wraps.reduce(
            (inner, [isArray, value]) =>
              isArray ? `[${JSON.stringify(value)},${inner}]` : `{"x":${inner}}`,
            `{"first":0,${members}${twice}}`,
          );
        };
        expect(read(body(''))).toMatchObject({ ok: true });
        const twice = `, ${other} :${JSON.stringify(second)}`;
        expect(read(body(twice))).toMatchObject({ ok: false, reason: 'duplicate' });
      }),
    );
  });

  it('bounds the nesting exactly', () => {
    const levels = fc.array(fc.boolean(), { minLength: 1, maxLength: 60 });
    check(
      fc.property(
        levels,
        fc.string({ unit: fc.constantFrom('[', '{', '"', '\\') }),
        (kinds, text) => {
          const nested = kinds.reduce(
            (inner, isArray) => (isArray ? `["]",${inner}]` : `{"}":${inner}}`),
            JSON.stringify(text),
          );
          expect(read(nested, kinds.length)).toMatchObject({ ok: true });
          expect(read(nested, kinds.length - 1)).toMatchObject({ ok: false, reason: 'depth' });
        },
      ),
    );
  });

  it('tells the numbers that change, and only those', () => {
    check(
      fc.property(fc.array(bigNumber, { maxLength: 6 }), (tokens) => {
        const valid = tokens.filter((token) => parse(token) !== undefined);
        const result = read(`{"é":[${valid.join()}]}`);
        const expected = valid
          .map((token, i) => ({ path: ['é', i], token: token.slice(0, 40) }))
          .filter((_, i) => !survives(valid[i] ?? ''));
        expect(result.ok && result.changedNumbers).toEqual(expected);
      }),
    );
  });
});

describe('readMessage', () => {
  const id = fc.oneof(
    fc.integer({ min: -Number.MAX_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER }).map(String),
    fc.string({ unit: 'binary', maxLength: 12 }).map((text) => JSON.stringify(text)),
    fc.constantFrom('null', 'true', '1.5', '1e2', '-0', '1.0', '9007199254740993', '{}', '[1]'),
    bigNumber,
  );
  const sent = fc
    .record({ id, params: fc.option(json), isFirst: fc.boolean() })
    .map(({ id, params, isFirst }) => {
      const rest = `"jsonrpc":"2.0","method":"tools/call"`;
      const written = params === null ? '' : `,"params":{"arguments":${JSON.stringify(params)}}`;
      const text = isFirst ? `{"id":${id},${rest}${written}}` : `{${rest}${written},"id":${id}}`;
      return { id, text };
    });

  it('takes every good id and refuses every other, never another one in its place', () => {
    check(
      fc.property(sent, ({ id, text }) => {
        const result = readMessage(bytesOf(text), { maxDepth: MAX_DEPTH });
        const given = parse(id)?.value;
        if (
          typeof given === 'string' ||
          (Number.isSafeInteger(given) && /^(?:0|-?[1-9]\d*)$/.test(id))
        ) {
          expect(result).toMatchObject({ ok: true, message: { id: given } });
        } else {
          expect(result).toMatchObject({ ok: false });
          expect(result).not.toHaveProperty('id');
        }
      }),
    );
  });

  it('neither throws on a mutated message nor echoes an id that is not written in it', () => {
    check(
      fc.property(sent, edits, ({ text }, changes) => {
        const mutated = mutate(text, changes);
        const result = readMessage(bytesOf(mutated), { maxDepth: MAX_DEPTH });
        const parsed = parse(mutated)?.value as { id?: unknown } | null | undefined;
        if (result.ok) expect(parsed).toHaveProperty('method');
        else expect([-32700, -32600]).toContain(result.error.code);
        const read = result.ok && 'message' in result ? result.message : undefined;
        const echoed = result.ok ? read?.id : result.id;
        if (echoed === undefined) return;
        expect(echoed).toBe(parsed?.id);
        if (typeof echoed === 'number') expect(mutated).toContain(String(echoed));
      }),
    );
  });

  it('does not throw on bytes of any kind', () => {
    check(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
        const result = readMessage(bytes, { maxDepth: MAX_DEPTH });
        expect(result).toMatchObject({ ok: false, status: 400 });
      }),
    );
  });
});
