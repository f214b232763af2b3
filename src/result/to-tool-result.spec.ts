import type { CallOutcome, RouteAnswer } from './call-outcome.js';
import { toToolResult, type MadeResult, type ResultContext } from './to-tool-result.js';

const PNG = Buffer.from('89504e470d0a1a0a', 'hex');
const DATA = PNG.toString('base64');

const NO_SCHEMA: ResultContext = { checkOutput: undefined, newRef: () => 'f00' };
const fits: ResultContext = { ...NO_SCHEMA, checkOutput: () => [] };
const misfits: ResultContext = {
  ...NO_SCHEMA,
  checkOutput: () => ['/id must be integer', '/name is missing'],
};

function answer(parts: Partial<RouteAnswer> & { text?: string } = {}): CallOutcome {
  const { text = '', ...rest } = parts;
  return {
    kind: 'answered',
    answer: {
      status: 200,
      contentType: 'application/json; charset=utf-8',
      location: undefined,
      body: Buffer.from(text),
      url: '/v1/orders/7?full=true',
      ...rest,
    },
  };
}

interface Read {
  content: unknown;
  isError: boolean;
  structured: unknown;
  ref: string | undefined;
  status: number;
  log: string | undefined;
}

/** The result with its content as the value that its JSON text stands for. */
function read({ result, status, log }: MadeResult): Read {
  return {
    content: JSON.parse(result.content) as unknown,
    isError: result.isError,
    structured: result.structured,
    ref: result.ref,
    status,
    log: log?.message,
  };
}

const result = (outcome: CallOutcome, context = NO_SCHEMA): Read =>
  read(toToolResult(outcome, context));
const text = (value: string): unknown => [{ type: 'text', text: value }];

describe('result: JSON', () => {
  it.each([
    ['an object', '{"id":7}'],
    ['an object as the route spells it', '{ "b" : 1,\n\t"a" : 1.0, "a2": 1e2 }'],
    ['a number beyond 2^53', '{"id":9007199254740993}'],
    ['text that JSON must escape', '{"a":"\\u0000\\"\\\\\u2028"}'],
    ['a list', '[1,2]'],
    ['null', 'null'],
    ['a string', '"a"'],
    ['a number', '7'],
    ['false', 'false'],
    ['what looks like a result', '{"content":[],"isError":true}'],
    ['a member __proto__', '{"__proto__":{"a":1}}'],
  ])('%s is text as sent, and structure', (_, body) => {
    expect(result(answer({ text: body }))).toEqual({
      content: text(body),
      isError: false,
      structured: { text: body, value: JSON.parse(body) as unknown },
      ref: undefined,
      status: 200,
      log: undefined,
    });
  });

  it.each([200, 201, 202, 206, 299])('of status %d is a success', (status) => {
    expect(result(answer({ status, text: '{}' }))).toMatchObject({ isError: false, status });
  });

  it('of a type that ends with +json likewise', () => {
    const made = result(answer({ contentType: 'application/vnd.api+json', text: '{"a":1}' }));
    expect(made.structured).toEqual({ text: '{"a":1}', value: { a: 1 } });
  });

  it.each([
    '{"a":',
    'undefined',
    '{a:1}',
    "{'a':1}",
    'NaN',
    '<html>',
    '{"a":1}{"b":2}',
    '\ufeff{}',
    ' ',
  ])('that is none, %j, is an error that says so', (body) => {
    expect(result(answer({ text: body }))).toEqual({
      content: text(
        '{"statusCode":502,"message":"The route labelled its answer as JSON, but it is not. The operation may have completed."}',
      ),
      isError: true,
      structured: undefined,
      ref: undefined,
      status: 502,
      log: 'the route labelled its answer as JSON, but it is not',
    });
  });

  it('that is none is the same error where an output schema is declared', () => {
    expect(result(answer({ text: '{"a":' }), fits)).toMatchObject({ isError: true, status: 502 });
  });
});

