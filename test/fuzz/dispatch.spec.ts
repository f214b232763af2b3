import { jest } from '@jest/globals';
import {
  Body,
  Controller,
  Cookies,
  Get,
  Headers,
  Param,
  Post,
  Query,
  Req,
  UploadedFiles,
  UseInterceptors,
  type NestInterceptor,
  type Type,
} from '@nestjs/common';
import * as express from '@nestjs/platform-express';
import * as fastify from '@nestjs/platform-fastify/multipart';
import { ApiConsumes } from '@nestjs/swagger';
import fc from 'fast-check';
import type { IncomingMessage } from 'node:http';
import { McpTool } from '../../src/index.js';
import { inProcessFetch, type InProcessFetch } from '../../src/testing/in-process-fetch.js';
import { FixtureApp, type CallResult } from '../support/fixture-app.js';
import { PLATFORMS, type Platform } from '../support/platforms.js';

jest.setTimeout(3_600_000);

const RUNS = Number(process.env['MCP_FUZZ_RUNS'] ?? 1000);
const SEED = Number(process.env['MCP_FUZZ_SEED'] ?? Date.now() & 0x7fffffff);

type Raw = IncomingMessage | { raw: IncomingMessage };
type Members = Record<string, unknown>;

/** What the handlers saw, in order; anything but one entry for one call is a fault. */
let seen: { route: string; got: unknown; headers: string[] }[] = [];

function saw(route: string, request: Raw, got: unknown): object {
  const { rawHeaders } = 'raw' in request ? request.raw : request;
  const headers = rawHeaders.filter((_, i) => i % 2 === 0).sort();
  seen.push({ route, got, headers });
  return { done: true };
}

interface Upload {
  readonly fieldname: string;
  readonly originalname: string;
  readonly buffer: Buffer;
}

function controllers(platform: Platform): Type[] {
  const { AnyFilesInterceptor } = (platform.name === 'express' ? express : fastify) as unknown as {
    AnyFilesInterceptor(): Type<NestInterceptor>;
  };

  /** What hostile strings would like to reach. */
  @Controller()
  class OtherController {
    @Post('fuzz/admin/:name') admin(@Req() request: Raw): object {
      return saw('admin', request, null);
    }
    @Post('fuzz/:id/admin') sub(@Req() request: Raw): object {
      return saw('sub', request, null);
    }
    @Post('fuzz/:id/:name/more') more(@Req() request: Raw): object {
      return saw('more', request, null);
    }
    @Post('admin') root(@Req() request: Raw): object {
      return saw('root', request, null);
    }
    @Get('fuzz/:id/:name') read(@Req() request: Raw): object {
      return saw('read', request, null);
    }
  }

  @Controller('fuzz')
  class FuzzController {
    @McpTool('all') @Post(':id/:name') all(
      @Req() request: Raw,
      @Param() path: Members,
      @Query() query: Members,
      @Headers('x-note') note: string | undefined,
      @Cookies('theme') theme: string | undefined,
      @Body() body: Members,
    ): object {
      return saw('all', request, { path: { ...path }, query: { ...query }, note, theme, body });
    }

    @McpTool('form') @ApiConsumes('application/x-www-form-urlencoded') @Post('form') form(
      @Req() request: Raw,
      @Body() body: Members,
    ): object {
      return saw('form', request, { ...body });
    }

    @McpTool({ name: 'upload', input: UPLOAD })
    @Post('upload')
    @UseInterceptors(AnyFilesInterceptor())
    upload(
      @Req() request: Raw,
      @UploadedFiles() files: Upload[] | undefined,
      @Body() body: Members,
    ): object {
      const told = (files ?? []).map(({ fieldname, buffer }) => [
        fieldname,
        buffer.toString('base64'),
      ]);
      return saw('upload', request, { body: { ...body }, files: told });
    }
  }
  return [OtherController, FuzzController];
}

const FILE = {
  type: 'object',
  properties: { filename: { type: 'string' }, data: { type: 'string', contentEncoding: 'base64' } },
};
const UPLOAD = {
  type: 'object',
  properties: {
    form: {
      type: 'object',
      properties: { note: { type: 'string' }, list: { type: 'array' }, file: FILE },
    },
  },
} as const;

