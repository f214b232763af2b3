import {
  All,
  Body,
  Controller,
  Delete,
  Get,
  Headers,
  Param,
  Post,
  Put,
  Query,
  Search,
  Propfind,
  ValidationPipe,
  type Type,
} from '@nestjs/common';
import { IsInt, IsOptional, IsString } from 'class-validator';
import { McpTool, McpToolCatalog, type McpModuleOptions } from '../../src/index.js';
import { FixtureApp } from '../support/fixture-app.js';
import { EXPRESS, FASTIFY, PLATFORMS, type Platform } from '../support/platforms.js';
import { RecordingLogger } from '../module/recording-logger.js';

async function problemsOf(
  controllers: readonly Type[],
  mcp: McpModuleOptions = {},
  platform: Platform = EXPRESS,
): Promise<readonly string[]> {
  const app = await FixtureApp.create({ controllers, mcp, platform });
  try {
    await app.init();
    return [];
  } catch (error) {
    return (error as { problems: readonly string[] }).problems;
  } finally {
    await app.close().catch(() => undefined);
  }
}

class PersonDto {
  @IsString() name!: string;
  @IsInt() age!: number;
}
class FaceDto {
  @IsString() id!: string;
  @IsOptional() @IsString() mood?: string;
}

@Controller('faces')
class FacesController {
  @McpTool('create_person') @Post('person') person(@Body() person: PersonDto): object {
    return person;
  }
  @McpTool('replace_face') @Put(':id') replace(
    @Param('id') id: string,
    @Body() body: FaceDto,
  ): object {
    return { id, body };
  }
  @McpTool('list_faces') @Get() list(): object[] {
    return [];
  }
  @McpTool('clear_faces') @Delete() clear(): void {}
}

describe.each(PLATFORMS)('schema on $name: what a tool says of its route', (platform) => {
  let app: FixtureApp;
  let schemas: Map<string, unknown>;
  beforeAll(async () => {
    app = await FixtureApp.start({
      platform,
      controllers: [FacesController],
      configure: (nest) => void nest.useGlobalPipes(new ValidationPipe()),
    });
    const client = await app.client();
    schemas = new Map(
      (await client.listTools()).map(({ name, inputSchema }) => [name, inputSchema]),
    );
  });
  afterAll(() => app.close());

  it('S1: class-validator decorators alone make the schema', () => {
    expect(schemas.get('create_person')).toEqual({
      type: 'object',
      properties: {
        body: {
          type: 'object',
          properties: { name: { type: 'string' }, age: { type: 'integer' } },
          required: ['name', 'age'],
        },
      },
      required: ['body'],
      additionalProperties: false,
    });
  });

  it('S2: one name in path and body stands in both groups, and both arrive', async () => {
    expect(schemas.get('replace_face')).toMatchObject({
      properties: {
        path: { properties: { id: { type: 'string' } }, required: ['id'] },
        body: { properties: { id: { type: 'string' } }, required: ['id'] },
      },
      required: ['path', 'body'],
    });
    const result = await app.call('replace_face', { path: { id: 'one' }, body: { id: 'two' } });
    expect(result.structuredContent).toEqual({ id: 'one', body: { id: 'two' } });
  });

  it.each(['list_faces', 'clear_faces'])(
    'S5: %s, without parameters, is an empty closed object',
    (name) => {
      expect(schemas.get(name)).toEqual({
        type: 'object',
        properties: {},
        additionalProperties: false,
      });
    },
  );
});

describe('schema: S2, one name in two places of the flat layout', () => {
  it('is a set-up error that names the member and the route', async () => {
    expect(await problemsOf([FacesController], { arguments: 'flat' })).toEqual([
      'FacesController.replace (PUT /faces/:id): the argument "id" is in the path and in the body, which are one place in the flat layout: rename one of them or use arguments: \'grouped\'',
    ]);
  });

  it('is none where the names differ', async () => {
    @Controller('pairs')
    class PairsController {
      @McpTool('write_pair') @Put(':id') write(
        @Param('id') id: string,
        @Query('q') q: string,
        @Body() body: PersonDto,
      ): object {
        return { id, q, body };
      }
    }
    const app = await FixtureApp.start({
      controllers: [PairsController],
      mcp: { arguments: 'flat' },
    });
    try {
      const args = { id: 'a', q: 'b', name: 'ann', age: 3 };
      expect((await app.call('write_pair', args)).structuredContent).toEqual({
        id: 'a',
        q: 'b',
        body: { name: 'ann', age: 3 },
      });
    } finally {
      await app.close();
    }
  });
});

