import { jest } from '@jest/globals';
import {
  BadRequestException,
  Body,
  Catch,
  Controller,
  ExecutionContext,
  ForbiddenException,
  Get,
  Header,
  HttpCode,
  Injectable,
  Module,
  Param,
  ParseIntPipe,
  Post,
  Query,
  StreamableFile,
  UseFilters,
  UseGuards,
  UseInterceptors,
  ValidationPipe,
  VersioningType,
  type ArgumentsHost,
  type CallHandler,
  type CanActivate,
  type ExceptionFilter,
  type INestApplication,
  type MiddlewareConsumer,
  type NestInterceptor,
  type NestModule,
} from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import { IsInt, IsString } from 'class-validator';
import type { IncomingMessage } from 'node:http';
import { map, type Observable } from 'rxjs';
import { McpTool, McpToolCatalog, McpToolOnly } from '../../src/index.js';
import { RecordingLogger } from '../module/recording-logger.js';
import { FixtureApp, textOf } from '../support/fixture-app.js';
import { PLATFORMS, type Platform } from '../support/platforms.js';

jest.setTimeout(30_000);

/** What ran, in order. */
let ran: string[] = [];
beforeEach(() => {
  ran = [];
});

type Incoming = IncomingMessage & { raw?: IncomingMessage };
const headersOf = (context: ExecutionContext) =>
  context.switchToHttp().getRequest<Incoming>().headers;

@Injectable()
class GlobalGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    if (context.getClass() !== NotesController) return true;
    ran.push('global guard');
    return headersOf(context).authorization !== 'Bearer nobody';
  }
}
@Injectable()
class Ledger {
  readonly open = true;
}
@Injectable()
class ClassGuard implements CanActivate {
  constructor(private readonly ledger: Ledger) {}
  canActivate(): boolean {
    ran.push('class guard');
    return this.ledger.open;
  }
}
class MethodGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    ran.push('method guard');
    const { params } = context.switchToHttp().getRequest<{ params: { org: string } }>();
    if (params.org === 'other') throw new ForbiddenException('not your org');
    return true;
  }
}
class WrapInterceptor implements NestInterceptor {
  intercept(_context: ExecutionContext, next: CallHandler): Observable<unknown> {
    ran.push('interceptor');
    return next.handle().pipe(map((data: unknown) => ({ data })));
  }
}
@Catch(BadRequestException)
class BadFilter implements ExceptionFilter {
  catch(error: BadRequestException, host: ArgumentsHost): void {
    ran.push('filter');
    const response = host
      .switchToHttp()
      .getResponse<{ status(code: number): { send(body: unknown): void } }>();
    response.status(422).send({ refused: error.getResponse() });
  }
}

class SummaryDto {
  @IsString() topic!: string;
  @IsInt() words!: number;
}

@Controller('orgs/:org/notes')
@UseGuards(ClassGuard)
class NotesController {
  /** Stand before the tool-only methods, and would take their paths on Express. */
  @Get(':id') one(@Param('id') id: string): object {
    return { id };
  }
  @Post(':first/:second') anything(): object {
    return { stray: true };
  }

  @McpTool('summarize')
  @McpToolOnly()
  @UseGuards(MethodGuard)
  @UseInterceptors(WrapInterceptor)
  @UseFilters(BadFilter)
  summarize(
    @Param('org') org: string,
    @Query('page', ParseIntPipe) page: number,
    @Body() body: SummaryDto,
  ): object {
    ran.push('handler');
    if (body.topic === 'bad') throw new BadRequestException('bad topic');
    return { org, page, body, isDto: body instanceof SummaryDto };
  }

  @McpToolOnly()
  @McpTool({ name: 'export_notes', annotations: { readOnlyHint: true } })
  exportNotes(): StreamableFile {
    return new StreamableFile(Buffer.from('%PDF\x80', 'latin1'), { type: 'application/pdf' });
  }

