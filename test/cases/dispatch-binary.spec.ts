import { Controller, Get, Header, Req, Res, StreamableFile } from '@nestjs/common';
import { Readable } from 'node:stream';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { McpCall, McpTool, type McpCallContext } from '../../src/index.js';
import { FixtureApp, textOf } from '../support/fixture-app.js';
import { PLATFORMS } from '../support/platforms.js';

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const PDF = Buffer.from('%PDF-1.4\n%\xff\xfe\xfd\n', 'latin1');
const WAV = Buffer.from('RIFF\x24\x00\x00\x00WAVEfmt ', 'latin1');
const MEGABYTE = 1024 * 1024;

/** What a handler saw of the end of its call: each promise resolves when it did. */
interface Seen {
  readonly name: string;
  readonly happened: Promise<void>;
}
let seen: Seen[] = [];
beforeEach(() => {
  seen = [];
});

const nodeRequest = (request: IncomingMessage | { raw: IncomingMessage }): IncomingMessage =>
  'raw' in request ? request.raw : request;
const nodeResponse = (response: ServerResponse | { raw: ServerResponse }): ServerResponse =>
  'raw' in response ? response.raw : response;

function watch(request: IncomingMessage, response: ServerResponse): void {
  seen.push(
    { name: 'request', happened: new Promise((resolve) => request.once('close', resolve)) },
    { name: 'response', happened: new Promise((resolve) => response.once('close', resolve)) },
    { name: 'socket', happened: new Promise((resolve) => request.socket.once('close', resolve)) },
  );
}

@Controller('files')
class FilesController {
  @McpTool('picture')
  @Get('picture')
  @Header('content-type', 'image/png')
  picture(): StreamableFile {
    return new StreamableFile(PNG);
  }
  @McpTool('sound') @Get('sound') sound(): StreamableFile {
    return new StreamableFile(Readable.from([WAV.subarray(0, 5), WAV.subarray(5)]), {
      type: 'audio/wav',
    });
  }
  @McpTool('invoice') @Get('invoice/:id') invoice(): StreamableFile {
    return new StreamableFile(PDF, {
      type: 'application/pdf',
      disposition: 'attachment; filename="invoice.pdf"',
    });
  }
  @McpTool('untyped') @Get('untyped') untyped(): StreamableFile {
    return new StreamableFile(PDF);
  }

  @McpTool('much_json') @Get('much-json') muchJson(): object {
    return { text: 'x'.repeat(5 * MEGABYTE) };
  }

  /** Faster than the event loop: only a cap in `write()` ever ends it. */
  @McpTool('flood') @Get('flood') flood(
    @Req() request: IncomingMessage | { raw: IncomingMessage },
    @Res() response: ServerResponse | { raw: ServerResponse },
  ): void {
    const raw = nodeResponse(response);
    watch(nodeRequest(request), raw);
    raw.setHeader('content-type', 'text/event-stream');
    const line = `data: ${'x'.repeat(1000)}\n\n`;
    while (!raw.destroyed) raw.write(line);
  }

  /** A stream that begins and never goes on. */
  @McpTool('silence') @Get('silence') silence(
    @Req() request: IncomingMessage | { raw: IncomingMessage },
    @Res() response: ServerResponse | { raw: ServerResponse },
    @McpCall() call?: McpCallContext,
  ): void {
    const raw = nodeResponse(response);
    watch(nodeRequest(request), raw);
    const { signal } = call as McpCallContext;
    seen.push({
      name: 'signal',
      happened: new Promise((resolve) => signal.addEventListener('abort', () => resolve())),
    });
    raw.writeHead(200, { 'content-type': 'text/event-stream' });
    raw.write('data: begun\n\n');
  }

  @McpTool('endless_file') @Get('endless-file') endlessFile(): StreamableFile {
    const source = new Readable({
      read() {
        this.push(Buffer.alloc(16_384));
      },
    });
    seen.push({
      name: 'source',
      happened: new Promise((resolve) => source.once('close', resolve)),
    });
    return new StreamableFile(source);
  }

  @McpTool('never') @Get('never') never(): Promise<never> {
    return new Promise(() => undefined);
  }