describe('result: text', () => {
  it.each([
    ['text/plain', 'a "b"\nc'],
    ['text/html; charset=utf-8', '<p>ä</p>'],
    ['application/xml', '<a/>'],
    ['image/svg+xml', '<svg/>'],
    ['application/x-ndjson', '{"a":1}\n{"b":2}\n'],
  ])('of type %s is text, and no structure', (contentType, body) => {
    expect(result(answer({ contentType, text: body }))).toEqual({
      content: text(body),
      isError: false,
      structured: undefined,
      ref: undefined,
      status: 200,
      log: undefined,
    });
  });

  it.each([
    ['text/plain', Buffer.from('ä€', 'utf8'), 'ä€'],
    ['text/plain; charset=utf8', Buffer.from('ä', 'utf8'), 'ä'],
    ['text/plain; charset=iso-8859-1', Buffer.from('ä', 'latin1'), 'ä'],
    ['text/plain; charset="koi8-r"', Buffer.from([0xc1]), 'а'],
    ['text/plain; charset=utf-16le', Buffer.from('ä', 'utf16le'), 'ä'],
    ['text/plain; charset=klingon', Buffer.from('ä', 'utf8'), 'ä'],
    ['text/plain', Buffer.from([0x61, 0xff]), 'a\ufffd'],
  ])('of type %s is read in its charset', (contentType, body, expected) => {
    expect(result(answer({ contentType, body })).content).toEqual(text(expected));
  });

  it('without a type is text where it is UTF-8', () => {
    const made = result(answer({ contentType: undefined, text: 'plain' }));
    expect(made.content).toEqual(text('plain'));
  });
});

describe('result: media', () => {
  it.each([
    ['image/png', 'image'],
    ['image/jpeg; q=1', 'image'],
    ['audio/wav', 'audio'],
  ])('%s is a block of its own', (contentType, type) => {
    expect(result(answer({ contentType, body: PNG }))).toMatchObject({
      content: [{ type, data: DATA, mimeType: contentType.split(';')[0] }],
      isError: false,
      structured: undefined,
    });
  });

  it.each([
    ['application/pdf', 'application/pdf'],
    ['Application/ZIP; a=b', 'application/zip'],
    ['video/mp4', 'video/mp4'],
    [undefined, 'application/octet-stream'],
  ])('%s is a resource, named by the request', (contentType, mimeType) => {
    expect(result(answer({ contentType, body: PNG })).content).toEqual([
      {
        type: 'resource',
        resource: { uri: 'route:/v1/orders/7?full=true', mimeType, blob: DATA },
      },
    ]);
  });

  it('a type that would break out of JSON does not', () => {
    const { content } = result(answer({ contentType: 'image/"},{"a', body: PNG }));
    expect(content).toEqual([{ type: 'image', data: DATA, mimeType: 'image/"},{"a' }]);
  });
});

describe('result: nothing', () => {
  it.each([
    [204, undefined],
    [200, undefined],
    [200, 'application/json'],
    [201, 'text/plain'],
    [205, 'image/png'],
  ])('%d of type %s with an empty body is an empty list, not an error', (status, contentType) => {
    expect(result(answer({ status, contentType }))).toEqual({
      content: [],
      isError: false,
      structured: undefined,
      ref: undefined,
      status,
      log: undefined,
    });
  });
});

describe('result: elsewhere', () => {
  it.each([301, 302, 303, 307, 308])('%d is its Location, and not followed', (status) => {
    expect(result(answer({ status, location: 'https://x/"y"', text: 'Moved' }))).toMatchObject({
      content: text('https://x/"y"'),
      isError: false,
      structured: undefined,
      status,
    });
  });

  it.each([304, 300])('%d without one is an empty list', (status) => {
    expect(result(answer({ status }))).toMatchObject({ content: [], isError: false, status });
  });
});

