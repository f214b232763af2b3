import type { IncomingMessage } from 'node:http';
import { compileCarryOver } from '../../src/dispatch/carry-over.js';
import { resolveOptions } from '../../src/mcp.options.check.js';
import type { McpModuleOptions } from '../../src/index.js';

/** What is added to the headers that a call has already. */
function carried(
  headers: readonly (readonly [name: string, value: string])[],
  options: McpModuleOptions = {},
  written: readonly string[] = [],
): string[] {
  const { options: resolved, problems } = resolveOptions(options);
  expect(problems).toEqual([]);
  const rawHeaders = [...written];
  compileCarryOver(resolved)({ rawHeaders: headers.flat() } as IncomingMessage, rawHeaders);
  expect(rawHeaders.slice(0, written.length)).toEqual(written);
  return rawHeaders.slice(written.length);
}

describe('dispatch: the list of headers that a call carries over', () => {
  it.each([
    'Host',
    'forwarded',
    'X-Forwarded-For',
    'x-forwarded-proto',
    'x-forwarded-anything',
    'X-Request-ID',
    'traceparent',
    'tracestate',
    'Authorization',
    'User-Agent',
    'accept-language',
  ])('%s is on it, whatever its case', (name) => {
    expect(carried([[name, 'Value, as sent']])).toEqual([name.toLowerCase(), 'Value, as sent']);
  });

  it.each([
    'Origin',
    'Referer',
    'Sec-Fetch-Site',
    'sec-ch-ua',
    'Content-Type',
    'Content-Length',
    'Content-Encoding',
    'Transfer-Encoding',
    'Accept',
    'Accept-Encoding',
    'Connection',
    'Keep-Alive',
    'Upgrade',
    'Expect',
    'TE',
    'Cookie',
    'Proxy-Authorization',
    'Range',
    'If-Match',
    'If-None-Match',
    'Cache-Control',
    'Mcp-Session-Id',
    'MCP-Protocol-Version',
    'Mcp-Method',
    'Last-Event-ID',
    'X-HTTP-Method-Override',
    'X-Api-Key',
    'x-forwarded',
    'x_forwarded-for',
    'authorization2',
    '__proto__',
    'constructor',
  ])('%s is not', (name) => {
    expect(carried([[name, 'a=b']])).toEqual([]);
  });

  it.each(['Origin', 'content-type', 'Cookie', 'accept', 'Sec-Fetch-Mode', 'mcp-name'])(
    '%s cannot be put on it',
    (name) => {
      expect(resolveOptions({ forwardHeaders: [name] }).problems).toHaveLength(1);
    },
  );

  it('the option forwardHeaders adds to it, whatever the case of either side', () => {
    expect(
      carried(
        [
          ['X-API-KEY', 'k'],
          ['if-match', '"1"'],
          ['x-other', 'o'],
        ],
        { forwardHeaders: ['x-Api-Key', 'If-Match'] },
      ),
    ).toEqual(['x-api-key', 'k', 'if-match', '"1"']);
  });

  it('a header that came several times goes over as often, in order', () => {
    expect(
      carried([
        ['x-forwarded-for', '192.0.2.1'],
        ['host', 'example.com'],
        ['X-Forwarded-For', '192.0.2.2'],
      ]),
    ).toEqual([
      'x-forwarded-for',
      '192.0.2.1',
      'host',
      'example.com',
      'x-forwarded-for',
      '192.0.2.2',
    ]);
  });

  it.each([
    ['x-request-id', 'of the client'],
    ['accept-language', 'de'],
    ['user-agent', 'client/1'],
    ['x-api-version', '1'],
  ])('%s stays as the call wrote it', (name, value) => {
    const options = { forwardHeaders: ['x-api-version'] };
    expect(carried([[name, value]], options, ['accept', '*/*', name, 'of the call'])).toEqual([]);
  });
});

describe('dispatch: the cookies that a call carries over', () => {
  const forwardCookies = ['theme', '__Host-session'];

  it.each<[string, string | undefined]>([
    ['theme=dark', 'theme=dark'],
    ['a=1; theme=dark; b=2', 'theme=dark'],
    ['theme=dark;__Host-session=x', 'theme=dark; __Host-session=x'],
    ['__Host-session=x; theme=dark', '__Host-session=x; theme=dark'],
    ['theme="dark blue"', 'theme="dark blue"'],
    ['theme=', 'theme='],
    ['theme=a=b', 'theme=a=b'],
    [' theme=dark ;', 'theme=dark'],
    ['theme=one; theme=two', 'theme=one; theme=two'],
    ['Theme=dark', undefined],
    ['theme2=dark', undefined],
    ['xtheme=dark', undefined],
    ['theme', undefined],
    ['=theme', undefined],
    ['a=theme=dark', undefined],
    ['session=x', undefined],
    ['', undefined],
  ])('of %j: %j', (cookie, expected) => {
    const kept = expected === undefined ? [] : ['cookie', expected];
    expect(carried([['Cookie', cookie]], { forwardCookies })).toEqual(kept);
  });

  it('none without the option', () => {
    expect(carried([['cookie', 'theme=dark']])).toEqual([]);
  });

  it('stand beside those that the call writes, which are others', () => {
    const written = ['cookie', 'page=7'];
    expect(carried([['cookie', 'theme=dark']], { forwardCookies }, written)).toEqual([
      'cookie',
      'theme=dark',
    ]);
  });
});
