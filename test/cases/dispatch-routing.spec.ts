import {
  Controller,
  Get,
  Module,
  Param,
  Post,
  Req,
  Version,
  VERSION_NEUTRAL,
  VersioningType,
  type INestApplication,
  type Type,
} from '@nestjs/common';
import { RouterModule, type AbstractHttpAdapter } from '@nestjs/core';
import { McpTool } from '../../src/index.js';
import { FixtureApp, type Fixture } from '../support/fixture-app.js';
import { PLATFORMS } from '../support/platforms.js';

@Controller('orders')
class OrdersController {
  @McpTool('get_order') @Get(':id') get(@Param('id') id: string): object {
    return { order: id };
  }
  @McpTool('open_orders') @Get(['open', 'pending']) open(): object {
    return { open: true };
  }
}

@Controller(['shelves', 'racks'])
class ShelvesController {
  @McpTool('get_shelf') @Get(['one/:id', 'single/:id']) get(@Param('id') id: string): object {
    return { shelf: id };
  }
}

@Controller('health')
class HealthController {
  @McpTool('health') @Get() health(): object {
    return { up: true };
  }
}

/** Two versions of one path. */
@Controller({ path: 'reports', version: '1' })
class ReportsV1Controller {
  @McpTool('report_v1') @Get() report(): object {
    return { version: 1 };
  }
  @McpTool('report_v3') @Version('3') @Get() report3(): object {
    return { version: 3 };
  }
  @McpTool('report_neutral') @Version(VERSION_NEUTRAL) @Get('neutral') neutral(): object {
    return { version: null };
  }
}
@Controller({ path: 'reports', version: ['2', '4'] })
class ReportsV2Controller {
  @McpTool('report_v2') @Get() report(): object {
    return { version: 2 };
  }
}

/** One method of a base class, at one path, in two versions: only the class tells them apart. */
abstract class BaseController {
  abstract readonly version: string;
  @McpTool() @Get(':id') find(@Param('id') id: string): object {
    return { served: this.version, id };
  }
  @McpTool() @Post() create(): object {
    return { created: this.version };
  }
}
@Controller({ path: 'things', version: '1' })
class ThingsV1Controller extends BaseController {
  readonly version = 'one';
}
@Controller({ path: 'things', version: '2' })
class ThingsV2Controller extends BaseController {
  readonly version = 'two';
}
/** Neutral at the path of the others, and two versions of which one is none. */
@Controller({ path: 'things', version: VERSION_NEUTRAL })
class ThingsNeutralController extends BaseController {
  readonly version = 'neutral';
}
@Controller({ path: 'things', version: ['9', VERSION_NEUTRAL] })
class ThingsBothController extends BaseController {
  readonly version = 'both';
}
/** The same base once more, unversioned, at another path. */
@Controller({ path: 'other-things', version: VERSION_NEUTRAL })
class OtherThingsController extends BaseController {
  readonly version = 'other';
}

const uri = (app: INestApplication): void =>
  void app.enableVersioning({ type: VersioningType.URI });
const header = (app: INestApplication): void =>
  void app.enableVersioning({ type: VersioningType.HEADER, header: 'X-Api-Version' });
const mediaType = (app: INestApplication): void =>
  void app.enableVersioning({ type: VersioningType.MEDIA_TYPE, key: 'v=' });

@Module({ controllers: [OrdersController] })
class OrdersModule {}
@Module({ imports: [OrdersModule] })
class ShopModule {}

type Row = readonly [
  title: string,
  fixture: Fixture,
  calls: readonly (readonly [
    tool: string,
    args: object,
    path: string,
    body: object,
    method?: string,
  ])[],
];

const reports: Row[2] = [
  ['report_v1', {}, '/reports', { version: 1 }],
  ['report_v2', {}, '/reports', { version: 2 }],
  ['report_v3', {}, '/reports', { version: 3 }],
  ['report_neutral', {}, '/reports/neutral', { version: null }],
];
const id = { path: { id: '7' } };
const things = (one: string, two: string, other: string): Row[2] => [
  ['things_v1_find', id, `${one}/:id`, { served: 'one', id: '7' }],
  ['things_v2_find', id, `${two}/:id`, { served: 'two', id: '7' }],
  ['other_things_find', id, `${other}/:id`, { served: 'other', id: '7' }],
  ['things_v1_create', {}, one, { created: 'one' }, 'POST'],
  ['things_v2_create', {}, two, { created: 'two' }, 'POST'],
  ['other_things_create', {}, other, { created: 'other' }, 'POST'],
];
const versioned = [ReportsV1Controller, ReportsV2Controller];
const inherited = [ThingsV1Controller, ThingsV2Controller, OtherThingsController];

