import { CursorCodec } from './cursor.js';

const SECRET = 'a secret of all instances';
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

describe('cursor', () => {
  const codec = new CursorCodec(SECRET);

  it.each(['a', 'get_order', 'Ünïcode', '😀', 'a'.repeat(128), 'a\u0000b'])(
    '%j comes back',
    (after) => {
      const cursor = codec.write(after, 'mcp');
      expect(cursor).toMatch(/^[A-Za-z0-9_-]+$/);
      expect(codec.read(cursor, 'mcp')).toBe(after);
    },
  );

  it('is read by every instance with the same secret', () => {
    expect(new CursorCodec(SECRET).read(codec.write('a', 'mcp'), 'mcp')).toBe('a');
  });

  it('is read by no instance with another secret, and by none without', () => {
    const cursor = codec.write('a', 'mcp');
    expect(new CursorCodec(`${SECRET}.`).read(cursor, 'mcp')).toBeUndefined();
    expect(new CursorCodec().read(cursor, 'mcp')).toBeUndefined();
  });

  it('is read by its own instance only, where there is no secret', () => {
    const [one, two] = [new CursorCodec(), new CursorCodec()];
    const cursor = one.write('a', 'mcp');
    expect(one.read(cursor, 'mcp')).toBe('a');
    expect(two.read(cursor, 'mcp')).toBeUndefined();
  });

  it.each([
    ['mcp', 'admin'],
    ['mcp', ''],
    ['mcp', 'mcp '],
    ['["mcp","ann"]', '["mcp","bob"]'],
    ['["mcp",null]', '["mcp","null"]'],
  ])('of the list %j is none of the list %j', (scope, other) => {
    expect(codec.read(codec.write('a', scope), other)).toBeUndefined();
  });

  it('cannot move a letter from the scope to the name', () => {
    expect(codec.write('cb', 'a').slice(0, 21)).not.toBe(codec.write('b', 'ac').slice(0, 21));
    const forged = Buffer.concat([
      Buffer.from(codec.write('b', 'ac'), 'base64url').subarray(0, 16),
      Buffer.from('cb'),
    ]);
    expect(codec.read(forged.toString('base64url'), 'a')).toBeUndefined();
  });

  it('altered by any one character is none', () => {
    const cursor = codec.write('get_order', 'mcp');
    for (let at = 0; at < cursor.length; at++) {
      for (const letter of ALPHABET) {
        if (letter === cursor[at]) continue;
        const altered = cursor.slice(0, at) + letter + cursor.slice(at + 1);
        expect(codec.read(altered, 'mcp')).toBeUndefined();
      }
    }
  });

  it.each<[string, (cursor: string) => string]>([
    ['a letter less', (cursor) => cursor.slice(0, -1)],
    ['a letter more', (cursor) => `${cursor}A`],
    ['padding', (cursor) => `${cursor}=`],
    ['a space before', (cursor) => ` ${cursor}`],
    ['a line break within', (cursor) => `${cursor.slice(0, 5)}\n${cursor.slice(5)}`],
    ['the other base64 alphabet', (cursor) => cursor.replaceAll('-', '+').replaceAll('_', '/')],
    ['nothing after the signature', (cursor) => cursor.slice(0, 22)],
    ['another name under its signature', (cursor) => cursor.slice(0, 22) + 'YWJj'],
  ])('with %s is none', (_, alter) => {
    // Several names, so that one of the cursors has a letter that the alphabets write differently.
    const cursors = Array.from({ length: 50 }, (__, index) => codec.write(`tool_${index}`, 'mcp'));
    const altered = cursors.map(alter).filter((cursor, index) => cursor !== cursors[index]);
    expect(altered.length).toBeGreaterThan(10);
    for (const cursor of altered) expect(codec.read(cursor, 'mcp')).toBeUndefined();
  });

  it.each(['', '5', 'null', 'get_order', '../../etc', '😀', 'A'.repeat(10_000)])(
    'forged as %.20j is none',
    (cursor) => {
      expect(codec.read(cursor, 'mcp')).toBeUndefined();
    },
  );
});
