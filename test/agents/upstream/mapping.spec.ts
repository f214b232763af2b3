import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Mapping, RestBody } from '../../../src/upstream/operation.js';
import { Upstream } from './upstream.fixture.js';

const upstream = new Upstream();
beforeAll(() => upstream.start());
afterAll(() => upstream.stop());
beforeEach(() => upstream.reset());

/** What the upstream gets of a body. */
async function sent(body: RestBody, args: unknown): Promise<string> {
  const outcome = await upstream.call({ method: 'POST', body }, args);
  expect(outcome).toMatchObject({ kind: 'success' });
  return upstream.last.body.toString();
}

/** What becomes of an answer. */
async function mapped(content: Mapping, answer: string): Promise<string | undefined> {
  upstream.answer = (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json', etag: '"7"' }).end(answer);
  };
  const outcome = await upstream.call({ response: { content } });
  return outcome.kind === 'success' ? outcome.body.toString() : outcome.messages[0];
}

describe('agents: a mapping', () => {
  const json = (content: Mapping): RestBody => ({ contentType: 'application/json', content });

  it('makes a body of pointers, constants, objects and lists', async () => {
    const content: Mapping = {
      object: {
        id: { from: '/a~1b/0' },
        kind: { value: { fixed: [1, null] } },
        both: { list: [{ from: '/x' }, { from: '/none' }, { value: false }] },
        gone: { from: '/none' },
        ['__proto__']: { from: '/x' },
      },
    };
    const text = await sent(json(content), { 'a/b': ['first'], x: null });
    expect(text).toBe(
      '{"id":"first","kind":{"fixed":[1,null]},"both":[null,false],"__proto__":null}',
    );
  });

  it('finds nothing in what a value inherits, nor by an index that is none', async () => {
    for (const from of [
      '/constructor',
      '/__proto__',
      '/list/length',
      '/list/01',
      '/list/-',
      '/text/0',
    ]) {
      const content: Mapping = { list: [{ from }] };
      expect(await sent(json(content), { list: [1, 2], text: 'abc' })).toBe('[]');
    }
  });

  it('takes the whole, and sends no body where there is none', async () => {
    expect(await sent(json({ from: '' }), { a: 1 })).toBe('{"a":1}');
    expect(await sent(json({ from: '/body' }), {})).toBe('');
    expect(upstream.last.headers).not.toHaveProperty('content-type');
  });

  it('keeps numbers of an answer that JavaScript cannot hold, wherever they stand', async () => {
    const ids = Array.from({ length: 30 }, (_, i) => `90071992547409930${i}`);
    const answer = `{"items":[${ids.join(', ')}],"text":"9007199254740993 \\" 1e400","big":1e400,"plain":1.50}`;
    expect(await mapped({ from: '/body/items' }, answer)).toBe(`[${ids.join(',')}]`);
    expect(await mapped({ from: '/body/big' }, answer)).toBe('1e400');
    expect(await mapped({ from: '/body/text' }, answer)).toBe('"9007199254740993 \\" 1e400"');
    expect(await mapped({ from: '/body/plain' }, answer)).toBe('1.5');
  });

  it('reads status and headers of an answer, and refuses one that cannot be read', async () => {
    const content: Mapping = {
      object: { status: { from: '/status' }, tag: { from: '/headers/etag' } },
    };
    expect(await mapped(content, '\ufeff{}')).toBe('{"status":200,"tag":"\\"7\\""}');
    expect(await mapped(content, '')).toBe('{"status":200,"tag":"\\"7\\""}');
    expect(await mapped({ from: '/body' }, '{"a":1,"a":2}')).toMatch(/cannot be read/);
    expect(await mapped({ from: '/body' }, '['.repeat(100_000))).toMatch(/cannot be read/);
    expect(await mapped({ from: '/body/none' }, '{}')).toMatch(
      /nothing of what the result is made of/,
    );
  });
});

describe('agents: a body', () => {
  const from: Mapping = { from: '/form' };

  it('is an urlencoded form', async () => {
    const body: RestBody = {
      contentType: 'application/x-www-form-urlencoded',
      content: from,
      encoding: { deep: { style: 'deepObject' }, csv: { explode: false }, json: { json: true } },
    };
    const form = {
      a: 'x y&z=+',
      list: [1, true],
      deep: { k: 'v', n: { m: 2 } },
      csv: ['a', 'b,c'],
      json: { q: [1] },
      no: null,
    };
    expect(await sent(body, { form })).toBe(
      'a=x%20y%26z%3D%2B&list=1&list=true&deep%5Bk%5D=v&deep%5Bn%5D%5Bm%5D=2&csv=a,b%2Cc&json=%7B%22q%22%3A%5B1%5D%7D',
    );
    const nested = await upstream.call({ method: 'POST', body }, { form: { a: [[1]] } });
    expect(nested).toMatchObject({
      code: 'mapping',
      messages: [expect.stringMatching(/body\.a\[0\] must be/)],
    });
  });

  it('is a multipart form with files', async () => {
    const body: RestBody = {
      contentType: 'multipart/form-data',
      content: from,
      encoding: { file: { file: true } },
    };
    const file = { filename: 'a"b.txt', contentType: 'text/plain', data: 'aGk=' };
    await sent(body, { form: { name: 'x', meta: { a: 1 }, many: [1, 2], file } });
    const type = upstream.last.headers['content-type'] ?? '';
    const read = new Response(new Uint8Array(upstream.last.body), {
      headers: { 'content-type': type },
    });
    const form = await read.formData();
    expect([form.get('name'), form.getAll('many')]).toEqual(['x', ['1', '2']]);
    expect(await (form.get('file') as File).text()).toBe('hi');
    expect(upstream.last.body.toString()).toMatch(
      /name="meta"\r\ncontent-type: application\/json\r\n\r\n\{"a":1\}/,
    );
    const hostile = { ...file, filename: '../../etc/passwd' };
    expect(
      await upstream.call({ method: 'POST', body }, { form: { file: hostile } }),
    ).toMatchObject({ code: 'mapping' });
  });

  it('is text', async () => {
    const body: RestBody = { contentType: 'text/plain', content: { from: '/text' } };
    expect(await sent(body, { text: 'grüß' })).toBe('grüß');
    expect(await upstream.call({ method: 'POST', body }, { text: {} })).toMatchObject({
      code: 'mapping',
    });
  });
});
