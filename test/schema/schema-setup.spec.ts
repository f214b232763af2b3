/** @file What start-up says of routes whose arguments cannot be a tool's, or not all of them: each message in full. */
import {
  Body,
  Controller,
  createParamDecorator,
  Get,
  Headers,
  type INestApplication,
  Param,
  ParseBoolPipe,
  ParseIntPipe,
  ParseUUIDPipe,
  Post,
  Query,
  Req,
  type Type,
  ValidationPipe,
} from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import {
  ApiConsumes,
  ApiCookieAuth,
  ApiOkResponse,
  ApiSecurity,
  getSchemaPath,
} from '@nestjs/swagger';
import { Type as Typed } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsInt,
  IsOptional,
  IsString,
  ValidateNested,
} from 'class-validator';
import qs from 'qs';
import { McpCall, McpModule, McpTool, type McpModuleOptions } from '../../src/index.js';
import { RecordingLogger } from '../module/recording-logger.js';
import { FixtureApp, textOf } from '../support/fixture-app.js';
import { EXPRESS, PLATFORMS, type Platform } from '../support/platforms.js';

const PIPE = new ValidationPipe({ transform: true });

async function problemsOf(
  controller: Type,
  mcp: McpModuleOptions = {},
  platform: Platform = EXPRESS,
): Promise<readonly string[]> {
  const app = await FixtureApp.create({ controllers: [controller], mcp, platform });
  try {
    await app.init();
    return [];
  } catch (error) {
    return (error as { problems: readonly string[] }).problems;
  } finally {
    await app.close().catch(() => undefined);
  }
}

async function warningsOf(controllers: readonly Type[], imports: Type[] = []): Promise<string[]> {
  const logger = new RecordingLogger();
  let app: INestApplication | undefined;
  try {
    app = await FixtureApp.create({ controllers, logger, imports });
    await app.init();
    return logger.of('warn', 'McpModule').filter((line) => !line.includes('has no guard'));
  } finally {
    await app?.close();
  }
}

describe('schema: the place of a credential is no argument', () => {
  const advice = 'so a model would choose it: read it in a guard or with @Req() instead';

  @Controller('keys')
  class KeysController {
    @McpTool('find_keys') @Get() find(
      @Headers('X-Api-Key') key: string,
      @Query('token') token: string,
      @Query('q') q: string,
    ): object {
      return { key, token, q };
    }
  }

  it('whose place the option securitySchemes tells', async () => {
    const securitySchemes = {
      key: { type: 'apiKey', in: 'header', name: 'x-api-key' },
      link: { type: 'apiKey', in: 'query', name: 'token' },
      bearer: { type: 'http', scheme: 'bearer' },
    };
    expect(await problemsOf(KeysController, { securitySchemes })).toEqual([
      `KeysController.find (GET /keys): it takes the query "token" as an argument, where the security scheme "link" reads a credential, ${advice}`,
      `KeysController.find (GET /keys): it takes the header "x-api-key" as an argument, where the security scheme "key" reads a credential, ${advice}`,
    ]);
    expect(await problemsOf(KeysController)).toEqual([]);
  });

  it('that @ApiSecurity() and @ApiCookieAuth() name', async () => {
    @Controller('named')
    @ApiSecurity('x-api-key')
    class NamedController {
      @McpTool('find_named') @ApiCookieAuth('sid') @Get() find(
        @Headers('X-Api-Key') key: string,
      ): object {
        return { key };
      }
    }
    expect(await problemsOf(NamedController)).toEqual([
      `NamedController.find (GET /named): it takes the header "x-api-key" as an argument, where the security scheme "x-api-key" reads a credential, ${advice}`,
    ]);
  });

  it('and a scheme that is none is an error of the option', async () => {
    const securitySchemes = { key: { type: 'apiKey', in: 'body', name: 'key' } };
    expect(await problemsOf(KeysController, { securitySchemes })).toEqual([
      expect.stringMatching(
        /^option securitySchemes: .* is not an object of OpenAPI security schemes/,
      ),
    ]);
  });
});

describe('schema: a body that cannot be written', () => {
  it('is a set-up error', async () => {
    @Controller('documents')
    class DocumentsController {
      @McpTool('put_document') @ApiConsumes('application/xml', 'text/csv') @Post() put(
        @Body() body: string,
      ): string {
        return body;
      }
    }
    expect(await problemsOf(DocumentsController)).toEqual([
      'DocumentsController.put (POST /documents): its body is application/xml or text/csv, which a tool call cannot write: let the route take application/json too, or leave it out of the tools',
    ]);
  });
});

