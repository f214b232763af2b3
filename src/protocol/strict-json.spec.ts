import { readJson, type ReadJsonOptions } from './strict-json.js';

const read = (text: string, options: Partial<ReadJsonOptions> = {}) =>
  readJson(Buffer.from(text), { maxDepth: 32, ...options });

const readBytes = (...bytes: number[]) => readJson(Uint8Array.from(bytes), { maxDepth: 32 });

const reasonOf = (text: string) => {
  const json = read(text);
  return json.ok ? 'ok' : json.reason;
};

const changedIn = (text: string) => {
  const json = read(text);
  return json.ok ? json.changedNumbers : json.reason;
};

const idSourceOf = (text: string) => read(text).idSource;

describe('readJson', () => {
  it.each([
    ['null', null],
    ['"é𝄞\\ud834\\udd1e"', 'é𝄞𝄞'],
    [' \n\r\t{"a":[1,-2.5e3,true,{}],"b":""} ', { a: [1, -2500, true, {}], b: '' }],
    ['{"a:b":"{,}","[":"\\"}\\\\"}', { 'a:b': '{,}', '[': '"}\\' }],
    ['{"":{"":{"":0}}}', { '': { '': { '': 0 } } }],
    ['{"2":1,"1":2}', { 1: 2, 2: 1 }],
  ])('reads %s as JSON.parse does', (text, value) => {
    expect(read(text)).toEqual({ ok: true, value, text, idSource: undefined, changedNumbers: [] });
  });

  it('reads a view into a larger memory', () => {
    const memory = Buffer.from('[{"a":1}]');
    const json = readJson(new Uint8Array(memory.buffer, memory.byteOffset + 1, 7), { maxDepth: 1 });
    expect(json).toMatchObject({ ok: true, text: '{"a":1}', value: { a: 1 } });
  });

  it('keeps __proto__ as a member and pollutes nothing', () => {
    const json = read('{"__proto__":{"polluted":true},"constructor":1,"hasOwnProperty":2}');
    const value = (json.ok ? json.value : undefined) as Record<string, unknown>;
    expect(Object.keys(value)).toEqual(['__proto__', 'constructor', 'hasOwnProperty']);
    expect(value['polluted']).toBeUndefined();
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  describe('wants UTF-8', () => {
    it.each([
      ['a byte order mark', [0xef, 0xbb, 0xbf, 0x31]],
      ['a byte order mark alone', [0xef, 0xbb, 0xbf]],
      ['UTF-16', [0xff, 0xfe, 0x31, 0x00]],
      ['a lone continuation byte', [0x22, 0x80, 0x22]],
      ['a sequence cut short', [0x22, 0xc3, 0x22]],
      ['an overlong sequence', [0x22, 0xc0, 0xaf, 0x22]],
      ['a surrogate', [0x22, 0xed, 0xa0, 0x80, 0x22]],
      ['a code point above U+10FFFF', [0x22, 0xf4, 0x90, 0x80, 0x80, 0x22]],
    ])('and refuses %s', (_, bytes) => {
      expect(readBytes(...bytes)).toMatchObject({ ok: false, reason: 'encoding' });
    });

    it('but takes U+FEFF and U+FFFD in a string as they are', () => {
      expect(read('"\ufeff\ufffd"')).toMatchObject({ ok: true, value: '\ufeff\ufffd' });
    });
  });

  it.each([
    '',
    ' ',
    '{',
    '[1,]',
    '{"a":1,}',
    '{a:1}',
    "{'a':1}",
    '"',
    '"\\',
    '"\\x"',
    '"a\nb"',
    '01',
    '+1',
    '.5',
    '1.',
    '1e',
    '--1',
    '9007199254740993x',
    '1e400e',
    'NaN',
    '1 2',
    '{}{}',
    '[}',
    '}',
    ']]]',
    '// a\n1',
    '\u00a01',
    '{"a":1,"a":}',
  ])('refuses %j as no JSON', (text) => {
    expect(reasonOf(text)).toBe('syntax');
  });

  describe('finds a member twice', () => {
    it.each([
      '{"a":1,"a":1}',
      '{"a":1,"\\u0061":2}',
      '{"\\u00e9":1,"é":2}',
      '{"\\n":1,"\\u000a":2}',
      '{"/":1,"\\/":2}',
      '{"":1,"":2}',
      '{"1":1,"b":0,"1":2}',
      '{"__proto__":1,"__proto__":2}',
      '{"__proto__":{},"\\u005f_proto__":{}}',
      '{"a":{"b":1,"c":{}},"a":{"d":1}}',
      '[0,{"a":[{"b":{"x":1,"y":2,"x":3}}]}]',
    ])('in %s', (text) => {
      expect(reasonOf(text)).toBe('duplicate');
    });

    it.each([
      '{"a":1,"A":1}',
      '{"a":{"a":{"a":1}}}',
      '[{"a":1},{"a":1}]',
      '{"a":"a","b":"a"}',
      '{"é":1,"e\\u0301":2}',
      '{"a":":","b":"{\\"a\\":1,\\"a\\":2}"}',
      '{"1":1,"01":2,"1.0":3}',
      '{"toString":1,"valueOf":2}',
    ])('but not in %s', (text) => {
      expect(reasonOf(text)).toBe('ok');
    });

    it('and tells what was read, for an answer that names its request', () => {
      expect(read('{"id":7,"a":1,"a":2}')).toMatchObject({ value: { id: 7, a: 2 }, idSource: '7' });
    });

    it('even when somebody has extended Object.prototype', () => {
      Object.defineProperty(Object.prototype, 'extended', { configurable: true, enumerable: true });
      try {
        expect([reasonOf('{"a":1}'), reasonOf('{"a":1,"a":1}')]).toEqual(['ok', 'duplicate']);
      } finally {
        Reflect.deleteProperty(Object.prototype, 'extended');
      }
    });
  });

  describe('bounds the nesting', () => {
    const nested = (depth: number) => '[{"a":'.repeat(depth / 2) + '1' + '}]'.repeat(depth / 2);

    it.each([2, 32, 128, 1000])('at exactly %i levels', (maxDepth) => {
      expect(read(nested(maxDepth), { maxDepth })).toMatchObject({ ok: true });
      expect(read(`[${nested(maxDepth)}]`, { maxDepth })).toMatchObject({ reason: 'depth' });
      expect(read(`[1,${nested(maxDepth)}]`, { maxDepth })).toMatchObject({ reason: 'depth' });
    });

    it.each(['[', '{"a":', '[{"a":'])('however often %s stands there', (opener) => {
      expect(reasonOf(opener.repeat(100_000))).toBe('depth');
    });

    it('and counts what is open, not what there is, nor what stands in strings', () => {
      expect(read('[[],[],{"a":[]},"[[[["]', { maxDepth: 3 })).toMatchObject({ ok: true });
      expect(read('"[["', { maxDepth: 0 })).toMatchObject({ ok: true });
    });
  });

  describe('tells the numbers that JSON.parse changes', () => {
    it.each([
      '9007199254740993',
      '-9007199254740993',
      '12345678901234567890',
      '18446744073709551616',
      '0.1000000000000000055',
      '3.14159265358979323846',
      '1e400',
      '-1e400',
      '1E+400',
      '1e-400',
      '0.1e-999999999999999999999',
      '1e99999999999999999999999999',
      '4.9406564584124654e-324',
      '1.7976931348623159e308',
      `1${'0'.repeat(400)}`,
      `0.${'0'.repeat(400)}1`,
      `${'9'.repeat(17)}.0`,
    ])('as %s', (token) => {
      const place = { path: ['a', 1], token: token.slice(0, 40) };
      expect(changedIn(`{"a":[0,${token}]}`)).toEqual([place]);
    });

    it.each([
      '0',
      '-0',
      '-0.0',
      '0e5',
      '0.0e-999',
      '1',
      '1.0',
      '1.00000000000000000000000000',
      '1e2',
      '1E+2',
      '1.5e-7',
      '1e21',
      '1e23',
      '100e-2',
      '123456789012345',
      '9007199254740991',
      '9007199254740992',
      '100000000000000000000000',
      '0.1',
      '0.30000000000000004',
      '0.300000000000000040000',
      '1.7976931348623157e308',
      '1.7976931348623157E+308',
      '5e-324',
      '2.2250738585072014e-308',
      `1${'0'.repeat(300)}`,
      `1${'0'.repeat(300)}e-300`,
      `0.${'0'.repeat(300)}1e301`,
    ])('but not %s', (token) => {
      expect(changedIn(`{"a":[0,${token}]}`)).toEqual([]);
    });

    it('by their way through the text', () => {
      const text = '{"p":{"a":[{},[1e400],{"\\u0069d\\"é":[true,9007199254740993]}]},"q":1e999}';
      expect(changedIn(text)).toEqual([
        { path: ['p', 'a', 1, 0], token: '1e400' },
        { path: ['p', 'a', 2, 'id"é', 1], token: '9007199254740993' },
        { path: ['q'], token: '1e999' },
      ]);
    });

    it('but no number in a string', () => {
      expect(changedIn('{"1e400":"9007199254740993","a":"\\"1e400"}')).toEqual([]);
    });

    it('and at the outermost level', () => {
      expect(changedIn('1e400')).toEqual([{ path: [], token: '1e400' }]);
    });

    it('the first eight of them', () => {
      const tokens = Array.from({ length: 100 }, (_, i) => `1e${400 + i}`);
      expect(changedIn(`[${tokens.join()}]`)).toEqual(
        tokens.slice(0, 8).map((token, i) => ({ path: [i], token })),
      );
    });

    it('and eight more apart, so that none hides behind others', () => {
      const many = Array.from({ length: 100 }, () => '1e400').join();
      const text = `{"p":{"a":{"x":[${many}]},"b":1e400},"q":[${many}],"a":1e400}`;
      const json = read(text, { apart: ['p', 'a'] });
      const paths = json.ok ? json.changedNumbers.map(({ path }) => path.join('.')) : [];
      expect(paths.filter((path) => path.startsWith('p.a.'))).toHaveLength(8);
      expect(paths.filter((path) => !path.startsWith('p.a.'))).toEqual([
        'p.b',
        'q.0',
        'q.1',
        'q.2',
        'q.3',
        'q.4',
        'q.5',
        'q.6',
      ]);
    });

    it('in linear time, whatever zeros they have', () => {
      const started = performance.now();
      const zeros = '0'.repeat(500_000);
      expect(changedIn(`[1.${zeros}1${zeros}]`)).toHaveLength(1);
      expect(performance.now() - started).toBeLessThan(1000);
    });
  });

  describe('tells how the outermost id is written', () => {
    it.each([
      ['{"id":1}', '1'],
      ['{"a":0,"id":  1.0 \n,"b":0}', '1.0'],
      ['{"a":{"id":2},"id":1e0,"b":[{"id":3}]}', '1e0'],
      ['{"é":"é","id":-0}', '-0'],
      ['{"\\u0069\\u0064":12}', '12'],
      ['{"i\\u0064":12}', '12'],
      ['{"\\u0069d":12}', '12'],
      ['{"id":"a,}\\""}', '"a,}\\""'],
      ['{"id":[1,{"id":2}]}', '[1,{"id":2}]'],
    ])('in %s', (text, source) => {
      expect(idSourceOf(text)).toBe(source);
    });

    it.each([
      '{}',
      '{"ID":1}',
      '{"id ":1}',
      '{"\\\\u0069":1}',
      '{"a":{"id":1}}',
      '[{"id":1}]',
      '"id"',
      '{"a":"id"}',
      '{"id":1,"id":1}',
      '{"id":1,"\\u0069d":2}',
    ])('but not in %s, which has none or two', (text) => {
      expect(idSourceOf(text)).toBeUndefined();
    });
  });

  it.each([62, 63, 64, 65, 127, 128, 129, 1000])(
    'finds the end of a string whose quote or escape stands at %i',
    (length) => {
      for (const value of ['"', '\\', '\\"', '""\\\\', '"'.repeat(70), '\\'.repeat(71), 'é"']) {
        const object = { [`${'a'.repeat(length)}${value}`]: `${'b'.repeat(length)}${value}b` };
        expect(read(JSON.stringify(object))).toMatchObject({ ok: true, value: object });
      }
    },
  );
});
