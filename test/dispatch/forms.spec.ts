import { jest } from '@jest/globals';
import {
  Body,
  Controller,
  Get,
  MaxFileSizeValidator,
  ParseFilePipe,
  Post,
  Query,
  UploadedFile,
  UploadedFiles,
  UseGuards,
  UseInterceptors,
  ValidationPipe,
  type CanActivate,
  type INestApplication,
  type NestInterceptor,
  type Type,
} from '@nestjs/common';
import * as express from '@nestjs/platform-express';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import * as fastify from '@nestjs/platform-fastify/multipart';
import { ApiBody, ApiConsumes, ApiProperty } from '@nestjs/swagger';
import { Type as Transform } from 'class-transformer';
import { IsArray, IsInt, IsObject, IsOptional, IsString } from 'class-validator';
import { McpTool } from '../../src/index.js';
import { FixtureApp, textOf } from '../support/fixture-app.js';
import { PLATFORMS, type Platform } from '../support/platforms.js';

jest.setTimeout(30_000);

interface Upload {
  readonly fieldname: string;
  readonly originalname: string;
  readonly mimetype: string;
  readonly size: number;
  readonly buffer: Buffer;
}

/** The interceptors that both adapters have under the same names. */
interface Uploads {
  FileInterceptor(name: string): Type<NestInterceptor>;
  FilesInterceptor(name: string, maxCount?: number): Type<NestInterceptor>;
  FileFieldsInterceptor(fields: { name: string; maxCount?: number }[]): Type<NestInterceptor>;
  AnyFilesInterceptor(): Type<NestInterceptor>;
  NoFilesInterceptor(): Type<NestInterceptor>;
}
const uploadsOf = ({ name }: Platform): Uploads => (name === 'express' ? express : fastify);

const BINARY = { type: 'string', format: 'binary' } as const;

class CaptionDto {
  @IsString() caption!: string;
  @IsOptional() @Transform(() => Number) @IsInt() rank?: number;
  @IsOptional() @IsArray() tags?: string[];
  @IsOptional() @IsObject() meta?: object;
}
class AvatarDto {
  @IsString() owner!: string;
  /** No validator: multer takes the file out of the body. */
  @ApiProperty({ ...BINARY, description: 'A portrait.' }) avatar!: unknown;
}
class LineDto {
  @IsString() sku!: string;
  @Transform(() => Number) @IsInt() amount!: number;
}
class SheetDto {
  @IsArray() @Transform(() => LineDto) lines!: LineDto[];
}

const told = (file: Upload | undefined): object | null =>
  file === undefined
    ? null
    : {
        field: file.fieldname,
        name: file.originalname,
        type: file.mimetype,
        size: file.size,
        data: file.buffer.toString('base64'),
      };

class Never implements CanActivate {
  canActivate(): boolean {
    return false;
  }
}

