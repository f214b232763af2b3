import {
  Body,
  Catch,
  Controller,
  Get,
  HttpException,
  Inject,
  Injectable,
  Module,
  Param,
  Put,
  Req,
  Scope,
  UnauthorizedException,
  UseGuards,
  ValidationPipe,
  type ArgumentsHost,
  type CanActivate,
  type ExceptionFilter,
  type ExecutionContext,
} from '@nestjs/common';
import { APP_FILTER, APP_GUARD, REQUEST } from '@nestjs/core';
import { IsInt, IsString } from 'class-validator';
import { McpTool } from '../../src/index.js';
import { FixtureApp, textOf } from '../support/fixture-app.js';
import { PLATFORMS } from '../support/platforms.js';

interface Incoming {
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly params: { readonly id: string };
  readonly url: string;
}

const requestOf = (context: ExecutionContext): Incoming => context.switchToHttp().getRequest();

let ran: string[] = [];
beforeEach(() => {
  ran = [];
});

@Injectable()
class AlwaysGuard implements CanActivate {
  canActivate(): boolean {
    return true;
  }
}

@Controller('open')
class OpenController {
  @McpTool('open') @Get() @UseGuards(AlwaysGuard) open(@Req() request: { user?: unknown }): object {
    return { user: request.user ?? null };
  }
}

@Injectable()
class JwtService {
  verify(header: string | undefined): string {
    if (header === undefined) throw new UnauthorizedException('no token');
    return header.replace('Bearer ', '');
  }
}

@Injectable()
class JwtGuard implements CanActivate {
  constructor(private readonly jwt: JwtService) {}
  canActivate(context: ExecutionContext): boolean {
    return this.jwt.verify(requestOf(context).headers['authorization']) === 'good';
  }
}

@Controller('vault')
@UseGuards(JwtGuard)
class VaultController {
  @McpTool('open_vault') @Get() open(): object {
    ran.push('vault');
    return { gold: 7 };
  }
}

@Module({ controllers: [VaultController], providers: [JwtService] })
class VaultModule {}

@Injectable()
class OwnerGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { headers, params } = requestOf(context);
    return headers['authorization'] === `Bearer owner-of-${params.id}`;
  }
}

class DocDto {
  @IsString() title!: string;
  @IsInt() pages!: number;
}

@Controller('docs')
class DocsController {
  @McpTool('write_doc') @Put(':id') @UseGuards(OwnerGuard) write(
    @Param('id') id: string,
    @Body() doc: DocDto,
  ): object {
    ran.push(`doc ${id}`);
    return { id, doc };
  }
}

@Injectable({ scope: Scope.REQUEST })
class CallerService {
  constructor(@Inject(REQUEST) private readonly request: Incoming) {}
  describe(): object {
    const { headers, params, url } = this.request;
    return { url, caller: headers['authorization'], params: { ...params } };
  }
}

let instances = 0;
@Controller({ path: 'scoped', scope: Scope.REQUEST })
class ScopedController {
  private readonly instance = ++instances;
  constructor(private readonly caller: CallerService) {}
  @McpTool('scoped') @Get(':id') scoped(): object {
    return { ...this.caller.describe(), instance: this.instance };
  }
}

@Catch(HttpException)
class EnvelopeFilter implements ExceptionFilter {
  catch(error: HttpException, host: ArgumentsHost): void {
    const response = host
      .switchToHttp()
      .getResponse<{ status(code: number): { send(body: object): void } }>();
    response.status(error.getStatus()).send({ fault: error.getStatus(), said: error.message });
  }
}

const doc = { title: 'a', pages: 1 };

