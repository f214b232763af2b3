import {
  All,
  Body,
  Controller,
  Get,
  Headers,
  Injectable,
  Module,
  Param,
  Post,
  Render,
  Sse,
  Version,
  VersioningType,
  type CanActivate,
  type INestApplication,
  type Type,
} from '@nestjs/common';
import { ApiExcludeController, ApiExcludeEndpoint } from '@nestjs/swagger';
import { IsString } from 'class-validator';
import { EMPTY, type Observable } from 'rxjs';
import {
  McpHidden,
  McpModule,
  McpSetupError,
  McpTool,
  type McpModuleOptions,
  type McpToolOptions,
} from '../../src/index.js';
import { FixtureApp, type Fixture } from '../support/fixture-app.js';

async function setupError(fixture: Fixture): Promise<McpSetupError> {
  const app = await FixtureApp.create(fixture);
  const outcome = await app.init().then(
    () => 'it started',
    (error: unknown) => error,
  );
  if (!(outcome instanceof McpSetupError)) throw new Error(`No set-up error: ${String(outcome)}`);
  return outcome;
}

const problemsOf = async (fixture: Fixture): Promise<readonly string[]> =>
  (await setupError(fixture)).problems;

/** A controller whose one route is a tool with these options. */
function tool(options: string | McpToolOptions, ...decorators: MethodDecorator[]): Type {
  @Controller('things')
  class ThingsController {
    @McpTool(options) @Get() find(): object {
      return {};
    }
  }
  const descriptor = Object.getOwnPropertyDescriptor(ThingsController.prototype, 'find');
  for (const decorate of decorators) {
    decorate(ThingsController.prototype, 'find', descriptor as PropertyDescriptor);
  }
  return ThingsController;
}

const ROUTE = 'ThingsController.find (GET /things)';

describe('module: @McpTool() on what is no route', () => {
  @Controller('half')
  class HalfController {
    @McpTool('half') half(): object {
      return {};
    }
    @McpTool('whole') @Get() whole(): object {
      return {};
    }
  }
  @Injectable()
  class OrdersService {
    @McpTool('in_service') find(): object {
      return {};
    }
  }
  const advice =
    "has @McpTool() but is no route. Put an HTTP method decorator such as @Get() on it, list its class in a module's controllers, or remove @McpTool().";

  it('of a controller is a set-up error that names class and method', async () => {
    expect(await problemsOf({ controllers: [HalfController] })).toEqual([
      `HalfController.half ${advice}`,
    ]);
  });

  it('of a provider likewise', async () => {
    expect(await problemsOf({ providers: [OrdersService] })).toEqual([
      `OrdersService.find ${advice}`,
    ]);
  });

  it('of a controller that a module lists among its providers likewise', async () => {
    expect(await problemsOf({ providers: [HalfController] })).toEqual([
      `HalfController.half ${advice}`,
      `HalfController.whole ${advice}`,
    ]);
  });

  it('is none for a base class method that a subclass makes a route of', async () => {
    abstract class BaseController {
      @McpTool() @Get() find(): object {
        return {};
      }
    }
    @Controller('derived')
    class DerivedController extends BaseController {}
    const app = await FixtureApp.create({ controllers: [DerivedController] });
    await expect(app.init()).resolves.toBeDefined();
    await app.close();
  });
});