function uploadController(platform: Platform): Type {
  const uploads = uploadsOf(platform);

  @Controller('uploads')
  class UploadController {
    @McpTool('one')
    @ApiConsumes('multipart/form-data')
    @ApiBody({
      schema: { type: 'object', properties: { picture: BINARY }, required: ['picture'] },
    })
    @Post('one')
    @UseInterceptors(uploads.FileInterceptor('picture'))
    one(@UploadedFile() file: Upload, @Body() body: CaptionDto): object {
      return { file: told(file), body: { ...body } };
    }

    @McpTool('by_class')
    @Post('by-class')
    @UseInterceptors(uploads.FileInterceptor('avatar'))
    byClass(@UploadedFile() file: Upload, @Body() body: AvatarDto): object {
      return { file: told(file), owner: body.owner };
    }

    @McpTool('several')
    @ApiBody({
      schema: {
        type: 'object',
        properties: { pictures: { type: 'array', items: BINARY, maxItems: 3 } },
      },
    })
    @Post('several')
    @UseInterceptors(uploads.FilesInterceptor('pictures', 3))
    several(@UploadedFiles() files: Upload[]): object {
      return { files: files.map(told) };
    }

    @McpTool('fields')
    @ApiBody({
      schema: {
        type: 'object',
        properties: { front: BINARY, pages: { type: 'array', items: BINARY } },
      },
    })
    @Post('fields')
    @UseInterceptors(
      uploads.FileFieldsInterceptor([{ name: 'front', maxCount: 1 }, { name: 'pages' }]),
    )
    fields(@UploadedFiles() files: Record<string, Upload[]>): object {
      return { front: files['front']?.map(told), pages: files['pages']?.map(told) };
    }

    @McpTool({
      name: 'any',
      input: {
        type: 'object',
        properties: {
          form: {
            type: 'object',
            properties: {
              a: {
                type: 'object',
                properties: {
                  filename: { type: 'string' },
                  data: { type: 'string', contentEncoding: 'base64' },
                },
              },
              note: { type: 'string' },
            },
          },
        },
      },
    })
    @Post('any')
    @UseInterceptors(uploads.AnyFilesInterceptor())
    any(@UploadedFiles() files: Upload[], @Body() body: object): object {
      return { files: files.map(told), body: { ...body } };
    }

    @McpTool('lines')
    @ApiConsumes('multipart/form-data')
    @Post('lines')
    @UseInterceptors(uploads.NoFilesInterceptor())
    lines(@Body() body: SheetDto): object {
      return { lines: body.lines };
    }

    @McpTool('small')
    @ApiBody({ schema: { type: 'object', properties: { file: BINARY } } })
    @Post('small')
    @UseInterceptors(uploads.FileInterceptor('file'))
    small(
      @UploadedFile(new ParseFilePipe({ validators: [new MaxFileSizeValidator({ maxSize: 4 })] }))
      file: Upload,
    ): object {
      return { file: told(file) };
    }

    @McpTool('guarded')
    @ApiBody({ schema: { type: 'object', properties: { file: BINARY } } })
    @UseGuards(Never)
    @Post('guarded')
    @UseInterceptors(uploads.FileInterceptor('file'))
    guarded(@UploadedFile() file: Upload): object {
      return { file: told(file) };
    }

    @McpTool('urlencoded')
    @ApiConsumes('application/x-www-form-urlencoded')
    @Post('urlencoded')
    urlencoded(@Body() body: CaptionDto): object {
      return { body };
    }

    @McpTool('plain')
    @ApiConsumes('text/plain')
    @Post('plain')
    plain(@Body() body: string): object {
      return { body };
    }

    @McpTool('listing')
    @Get('listing')
    listing(): object {
      return {};
    }
  }
  return UploadController;
}

const data = (text: string): string => Buffer.from(text).toString('base64');
const bytes = Buffer.from([0, 255, 13, 10, 45, 45, 0x80]).toString('base64');
const picture = { filename: 'me.png', contentType: 'image/png', data: bytes };

/** On Express, `text/plain` is parsed only where the application asks for it. */
function configure(app: INestApplication): void {
  app.useGlobalPipes(new ValidationPipe({ transform: true, whitelist: true }));
  if (app.getHttpAdapter().getType() === 'express') {
    (app as express.NestExpressApplication).useBodyParser('text');
  }
}