describe('result: failures of the route', () => {
  it.each([
    [400, 'application/json', '{"message":["a"],"statusCode":400}'],
    [404, 'application/xml', '<fault>gone</fault>'],
    [409, 'text/html', '<h1>no</h1>'],
    [429, 'application/json', 'not json at all'],
    [503, undefined, 'busy'],
  ])('%d of type %s is an error with the body as text', (status, contentType, body) => {
    expect(result(answer({ status, contentType, text: body }))).toEqual({
      content: text(body),
      isError: true,
      structured: undefined,
      ref: undefined,
      status,
      log: undefined,
    });
  });

  it('one without a body names the status', () => {
    expect(result(answer({ status: 404 })).content).toEqual(text('{"statusCode":404}'));
  });

  it('one whose body is no text names the status', () => {
    const made = result(answer({ status: 404, contentType: 'image/png', body: PNG }));
    expect(made).toMatchObject({ content: text('{"statusCode":404}'), isError: true });
  });

  it('the body is read in its charset', () => {
    const contentType = 'text/plain; charset=iso-8859-1';
    const body = Buffer.from('ä', 'latin1');
    expect(result(answer({ status: 400, contentType, body })).content).toEqual(text('ä'));
  });

  it('500 has a reference, in the result and in the log', () => {
    expect(result(answer({ status: 500, text: '{"statusCode":500}' }))).toEqual({
      content: text('{"statusCode":500}'),
      isError: true,
      structured: undefined,
      ref: 'f00',
      status: 500,
      log: 'the route answered 500 (ref f00)',
    });
  });

  it.each([501, 502, 499])('%d has none', (status) => {
    expect(result(answer({ status, text: '{}' }))).toMatchObject({
      ref: undefined,
      log: undefined,
    });
  });

  it('an output schema says nothing of a failure', () => {
    expect(result(answer({ status: 404, text: '{"a":1}' }), misfits)).toMatchObject({
      content: text('{"a":1}'),
      isError: true,
      log: undefined,
    });
  });
});

describe('result: where the tool declares an output schema', () => {
  it('JSON that fits is text and structure', () => {
    expect(result(answer({ text: '{"id":7}' }), fits)).toMatchObject({
      content: text('{"id":7}'),
      isError: false,
      structured: { value: { id: 7 } },
      log: undefined,
    });
  });

  it('JSON that does not fit is an error that says where, with status and body', () => {
    expect(result(answer({ status: 201, text: '{"data":{"id":"x"}}' }), misfits)).toEqual({
      content: text(
        'The operation answered 201, but its result does not fit the declared output schema: /id must be integer; /name is missing.\n{"data":{"id":"x"}}',
      ),
      isError: true,
      structured: undefined,
      ref: undefined,
      status: 201,
      log: 'the result does not fit the output schema: /id must be integer; /name is missing',
    });
  });

  const without = (status: number, body = ''): Partial<Read> => ({
    content: text(
      `The operation answered ${status} without the JSON that its output schema declares.${body}`,
    ),
    isError: true,
    structured: undefined,
    status,
    log: `the route answered ${status} without the JSON that the output schema declares`,
  });

  it.each<[string, Parameters<typeof answer>[0], Partial<Read>]>([
    ['204', { status: 204 }, without(204)],
    ['an empty 200', { status: 200 }, without(200)],
    ['302', { status: 302, location: '/there' }, without(302, '\n/there')],
    ['304', { status: 304 }, without(304)],
    ['text', { contentType: 'text/plain', text: 'ok' }, without(200, '\nok')],
    ['untyped text', { contentType: undefined, text: 'ok' }, without(200, '\nok')],
  ])('%s is an error that names the status', (_, parts, expected) => {
    expect(result(answer(parts), fits)).toMatchObject(expected);
  });

  it.each(['image/png', 'application/pdf', undefined])(
    'bytes of type %s are one too, and are not shown as text',
    (contentType) => {
      expect(result(answer({ contentType, body: PNG }), fits)).toMatchObject(without(200));
    },
  );
});

