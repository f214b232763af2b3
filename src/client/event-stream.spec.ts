import fc from 'fast-check';
import { EventStreamParser } from './event-stream.js';

const numRuns = Number(process.env['MCP_FUZZ_RUNS'] ?? 2000);
const seed = Number(process.env['MCP_FUZZ_SEED'] ?? Date.now() & 0x7fffffff);
const parse = (text: string | Uint8Array, parser = new EventStreamParser(1024)): string[] =>
  parser.push(Buffer.from(text)).map((data) => data.toString('utf8'));

describe('client: event stream', () => {
  it.each([
    ['one line', 'data: a\n\n', ['a']],
    ['no space', 'data:a\n\n', ['a']],
    ['one space of two', 'data:  a\n\n', [' a']],
    ['several lines', 'data: a\ndata: b\ndata\n\n', ['a\nb\n']],
    ['line ends of every kind', 'data: a\r\n\r\ndata: b\r\rdata: c\n\n', ['a', 'b', 'c']],
    ['a comment', ': hello\ndata: a\n\n', ['a']],
    ['an unknown field', 'colour: red\ndata: a\n\n', ['a']],
    ['an event of the type message', 'event: message\ndata: a\n\n', ['a']],
    ['an event of another type', 'event: ping\ndata: a\n\ndata: b\n\n', ['b']],
    ['no data', 'id: 1\n\nevent: message\n\n', []],
    ['empty data', 'data\n\ndata:\n\n', []],
    ['an event that does not end', 'data: a\n\ndata: b\n', ['a']],
    ['a byte order mark', '\ufeffdata: a\n\n', ['a']],
    ['nothing', '', []],
  ])('reads %s', (_, text, expected) => {
    expect(parse(text)).toEqual(expected);
  });

  it('keeps the id of an event that has ended, and the time to wait', () => {
    const parser = new EventStreamParser(1024);
    parse('id: 1\nretry: 500\ndata: a\n\nid: 2\ndata: b\n', parser);
    expect([parser.lastEventId, parser.retryMs]).toEqual(['1', 500]);
    parse('\nretry: soon\n\n', parser);
    expect([parser.lastEventId, parser.retryMs]).toEqual(['2', 500]);
    parse('id\n\n', parser);
    expect(parser.lastEventId).toBeUndefined();
    parse('id: a b\n\n', parser);
    expect(parser.lastEventId).toBeUndefined();
  });

  it('goes on where another stream ended', () => {
    const before = new EventStreamParser(1024);
    parse('id: 1\nretry: 5\n\ndata: half', before);
    const parser = new EventStreamParser(1024, before);
    expect([parser.lastEventId, parser.retryMs]).toEqual(['1', 5]);
    expect(parse('data: b\n\n', parser)).toEqual(['b']);
  });

  it('refuses an event that is too long, in one line or in many', () => {
    expect(() => parse(`data: ${'x'.repeat(1024)}`)).toThrow('over 1024 bytes');
    expect(() => parse('data: x\n'.repeat(200))).toThrow('over 1024 bytes');
    expect(() => parse(':x\n'.repeat(1000))).toThrow('over 1024 bytes');
    expect(parse('data: x\n\n'.repeat(1000))).toHaveLength(1000);
  });

  it('reads the same however the bytes are cut', () => {
    const line = fc.constantFrom(
      'data: a',
      'data: 😀',
      'data',
      ': c',
      'id: 7',
      'event: x',
      '',
      '',
      'retry: 3',
    );
    const end = fc.constantFrom('\n', '\r\n', '\r');
    const text = fc.array(fc.tuple(line, end)).map((lines) => lines.flat().join(''));
    fc.assert(
      fc.property(
        text,
        fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1 }),
        (whole, sizes) => {
          const bytes = Buffer.from(whole);
          const parser = new EventStreamParser(10_000);
          const messages: string[] = [];
          for (let at = 0, i = 0; at < bytes.length; i++) {
            const size = sizes[i % sizes.length] as number;
            messages.push(...parse(bytes.subarray(at, at + size), parser));
            at += size;
          }
          const once = new EventStreamParser(10_000);
          expect(messages).toEqual(parse(whole, once));
          expect([parser.lastEventId, parser.retryMs]).toEqual([once.lastEventId, once.retryMs]);
        },
      ),
      { numRuns, seed },
    );
  });
});