describe.each(PLATFORMS)('dispatch on $name: guards decide as over HTTP', (platform) => {
  let app: FixtureApp;
  beforeAll(async () => {
    app = await FixtureApp.start({
      platform,
      imports: [VaultModule],
      controllers: [OpenController, DocsController, ScopedController],
      providers: [
        CallerService,
        { provide: APP_GUARD, useClass: AlwaysGuard },
        { provide: APP_FILTER, useClass: EnvelopeFilter },
      ],
      configure: (nest) => void nest.useGlobalPipes(new ValidationPipe()),
    });
  });
  afterAll(() => app.close());

  it('R1: a tool behind guards that set no user is listed and can be called', async () => {
    const client = await app.client();
    expect((await client.listTools()).map(({ name }) => name)).toContain('open');
    expect(await client.callTool('open')).toEqual({ user: null });
  });

  it('R2: a class guard with a provider of its own module lets the right token through', async () => {
    const result = await app.call('open_vault', {}, { authorization: 'Bearer good' });
    expect(result).toMatchObject({ structuredContent: { gold: 7 } });
    expect(result.isError).toBeUndefined();
    expect(ran).toEqual(['vault']);
  });

  it.each<[string, Record<string, string>, object]>([
    [
      'the wrong token',
      { authorization: 'Bearer bad' },
      { fault: 403, said: 'Forbidden resource' },
    ],
    ['no token', {}, { fault: 401, said: 'no token' }],
  ])('R2: and refuses %s before the handler runs', async (_, headers, fault) => {
    const result = await app.call('open_vault', {}, headers);
    expect(result.isError).toBe(true);
    expect(JSON.parse(textOf(result))).toEqual(fault);
    expect(ran).toEqual([]);
  });

  it('R3: the owner of a may write a', async () => {
    const result = await app.call(
      'write_doc',
      { path: { id: 'a' }, body: doc },
      { authorization: 'Bearer owner-of-a' },
    );
    expect(result.structuredContent).toEqual({ id: 'a', doc });
    expect(ran).toEqual(['doc a']);
  });

  it('R3: and is forbidden to write b: the guard has the parameters of the call', async () => {
    const result = await app.call(
      'write_doc',
      { path: { id: 'b' }, body: doc },
      { authorization: 'Bearer owner-of-a' },
    );
    expect(result.isError).toBe(true);
    expect(JSON.parse(textOf(result))).toEqual({ fault: 403, said: 'Forbidden resource' });
    expect(ran).toEqual([]);
  });

  it.each([
    ['a wrong type', { title: 7, pages: 'x' }],
    ['a missing member', {}],
    ['no body', undefined],
  ])(
    'R12: a forbidden caller with %s is forbidden, by the filter of the application',
    async (_, body) => {
      const http = await app.http('PUT', '/docs/b', {
        headers: { authorization: 'Bearer owner-of-a' },
        ...(body === undefined ? {} : { body }),
      });
      const result = await app.call(
        'write_doc',
        { path: { id: 'b' }, ...(body === undefined ? {} : { body }) },
        { authorization: 'Bearer owner-of-a' },
      );
      expect(http.status).toBe(403);
      expect(result.isError).toBe(true);
      expect(textOf(result)).toBe(http.text);
      expect(http.text).toBe('{"fault":403,"said":"Forbidden resource"}');
    },
  );

  it('R12: and the owner is told what is wrong, by the same filter', async () => {
    const result = await app.call(
      'write_doc',
      { path: { id: 'a' }, body: { title: 7, pages: 1 } },
      { authorization: 'Bearer owner-of-a' },
    );
    expect(result.isError).toBe(true);
    expect(JSON.parse(textOf(result))).toMatchObject({ fault: 400 });
    expect(ran).toEqual([]);
  });

  it('R11: a request-scoped controller gets the inner request, a new instance for each call', async () => {
    const call = async (id: string): Promise<Record<string, unknown>> => {
      const result = await app.call('scoped', { path: { id } }, { authorization: `Bearer ${id}` });
      return result.structuredContent as Record<string, unknown>;
    };
    const [one, two] = [await call('one'), await call('two')];
    expect(one).toMatchObject({ url: '/scoped/one', caller: 'Bearer one', params: { id: 'one' } });
    expect(two).toMatchObject({ url: '/scoped/two', caller: 'Bearer two', params: { id: 'two' } });
    expect(one['instance']).not.toBe(two['instance']);
  });
});