describe.each(PLATFORMS)('dispatch on $name: forms and files', (platform) => {
  let app: FixtureApp;
  beforeAll(async () => {
    app = await FixtureApp.start({
      platform,
      controllers: [uploadController(platform)],
      configure,
    });
  });
  afterAll(() => app.close());

  const call = async (tool: string, args: object): Promise<unknown> => {
    const result = await app.call(tool, args);
    if (result.isError === true) throw new Error(textOf(result));
    return result.structuredContent;
  };

  it('FileInterceptor: a file beside fields', async () => {
    const form = {
      picture,
      caption: 'a\r\n"b" – ü',
      rank: 2,
      tags: ['x', 'y'],
      meta: { lang: 'de' },
    };
    expect(await call('one', { form })).toEqual({
      file: { field: 'picture', name: 'me.png', type: 'image/png', size: 7, data: bytes },
      body: { caption: 'a\r\n"b" – ü', rank: 2, tags: ['x', 'y'], meta: { lang: 'de' } },
    });
  });

  it('a list of one stays a list', async () => {
    const form = { picture, caption: 'c', tags: ['x'] };
    expect(await call('one', { form })).toMatchObject({ body: { tags: ['x'] } });
  });

  it('objects in lists', async () => {
    const lines = [
      { sku: 'a', amount: 1 },
      { sku: 'b', amount: 2 },
    ];
    expect(await call('lines', { form: { lines } })).toEqual({ lines });
  });

  it('a file that the class of the body names', async () => {
    const form = { owner: 'ann', avatar: { filename: 'a.txt', data: data('hello') } };
    expect(await call('by_class', { form })).toEqual({
      file: {
        field: 'avatar',
        name: 'a.txt',
        type: 'application/octet-stream',
        size: 5,
        data: data('hello'),
      },
      owner: 'ann',
    });
  });

  it('FilesInterceptor: a list of files', async () => {
    const pictures = [1, 2, 3].map((n) => ({ filename: `${n}.txt`, data: data(String(n)) }));
    expect(await call('several', { form: { pictures } })).toMatchObject({
      files: pictures.map(({ filename, data: sent }) => ({ name: filename, data: sent })),
    });
  });

  it('FileFieldsInterceptor: files by field', async () => {
    const file = (n: number): object => ({ filename: `${n}.txt`, data: data(String(n)) });
    expect(
      await call('fields', { form: { front: file(0), pages: [file(1), file(2)] } }),
    ).toMatchObject({ front: [{ name: '0.txt' }], pages: [{ name: '1.txt' }, { name: '2.txt' }] });
  });

  it('AnyFilesInterceptor: as the author of the schema says', async () => {
    const form = { a: { filename: 'x', data: data('x') }, note: 'n' };
    expect(await call('any', { form })).toMatchObject({
      files: [{ field: 'a', name: 'x', data: data('x') }],
      body: { note: 'n' },
    });
  });

  it.each([
    ['a quote', 'me "1".png'],
    ['a semicolon', 'a;b=c.png'],
    ['an ampersand and percent', '100%&.png'],
    ['hostile', 'a"; name="admin'],
  ])('a file name with %s arrives as it does from a browser', async (_, filename) => {
    const escaped = filename.replace(/"/g, '%22');
    const form = `--b\r\ncontent-disposition: form-data; name="pictures"; filename="${escaped}"\r\ncontent-type: text/plain\r\n\r\nx\r\n--b--\r\n`;
    const http = await app.http('POST', '/uploads/several', {
      headers: { 'content-type': 'multipart/form-data; boundary=b' },
      body: form,
    });
    const result = await call('several', {
      form: { pictures: [{ filename, contentType: 'text/plain', data: data('x') }] },
    });
    expect(result).toEqual(http.json());
  });

  it.each<[string, string, object, string]>([
    ['no file where one must be', 'one', { form: { caption: 'c' } }, 'form.picture is required'],
    ['a string for a file', 'one', { form: { caption: 'c', picture: 'x' } }, 'form.picture'],
    [
      'no base64',
      'one',
      { form: { caption: 'c', picture: { ...picture, data: 'ü' } } },
      'form.picture.data must be standard base64',
    ],
    [
      'a path',
      'one',
      { form: { caption: 'c', picture: { ...picture, filename: '../../etc/passwd' } } },
      'form.picture.filename',
    ],
    [
      'two lines as a type',
      'one',
      { form: { caption: 'c', picture: { ...picture, contentType: 'a/b\r\nx: y' } } },
      'form.picture.contentType',
    ],
    [
      'a member whose name is a number',
      'one',
      { form: { caption: 'c', picture, meta: { '0': 'x' } } },
      'form.meta has a member whose name cannot be written',
    ],
    [
      'a pipe that refuses it',
      'small',
      { form: { file: { filename: 'a', data: data('12345') } } },
      'expected size is less than 4',
    ],
    ['a guard', 'guarded', { form: { file: picture } }, 'Forbidden'],
  ])('refused: %s', async (_, tool, args, message) => {
    const result = await app.call(tool, args);
    expect(result.isError).toBe(true);
    expect(textOf(result)).toContain(message);
  });

  it('tells the model how to give a file', async () => {
    const client = await app.client();
    const tools = await client.listTools();
    const schema = (name: string) =>
      tools.find((tool) => tool.name === name)?.inputSchema as Record<string, unknown>;
    expect(schema('one')).toMatchObject({
      required: ['form'],
      properties: {
        form: {
          required: expect.arrayContaining(['caption', 'picture']) as unknown,
          properties: {
            picture: {
              type: 'object',
              required: ['filename', 'data'],
              properties: { data: { type: 'string', contentEncoding: 'base64' } },
            },
          },
        },
      },
    });
    expect(schema('by_class')).toMatchObject({
      properties: {
        form: { properties: { avatar: { type: 'object', description: 'A portrait.' } } },
      },
    });
    expect(schema('several')).toMatchObject({
      properties: { form: { properties: { pictures: { type: 'array', maxItems: 3 } } } },
    });
  });

  it('application/x-www-form-urlencoded', async () => {
    const form = { caption: 'a=b&c=d +%41', rank: 2, tags: ['x', 'y'] };
    expect(await call('urlencoded', { form })).toEqual({ body: form });
  });

  it('text/plain', async () => {
    expect(await call('plain', { body: 'just "text"\n– ü' })).toEqual({ body: 'just "text"\n– ü' });
    expect(await call('plain', { body: '{"a":1}' })).toEqual({ body: '{"a":1}' });
  });
});

describe.each(PLATFORMS)('dispatch on $name: a file whose field nothing names', (platform) => {
  it('is a set-up error that says what to do', async () => {
    const { FileInterceptor } = uploadsOf(platform);
    @Controller('nameless')
    class NamelessController {
      @McpTool('nameless') @Post() @UseInterceptors(FileInterceptor('file')) nameless(
        @UploadedFile() file: Upload,
      ): object {
        return { file: told(file) };
      }
    }
    const app = await FixtureApp.create({ platform, controllers: [NamelessController] });
    await expect(app.init()).rejects.toThrow(
      'NamelessController.nameless (POST /nameless): it takes an uploaded file, and nothing says in which field',
    );
    await app.close();
  });
});

class WordDto {
  @IsOptional() @IsString() word?: string;
}
class SearchDto extends WordDto {
  @IsOptional() @IsArray() tags?: string[];
  @IsOptional() @IsObject() meta?: object;
}

@Controller('parsers')
class ParsersController {
  @McpTool('search') @Get() search(@Query() query: WordDto): object {
    return { query: { ...query } };
  }
  @McpTool('submit') @ApiConsumes('application/x-www-form-urlencoded') @Post() submit(
    @Body() body: SearchDto,
  ): object {
    return { body: { ...body } };
  }
}

describe.each(PLATFORMS)("dispatch on $name: the application's own parsers", (platform) => {
  const semicolons = (text: string): Record<string, unknown> =>
    Object.fromEntries(
      text
        .split('&')
        .filter((pair) => pair !== '')
        .map((pair) => pair.split('=').map(decodeURIComponent) as [string, string])
        .map(([name, value]) => [name, value.includes(';') ? value.split(';') : value]),
    );

  /** An application whose parsers take `;` for a separator within a value. */
  const own: Platform =
    platform.name === 'express'
      ? platform
      : {
          name: 'fastify',
          create: (module, options) =>
            module.createNestApplication<NestFastifyApplication>(
              new FastifyAdapter({ routerOptions: { querystringParser: semicolons } }),
              { ...options, logger: false },
            ),
        };

  async function withApp(
    body: (app: FixtureApp) => Promise<void>,
    simpleForms = false,
  ): Promise<void> {
    const app = await FixtureApp.start({
      platform: own,
      controllers: [ParsersController],
      configure: (nest) => {
        if (platform.name === 'express') {
          const application = nest as express.NestExpressApplication;
          application.set('query parser', semicolons);
          if (simpleForms) application.useBodyParser('urlencoded', { extended: false });
        } else if (simpleForms) {
          (nest as NestFastifyApplication).useBodyParser(
            'application/x-www-form-urlencoded',
            { bodyLimit: 1000 },
            (_request, text, done) => done(null, semicolons(String(text))),
          );
        }
      },
    });
    try {
      await body(app);
    } finally {
      await app.close();
    }
  }

  it('a query that its parser would read as another is refused, and nothing runs', () =>
    withApp(async (app) => {
      expect((await app.call('search', { query: { word: 'a,b&c' } })).structuredContent).toEqual({
        query: { word: 'a,b&c' },
      });
      const refused = await app.call('search', { query: { word: 'a;b' } });
      expect(refused.isError).toBe(true);
      expect(textOf(refused)).toContain('query.word');
      expect(textOf(refused)).toContain("this application's query parser cannot read");
    }));

  const forms: readonly object[] = [
    { word: 'a=b&c' },
    { word: '' },
    { tags: ['x', 'y'] },
    { tags: ['x'] },
    { meta: { a: { b: ['1', '2'] } } },
    { tags: [], word: 'w' },
    { word: 'a;b' },
  ];

  it.each([false, true])('a form arrives equal, or is refused (simple parser: %s)', (simple) =>
    withApp(async (app) => {
      let arrived = 0;
      for (const form of forms) {
        const result = await app.call('submit', { form });
        if (result.isError === true) {
          expect(textOf(result)).toMatch(/form parser cannot read|no written form/);
        } else {
          expect(result.structuredContent).toEqual({ body: form });
          arrived += 1;
        }
      }
      const nests = platform.name === 'express' && !simple;
      expect(arrived).toBe(nests ? 6 : platform.name === 'express' || !simple ? 4 : 2);
    }, simple),
  );
});
