import { describePath, readMessage } from './message.js';

const read = (text: string | Uint8Array) =>
  readMessage(typeof text === 'string' ? Buffer.from(text) : text, { maxDepth: 16 });

/** A message of which some members are written otherwise; `undefined` leaves one out. */
function message(members: Record<string, string | undefined> = {}): string {
  const all = { jsonrpc: '"2.0"', id: '7', method: '"tools/call"', ...members };
  const written = Object.entries(all).filter(([, text]) => text !== undefined);
  return `{${written.map(([name, text]) => `"${name}":${text}`).join()}}`;
}

const refusal = (code: number, id?: string | number) => ({
  ok: false,
  status: 400,
  error: { code, message: expect.any(String) as string },
  ...(id === undefined ? {} : { id }),
});

describe('readMessage', () => {
  it('reads a request', () => {
    expect(read(message({ params: '{"name":"a","arguments":{"id":1}}' }))).toEqual({
      ok: true,
      message: {
        id: 7,
        method: 'tools/call',
        params: { name: 'a', arguments: { id: 1 } },
        unfaithfulNumbers: [],
      },
    });
  });

  it('reads a message without an id as a notification', () => {
    const read1 = read(message({ id: undefined, method: '"notifications/cancelled"' }));
    expect(read1).toEqual({
      ok: true,
      message: { method: 'notifications/cancelled', params: undefined, unfaithfulNumbers: [] },
    });
    expect(read1.ok && 'message' in read1 && 'id' in read1.message).toBe(false);
  });

  it('does not mind the order of members, white space and escapes', () => {
    const text =
      ' { "params" : {} ,\n"\\u0069d"\t: "a" , "meth\\u006fd":"p\\u0069ng","jsonrpc":"2\\u002e0"} ';
    expect(read(text)).toMatchObject({
      ok: true,
      message: { id: 'a', method: 'ping', params: {} },
    });
  });

  describe('takes an id', () => {
    it.each([
      ['0', 0],
      ['1', 1],
      ['-1', -1],
      ['9007199254740991', 9007199254740991],
      ['-9007199254740991', -9007199254740991],
      ['""', ''],
      ['"1.5"', '1.5'],
      ['"null"', 'null'],
      ['"\\u0000é\\ud83d\\ude00"', '\u0000é😀'],
    ])('of %s', (id, value) => {
      expect(read(message({ id }))).toMatchObject({ ok: true, message: { id: value } });
    });
  });

  describe('refuses, and does not echo, an id', () => {
    it.each([
      '1.5',
      '1.0',
      '1e2',
      '1E2',
      '1e0',
      '100e-2',
      '-0',
      '-0.0',
      '9007199254740992',
      '-9007199254740992',
      '9007199254740993',
      '123456789012345678901234567890',
      '1e400',
      '1e-400',
      'null',
      'true',
      'false',
      '{}',
      '[]',
      '[1]',
      '{"id":1}',
    ])('of %s', (id) => {
      expect(read(message({ id }))).toEqual(refusal(-32600));
      expect(read(message({ id, method: '1' }))).toEqual(refusal(-32600));
    });

    it.each(['"id":7,', '"\\u0069d":7,', '"id":8,', '"id":"a",'])('that stands twice: %s', (id) => {
      expect(read(message().replace('{', `{${id}`))).toEqual(refusal(-32600));
    });
  });

  describe('echoes a good id when something else is wrong', () => {
    it.each([
      ['no jsonrpc', { jsonrpc: undefined }],
      ['another jsonrpc', { jsonrpc: '"1.0"' }],
      ['jsonrpc as a number', { jsonrpc: '2.0' }],
      ['jsonrpc with a space', { jsonrpc: '"2.0 "' }],
      ['no method', { method: undefined }],
      ['a method that is no string', { method: '1' }],
      ['a method of null', { method: 'null' }],
      ['params as a list', { params: '[]' }],
      ['params of null', { params: 'null' }],
      ['params as a string', { params: '"{}"' }],
      ['a further member', { extra: '1' }],
      ['a member in capitals', { ID: '1' }],
      ['a member __proto__', { ['__proto__']: '{}' }],
      ['a result beside the method', { result: '{}' }],
      ['a number in _meta that would change', { params: '{"_meta":{"progressToken":1e400}}' }],
      ['a member twice in params', { params: '{"a":{"b":1,"b":1}}' }],
      ['jsonrpc twice', { 'jsonrpc":"2.0","jsonrpc': '"2.0"' }],
    ])('with %s', (_, members) => {
      expect(read(message(members))).toEqual(refusal(-32600, 7));
      expect(read(message({ ...members, id: '""' }))).toEqual(refusal(-32600, ''));
      expect(read(message({ ...members, id: undefined }))).toEqual(refusal(-32600));
    });
  });

  it.each(['"result":{}', '"error":{"code":1,"message":""}'])(
    'refuses a response with %s, whose id is none of the client',
    (member) => {
      expect(read(`{"jsonrpc":"2.0","id":7,${member}}`)).toEqual(refusal(-32600));
      expect(read(`{"jsonrpc":"2.0","id":7,${member},${member}}`)).toEqual(refusal(-32600));
    },
  );

  it.each(['[]', `[${message()}]`, `[${message()},${message()}]`])(
    'refuses the batch %s',
    (batch) => {
      const answer = read(batch);
      expect(answer).toEqual(refusal(-32600));
      expect(!answer.ok && answer.error.message).toContain('batches are not served');
    },
  );

  it.each(['null', '1', '"a"', 'true', '{}'])('refuses %s', (text) => {
    expect(read(text)).toEqual(refusal(-32600));
  });

  it.each<[string, string | Uint8Array]>([
    ['nothing', ''],
    ['what is not JSON', '{"id":7'],
    ['what goes on after its end', `${message()}x`],
    ['a byte order mark', `\ufeff${message()}`],
    ['invalid UTF-8', Buffer.from(message({ method: '"\xff"' }), 'latin1')],
    ['UTF-16', Buffer.from(message(), 'utf16le')],
  ])('answers %s with a parse error, without an id', (_, text) => {
    expect(read(text)).toEqual(refusal(-32700));
  });

  it('refuses what nests too deep, without an id', () => {
    const params = (depth: number) => `${'{"a":'.repeat(depth)}0${'}'.repeat(depth)}`;
    expect(read(message({ params: params(15) }))).toMatchObject({ ok: true });
    expect(read(message({ params: params(16) }))).toEqual(refusal(-32600));
    expect(read(message({ params: params(10_000) }))).toEqual(refusal(-32600));
  });

  describe('keeps numbers of the arguments that would change', () => {
    const call = (args: string, rest = '') =>
      read(message({ params: `{"name":"a","arguments":${args}${rest}}` }));

    it('with their way through the arguments', () => {
      expect(call('{"body":{"id":9007199254740993,"n":[1,1e400]}}')).toMatchObject({
        ok: true,
        message: {
          id: 7,
          unfaithfulNumbers: [
            { path: ['body', 'id'], token: '9007199254740993' },
            { path: ['body', 'n', 1], token: '1e400' },
          ],
        },
      });
    });

    it('and none that stay as they are', () => {
      expect(call('{"a":1.0,"b":1e2,"c":-0,"d":0.30000000000000004}')).toMatchObject({
        message: { unfaithfulNumbers: [] },
      });
    });

    it.each([
      ['params.arguments', call('1e400')],
      ['params._meta.a', call('{}', ',"_meta":{"a":1e400}')],
      ['params.argument.a', call('{}', ',"argument":{"a":1e400}')],
      ['params.list[0].arguments.a', call('{}', ',"list":[{"arguments":{"a":1e400}}]')],
    ])('but refuses %s, naming it', (path, answer) => {
      expect(answer).toEqual(refusal(-32600, 7));
      expect(!answer.ok && answer.error.message).toContain(`${path}: the number 1e400`);
    });

    it('also one behind many of the arguments', () => {
      const many = `{"a":[${Array.from({ length: 50 }, () => '1e400').join()}]}`;
      expect(call(many)).toMatchObject({ ok: true, message: { unfaithfulNumbers: { length: 8 } } });
      expect(call(many, ',"_meta":{"a":1e400}')).toEqual(refusal(-32600, 7));
    });
  });

  it('says no more than it must of a message that is very long', () => {
    const name = 'a'.repeat(100_000);
    for (const text of [
      message({ [name]: '1' }),
      message({ params: `{"${name}":${'9'.repeat(100_000)}}` }),
    ]) {
      const answer = read(text);
      expect(!answer.ok && answer.error.message.length).toBeLessThan(350);
    }
  });
});

