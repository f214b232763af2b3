import { createRequire } from 'node:module';
import { Readable, type Writable } from 'node:stream';
import qs from 'qs';
import type { JsonSchema } from '../schema/json-schema.js';
import type { BodyMediaType, RouteInput } from '../schema/route-input.js';
import { compileBodyWriter, type WrittenBody } from './write-body.js';

/** The reader of forms that multer uses. It comes without types. */
const busboy = createRequire(import.meta.url)('busboy') as (options: object) => Writable;

const FILE: JsonSchema = {
  type: 'object',
  properties: {
    filename: { type: 'string' },
    contentType: { type: 'string' },
    data: { type: 'string', contentEncoding: 'base64' },
  },
  required: ['filename', 'data'],
};

function inputOf(
  mediaType: BodyMediaType,
  properties: Record<string, JsonSchema> = {},
): RouteInput {
  const group = mediaType === 'application/json' || mediaType === 'text/plain' ? 'body' : 'form';
  return {
    layout: 'grouped',
    schema: {
      type: 'object',
      properties: { [group]: { $ref: '#/$defs/Form' } },
      $defs: { Form: { type: 'object', properties }, File: FILE },
    },
    parameters: [],
    body: { mediaType, required: true },
  };
}

function write(
  mediaType: BodyMediaType,
  value: unknown,
  properties?: Record<string, JsonSchema>,
): WrittenBody | undefined | string[] {
  const problems: string[] = [];
  const input = inputOf(mediaType, properties);
  const written = compileBodyWriter({ mediaType, input, maxBytes: 100_000 })(value, problems);
  return problems.length > 0 ? problems : written;
}

function textOf(written: WrittenBody | undefined | string[]): string {
  return written instanceof Array ? written.join() : String(written?.bytes);
}

interface FormPart {
  name: string;
  value: string;
  filename?: string | undefined;
  type?: string | undefined;
}

/** Reads a form as multer does, which stands behind `FileInterceptor`. */
async function parts(written: WrittenBody | undefined | string[]): Promise<FormPart[]> {
  if (written === undefined || written instanceof Array) throw new Error(textOf(written));
  const found: FormPart[] = [];
  const reader = busboy({
    headers: { 'content-type': written.contentType },
    defParamCharset: 'utf8',
  });
  reader.on('field', (name: string, value: string) => found.push({ name, value }));
  reader.on(
    'file',
    (name: string, stream: Readable, info: { filename: string; mimeType: string }) => {
      const part = { name, value: '', filename: info.filename, type: info.mimeType };
      found.push(part);
      stream.on('data', (chunk: Buffer) => (part.value += chunk.toString('base64')));
    },
  );
  await new Promise((resolve, reject) => {
    reader.on('close', resolve).on('error', reject);
    Readable.from([written.bytes]).pipe(reader);
  });
  return found;
}

describe('a JSON body', () => {
  it.each([{ a: [1, 'x', null] }, [], 'text', 0, false, null, { '\ud800': '\udc00' }])(
    'is %j as it is',
    (value) => {
      const written = write('application/json', value);
      expect(written).toMatchObject({ contentType: 'application/json' });
      expect(JSON.parse(textOf(written))).toEqual(value);
    },
  );

  it('is not there when it is left out', () => {
    expect(write('application/json', undefined)).toBeUndefined();
  });

  it('keeps a member named __proto__', () => {
    const text = '{"__proto__":{"a":1},"constructor":2}';
    expect(textOf(write('application/json', JSON.parse(text)))).toBe(text);
  });
});

describe('a text body', () => {
  it('is UTF-8', () => {
    const written = write('text/plain', 'gr\u00fc\u00dfe');
    expect(written).toEqual({
      contentType: 'text/plain; charset=utf-8',
      bytes: Buffer.from('gr\u00fc\u00dfe'),
    });
  });

  it.each([
    [{}, 'body must be a string'],
    [1, 'body must be a string'],
    ['\ud800', 'body must not hold half of a surrogate pair'],
  ])('cannot be %j', (value, problem) => {
    expect(write('text/plain', value)).toEqual([problem]);
  });
});

