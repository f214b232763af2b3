import { readMultipart } from './multipart.js';
import { toToolResult } from './to-tool-result.js';

const TYPE = 'multipart/mixed; boundary=xx';
const part = (headers: string, body: string): string =>
  `--xx\r\n${headers === '' ? '' : `${headers}\r\n`}\r\n${body}\r\n`;
const bodies = (text: string, type = TYPE): string[] | undefined =>
  readMultipart(Buffer.from(text), type)?.map(({ body }) => body.toString());

function blocks(text: string, contentType = TYPE): { type: string }[] {
  const answer = {
    status: 200,
    contentType,
    location: undefined,
    url: '/a',
    body: Buffer.from(text),
  };
  const made = toToolResult(
    { kind: 'answered', answer },
    { checkOutput: undefined, newRef: () => 'r' },
  );
  return JSON.parse(made.result.content) as { type: string }[];
}

describe('readMultipart', () => {
  it('reads parts between preamble and epilogue', () => {
    const text = `before\r\n${part('Content-Type: text/plain', 'a')}${part('', 'b\r\n--x')}--xx--\r\nafter`;
    expect(bodies(text)).toEqual(['a', 'b\r\n--x']);
    expect(bodies(part('X: y', 'a') + '--xx--', 'multipart/mixed; Boundary="xx"')).toEqual(['a']);
    expect(bodies('--xx  \r\n\r\na\r\n--xx--')).toEqual(['a']);
    expect(bodies('--xx--')).toEqual([]);
  });

  it('takes a part without a type for text', () => {
    expect(readMultipart(Buffer.from('--xx\r\n\r\na\r\n--xx--'), TYPE)).toEqual([
      { contentType: 'text/plain', body: Buffer.from('a') },
    ]);
  });

  it.each([
    ['no boundary', part('', 'a') + '--xx--', 'multipart/mixed'],
    ['an empty boundary', part('', 'a') + '--xx--', 'multipart/mixed; boundary=""'],
    ['no end', part('', 'a'), TYPE],
    ['no part', 'text', TYPE],
    ['a part without a head', '--xx\r\na\r\n--xx--', TYPE],
    ['a longer boundary', '--xxx\r\n\r\na\r\n--xx--', TYPE],
    ['too many parts', part('', 'a').repeat(65) + '--xx--', TYPE],
  ])('refuses %s', (_, text, type) => {
    expect(bodies(text, type)).toBeUndefined();
  });
});

describe('a multipart/mixed answer', () => {
  it('is one block for each part, by the table of all answers', () => {
    const text = [
      part('Content-Type: text/plain; charset=utf-8', 'ä'),
      part('content-type: application/json', '{"a":1}'),
      part('Content-Type: image/png', 'png'),
      part('Content-Type: application/pdf', 'pdf'),
    ].join('');
    expect(blocks(`${text}--xx--\r\n`)).toEqual([
      { type: 'text', text: 'ä' },
      { type: 'text', text: '{"a":1}' },
      { type: 'image', data: 'cG5n', mimeType: 'image/png' },
      {
        type: 'resource',
        resource: { uri: 'route:/a#4', mimeType: 'application/pdf', blob: 'cGRm' },
      },
    ]);
  });

  it('is a file where it cannot be read, or is another kind of multipart', () => {
    expect(blocks('nonsense')).toEqual([expect.objectContaining({ type: 'resource' })]);
    const form = 'multipart/form-data; boundary=xx';
    expect(blocks(part('', 'a') + '--xx--', form)).toEqual([
      expect.objectContaining({ type: 'resource' }),
    ]);
  });
});