describe('result: whether it carries a body of a success, for the response guard to see', () => {
  it.each<[string, CallOutcome, ResultContext, boolean]>([
    ['JSON', answer({ text: '{}' }), NO_SCHEMA, true],
    ['JSON that fits', answer({ text: '{}' }), fits, true],
    ['JSON that does not fit', answer({ text: '{}' }), misfits, true],
    ['text', answer({ contentType: 'text/plain', text: 'a' }), NO_SCHEMA, true],
    ['text where JSON is declared', answer({ contentType: 'text/plain', text: 'a' }), fits, true],
    ['an image', answer({ contentType: 'image/png', body: PNG }), NO_SCHEMA, true],
    ['a redirection', answer({ status: 302, location: '/there' }), NO_SCHEMA, false],
    [
      'a redirection where JSON is declared',
      answer({ status: 302, location: '/there' }),
      fits,
      false,
    ],
    ['a failure', answer({ status: 404, text: '{}' }), NO_SCHEMA, false],
    ['what is labelled JSON and is none', answer({ text: '{' }), NO_SCHEMA, false],
    ['a time-out', { kind: 'timed-out', afterMs: 1 }, NO_SCHEMA, false],
    ['a failure of our own', { kind: 'failed', error: null }, NO_SCHEMA, false],
  ])('%s: %#', (_, outcome, context, carriesSuccess) => {
    expect(toToolResult(outcome, context).carriesSuccess).toBe(carriesSuccess);
  });
});

describe('result: what no route answered', () => {
  const envelope = (statusCode: number, message: string | string[]): Read => ({
    content: text(JSON.stringify({ statusCode, message })),
    isError: true,
    structured: undefined,
    ref: undefined,
    status: statusCode,
    log: undefined,
  });

  it.each<[string, CallOutcome, Read]>([
    [
      'arguments that make no request',
      { kind: 'unwritable', problems: ['path.id is required', 'query must be an object'] },
      envelope(400, ['path.id is required', 'query must be an object']),
    ],
    [
      'a request that is too large',
      { kind: 'request-too-large', limit: 2048 },
      envelope(413, 'The arguments make a request of more than 2048 bytes. Send less.'),
    ],
    [
      'a call too many',
      { kind: 'too-many-calls', limit: 2, retryAfterMs: 1200 },
      envelope(
        429,
        '2 calls of yours are running, and no more may at a time. Nothing was done: call again when one has ended, which takes 2 s at the most.',
      ),
    ],
    [
      'another route',
      { kind: 'other-route' },
      envelope(
        404,
        "The arguments lead to another resource than this tool's own. Nothing was done.",
      ),
    ],
    [
      'a result that is too large',
      { kind: 'result-too-large', limit: 2048 },
      envelope(
        502,
        'The result is larger than 2048 bytes and was cut off. The operation may have completed. Ask for less.',
      ),
    ],
    [
      'a time-out',
      { kind: 'timed-out', afterMs: 60_000 },
      envelope(
        504,
        'The operation gave no answer within 60000 ms. It may have completed: check before you repeat it.',
      ),
    ],
    [
      'a caller who gave up',
      { kind: 'aborted', by: 'caller' },
      envelope(499, 'The call was cancelled. The operation may have completed.'),
    ],
    [
      'a connection that the application closed',
      { kind: 'aborted', by: 'application' },
      envelope(
        502,
        'The application closed the connection without an answer. The operation may have completed.',
      ),
    ],
    [
      'an application that is shutting down',
      { kind: 'closed' },
      envelope(503, 'The server is shutting down. Nothing was done: call again.'),
    ],
  ])('%s', (_, outcome, expected) => {
    expect(result(outcome)).toEqual(expected);
    expect(result(outcome, misfits)).toEqual(expected);
  });

  it('a failure of our own tells a reference, and its cause to the log only', () => {
    const error = new Error('secret of the house');
    const made = toToolResult({ kind: 'failed', error }, NO_SCHEMA);
    expect(read(made)).toEqual({
      content: text('{"statusCode":500,"message":"Internal server error","ref":"f00"}'),
      isError: true,
      structured: undefined,
      ref: 'f00',
      status: 500,
      log: 'internal error (ref f00)',
    });
    expect(made.log?.error).toBe(error);
    expect(JSON.stringify(made.result)).not.toContain('secret');
  });
});