/** Texts that have broken out of something somewhere, and any other. */
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 10 }),
  fc.string({ unit: 'grapheme', maxLength: 10 }),
  fc.string({ maxLength: 10 }),
  fc.constantFrom(
    '',
    '.',
    '..',
    '%2e%2e',
    'admin',
    'a/b',
    '../admin',
    '%2Fadmin',
    '/more',
    'x/more',
    '?admin=1',
    '#admin',
    ';admin',
    'a&admin=1',
    'a=b',
    'dark; session=stolen',
    'a\r\nx-admin: 1',
    'a\nx-admin: 1',
    'a\0b',
    '"; name="admin',
    '\r\n--x\r\ncontent-disposition: form-data; name="admin"\r\n\r\n1',
    '\ud800',
    '__proto__',
    'constructor',
    '[1]',
    '{"a":1}',
    '%',
    '%00',
    '%zz',
    '+',
    ' ',
  ),
);
const name = fc.oneof(text, fc.constantFrom('a', 'b[c]', 'a.b', 'list[]', '__proto__'));
const scalar = fc.oneof(
  text,
  fc.integer(),
  fc.boolean(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);
const optional = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.option(arbitrary, { nil: undefined });
const tree = fc.oneof(
  scalar,
  fc.array(scalar, { maxLength: 3 }),
  fc.dictionary(name, fc.oneof(scalar, fc.array(scalar, { maxLength: 2 })), { maxKeys: 2 }),
);

const all = fc.record({
  path: fc.record({ id: scalar, name: scalar }),
  query: fc.dictionary(name, tree, { maxKeys: 3 }),
  header: fc.record({ 'x-note': optional(scalar) }),
  cookie: fc.record({ theme: optional(scalar) }),
  body: fc.dictionary(name, fc.jsonValue({ maxDepth: 2, stringUnit: 'binary' }), { maxKeys: 3 }),
});
const form = fc.record({ form: fc.dictionary(name, tree, { maxKeys: 3 }) });
const upload = fc.record({
  form: fc.record(
    {
      note: text,
      list: fc.array(scalar, { maxLength: 3 }),
      file: fc.record({
        filename: text,
        data: fc.uint8Array({ maxLength: 8 }).map((bytes) => Buffer.from(bytes).toString('base64')),
      }),
    },
    { requiredKeys: [] },
  ),
});

type Sent =
  string | number | boolean | undefined | readonly Sent[] | { readonly [name: string]: Sent };

/** A value as the text that a path, a query, a header or a form carries. */
function asText(value: Sent): unknown {
  if (value instanceof Array) return value.map(asText);
  if (typeof value !== 'object') return value === undefined ? undefined : String(value);
  const entries = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(entries.map(([key, member]) => [key, asText(member)]));
}

/** Own members alone, `__proto__` like any other. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

const HEADERS = new Set([
  'accept',
  'content-length',
  'content-type',
  'cookie',
  'host',
  'user-agent',
  'accept-language',
  'x-note',
]);

describe.each(PLATFORMS)(`dispatch on $name: arbitrary arguments (seed ${SEED})`, (platform) => {
  let app: FixtureApp;
  let fetchInside: InProcessFetch;
  beforeAll(async () => {
    app = await FixtureApp.start({ platform, controllers: controllers(platform) });
    fetchInside = inProcessFetch(app.app);
  });
  afterAll(() => app.close());

  async function call(tool: string, args: unknown): Promise<CallResult> {
    const message = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: tool, arguments: args },
    };
    const response = await fetchInside(new URL(app.path, 'http://localhost'), {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify(message),
    });
    const { result } = (await response.json()) as { result?: CallResult };
    if (result === undefined) throw new Error(`No result for ${JSON.stringify(args)}`);
    return result;
  }

  /** Equal to what was sent, or refused before the handler; nothing else ran, and nothing else was carried. */
  async function judge(tool: string, args: unknown, expected: () => unknown): Promise<void> {
    seen = [];
    const result = await call(tool, args);
    if (result.isError === true) {
      expect(seen).toEqual([]);
      return;
    }
    expect(seen.map(({ route }) => route)).toEqual([tool]);
    expect(seen[0]?.headers.filter((header) => !HEADERS.has(header))).toEqual([]);
    expect(plain(seen[0]?.got)).toEqual(plain(expected()));
    arrived += 1;
  }
  let arrived = 0;

  const run = async <T>(arbitrary: fc.Arbitrary<T>, test: (args: T) => Promise<void>) => {
    arrived = 0;
    await fc.assert(fc.asyncProperty(arbitrary, test), { numRuns: RUNS, seed: SEED });
    // A suite in which everything is refused says nothing.
    expect(arrived).toBeGreaterThan(RUNS / 20);
  };

  it('of every kind of parameter arrive equal, or are refused', () =>
    run(all, (args) =>
      judge('all', args, () => ({
        path: asText(args.path),
        query: asText(args.query),
        note: asText(args.header['x-note']),
        theme: asText(args.cookie.theme),
        body: args.body,
      })),
    ));

  it('of a form arrive equal, or are refused', () =>
    run(form, (args) => judge('form', args, () => asText(args.form))));

  it('of an upload arrive equal, or are refused', () =>
    run(upload, (args) =>
      judge('upload', args, () => {
        const { file, ...fields } = args.form;
        return {
          body: asText(fields),
          files: file === undefined ? [] : [['file', file.data]],
        };
      }),
    ));
});