describe('describePath', () => {
  it.each([
    [[], ''],
    [['params', '_meta', 'a b'], 'params._meta.a b'],
    [['items', 0, 'tags', 12], 'items[0].tags[12]'],
    [[0, 'a'], '[0].a'],
    [['a'.repeat(201), 'b'], `${'a'.repeat(200)}…`],
  ])('writes %j', (path, text) => {
    expect(describePath(path)).toBe(text);
  });
});

describe('protocol: a response of the client, where the server sends requests', () => {
  const readAnswer = (text: string): ReturnType<typeof readMessage> =>
    readMessage(Buffer.from(text), { maxDepth: 16, responses: true });

  it.each([
    ['a result', '{"jsonrpc":"2.0","id":"a","result":{"action":"accept"}}', { action: 'accept' }],
    ['an error', '{"jsonrpc":"2.0","id":"a","error":{"code":-1,"message":"no"}}', undefined],
  ])('is read with %s', (_title, text, result) => {
    expect(readAnswer(text)).toEqual({ ok: true, response: { id: 'a', result } });
  });

  it.each([
    ['neither', '{"jsonrpc":"2.0","id":"a","results":{}}'],
    ['both', '{"jsonrpc":"2.0","id":"a","result":{},"error":{"code":1,"message":""}}'],
    ['no id', '{"jsonrpc":"2.0","result":{}}'],
    ['an id of null', '{"jsonrpc":"2.0","id":null,"result":{}}'],
    ['an id of 1.5', '{"jsonrpc":"2.0","id":1.5,"result":{}}'],
    ['another version', '{"jsonrpc":"1.0","id":"a","result":{}}'],
    ['a member more', '{"jsonrpc":"2.0","id":"a","result":{},"method":"x"}'],
    ['a member twice', '{"jsonrpc":"2.0","id":"a","result":{},"result":{}}'],
  ])('is refused with %s', (_title, text) => {
    const read = readAnswer(text);
    expect(read).toMatchObject({ ok: false, status: 400, error: { code: -32600 } });
  });

  it('is refused where the server sends none', () => {
    const text = '{"jsonrpc":"2.0","id":"a","result":{}}';
    expect(readMessage(Buffer.from(text), { maxDepth: 16 })).toMatchObject({ ok: false });
  });
});