describe.each(PLATFORMS)(
  'schema on $name: R10, a credential is never the model’s to choose',
  (platform) => {
    class CredentialHeaders {
      @IsString() authorization!: string;
    }

    it.each<[string, Type, McpModuleOptions, string]>([
      [
        '@Headers("authorization")',
        controller('Headers', (target) => Headers('authorization')(target, 'find', 0)),
        {},
        'HeadersController.find (GET /r10): the header "authorization" carries the caller\'s credential, so a model must not choose it: read it with @Req(), in a guard or in a custom parameter decorator instead',
      ],
      [
        'another spelling of it',
        controller('Spelled', (target) => Headers('Authorization')(target, 'find', 0)),
        {},
        'SpelledController.find (GET /r10): the header "authorization" carries the caller\'s credential, so a model must not choose it: read it with @Req(), in a guard or in a custom parameter decorator instead',
      ],
      [
        "the API key's header, which the options forward",
        controller('Key', (target) => Headers('x-api-key')(target, 'find', 0)),
        { forwardHeaders: ['X-API-Key'] },
        'KeyController.find (GET /r10): it reads the header "x-api-key", which the option forwardHeaders carries over from the client\'s request. Take it out of forwardHeaders, or out of the route\'s parameters.',
      ],
      [
        'a DTO of headers that has it',
        controller('Dto', (target) => Headers()(target, 'find', 0), CredentialHeaders),
        {},
        'DtoController.find (GET /r10): the header "authorization" carries the caller\'s credential, so a model must not choose it: read it with @Req(), in a guard or in a custom parameter decorator instead',
      ],
    ])('%s is a set-up error that names the route', async (_, target, mcp, problem) => {
      expect(await problemsOf([target], mcp, platform)).toEqual([problem]);
    });

    it('nor is one in a schema that the decorator gives', async () => {
      @Controller('r10')
      class VerbatimController {
        @McpTool({
          name: 'verbatim',
          input: {
            type: 'object',
            properties: {
              header: { type: 'object', properties: { Authorization: { type: 'string' } } },
            },
          },
        })
        @Get()
        find(): object {
          return {};
        }
      }
      expect(await problemsOf([VerbatimController], {}, platform)).toEqual([
        'VerbatimController.find (GET /r10): the header "authorization" carries the caller\'s credential, so a model must not choose it: read it with @Req(), in a guard or in a custom parameter decorator instead',
      ]);
    });
  },
);

/** A controller whose method has the parameter that `decorate` gives it. */
function controller(
  name: string,
  decorate: (target: object) => void,
  type: unknown = String,
): Type {
  const className = `${name}Controller`;
  const made = {
    [className]: class {
      find(): object {
        return {};
      }
    },
  }[className] as Type;
  const prototype = made.prototype as object;
  const method = Object.getOwnPropertyDescriptor(prototype, 'find') as PropertyDescriptor;
  decorate(prototype);
  Reflect.defineMetadata('design:paramtypes', [type], prototype, 'find');
  Get()(prototype, 'find', method);
  McpTool('r10')(prototype, 'find', method);
  Controller('r10')(made);
  return made;
}