describe('module: @McpTool() on a route that cannot be a tool', () => {
  const unfit = (reason: string): string =>
    `@McpTool() is on a route that cannot be a tool, since ${reason}. Remove it there.`;

  it.each<[string, MethodDecorator, string]>([
    ['@McpHidden()', McpHidden(), 'it is hidden by @McpHidden()'],
    [
      '@ApiExcludeEndpoint()',
      ApiExcludeEndpoint(),
      'it is excluded from the API documentation by @ApiExcludeEndpoint() or @ApiExcludeController()',
    ],
    ['@Render()', Render('page'), 'it renders a page (@Render())'],
  ])('%s', async (_, decorator, reason) => {
    expect(await problemsOf({ controllers: [tool('unfit', decorator)] })).toEqual([
      `${ROUTE}: ${unfit(reason)}`,
    ]);
  });

  it('@Sse()', async () => {
    @Controller('events')
    class EventsController {
      @McpTool('events') @Sse() events(): Observable<never> {
        return EMPTY;
      }
    }
    expect(await problemsOf({ controllers: [EventsController] })).toEqual([
      `EventsController.events (GET /events): ${unfit('it answers with an event stream (@Sse())')}`,
    ]);
  });

  it.each<[string, ClassDecorator, string]>([
    ['@McpHidden()', McpHidden(), 'it is hidden by @McpHidden()'],
    [
      '@ApiExcludeController()',
      ApiExcludeController(),
      'it is excluded from the API documentation by @ApiExcludeEndpoint() or @ApiExcludeController()',
    ],
  ])('%s on its class', async (_, decorate, reason) => {
    const target = tool('unfit');
    decorate(target);
    expect(await problemsOf({ controllers: [target] })).toEqual([`${ROUTE}: ${unfit(reason)}`]);
  });

  it('a version that a custom extractor chooses', async () => {
    const problems = await problemsOf({
      controllers: [tool('versioned', Version('2'))],
      configure: (app: INestApplication) =>
        void app.enableVersioning({ type: VersioningType.CUSTOM, extractor: () => '2' }),
    });
    expect(problems).toEqual([
      `${ROUTE}: its version is chosen by a custom extractor. Say in the option versionHeaders which headers make it choose this route, such as (route) => ({ 'x-api-version': '2' }), or make the route version-neutral.`,
    ]);
  });

  it('none of these is an error where tags or include chose the route: it is left out', async () => {
    const target = tool('unfit');
    Reflect.deleteMetadata('mcp:tool', (target.prototype as { find: object }).find);
    McpHidden()(target);
    const app = await FixtureApp.create({
      controllers: [target],
      mcp: { include: () => true },
    });
    await expect(app.init()).resolves.toBeDefined();
    await app.close();
  });
});

describe('module: the options of @McpTool()', () => {
  it.each<[string, McpToolOptions, string]>([
    [
      'an unknown one',
      { name: 'a', titel: 'A' } as McpToolOptions,
      '@McpTool() has no option "titel". It has: name, title, description, annotations, input, output, headers, scopes, icons, meta, timeoutMs.',
    ],
    [
      'a time-out of 0',
      { name: 'a', timeoutMs: 0 },
      '@McpTool({ timeoutMs: 0 }) is not a whole number of milliseconds, 1 or more.',
    ],
    [
      'a time-out of 1.5',
      { name: 'a', timeoutMs: 1.5 },
      '@McpTool({ timeoutMs: 1.5 }) is not a whole number of milliseconds, 1 or more.',
    ],
    [
      'a $ref to another document in the output',
      {
        name: 'a',
        output: { type: 'object', properties: { a: { $ref: 'https://example.com/a' } } },
      },
      '@McpTool({ output }) has a $ref to another document. Put the schema under $defs and refer to it there.',
    ],
    [
      'a $ref to another document in the input',
      { name: 'a', input: { type: 'object', $defs: { x: { $ref: 'x.json#/a' } } } },
      '@McpTool({ input }) has a $ref to another document. Put the schema under $defs and refer to it there.',
    ],
  ])('%s', async (_, options, problem) => {
    expect(await problemsOf({ controllers: [tool(options)] })).toEqual([`${ROUTE}: ${problem}`]);
  });

  it('an input that is no object at its root is named once or more, never let through', async () => {
    const problems = await problemsOf({
      controllers: [tool({ name: 'a', input: { type: 'array' } })],
    });
    expect(problems).toContain(
      `${ROUTE}: @McpTool({ input }) must have type: 'object' at its root (specification, schema Tool.inputSchema).`,
    );
  });

  it.each(['input', 'output'])('an %s that is no JSON Schema is a set-up error', async (name) => {
    const schemas: object[] = [
      { type: 'object', properties: { a: { type: 'strnig' } } },
      { type: 'object', properties: { a: { $ref: '#/$defs/absent' } } },
      { type: 'object', required: 'a' },
    ];
    for (const schema of schemas) {
      const problems = await problemsOf({ controllers: [tool({ name: 'a', [name]: schema })] });
      expect(problems).toContainEqual(expect.stringContaining(`${ROUTE}: @McpTool({ ${name} })`));
    }
  });
});