const ROWS: readonly Row[] = [
  [
    'a global prefix with an exclusion',
    {
      controllers: [OrdersController, HealthController],
      configure: (app) => void app.setGlobalPrefix('api', { exclude: ['health'] }),
    },
    [
      ['get_order', id, '/api/orders/:id', { order: '7' }],
      ['health', {}, '/health', { up: true }],
    ],
  ],
  [
    'a global prefix with a parameter-free exclusion of one method',
    {
      controllers: [OrdersController],
      configure: (app) => void app.setGlobalPrefix('/api/', { exclude: ['orders/open'] }),
    },
    [
      ['open_orders', {}, '/orders/open', { open: true }],
      ['get_order', id, '/api/orders/:id', { order: '7' }],
    ],
  ],
  [
    'path arrays of controller and method',
    { controllers: [ShelvesController] },
    [['get_shelf', id, '/shelves/one/:id', { shelf: '7' }]],
  ],
  [
    'a RouterModule path, nested',
    {
      imports: [
        ShopModule,
        RouterModule.register([
          { path: 'shop', module: ShopModule, children: [{ path: 'eu', module: OrdersModule }] },
        ]),
      ],
    },
    [['get_order', id, '/shop/eu/orders/:id', { order: '7' }]],
  ],
  [
    'a RouterModule path below prefix and URI version',
    {
      imports: [OrdersModule, RouterModule.register([{ path: 'shop', module: OrdersModule }])],
      configure: (app) => {
        app.setGlobalPrefix('api');
        app.enableVersioning({ type: VersioningType.URI, defaultVersion: '5' });
      },
    },
    [['get_order', id, '/api/v5/shop/orders/:id', { order: '7' }]],
  ],
  [
    'URI versions',
    { controllers: versioned, configure: uri },
    [
      ['report_v1', {}, '/v1/reports', { version: 1 }],
      ['report_v2', {}, '/v2/reports', { version: 2 }],
      ['report_v3', {}, '/v3/reports', { version: 3 }],
      ['report_neutral', {}, '/reports/neutral', { version: null }],
    ],
  ],
  [
    'URI versions with a word of their own',
    {
      controllers: versioned,
      configure: (app) =>
        void app.enableVersioning({ type: VersioningType.URI, prefix: 'version-' }),
    },
    [['report_v2', {}, '/version-2/reports', { version: 2 }]],
  ],
  ['header versions', { controllers: versioned, configure: header }, reports],
  ['media type versions', { controllers: versioned, configure: mediaType }, reports],
  [
    'inherited controllers in URI versions',
    { controllers: inherited, configure: uri },
    things('/v1/things', '/v2/things', '/other-things'),
  ],
  ...[true, false].map((neutralFirst): Row => [
    `inherited controllers, one of them neutral at the same path (listed ${neutralFirst ? 'first' : 'last'})`,
    {
      controllers: neutralFirst
        ? [ThingsNeutralController, ThingsV1Controller]
        : [ThingsV1Controller, ThingsNeutralController],
      configure: (app) => {
        app.setGlobalPrefix('api');
        uri(app);
      },
    },
    [
      ['things_v1_find', id, '/api/v1/things/:id', { served: 'one', id: '7' }],
      ['things_neutral_find', id, '/api/things/:id', { served: 'neutral', id: '7' }],
    ],
  ]),
  [
    'inherited controllers, one of them neutral and versioned',
    { controllers: [ThingsBothController, ThingsV2Controller], configure: uri },
    [
      ['things_both_find', id, '/v9/things/:id', { served: 'both', id: '7' }],
      ['things_v2_find', id, '/v2/things/:id', { served: 'two', id: '7' }],
    ],
  ],
  [
    'inherited controllers in header versions',
    { controllers: inherited, configure: header },
    things('/things', '/things', '/other-things'),
  ],
  [
    'inherited controllers in media type versions',
    { controllers: inherited, configure: mediaType },
    things('/things', '/things', '/other-things'),
  ],
  [
    'inherited controllers in header versions, listed the other way round',
    { controllers: [...inherited].reverse(), configure: header },
    things('/things', '/things', '/other-things'),
  ],
];

