/** @file How the application can tell a call from a request of an HTTP client, and that no client can pretend. */
import {
  Catch,
  Controller,
  Get,
  Injectable,
  NotFoundException,
  UseFilters,
  UseGuards,
  UseInterceptors,
  type ArgumentsHost,
  type CallHandler,
  type CanActivate,
  type ExceptionFilter,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { map, type Observable } from 'rxjs';
import { McpCall, McpTool, type McpCallContext } from '../../src/index.js';
import { FixtureApp, textOf } from '../support/fixture-app.js';
import { PLATFORMS } from '../support/platforms.js';

@Injectable()
class PeopleOnlyGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    return McpCall.of(context) === undefined;
  }
}

@Injectable()
class NamingInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler<object>): Observable<unknown> {
    return next.handle().pipe(map((body) => ({ ...body, around: McpCall.of(context)?.tool })));
  }
}

@Catch(NotFoundException)
class NamingFilter implements ExceptionFilter {
  catch(_: unknown, host: ArgumentsHost): void {
    const response = host
      .switchToHttp()
      .getResponse<{ status(code: number): { send(body: unknown): void } }>();
    response.status(404).send({ missed: McpCall.of(host)?.tool ?? 'nobody' });
  }
}

@Controller('marked')
class MarkedController {
  @McpTool('people') @UseGuards(PeopleOnlyGuard) @Get('people') people(): object {
    return { people: true };
  }
  @McpTool('who') @UseInterceptors(NamingInterceptor) @Get('who') who(
    @McpCall() call?: McpCallContext,
  ): object {
    return { tool: call?.tool, id: call?.requestId };
  }
  @McpTool('miss') @UseFilters(NamingFilter) @Get('miss') miss(): never {
    throw new NotFoundException();
  }
}

describe.each(PLATFORMS)('dispatch on $name: a call is marked', (platform) => {
  let app: FixtureApp;
  beforeAll(async () => {
    app = await FixtureApp.start({ platform, controllers: [MarkedController] });
  });
  afterAll(() => app.close());

  it('for handlers, guards, interceptors and filters', async () => {
    expect((await app.call('who')).structuredContent).toEqual({
      tool: 'who',
      id: 1,
      around: 'who',
    });
    expect(JSON.parse(textOf(await app.call('people')))).toMatchObject({ statusCode: 403 });
    expect(textOf(await app.call('miss'))).toBe('{"missed":"miss"}');
  });

  it.each<Record<string, string>>([
    {},
    { 'mcp-name': 'who', 'mcp-method': 'tools/call', 'mcp-protocol-version': '2026-07-28' },
    { 'x-mcp-call': 'who', 'mcp-session-id': 'x', 'user-agent': 'mcp' },
  ])('and no HTTP client is, whatever it sends: %j', async (headers) => {
    expect((await app.http('GET', '/marked/who?mcp:call=1', { headers })).json()).toEqual({});
    expect((await app.http('GET', '/marked/people', { headers })).status).toBe(200);
    expect((await app.http('GET', '/marked/miss', { headers })).text).toBe('{"missed":"nobody"}');
  });
});
