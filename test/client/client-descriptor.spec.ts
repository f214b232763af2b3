import fc from 'fast-check';
import { decodeDescriptor, InvalidDescriptorError } from 'nestjs-mcp-routes/client';
import { parsePointer, placeValue } from '../../src/client/json-pointer.js';

const numRuns = Number(process.env['MCP_FUZZ_RUNS'] ?? 2000);
const seed = Number(process.env['MCP_FUZZ_SEED'] ?? Date.now() & 0x7fffffff);
const GOOD = {
  version: 'mcp.tool/v1',
  server_id: 'bank',
  tool_name: 'pay',
  arguments: { amount: 5 },
};
const decode = (text: string) => decodeDescriptor(Buffer.from(text, 'utf8'));
const without = (name: string): object =>
  Object.fromEntries(Object.entries(GOOD).filter(([one]) => one !== name));

describe('client: decodeDescriptor', () => {
  it('reads the members in any order, and white space around the whole', () => {
    const members = Object.entries(GOOD);
    for (const turned of [members, [...members].reverse()]) {
      expect(decode(` ${JSON.stringify(Object.fromEntries(turned), undefined, 2)}\n`)).toEqual(
        GOOD,
      );
    }
    expect(decodeDescriptor(new Uint8Array(Buffer.from(JSON.stringify(GOOD))))).toEqual(GOOD);
  });

  it.each([
    ['another version', JSON.stringify({ ...GOOD, version: 'mcp.tool/v2' })],
    ['no version', JSON.stringify(without('version'))],
    ['no server', JSON.stringify(without('server_id'))],
    ['no tool', JSON.stringify(without('tool_name'))],
    ['no arguments', JSON.stringify(without('arguments'))],
    ['an empty server', JSON.stringify({ ...GOOD, server_id: '' })],
    ['a server that is no text', JSON.stringify({ ...GOOD, server_id: 7 })],
    ['arguments that are a list', JSON.stringify({ ...GOOD, arguments: [] })],
    ['arguments that are null', JSON.stringify({ ...GOOD, arguments: null })],
    ['an unknown member', JSON.stringify({ ...GOOD, endpoint: 'https://evil.example' })],
    ['a member of another case', JSON.stringify({ ...GOOD, Version: 'mcp.tool/v1' })],
    ['a member twice', JSON.stringify(GOOD).replace('{', '{"tool_name":"drain",')],
    [
      'a member twice, once in escapes',
      JSON.stringify(GOOD).replace('{', '{"tool\\u005fname":"drain",'),
    ],
    [
      'a member of the arguments twice',
      JSON.stringify(GOOD).replace('{"amount"', '{"amount":1,"amount"'),
    ],
    ['something after the value', `${JSON.stringify(GOOD)} {}`],
    ['a byte order mark', `\ufeff${JSON.stringify(GOOD)}`],
    ['a number that would change', JSON.stringify(GOOD).replace('5', '9007199254740993')],
    ['a number that is infinite', JSON.stringify(GOOD).replace('5', '1e400')],
    ['too deep a nesting', JSON.stringify(GOOD).replace('5', '['.repeat(200) + ']'.repeat(200))],
    ['a list', JSON.stringify([GOOD])],
    ['a text', '"mcp.tool/v1"'],
    ['nothing', ''],
    ['no JSON', "{version:'mcp.tool/v1'}"],
  ])('refuses %s', (_, text) => {
    expect(() => decode(text)).toThrow(InvalidDescriptorError);
  });

  it('takes 256 KiB and not a byte more', () => {
    const empty = JSON.stringify({ ...GOOD, arguments: { text: '' } });
    const fill = (bytes: number): string =>
      JSON.stringify({ ...GOOD, arguments: { text: 'x'.repeat(bytes - empty.length) } });
    expect(decode(fill(256 * 1024)).tool_name).toBe('pay');
    expect(() => decode(fill(256 * 1024 + 1))).toThrow('over 262144 bytes');
  });

  it.each([undefined, null, 'text', {}, [123]])('refuses %j, which is not bytes', (value) => {
    expect(() => decodeDescriptor(value as never)).toThrow(InvalidDescriptorError);
  });

  it('refuses bytes that are not UTF-8', () => {
    expect(() =>
      decodeDescriptor(Buffer.from(JSON.stringify({ ...GOOD, tool_name: 'é' }), 'latin1')),
    ).toThrow('UTF-8');
  });

  it('gives what JSON.parse gives, or InvalidDescriptorError, for any bytes', () => {
    const text = JSON.stringify(GOOD);
    const edit = fc.tuple(
      fc.nat(text.length),
      fc.nat(3),
      fc.constantFrom('', '"', '{', '}', ',', ':', '\\', '1', 'x'),
    );
    fc.assert(
      fc.property(fc.array(edit, { maxLength: 3 }), (edits) => {
        const bent = edits.reduce(
          (one, [at, cut, put]) => one.slice(0, at) + put + one.slice(at + cut),
          text,
        );
        let read: unknown;
        try {
          read = decode(bent);
        } catch (error) {
          expect(error).toBeInstanceOf(InvalidDescriptorError);
          return;
        }
        expect(read).toEqual(JSON.parse(bent));
        expect(Object.keys(read as object).sort()).toEqual(Object.keys(GOOD).sort());
      }),
      { numRuns, seed },
    );
  });
});

describe('client: the place of the operation id', () => {
  it.each([
    ['/a', ['a']],
    ['/a/b', ['a', 'b']],
    ['/a~1b/c~0d', ['a/b', 'c~d']],
    ['/~01', ['~1']],
    ['/', ['']],
    ['', undefined],
    ['a', undefined],
    ['/a~2', undefined],
    ['/a~', undefined],
    ['/__proto__/a', undefined],
    ['/a/constructor', undefined],
  ])('%j is %j', (pointer, steps) => {
    expect(parsePointer(pointer)).toEqual(steps);
  });

  it.each([
    [{}, ['id'], { id: 'x' }],
    [{ a: 1 }, ['b', 'id'], { a: 1, b: { id: 'x' } }],
    [{ b: { c: 1 } }, ['b', 'id'], { b: { c: 1, id: 'x' } }],
    [{ b: { id: 'x' } }, ['b', 'id'], { b: { id: 'x' } }],
  ])('%j with %j is %j, and the first is as it was', (root, steps, expected) => {
    const before = structuredClone(root);
    expect(placeValue(root, steps, 'x')).toEqual({ root: expected });
    expect(root).toEqual(before);
  });

  it.each([
    [{ id: 'y' }, ['id']],
    [{ id: null }, ['id']],
    [{ b: 'text' }, ['b', 'id']],
    [{ b: null }, ['b', 'id']],
    [{ b: [] }, ['b', '0']],
  ])('%j has no room at %j', (root, steps) => {
    expect(placeValue(root, steps, 'x')).toHaveProperty('problem');
  });
});