  @McpTool('count') @McpToolOnly() @HttpCode(202) @Header('x-a', 'b') count(): object {
    return { count: 3 };
  }
}

@Module({
  controllers: [NotesController],
  providers: [Ledger, { provide: APP_GUARD, useClass: GlobalGuard }],
})
class NotesModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    consumer
      .apply((_request: unknown, _response: unknown, next: () => void) => {
        ran.push('middleware');
        next();
      })
      .forRoutes(NotesController);
  }
}

function configure(app: INestApplication): void {
  app.setGlobalPrefix('api');
  app.enableVersioning({ type: VersioningType.URI, defaultVersion: '1' });
  app.useGlobalPipes(new ValidationPipe({ transform: true, whitelist: true }));
}

const args = { path: { org: 'mine' }, query: { page: 2 }, body: { topic: 't', words: 5 } };

describe.each(PLATFORMS)('dispatch on $name: a tool-only method', (platform) => {
  let app: FixtureApp;
  const logger = new RecordingLogger();
  let document: unknown;
  beforeAll(async () => {
    app = await FixtureApp.start({
      platform,
      imports: [NotesModule],
      logger,
      configure: (nest) => {
        configure(nest);
        document = SwaggerModule.createDocument(nest, new DocumentBuilder().build());
      },
    });
  });
  afterAll(() => app.close());

  const pathOf = (name: string): string =>
    app.app.get(McpToolCatalog, { strict: false }).find(name)?.route.path.replace(':org', 'mine') ??
    '';

  it('runs through everything that a route runs through', async () => {
    const result = await app.call('summarize', args);
    expect(textOf(result)).toBe(
      '{"data":{"org":"mine","page":2,"body":{"topic":"t","words":5},"isDto":true}}',
    );
    // The sibling with parameters binds the middleware to the path once more.
    expect([...new Set(ran)].sort()).toEqual(
      [
        'middleware',
        'global guard',
        'class guard',
        'method guard',
        'interceptor',
        'handler',
      ].sort(),
    );
  });

  it.each<[string, object, Record<string, string>, string]>([
    ['its global guard', args, { authorization: 'Bearer nobody' }, 'Forbidden'],
    ['its method guard', { ...args, path: { org: 'other' } }, {}, 'not your org'],
    ['the check of its arguments', { ...args, body: { topic: 1, words: 5 } }, {}, 'body.topic'],
    ['its pipe', { ...args, query: { page: 'x' } }, {}, 'numeric string'],
    [
      'its handler',
      { ...args, body: { topic: 'bad', words: 1 } },
      {},
      '{"refused":{"message":"bad topic"',
    ],
  ])('is refused by %s', async (_, given, headers, text) => {
    const result = await app.call('summarize', given, headers);
    expect(result.isError).toBe(true);
    expect(textOf(result)).toContain(text);
  });

  it('is listed as a tool like any other', async () => {
    const tools = await (await app.client()).listTools();
    const summarize = tools.find(({ name }) => name === 'summarize');
    expect(summarize?.inputSchema).toMatchObject({
      required: ['path', 'query', 'body'],
      properties: { path: { properties: { org: { type: 'string' } } } },
    });
    expect(summarize?.annotations ?? {}).toEqual({});
    expect(tools.find(({ name }) => name === 'export_notes')?.annotations).toEqual({
      readOnlyHint: true,
    });
  });

  it('answers 200 unless it says otherwise', async () => {
    expect((await app.call('count', { path: { org: 'mine' } })).structuredContent).toEqual({
      count: 3,
    });
  });

  // POST is what the sibling with parameters takes; the next suite has it.
  it.each(['GET', 'PUT', 'DELETE', 'OPTIONS', 'HEAD'])(
    'over HTTP its own path is what any other path is (%s)',
    async (method) => {
      const path = pathOf('count');
      expect(path).toMatch(/^\/api\/v1\/orgs\/mine\/notes\/mcp-tool-only-[0-9a-f]{32}\/count$/);
      const other = path.replace(/-only-[0-9a-f]{32}/, `-only-${'0'.repeat(32)}`);
      const [own, any] = [await app.http(method, path), await app.http(method, other)];
      expect(own.status).toBe(any.status);
      expect(own.text.replace(path, '')).toBe(any.text.replace(other, ''));
      expect(ran).not.toContain('handler');
    },
  );

  it('leaves no trace in the log and in the swagger document', () => {
    const log = (['log', 'warn', 'error'] as const).flatMap((level) => logger.all(level));
    expect(log.join('\n')).toContain('Mapped {/api/orgs/:org/notes/:id, GET}');
    expect(log.join('\n')).not.toContain('mcp-tool-only');
    expect(log.join('\n')).toContain('Mapped {summarize} tool → NotesController.summarize');
    expect(JSON.stringify(document)).toContain('/notes/{id}');
    expect(JSON.stringify(document)).not.toContain('mcp-tool-only');
  });

  it('is named by its controller in a resource', async () => {
    const result = await app.call('export_notes', { path: { org: 'mine' } });
    expect(result.content).toMatchObject([
      { type: 'resource', resource: { uri: 'route:/api/v1/orgs/mine/notes/exportNotes' } },
    ]);
  });
});

