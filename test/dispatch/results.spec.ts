import { jest } from '@jest/globals';
import {
  Controller,
  Get,
  Head,
  Header,
  HttpCode,
  Redirect,
  Res,
  StreamableFile,
} from '@nestjs/common';
import type { ServerResponse } from 'node:http';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { McpTool } from '../../src/index.js';
import { FixtureApp, textOf } from '../support/fixture-app.js';
import { PLATFORMS } from '../support/platforms.js';

jest.setTimeout(30_000);

const JSON_TEXT = '{"text":"ä"}';
const ENCODED: Readonly<Record<string, Buffer>> = {
  gzip: gzipSync(JSON_TEXT),
  'X-GZip': gzipSync(JSON_TEXT),
  deflate: deflateSync(JSON_TEXT),
  br: brotliCompressSync(JSON_TEXT),
  'identity, gzip': gzipSync(JSON_TEXT),
  'gzip, br': brotliCompressSync(gzipSync(JSON_TEXT)),
};
let encoding = 'gzip';
let encoded: Buffer = Buffer.alloc(0);

type Response = ServerResponse | { raw: ServerResponse };
const raw = (response: Response): ServerResponse => ('raw' in response ? response.raw : response);

@Controller('results')
class ResultsController {
  @McpTool('encoded') @Get('encoded') encoded(@Res() response: Response): void {
    const own = raw(response);
    own.setHeader('content-type', 'application/json');
    own.setHeader('content-encoding', encoding);
    own.end(encoded);
  }
  @McpTool('head') @Head('head') head(): object {
    return { dropped: true };
  }
  @McpTool('not_modified') @Get('not-modified') @HttpCode(304) notModified(): object {
    return { dropped: true };
  }
  @McpTool('elsewhere') @Get('elsewhere') @Redirect('/there?a=1', 307) elsewhere(): void {}
  @McpTool('csv') @Get('csv') @Header('Content-Type', 'text/csv; charset=utf-8') csv(): string {
    return 'a;b\r\nä;"1"\r\n';
  }
  @McpTool('latin1') @Get('latin1') latin1(): StreamableFile {
    const body = Buffer.from('gr\u00fcn', 'latin1');
    return new StreamableFile(body, { type: 'text/plain; charset=ISO-8859-1' });
  }
  @McpTool('headers')
  @Get('headers')
  @Header('set-cookie', 'a=b')
  @Header('x-secret', 'yes')
  headers(): object {
    return { a: 1 };
  }
  @McpTool('zip') @Get('zip/:name') zip(): StreamableFile {
    return new StreamableFile(Buffer.from('PK\x03\x04\xff', 'latin1'), { type: 'application/zip' });
  }
}

describe.each(PLATFORMS)('dispatch on $name: what a result is made of', (platform) => {
  let app: FixtureApp;
  beforeAll(async () => {
    app = await FixtureApp.start({
      platform,
      controllers: [ResultsController],
      mcp: { maxResultBytes: 64 * 1024 },
    });
  });
  afterAll(() => app.close());

  it.each(Object.keys(ENCODED))('a body in the content encoding %s is read', async (name) => {
    [encoding, encoded] = [name, ENCODED[name] as Buffer];
    const result = await app.call('encoded');
    expect(textOf(result)).toBe(JSON_TEXT);
    expect(result.structuredContent).toEqual(JSON.parse(JSON_TEXT));
  });

  it('a few bytes that become too many are an error result', async () => {
    [encoding, encoded] = ['gzip', gzipSync(Buffer.alloc(10 * 1024 * 1024, 'x'))];
    const result = await app.call('encoded');
    expect(result.isError).toBe(true);
    expect(JSON.parse(textOf(result))).toMatchObject({ statusCode: 502 });
    expect(textOf(result)).toContain('larger than 65536 bytes');
  });

  it.each([
    ['zstd', gzipSync(JSON_TEXT)],
    ['gzip', Buffer.from(JSON_TEXT)],
    ['gzip, gzip, gzip, gzip, gzip', gzipSync(JSON_TEXT)],
    ['__proto__', gzipSync(JSON_TEXT)],
  ])('what cannot be read (%s) is an internal error, not garbage', async (name, body) => {
    [encoding, encoded] = [name, body];
    const result = await app.call('encoded');
    expect(result.isError).toBe(true);
    expect(JSON.parse(textOf(result))).toMatchObject({ statusCode: 500 });
  });

  it.each(['head', 'not_modified'])('%s has no body', async (tool) => {
    const result = await app.call(tool);
    expect(result.content).toEqual([]);
    expect(result.isError).not.toBe(true);
  });

  it('a redirect is its location, as sent', async () => {
    expect(textOf(await app.call('elsewhere'))).toBe('/there?a=1');
  });

  it('text is what the charset makes of the bytes', async () => {
    expect(textOf(await app.call('csv'))).toBe('a;b\r\nä;"1"\r\n');
    expect(textOf(await app.call('latin1'))).toBe('gr\u00fcn');
  });

  it('no other header reaches the client', async () => {
    const answer = await app.request('tools/call', { name: 'headers', arguments: {} });
    expect(answer.headers.get('set-cookie')).toBeNull();
    expect(answer.headers.get('x-secret')).toBeNull();
    expect(answer.text).not.toMatch(/x-secret|a=b/);
  });

  it('a resource says which request it came from, in a URI', async () => {
    const result = await app.call('zip', { path: { name: 'ä b"/c' } });
    const uri = result.content[0]?.resource?.uri ?? '';
    expect(uri).toBe('route:/results/zip/%C3%A4%20b%22%2Fc');
    expect(URL.canParse(uri)).toBe(true);
  });
});