describe.each(PLATFORMS)("dispatch on $name: R6, a tool's route answers", (platform) => {
  it.each(ROWS)('with %s', async (_, fixture, calls) => {
    const app = await FixtureApp.start({ ...fixture, platform });
    try {
      const { McpToolCatalog } = await import('../../src/index.js');
      const catalog = app.app.get(McpToolCatalog, { strict: false });
      for (const [tool, args, path, body, method = 'GET'] of calls) {
        const { route } = catalog.get(tool);
        expect(`${tool}: ${route.httpMethod} ${route.path}`).toBe(`${tool}: ${method} ${path}`);
        const result = await app.call(tool, args);
        expect({ tool, ...result }).toMatchObject({ tool, structuredContent: body });
      }
    } finally {
      await app.close();
    }
  });
});

let ran: string[] = [];
beforeEach(() => {
  ran = [];
});

/** The static path is registered before the parameter, so that it wins on Express too. */
@Controller('users')
class UsersController {
  @Get('admin') admin(): object {
    ran.push('admin');
    return { secret: 'of the admin' };
  }
  @McpTool('get_user') @Get(':id') get(@Param('id') id: string): object {
    ran.push(`user ${id}`);
    return { id };
  }
}

/** Declared the other way round: only sorted by specificity does the static path win on Express. */
@Controller('members')
class ParameterFirstController {
  @McpTool('get_member') @Get(':id') get(@Param('id') id: string): object {
    ran.push(`member ${id}`);
    return { id };
  }
  @Get('admin') admin(): object {
    ran.push('admin');
    return { secret: 'of the admin' };
  }
}

type Url = { readonly originalUrl: string };

/** Each framework has a spelling of its own: `*path` of Express is none to Fastify. */
function wildcardController(name: string, pattern: string): Type {
  @Controller('docs')
  class WildcardController {
    @McpTool('read_doc') @Get(pattern) read(
      @Param(name) path: unknown,
      @Req() request: Url,
    ): object {
      ran.push('doc');
      return { path, url: request.originalUrl };
    }
  }
  return WildcardController;
}

describe.each(PLATFORMS)('dispatch on $name: a wildcard', (platform) => {
  const name = platform.name === 'express' ? 'path' : '*';
  let app: FixtureApp;
  beforeAll(async () => {
    const controller = wildcardController(name, platform.name === 'express' ? '*path' : '*');
    app = await FixtureApp.start({ platform, controllers: [controller] });
  });
  afterAll(() => app.close());

  it.each(['a', 'a/b/c', 'a b/ü', 'a%2Fb'])('takes the rest of the path: %s', async (rest) => {
    const url = `/docs/${rest.split('/').map(encodeURIComponent).join('/')}`;
    const over = await app.http('GET', url);
    expect([over.status, over.json()]).toMatchObject([200, { url }]);
    const result = await app.call('read_doc', { path: { [name]: rest } });
    expect(result.structuredContent).toEqual(over.json());
  });

  it.each(['..', 'a/../b', '../users', 'a//b', './a', 'a/%2e%2e/b', '', '/a', 'a/'])(
    'R8: refuses %j, and nothing runs',
    async (rest) => {
      ran.length = 0;
      const result = await app.call('read_doc', { path: { [name]: rest } });
      expect(result.isError).toBe(true);
      expect(ran).toEqual([]);
    },
  );
});

/** What `..` would reach, and a path whose parameter stands between texts. */
@Controller()
class RootController {
  @Get() root(): object {
    ran.push('root');
    return { root: true };
  }
  @Get('users') users(): object {
    ran.push('users');
    return { users: true };
  }
  @McpTool('get_part') @Get('files/:id/part') part(@Param('id') id: string): object {
    ran.push(`part ${id}`);
    return { id };
  }
  @Get('files/part') parts(): object {
    ran.push('parts');
    return { parts: true };
  }
  @Get('part') onlyPart(): object {
    ran.push('only part');
    return { part: true };
  }
}

