import { Body, Controller, Get, Headers, Post, Req, ValidationPipe } from '@nestjs/common';
import { IsString } from 'class-validator';
import type { IncomingMessage } from 'node:http';
import { McpTool } from '../../src/index.js';
import { FixtureApp, textOf, type CallResult } from '../support/fixture-app.js';
import { PLATFORMS } from '../support/platforms.js';

let ran = 0;
beforeEach(() => {
  ran = 0;
});

const nodeRequest = (request: IncomingMessage | { raw: IncomingMessage }): IncomingMessage =>
  'raw' in request ? request.raw : request;

class NoteDto {
  @IsString() note!: string;
}

@Controller('echo')
class EchoController {
  @McpTool('echo') @Get() get(@Req() request: IncomingMessage | { raw: IncomingMessage }): object {
    const { headers, rawHeaders, method, url } = nodeRequest(request);
    return { headers, rawHeaders, method, url };
  }

  @McpTool('echo_body') @Post() post(
    @Req() request: IncomingMessage | { raw: IncomingMessage },
    @Body() body: NoteDto,
  ): object {
    return { headers: nodeRequest(request).headers, body };
  }

  @McpTool({
    name: 'echo_chosen',
    input: {
      type: 'object',
      properties: {
        cookie: { type: 'object', properties: { theme: { type: 'string' } } },
        header: { type: 'object', properties: { 'x-note': { type: 'string' } } },
      },
    },
  })
  @Get('chosen')
  chosen(
    @Req() request: IncomingMessage | { raw: IncomingMessage },
    @Headers('x-note') note: string | undefined,
  ): object {
    ran += 1;
    return { cookie: nodeRequest(request).headers.cookie ?? null, note: note ?? null };
  }

  @McpTool('echo_language') @Get('language') language(
    @Req() request: IncomingMessage | { raw: IncomingMessage },
    @Headers('accept-language') language: string,
    @Headers('user-agent') agent: string | undefined,
  ): object {
    return { language, agent, url: nodeRequest(request).url };
  }

  @McpTool('echo_dto') @Post('dto') dto(
    @Body(new ValidationPipe({ whitelist: true, forbidNonWhitelisted: true })) body: NoteDto,
  ): object {
    ran += 1;
    return { body };
  }

  @McpTool('echo_free') @Post('free') free(@Body() body: Record<string, unknown>): object {
    ran += 1;
    return { keys: Object.keys(body), polluted: ({} as { admin?: unknown }).admin ?? null };
  }
}

/** What a browser, a proxy and a careless client may send along with an MCP message. */
const NOISE: Readonly<Record<string, string>> = {
  'accept-encoding': 'gzip, br',
  'accept-language': 'de',
  authorization: 'Bearer ann',
  'cache-control': 'no-cache',
  'content-language': 'en',
  cookie: 'session=secret; theme=dark',
  forwarded: 'for=192.0.2.1',
  'if-none-match': '"x"',
  'last-event-id': '7',
  'mcp-session-id': 'abc',
  origin: 'http://localhost:5173',
  pragma: 'no-cache',
  'proxy-authorization': 'Basic eA==',
  range: 'bytes=0-1',
  referer: 'http://localhost:5173/page',
  traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
  tracestate: 'a=b',
  'user-agent': 'careless/1',
  'x-api-key': 'key',
  'x-forwarded-for': '192.0.2.1',
  'x-forwarded-proto': 'https',
  'x-http-method-override': 'DELETE',
  'x-request-id': 'r-1',
};
const CARRIED = {
  accept: '*/*',
  'accept-language': 'de',
  authorization: 'Bearer ann',
  forwarded: 'for=192.0.2.1',
  traceparent: NOISE['traceparent'],
  tracestate: 'a=b',
  'user-agent': 'careless/1',
  'x-forwarded-for': '192.0.2.1',
  'x-forwarded-proto': 'https',
  'x-request-id': 'r-1',
};

describe.each(PLATFORMS)('dispatch on $name: what a call carries over', (platform) => {
  let app: FixtureApp;
  let forwarding: FixtureApp;
  beforeAll(async () => {
    const controllers = [EchoController];
    const allowedOrigins = ['http://localhost:5173'];
    app = await FixtureApp.start({ platform, controllers, mcp: { allowedOrigins } });
    forwarding = await FixtureApp.start({
      platform,
      controllers: [forwardingController()],
      mcp: {
        allowedOrigins,
        forwardHeaders: ['X-Api-Key', 'If-None-Match'],
        forwardCookies: ['theme'],
      },
    });
  });
  afterAll(() => Promise.all([app.close(), forwarding.close()]));

  const body = (result: CallResult): Record<string, Record<string, unknown>> =>
    result.structuredContent as Record<string, Record<string, unknown>>;

  it('R9: nothing of the message itself, and no header beyond the list', async () => {
    const result = body(await app.call('echo', {}, NOISE));
    expect(result['headers']).toEqual({ ...CARRIED, host: new URL(app.url).host });
  });

  it('R9: each once', async () => {
    const { rawHeaders } = body(await app.call('echo', {}, NOISE));
    const names = (rawHeaders as unknown as string[]).filter((_, index) => index % 2 === 0);
    expect(names).toEqual([...new Set(names)]);
  });

  it('R9: a body has a type and a length of its own', async () => {
    const result = body(await app.call('echo_body', { body: { note: 'ä' } }, NOISE));
    expect(result['headers']).toEqual({
      ...CARRIED,
      host: new URL(app.url).host,
      'content-type': expect.stringMatching(/^application\/json/) as string,
      'content-length': String(Buffer.byteLength('{"note":"ä"}')),
    });
    expect(result['body']).toEqual({ note: 'ä' });
  });

  it('but no header that the call writes itself: an argument is not mixed with the caller’s', async () => {
    const args = { header: { 'accept-language': 'fr', 'user-agent': 'model/1' } };
    expect(body(await app.call('echo_language', args, NOISE))).toMatchObject({
      language: 'fr',
      agent: 'model/1',
    });
    const without = { header: { 'accept-language': 'fr' } };
    expect(body(await app.call('echo_language', without, NOISE))).toMatchObject({
      language: 'fr',
      agent: 'careless/1',
    });
  });

  it('and the headers and cookies that the options name', async () => {
    const result = body(await forwarding.call('echo_all', {}, NOISE));
    expect(result['headers']).toEqual({
      ...CARRIED,
      host: new URL(forwarding.url).host,
      'x-api-key': 'key',
      'if-none-match': NOISE['if-none-match'],
      cookie: 'theme=dark',
    });
  });

  it('a forwarded condition is judged by the digest of the body, which nothing stands in for', async () => {
    const result = await forwarding.call('echo_all', {}, { 'if-none-match': 'W/"0"' });
    expect(result.isError).toBeUndefined();
    expect(body(result)['headers']).toMatchObject({ 'if-none-match': 'W/"0"' });
  });
});