describe('module: a header or cookie that the options forward', () => {
  it('is never an argument: forwardHeaders', async () => {
    @Controller('keyed')
    class KeyedController {
      @McpTool('keyed') @Get() find(@Headers('X-Key') key: string): object {
        return { key };
      }
    }
    expect(
      await problemsOf({ controllers: [KeyedController], mcp: { forwardHeaders: ['x-KEY'] } }),
    ).toEqual([
      'KeyedController.find (GET /keyed): it reads the header "x-key", which the option forwardHeaders carries over from the client\'s request. Take it out of forwardHeaders, or out of the route\'s parameters.',
    ]);
  });

  it('is never an argument: forwardCookies', async () => {
    const input = {
      type: 'object' as const,
      properties: { cookie: { type: 'object' as const, properties: { theme: {} } } },
    };
    expect(
      await problemsOf({
        controllers: [tool({ name: 'a', input })],
        mcp: { forwardCookies: ['theme'] },
      }),
    ).toEqual([
      `${ROUTE}: it reads the cookie "theme", which the option forwardCookies carries over from the client's request. Take it out of forwardCookies, or out of the route's parameters.`,
    ]);
  });
});

describe('module: a choice that throws', () => {
  it('is a set-up error for each route, and shows none', async () => {
    const problems = await problemsOf({
      controllers: [OneController],
      mcp: {
        include: () => {
          throw new Error('no');
        },
      },
    });
    expect(problems).toEqual([
      'OneController.one (GET /one): the option include threw Error: no. Make it return true or false for every route.',
    ]);
  });
});

@Controller('one')
class OneController {
  @Get() one(): object {
    return {};
  }
}

@Injectable()
class RefuseGuard implements CanActivate {
  canActivate(): boolean {
    return false;
  }
}
@Module({})
class EmptyModule {}

/** Wrong options, what each problem says of name, value and range. */
const WRONG: Record<string, unknown> = {
  maxDepth: 0,
  maxRequestBytes: 10,
  maxResultBytes: '2MB',
  callTimeoutMs: -1,
  pageSize: 1.5,
  listTtlMs: null,
  arguments: 'nested',
  listScope: 'shared',
  name: 7,
  tags: 'orders',
  forwardHeaders: ['content-type'],
  forwardCookies: ['a b'],
  allowedHosts: ['https://example.com'],
  allowedOrigins: ['*'],
  secret: 'short',
  include: true,
  icons: 'icon.png',
  colour: 'red',
  maxConcurrentCalls: NaN,
};
const LINES: Record<string, string> = {
  maxDepth:
    '0 is not an integer from 8 to 1000. Give a number in that range, or leave it out for 128.',
  maxRequestBytes:
    '10 is not an integer from 1024 to 1073741824. Give a number in that range, or leave it out for 1048576.',
  maxResultBytes:
    '"2MB" is not an integer from 1024 to 1073741824. Give a number in that range, or leave it out for 2097152.',
  callTimeoutMs:
    '-1 is not an integer from 1 to 86400000. Give a number in that range, or leave it out for 60000.',
  pageSize:
    '1.5 is not an integer from 1 to 10000. Give a number in that range, or leave it out for 100.',
  listTtlMs:
    'null is not an integer from 0 to 31536000000. Give a number in that range, or leave it out for 300000.',
  arguments: "\"nested\" is none of 'grouped', 'flat'. Give one of them, or leave it out.",
  listScope: "\"shared\" is none of 'private', 'public'. Give one of them, or leave it out.",
  name: '7 is not a string. Give one, or leave it out.',
  tags: '"orders" is not a list of non-empty strings. Give an array of strings, or leave it out.',
  include: 'true is not a function. Give one, or leave it out.',
  icons: '"icon.png" is not a list. Give an array, or leave it out.',
};