describe('schema: S6, names', () => {
  const named = (name: string): Type => {
    @Controller('named')
    class NamedController {
      @McpTool(name) @Get() find(): object {
        return {};
      }
    }
    return NamedController;
  };

  it.each(['orders.create', 'a', 'Orders-Create_2', '.', '1', 'a'.repeat(70), 'b'.repeat(128)])(
    'takes %j',
    async (name) => {
      const app = await FixtureApp.create({ controllers: [named(name)] });
      await app.init();
      expect(app.get(McpToolCatalog, { strict: false }).tools.map((tool) => tool.name)).toEqual([
        name,
      ]);
      await app.close();
    },
  );

  it.each(['', ' ', 'get order', 'a/b', 'ä', 'a:b', 'c'.repeat(129), 'a\n'])(
    'refuses %j and says what a name is',
    async (name) => {
      expect(await problemsOf([named(name)])).toEqual([
        `NamedController.find (GET /named): the tool name ${JSON.stringify(name)} is not 1 to 128 of the characters A-Z a-z 0-9 _ - . Give another in @McpTool().`,
      ]);
    },
  );

  it('refuses a derived name that model providers would not take', async () => {
    @Controller('long')
    class TheControllerWhoseNameIsLongerThanAnyProviderOfModelsWouldTakeController {
      @McpTool() @Get() find(): object {
        return {};
      }
    }
    const [problem] = await problemsOf([
      TheControllerWhoseNameIsLongerThanAnyProviderOfModelsWouldTakeController,
    ]);
    expect(problem).toBe(
      'TheControllerWhoseNameIsLongerThanAnyProviderOfModelsWouldTakeController.find (GET /long): the name "the_controller_whose_name_is_longer_than_any_provider_of_models_would_take_find", derived from class and method, is not a lower-case letter and up to 63 of a-z 0-9 _. Give one in @McpTool(\'…\').',
    );
  });

  it('refuses one name for two handlers, and names both', async () => {
    @Controller('one')
    class OneController {
      @McpTool('same') @Get() first(): object {
        return {};
      }
    }
    @Controller('two')
    class TwoController {
      @McpTool('same') @Post(':id') second(): object {
        return {};
      }
    }
    expect(await problemsOf([OneController, TwoController])).toEqual([
      'the tool name "same" is taken twice, by OneController.first (GET /one) and by TwoController.second (POST /two/:id). Give one of them another name in @McpTool(\'…\').',
    ]);
  });
});

describe('schema: S16, routes that no call can reach', () => {
  it.each<[string, MethodDecorator, string]>([
    [
      '@All()',
      All(),
      '(ALL /s16): @McpTool() is on a route that cannot be a tool, since a call cannot choose one HTTP method for @All(). Remove it there.',
    ],
    [
      '@Search()',
      Search(),
      '(SEARCH /s16): @McpTool() is on a route that cannot be a tool, since a call cannot choose one HTTP method for SEARCH. Remove it there.',
    ],
    [
      '@Propfind()',
      Propfind(),
      '(PROPFIND /s16): @McpTool() is on a route that cannot be a tool, since a call cannot choose one HTTP method for PROPFIND. Remove it there.',
    ],
  ])('%s is a set-up error', async (_, method, problem) => {
    @Controller('s16')
    class UnfitController {
      @McpTool('unfit') @method find(): object {
        return {};
      }
    }
    expect(await problemsOf([UnfitController])).toEqual([`UnfitController.find ${problem}`]);
  });

  it.each([EXPRESS, FASTIFY])('a route bound to a host is a warning on $name', async (platform) => {
    @Controller({ path: 's16', host: 'admin.example.com' })
    class HostController {
      @McpTool('hosted') @Get() find(): object {
        return { hosted: true };
      }
    }
    const logger = new RecordingLogger();
    const app = await FixtureApp.start({
      platform,
      controllers: [HostController],
      logger,
      mcp: { allowedHosts: ['admin.example.com'] },
    });
    try {
      expect(logger.of('warn', 'McpModule')).toContain(
        'HostController.find (GET /s16): it is bound to the host admin.example.com, and a call carries the host of the MCP request: other hosts get its 404.',
      );
      const elsewhere = await app.call('hosted');
      expect(elsewhere.isError).toBe(true);
      expect(JSON.parse(elsewhere.content[0]?.text ?? '')).toMatchObject({ statusCode: 404 });
    } finally {
      await app.close();
    }
  });
});
