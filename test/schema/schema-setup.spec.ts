/** @file What start-up says of routes whose arguments cannot be a tool's, or not all of them: each message in full. */
import {
  Body,
  Controller,
  createParamDecorator,
  Get,
  Headers,
  type INestApplication,
  Param,
  Post,
  Query,
  Req,
  type Type,
} from '@nestjs/common';
import { ApiCookieAuth, ApiOkResponse, ApiSecurity, getSchemaPath } from '@nestjs/swagger';
import { McpCall, McpModule, McpTool, type McpModuleOptions } from '../../src/index.js';
import { RecordingLogger } from '../module/recording-logger.js';
import { FixtureApp } from '../support/fixture-app.js';

async function problemsOf(
  controller: Type,
  mcp: McpModuleOptions = {},
): Promise<readonly string[]> {
  const app = await FixtureApp.create({ controllers: [controller], mcp });
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

describe('schema: two parameters of one place', () => {
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