describe.each(PLATFORMS)('dispatch on $name: the arguments of a path', (platform) => {
  let app: FixtureApp;
  beforeAll(async () => {
    app = await FixtureApp.start({ platform, controllers: [UsersController, RootController] });
  });
  afterAll(() => app.close());

  const call = (tool: string, value: unknown): ReturnType<FixtureApp['call']> =>
    app.call(tool, { path: { id: value } });

  it('R7: `admin` does not reach the sibling route, which does not run', async () => {
    const result = await call('get_user', 'admin');
    expect(result).toMatchObject({
      isError: true,
      content: [
        {
          type: 'text',
          text: '{"statusCode":404,"message":"The arguments lead to another resource than this tool\'s own. Nothing was done."}',
        },
      ],
    });
    expect(ran).toEqual([]);
  });

  it('R7: nor where Nest registers the routes in an order of its own', async () => {
    const sorted = await FixtureApp.start({
      platform: {
        name: platform.name,
        create: (module) =>
          module.createNestApplication(
            platform.create(module).getHttpAdapter() as AbstractHttpAdapter,
            {
              logger: false,
              routeResolutionStrategy: 'specificity',
              routeConflictPolicy: { duplicate: 'warn', shadow: 'warn' },
            },
          ),
      },
      controllers: [ParameterFirstController],
    });
    try {
      const args = (id: string): object => ({ path: { id } });
      expect((await sorted.call('get_member', args('admin'))).isError).toBe(true);
      expect(ran).toEqual([]);
      expect((await sorted.call('get_member', args('ann'))).structuredContent).toEqual({
        id: 'ann',
      });
    } finally {
      await sorted.close();
    }
  });

  it.each(['Admin', 'ADMIN', 'admin?', 'admin#', 'admin/', '%61dmin', 'admin;x', 'admin%00'])(
    'R7: nor does any other spelling: %j is a user or nothing',
    async (id) => {
      const result = await call('get_user', id);
      expect(ran).toEqual(result.isError === true ? [] : [`user ${id}`]);
      if (result.isError !== true) expect(result.structuredContent).toEqual({ id });
    },
  );

  it.each([
    'a/b',
    'a b',
    'ä',
    'a?b=c#d',
    'a%2Fb',
    'a+b',
    '...',
    '.a',
    'a..b',
    '😀',
    'a\\b',
    '-1',
    ':id',
    '*',
  ])('R8: %j arrives whole, in one segment', async (id) => {
    expect(await call('get_user', id)).toMatchObject({ structuredContent: { id } });
    expect(ran).toEqual([`user ${id}`]);
  });

  const HOSTILE: readonly [spelling: string, id: unknown][] = [
    ['..', '..'],
    ['.', '.'],
    ['%2e%2e', '%2e%2e'],
    ['%2E%2E', '%2E%2E'],
    ['.%2e', '.%2e'],
    ['%2e.', '%2e.'],
    ['%2e', '%2e'],
    ['../..', '../..'],
    ['..%2f..', '..%2f..'],
    ['..\\..', '..\\..'],
    ['..%5c..', '..%5c..'],
    ['a/../b', 'a/../b'],
    ['a/..', 'a/..'],
    ['./a', './a'],
    ['the empty string', ''],
    ['a lone surrogate', '\ud800'],
    ['a lone low surrogate', 'a\udc00b'],
    ['null', null],
    ['an object', { toString: 'x' }],
    ['a list', ['a', 'b']],
    ['nothing', undefined],
  ];

  it.each(['get_user', 'get_part'])(
    'R8: %s refuses every hostile segment, and nothing runs',
    async (tool) => {
      for (const [spelling, id] of HOSTILE) {
        const result = await call(tool, id);
        expect([spelling, result.isError]).toEqual([spelling, true]);
        const envelope = JSON.parse(result.content[0]?.text ?? '') as { statusCode: number };
        expect([spelling, envelope.statusCode]).toEqual([spelling, 400]);
        expect([spelling, ran]).toEqual([spelling, []]);
      }
    },
  );
});