describe('schema: a header that is never an argument', () => {
  it.each<[string, string]>([
    ['Authorization', "carries the caller's credential"],
    ['Cookie', "carries the caller's cookies"],
    ['Proxy-Authorization', 'is for proxies'],
    ...['Forwarded', 'X-Forwarded-For', 'x-forwarded-host', 'X-Real-IP', 'via'].map(
      (name): [string, string] => [name, 'tells where the caller came from'],
    ),
    ...[
      ...['Host', 'connection', 'keep-alive', 'te', 'trailer', 'transfer-encoding', 'expect'],
      ...['upgrade', 'Content-Type', 'content-length', 'content-encoding'],
    ].map((name): [string, string] => [name, 'is written by the request itself']),
  ])('%s %s', async (name, reason) => {
    expect(await problemsOf(headerController(name))).toEqual([
      `HeadController.find (GET /head): the header "${name.toLowerCase()}" ${reason}, so a model must not choose it: read it with @Req(), in a guard or in a custom parameter decorator instead`,
    ]);
  });
});

function headerController(name: string): Type {
  @Controller('head')
  class HeadController {
    @McpTool('read_head') @Get() find(@Headers(name) value: string): string {
      return value;
    }
  }
  return HeadController;
}

describe('schema: two parameters of one place', () => {
  it('a path that names one parameter twice is a set-up error', async () => {
    @Controller('owners/:id')
    class OwnersController {
      @McpTool('get_pet') @Get('pets/:id') pet(@Param('id') id: string): object {
        return { id };
      }
    }
    for (const platform of PLATFORMS) {
      expect(await problemsOf(OwnersController, {}, platform)).toEqual([
        'OwnersController.pet (GET /owners/:id/pets/:id): its path has the parameter "id" twice, so that one value hides the other: rename one of them',
      ]);
    }
  });

  it('a body member that two parameters take as types that exclude each other, too', async () => {
    class NamedDto {
      @IsString() n!: string;
    }
    class CountedDto {
      @IsInt() n!: number;
    }
    @Controller('clash')
    class ClashController {
      @McpTool('two_pipes') @Post('pipes') pipes(
        @Body('n', ParseIntPipe) count: number,
        @Body('n', ParseBoolPipe) flag: boolean,
      ): object {
        return { count, flag };
      }
      @McpTool('two_classes') @Post('classes') classes(
        @Body(PIPE) named: NamedDto,
        @Body(PIPE) counted: CountedDto,
      ): object {
        return { named, counted };
      }
      @McpTool('class_and_pipe') @Post('both') both(
        @Body(PIPE) counted: CountedDto,
        @Body('n', ParseUUIDPipe) id: string,
      ): object {
        return { counted, id };
      }
    }
    const says =
      'two of its parameters read "n" of the body, and no value is of the type of both, so that no call could succeed: read it once, or let both take one type';
    expect(await problemsOf(ClashController)).toEqual([
      `ClashController.pipes (POST /clash/pipes): ${says}`,
      `ClashController.classes (POST /clash/classes): ${says}`,
      `ClashController.both (POST /clash/both): ${says}`,
    ]);
  });

  it('are a set-up error', async () => {
    @Controller('twice')
    class TwiceController {
      @McpTool('find_twice') @Get() find(
        @Query('filter') filter: object,
        @Query('filter[eq]') eq: string,
      ): object {
        return { filter, eq };
      }
    }
    expect(await problemsOf(TwiceController)).toEqual([
      'TwiceController.find (GET /twice): it reads the query "filter" and the query "filter[eq]", which is a part of it: two arguments would write one place. Read "filter" alone, as an object',
    ]);
  });
});

class FilterDto {
  @IsOptional() @IsString() eq?: string;
}
class NestedDto {
  @ValidateNested() @Typed(() => FilterDto) filter!: FilterDto;
  @IsOptional() @IsString({ each: true }) @IsArray() ids?: string[];
  @IsOptional() @IsString() q?: string;
}
class OneIdDto {
  @IsArray() @ArrayMaxSize(1) @IsString({ each: true }) ids!: string[];
}