function forwardingController(): new () => object {
  @Controller('all')
  class ForwardingController {
    @McpTool('echo_all') @Get() get(
      @Req() request: IncomingMessage | { raw: IncomingMessage },
    ): object {
      return { headers: nodeRequest(request).headers };
    }
  }
  return ForwardingController;
}

describe.each(PLATFORMS)('dispatch on $name: R13, arguments that would break out', (platform) => {
  let app: FixtureApp;
  beforeAll(async () => {
    app = await FixtureApp.start({ platform, controllers: [EchoController] });
  });
  afterAll(() => app.close());

  it('a proper cookie and a proper header arrive', async () => {
    const args = { cookie: { theme: 'dark' }, header: { 'x-note': 'a b' } };
    const result = await app.call('echo_chosen', args, { cookie: 'session=secret' });
    expect(result.structuredContent).toEqual({ cookie: 'theme=dark', note: 'a b' });
  });

  const COOKIE_RULE =
    'cookie.theme must be printable ASCII without spaces, quotes, commas, semicolons and backslashes (RFC 6265, section 4.1.1)';
  it.each([
    'dark; session=stolen',
    'dark\r\nset-cookie: a=b',
    'a b',
    'a,b',
    'a"b',
    'a\\b',
    'ä',
    '\u0000',
  ])('the cookie %j is refused, and nothing runs', async (theme) => {
    const result = await app.call('echo_chosen', { cookie: { theme } });
    expect(result.isError).toBe(true);
    expect(JSON.parse(textOf(result))).toEqual({ statusCode: 400, message: [COOKIE_RULE] });
    expect(ran).toBe(0);
  });

  const HEADER_RULE =
    'header.x-note must be printable ASCII on one line, without a space at either end (RFC 9110, section 5.5)';
  it.each([
    'a\r\nx-admin: yes',
    'a\nb',
    'a\rb',
    ' a',
    'a ',
    'ä',
    '\u0000',
    '\u007f',
    '\u010d\u010a',
  ])('the header %j is refused, and nothing runs', async (note) => {
    const result = await app.call('echo_chosen', { header: { 'x-note': note } });
    expect(result.isError).toBe(true);
    expect(JSON.parse(textOf(result))).toEqual({ statusCode: 400, message: [HEADER_RULE] });
    expect(ran).toBe(0);
  });

  it('a header or cookie of the model’s own choice is not written', async () => {
    const args = { header: { 'x-admin': 'yes' }, cookie: { session: 'stolen' } };
    expect((await app.call('echo_chosen', args)).structuredContent).toEqual({
      cookie: null,
      note: null,
    });
  });

  const message = (args: string, tool = 'echo_dto'): string =>
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${tool}","arguments":${args}}}`;

  it.each([
    ['in a body', '{"body":{"note":"a","__proto__":{"admin":true}}}'],
    ['in place of a body', '{"__proto__":{"body":{"note":"a"}}}'],
    ['beside a body', '{"body":{"note":"a"},"__proto__":{"admin":true}}'],
  ])('__proto__ %s is refused, and nothing runs', async (_, args) => {
    const answer = await app.post(message(args));
    const { result } = answer.json() as { result: CallResult };
    expect(result.isError).toBe(true);
    expect(JSON.parse(textOf(result))).toMatchObject({ statusCode: 400 });
    expect(ran).toBe(0);
    expect(({} as { admin?: unknown }).admin).toBeUndefined();
  });

  it.each(['__proto__', 'constructor', 'prototype'])(
    '%s in a free-form body is what it is over HTTP, and pollutes nothing',
    async (member) => {
      const free = `{"a":1,"${member}":{"prototype":{"admin":true},"admin":true}}`;
      const http = await app.http('POST', '/echo/free', {
        headers: { 'content-type': 'application/json' },
        body: free,
      });
      const answer = await app.post(message(`{"body":${free}}`, 'echo_free'));
      const { result } = answer.json() as { result: CallResult };
      expect(textOf(result)).toBe(http.text);
      expect(result.isError === true).toBe(http.status >= 400);
      expect(({} as { admin?: unknown }).admin).toBeUndefined();
    },
  );
});