describe('module: wrong options', () => {
  it('are all reported at once, each with name, value and range', async () => {
    const problems = await problemsOf({ mcp: WRONG });
    expect(problems.map((problem) => /^option (\w+): /.exec(problem)?.[1])).toEqual(
      Object.keys(WRONG),
    );
    for (const [name, line] of Object.entries(LINES)) {
      expect(problems).toContain(`option ${name}: ${line}`);
    }
    for (const [name, value] of Object.entries(WRONG)) {
      const line = problems.find((problem) => problem.startsWith(`option ${name}: `));
      const shown = name === 'secret' ? 'a string of 5 characters' : JSON.stringify(value);
      expect(line).toContain(Number.isNaN(value) ? 'NaN' : shown);
    }
  });

  it('the same from a factory', async () => {
    const module = McpModule.forRootAsync({
      useFactory: () => ({ maxDepth: 0, nmae: 'x' }) as McpModuleOptions,
    });
    expect(await problemsOf({ mcp: { module } })).toEqual([
      `option maxDepth: ${LINES['maxDepth']}`,
      expect.stringMatching(
        /^option nmae: "x" is given to an option that does not exist\. The options are: name, version, /,
      ),
    ]);
  });

  it.each(['', 'a b', 'a(', ':id', '*', '/', 'mcp/', 7, {}, ['mcp']])(
    'a path that is none (%j) is one of them, whatever the router says of it',
    async (path) => {
      expect(await problemsOf({ mcp: { path } as McpModuleOptions })).toEqual([
        expect.stringContaining(`option path: ${JSON.stringify(path)} is not a `),
      ]);
    },
  );

  it.each([
    ['guards', [RefuseGuard]],
    ['decorators', [(): void => undefined]],
    ['imports', [EmptyModule]],
    ['isGlobal', true],
  ])(
    '%s from a factory, which comes too late, is one of them: never silently no guard',
    async (name, value) => {
      const module = McpModule.forRootAsync({
        useFactory: () => ({ [name]: value }),
      });
      expect(await problemsOf({ mcp: { module } })).toEqual([
        expect.stringMatching(new RegExp(`^option ${name}: .*beside the factory`)),
      ]);
    },
  );

  it('stand with wrong routes, and those of other endpoints, in one error', async () => {
    @Controller('many')
    class ManyController {
      @McpTool('not a name') @Get() bad(): object {
        return {};
      }
      @McpTool('all') @All('all') all(): object {
        return {};
      }
      @McpTool('no_route') none(): object {
        return {};
      }
    }
    const error = await setupError({
      controllers: [ManyController],
      imports: [McpModule.forFeature({ path: 'other', pageSize: 0 })],
      mcp: { maxDepth: 7 },
    });
    expect(error.name).toBe('McpSetupError');
    expect([...error.problems].sort()).toEqual(
      [
        "ManyController.none has @McpTool() but is no route. Put an HTTP method decorator such as @Get() on it, list its class in a module's controllers, or remove @McpTool().",
        'option pageSize: 0 is not an integer from 1 to 10000. Give a number in that range, or leave it out for 100.',
        'option maxDepth: 7 is not an integer from 8 to 1000. Give a number in that range, or leave it out for 128.',
        'ManyController.bad (GET /many): the tool name "not a name" is not 1 to 128 of the characters A-Z a-z 0-9 _ - . Give another in @McpTool().',
        'ManyController.all (ALL /many/all): @McpTool() is on a route that cannot be a tool, since a call cannot choose one HTTP method for @All(). Remove it there.',
      ].sort(),
    );
    expect(error.message).toBe(
      `McpModule cannot start, 5 problems:\n${error.problems.map((one) => `  - ${one}`).join('\n')}`,
    );
  });

  it('nobody is served by an application that does not start', async () => {
    class BodyDto {
      @IsString() id!: string;
    }
    @Controller('flat')
    class FlatController {
      @McpTool('flat') @Post(':id') flat(@Param('id') id: string, @Body() body: BodyDto): object {
        return { id, body };
      }
    }
    await expect(
      FixtureApp.start({ controllers: [FlatController], mcp: { arguments: 'flat' } }),
    ).rejects.toThrow(/^McpModule cannot start, 1 problem:\n/);
  });
});