describe.each(PLATFORMS)('dispatch on $name: the 404 of a tool-only path', (platform) => {
  it("is the application's own", async () => {
    @Controller('plain')
    class PlainController {
      @McpTool('hidden') @McpToolOnly() hidden(@Body() body: SummaryDto): object {
        return { body };
      }
    }
    const app = await FixtureApp.start({ platform, controllers: [PlainController] });
    const path = app.app.get(McpToolCatalog, { strict: false }).find('hidden')?.route.path ?? '';
    const answer = await app.http('POST', path, { body: { topic: 't', words: 1 } });
    expect(answer.json()).toEqual({
      message: `Cannot POST ${path}`,
      error: 'Not Found',
      statusCode: 404,
    });
    const marked = { 'x-mcp': '1', 'mcp-call': '1' };
    expect((await app.http('POST', path, { headers: marked })).status).toBe(404);
    expect((await app.http('OPTIONS', path)).status).toBe(
      (await app.http('OPTIONS', '/nowhere')).status,
    );
    const body = { topic: 't', words: 1 };
    expect((await app.call('hidden', { body })).structuredContent).toEqual({ body });
    await app.close();
  });
});

describe('a tool-only method that cannot be one', () => {
  const failure = async (controller: new () => object, platform?: Platform): Promise<string> => {
    const app = await FixtureApp.create({
      controllers: [controller],
      ...(platform === undefined ? {} : { platform }),
    });
    try {
      await app.init();
      return 'started';
    } catch (error) {
      return (error as Error).message;
    } finally {
      await app.close();
    }
  };

  it('for its HTTP method', async () => {
    @Controller('a')
    class BothController {
      @McpTool() @McpToolOnly() @Get() both(): object {
        return {};
      }
    }
    expect(await failure(BothController)).toContain(
      'BothController.both has @McpToolOnly() and an HTTP method decorator. Remove one of them.',
    );
  });

  it('for no @McpTool()', async () => {
    @Controller('b')
    class BareController {
      @McpToolOnly() bare(): object {
        return {};
      }
    }
    expect(await failure(BareController)).toContain(
      'BareController.bare has @McpToolOnly() without @McpTool(), so that nothing serves it. Add @McpTool().',
    );
  });
});

describe('a tool-only method without McpModule', () => {
  it('is no route at all', async () => {
    @Controller('c')
    class LonelyController {
      @McpTool('lonely') @McpToolOnly() lonely(): object {
        return {};
      }
    }
    expect(Reflect.getMetadataKeys(LonelyController.prototype.lonely as object)).not.toContain(
      'path',
    );
  });
});