@Controller('nested')
class NestedController {
  @McpTool('find_nested') @Get() find(@Query(PIPE) query: NestedDto): object {
    return { filter: { ...query.filter }, ids: query.ids, q: query.q };
  }
}
@Controller('lists')
class ListsController {
  @McpTool('find_one') @Get('one') one(@Query(PIPE) query: OneIdDto): object {
    return query;
  }
}
@Controller('open')
class OpenController {
  @McpTool('find_open') @Get() find(@Query() query: object): object {
    return { query };
  }
  @McpTool({
    name: 'find_either',
    input: {
      type: 'object',
      properties: {
        query: {
          type: 'object',
          properties: {
            either: { anyOf: [{ type: 'string' }, { type: 'object' }] },
            any: { description: 'Whatever it is.' },
          },
        },
      },
    },
  })
  @Get('either')
  either(@Query('either') either: unknown): object {
    return { either };
  }
}

/** The same parser on either platform. */
function withQueryParser(platform: Platform, parser: false | ((text: string) => object)): Platform {
  return platform.name === 'express'
    ? {
        name: 'express',
        create: (module, options) => {
          const app = EXPRESS.create(module, options) as NestExpressApplication;
          app.set('query parser', parser);
          return app;
        },
      }
    : {
        name: 'fastify',
        create: (module, options) => {
          const querystringParser = parser === false ? () => ({}) : parser;
          const adapter = new FastifyAdapter({
            routerOptions: { querystringParser: querystringParser as () => Record<string, never> },
          });
          return module.createNestApplication(adapter, { ...options, logger: false });
        },
      };
}

describe.each(PLATFORMS)('schema on $name: S10, a query that no parser reads back', (platform) => {
  const advice =
    "and this application's query parser makes none of any text that a call could write: " +
    "give the application another parser before it starts (Express: app.set('query parser', 'extended'); " +
    'Fastify: new FastifyAdapter({ routerOptions: { querystringParser } })), or leave the member out of the tool with @McpTool({ input })';
  const extended = withQueryParser(platform, (text) => qs.parse(text));
  const lastWins = withQueryParser(platform, (text) =>
    Object.fromEntries(new URLSearchParams(text)),
  );

  it('is a set-up error where its schema alone decides: an object behind the default parser', async () => {
    expect(await problemsOf(NestedController, {}, platform)).toEqual([
      `NestedController.find (GET /nested): it reads an object from the query "filter", ${advice}`,
    ]);
  });

  it('a list behind a parser that reads one value of a name, and one of one element', async () => {
    expect(await problemsOf(NestedController, {}, lastWins)).toEqual([
      `NestedController.find (GET /nested): it reads an object from the query "filter", ${advice}`,
      `NestedController.find (GET /nested): it reads a list from the query "ids", ${advice}`,
    ]);
    expect(await problemsOf(ListsController, {}, platform)).toEqual([
      `ListsController.one (GET /lists/one): it reads a list from the query "ids", ${advice}`,
    ]);
  });

  it('anything behind no parser', async () => {
    const problems = await problemsOf(NestedController, {}, withQueryParser(platform, false));
    expect(problems).toHaveLength(3);
    expect(problems[2]).toContain('it reads a value from the query "q"');
  });

  it('is none behind a parser that reads it', async () => {
    expect(await problemsOf(ListsController, {}, extended)).toEqual([]);
    const app = await FixtureApp.start({ platform: extended, controllers: [NestedController] });
    const query = { filter: { eq: 'a,b' }, ids: ['x', 'y'], q: 'z' };
    expect((await app.call('find_nested', { query })).structuredContent).toEqual(query);
    await app.close();
  });

  it('is none where a value decides: then the call is refused', async () => {
    const app = await FixtureApp.start({ platform, controllers: [OpenController] });
    expect((await app.call('find_open', { query: { a: '1' } })).isError).toBeUndefined();
    expect((await app.call('find_either', { query: { either: 'a' } })).isError).toBeUndefined();
    for (const query of [{ a: { b: 'c' } }, { a: ['only'] }]) {
      const refused = await app.call('find_open', { query });
      expect(refused.isError).toBe(true);
      expect(textOf(refused)).toContain("query.a: this application's query parser cannot read");
    }
    await app.close();
  });
});