describe('an urlencoded form', () => {
  it('is written as a query is', () => {
    const written = write('application/x-www-form-urlencoded', {
      a: 'x y&z=1',
      b: [1, 2],
      c: { d: true },
    });
    expect(written).toMatchObject({ contentType: 'application/x-www-form-urlencoded' });
    expect(textOf(written)).toBe('a=x%20y%26z%3D1&b=1&b=2&c[d]=true');
  });

  it('is read back by the parser of forms, where that is known', () => {
    const input = inputOf('application/x-www-form-urlencoded');
    const parseForm = (text: string) => qs.parse(text);
    const mediaType = 'application/x-www-form-urlencoded';
    const written = compileBodyWriter({ mediaType, input, parseForm, maxBytes: 1000 })(
      { b: [1] },
      [],
    );
    expect(textOf(written)).toBe('b[]=1');
  });

  it.each([
    [{ a: null }, 'form.a is null, which has no written form here; leave it out'],
    ['text', 'form must be an object'],
    [[], 'form must be an object'],
    [null, 'form must be an object'],
  ])('cannot be %j', (value, problem) => {
    expect(write('application/x-www-form-urlencoded', value)).toEqual([problem]);
  });
});

describe('a multipart form', () => {
  const data = Buffer.from([0, 255, 13, 10, 45, 45]).toString('base64');

  it('carries fields and files', async () => {
    const form = {
      title: 'a\r\nb',
      tags: ['x', 2],
      meta: { lang: 'de' },
      avatar: { filename: 'me "1".png', contentType: 'image/png', data },
      files: [
        { filename: 'a.bin', data },
        { filename: '\u00e9.txt', contentType: 'text/plain', data: '' },
      ],
    };
    const files = { avatar: { $ref: '#/$defs/File' }, files: { type: 'array', items: FILE } };
    expect(await parts(write('multipart/form-data', form, files))).toEqual([
      { name: 'title', value: 'a\r\nb' },
      { name: 'tags', value: 'x' },
      { name: 'tags', value: '2' },
      { name: 'meta[lang]', value: 'de' },
      { name: 'avatar', value: data, filename: 'me %221%22.png', type: 'image/png' },
      { name: 'files', value: data, filename: 'a.bin', type: 'application/octet-stream' },
      { name: 'files', value: '', filename: '\u00e9.txt', type: 'text/plain' },
    ]);
  });

  it('is never ended by what a field holds', async () => {
    const value =
      '\r\n------nestjs-mcp-routes\r\ncontent-disposition: form-data; name="admin"\r\n\r\n1';
    expect(await parts(write('multipart/form-data', { a: value }))).toEqual([{ name: 'a', value }]);
  });

  it.each(['a"; name="admin', 'a\r\nx: y', 'a\nb', '\u00e4'])(
    'escapes the name %j',
    async (name) => {
      const escaped = name.replace(/["\r\n]/g, encodeURIComponent);
      expect(await parts(write('multipart/form-data', { [name]: '1' }))).toEqual([
        { name: escaped, value: '1' },
      ]);
    },
  );

  it.each([
    [{ a: null }, 'form.a is null, which has no written form here; leave it out'],
    [{ a: '\ud800' }, 'form.a must not hold half of a surrogate pair'],
    [{ a: [] }, 'form.a is an empty list, which has no written form here; leave it out'],
    [{ 'a\\': 1 }, 'form["a\\\\"] is a name that cannot be written in a form'],
    [{ a: { 'b\\': 1 } }, 'form.a has a member whose name cannot be written in a form'],
    [{ 'a\0': 1 }, 'form["a\\u0000"] is a name that cannot be written in a form'],
    [{ 'a[b]': 1 }, 'form["a[b]"] is a name that cannot be written'],
  ])('refuses the fields %j', (value, problem) => {
    expect(write('multipart/form-data', value)).toEqual([problem]);
  });

  it.each([
    ['text', 'form.f must be a file: { filename, contentType, data }, data in base64'],
    [{ data }, "form.f.filename must be a file's name without a path"],
    [{ filename: '', data }, "form.f.filename must be a file's name without a path"],
    [{ filename: '..', data }, "form.f.filename must be a file's name without a path"],
    [{ filename: '../a', data }, "form.f.filename must be a file's name without a path"],
    [{ filename: 'a\\', data }, "form.f.filename must be a file's name without a path"],
    [{ filename: '\ud800', data }, "form.f.filename must be a file's name without a path"],
    [
      { filename: 'a', contentType: 'a/b\r\nx: y', data },
      'form.f.contentType must be a media type, such as image/png',
    ],
    [
      { filename: 'a', data: 'a-_b' },
      'form.f.data must be standard base64 with its padding (RFC 4648, section 4)',
    ],
    [
      { filename: 'a', data: 'YQ' },
      'form.f.data must be standard base64 with its padding (RFC 4648, section 4)',
    ],
    [
      { filename: 'a' },
      'form.f.data must be standard base64 with its padding (RFC 4648, section 4)',
    ],
  ])('refuses the file %j', (file, problem) => {
    expect(write('multipart/form-data', { f: file }, { f: FILE })).toEqual([problem]);
  });
});