  @McpTool('torn') @Get('torn') torn(
    @Res() response: ServerResponse | { raw: ServerResponse },
  ): void {
    const raw = nodeResponse(response);
    raw.write('{"half":');
    raw.destroy();
  }
}

describe.each(PLATFORMS)(
  'dispatch on $name: A5, answers that are no JSON, or too much of it',
  (platform) => {
    let app: FixtureApp;
    beforeAll(async () => {
      app = await FixtureApp.start({
        platform,
        controllers: [FilesController],
        mcp: { callTimeoutMs: 200, maxResultBytes: 2 * MEGABYTE },
      });
    });
    afterAll(() => app.close());

    it('an image block', async () => {
      const result = await app.call('picture');
      expect(result.content).toEqual([
        { type: 'image', data: PNG.toString('base64'), mimeType: 'image/png' },
      ]);
      expect(result).not.toHaveProperty('structuredContent');
      expect(result).not.toHaveProperty('isError');
    });

    it('an audio block, from a stream of several pieces', async () => {
      expect((await app.call('sound')).content).toEqual([
        { type: 'audio', data: WAV.toString('base64'), mimeType: 'audio/wav' },
      ]);
    });

    it('a PDF as a resource, named by its request', async () => {
      const args = { path: { id: 'a b' } };
      expect((await app.call('invoice', args)).content).toEqual([
        {
          type: 'resource',
          resource: {
            uri: 'route:/files/invoice/a%20b',
            mimeType: 'application/pdf',
            blob: PDF.toString('base64'),
          },
        },
      ]);
    });

    it('bytes of no known type as a resource', async () => {
      expect((await app.call('untyped')).content).toMatchObject([
        { type: 'resource', resource: { mimeType: 'application/octet-stream' } },
      ]);
    });

    it.each(['picture', 'sound', 'untyped'])(
      '%s: official clients of every revision read it',
      async (tool) => {
        for (const revision of ['2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'] as const) {
          const client = await app.client({ revision });
          const { content, isError } = await client.rawCall(tool);
          expect(content).toHaveLength(1);
          expect(isError).not.toBe(true);
        }
      },
    );

    const TOO_LARGE = {
      statusCode: 502,
      message: `The result is larger than ${2 * MEGABYTE} bytes and was cut off. The operation may have completed. Ask for less.`,
    };
    const TIMED_OUT = {
      statusCode: 504,
      message:
        'The operation gave no answer within 200 ms. It may have completed: check before you repeat it.',
    };

    it('5 MB of JSON are an error result at the cap', async () => {
      const result = await app.call('much_json');
      expect(result.isError).toBe(true);
      expect(JSON.parse(textOf(result))).toEqual(TOO_LARGE);
      expect(result).not.toHaveProperty('structuredContent');
    });

    it('a stream that never pauses is one too, and its handler sees the request close', async () => {
      const result = await app.call('flood');
      expect(result.isError).toBe(true);
      expect(JSON.parse(textOf(result))).toEqual(TOO_LARGE);
      await Promise.all(seen.map(({ happened }) => happened));
      expect(seen.map(({ name }) => name)).toEqual(['request', 'response', 'socket']);
    });

    it('an endless file is one too, and its source is destroyed', async () => {
      const result = await app.call('endless_file');
      expect(JSON.parse(textOf(result))).toEqual(TOO_LARGE);
      await Promise.all(seen.map(({ happened }) => happened));
      expect(seen.map(({ name }) => name)).toEqual(['source']);
    });

    it('a stream that never ends is an error result at the time-out, and its handler is told', async () => {
      const result = await app.call('silence');
      expect(result.isError).toBe(true);
      expect(JSON.parse(textOf(result))).toEqual(TIMED_OUT);
      await Promise.all(seen.map(({ happened }) => happened));
      expect(seen.map(({ name }) => name)).toEqual(['request', 'response', 'socket', 'signal']);
    });

    it('a promise that never resolves is one too', async () => {
      expect(JSON.parse(textOf(await app.call('never')))).toEqual(TIMED_OUT);
    });

    it('an answer that the application tears off is an error result', async () => {
      const result = await app.call('torn');
      expect(result.isError).toBe(true);
      expect(JSON.parse(textOf(result))).toEqual({
        statusCode: 502,
        message:
          'The application closed the connection without an answer. The operation may have completed.',
      });
    });
  },
);