describe('schema: S13, a tool that clients would refuse', () => {
  it.each<[string, object, string]>([
    [
      'title',
      { title: 7 },
      'its tool is none that clients of 2025-06-18 take: title is not a string. Correct it in @McpTool().',
    ],
    [
      'hint',
      { annotations: { readOnlyHint: 'yes' } },
      'its tool is none that clients of 2025-03-26 take: annotations.readOnlyHint is neither true nor false. Correct it in @McpTool().',
    ],
    [
      'icon',
      { icons: [{ src: 'javascript:alert(1)' }] },
      "its tool is none that clients of 2025-11-25 take: icons has an entry that is no { src: 'https:…' or 'data:…', mimeType, sizes, theme }. Correct it in @McpTool().",
    ],
    [
      'meta',
      { meta: [] },
      'its tool is none that clients of 2025-06-18 take: meta is not an object. Correct it in @McpTool().',
    ],
    [
      'boolean member',
      { input: { type: 'object', properties: { query: true } } },
      'its tool is none that clients of 2025-03-26 take: inputSchema.properties.query is not an object. Correct it in @McpTool().',
    ],
  ])('is a set-up error: %s', async (_, options, problem) => {
    @Controller('refused')
    class RefusedController {
      @McpTool({ name: 'refused', ...options }) @Get() find(): object {
        return {};
      }
    }
    expect(await problemsOf(RefusedController)).toEqual([
      `RefusedController.find (GET /refused): ${problem}`,
    ]);
  });

  it.each<[string, object, RegExp]>([
    [
      'input',
      { input: { type: 'object', properties: { body: { type: 'strnig' } } } },
      /^@McpTool\(\{ input \}\) is no JSON Schema that values can be checked against: .*must be equal to one of the allowed values.*\. Correct it\.$/,
    ],
    [
      'output',
      { output: { type: 'object', properties: { a: { $ref: '#/$defs/absent' } } } },
      /^@McpTool\(\{ output \}\) is no JSON Schema that values can be checked against: can't resolve reference #\/\$defs\/absent .*Correct it\.$/,
    ],
  ])('is a set-up error: an %s that cannot be compiled', async (_, options, problem) => {
    @Controller('faulty')
    class FaultyController {
      @McpTool({ name: 'faulty', ...options }) @Get() find(): object {
        return {};
      }
    }
    const [found = '', ...others] = await problemsOf(FaultyController);
    expect(others).toEqual([]);
    expect(found.replace('FaultyController.find (GET /faulty): ', '')).toMatch(problem);
  });
});

const User = createParamDecorator(() => undefined);

describe('schema: parameters of which nothing is known', () => {
  @Controller('first')
  class FirstController {
    @McpTool('first_find') @Get() find(@User() user: unknown, @McpCall() call: unknown): object {
      return { user, call };
    }
    @McpTool('first_get') @Get(':id') get(@Param('id') id: string, @User() user: unknown): object {
      return { id, user };
    }
  }
  @Controller('second')
  class SecondController {
    @McpTool('second_make') @Post() make(@Req() request: object, @Body() body: object): object {
      return { request, body };
    }
    @McpTool('second_find') @Get() find(@McpCall() call: unknown): object {
      return { call };
    }
  }

  it('are one warning of a kind, which names the routes, and none for @McpCall()', async () => {
    expect(await warningsOf([FirstController, SecondController])).toEqual([
      'A custom parameter decorator is used, and what it reads of a request is not known: declare it with @McpTool({ input }) where it takes arguments. Seen in FirstController.find (GET /first), FirstController.get (GET /first/:id).',
      '@Req() is used, and what it reads of a request is not known: declare it with @McpTool({ input }) where it takes arguments. Seen in SecondController.make (POST /second).',
    ]);
  });

  it('are named once, however many endpoints serve them', async () => {
    const feature = McpModule.forFeature({ path: 'other', include: () => true });
    const lines = await warningsOf([FirstController], [feature as unknown as Type]);
    expect(lines.filter((line) => line.includes('custom parameter decorator'))).toHaveLength(1);
  });

  it('a schema path that leads nowhere is a warning', async () => {
    class Absent {}
    @Controller('paths')
    class PathsController {
      @McpTool('find_paths')
      @Get()
      @ApiOkResponse({ schema: { $ref: getSchemaPath(Absent) } })
      find(): object {
        return {};
      }
    }
    expect(await warningsOf([PathsController])).toEqual([
      'PathsController.find (GET /paths): getSchemaPath() refers to "Absent", which no class that is known here has for a name, so that it says nothing: name the class in @ApiExtraModels(Absent)',
    ]);
  });
});
