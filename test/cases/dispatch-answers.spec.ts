import {
  BadGatewayException,
  Body,
  Catch,
  ClassSerializerInterceptor,
  Controller,
  Get,
  HttpCode,
  HttpException,
  NotFoundException,
  Post,
  Query,
  UnauthorizedException,
  UseFilters,
  UseInterceptors,
  ValidationPipe,
  type ArgumentsHost,
  type ExceptionFilter,
} from '@nestjs/common';
import { Exclude, Expose, Type } from 'class-transformer';
import { IsArray, IsInt, IsOptional, IsString, ValidateNested } from 'class-validator';
import { McpTool } from '../../src/index.js';
import { FixtureApp, textOf, type CallResult, type HttpAnswer } from '../support/fixture-app.js';
import { PLATFORMS } from '../support/platforms.js';
import { RecordingLogger } from '../module/recording-logger.js';

class User {
  readonly id = 1;
  @Exclude() readonly password = 'hunter2';
  readonly born = new Date(0);
  @Expose({ name: 'full_name' }) readonly name = 'Ann';
}

interface Reply {
  status(code: number): Reply;
  type(mediaType: string): Reply;
  send(body: string): void;
}

@Catch(HttpException)
class MarkupFilter implements ExceptionFilter {
  catch(error: HttpException, host: ArgumentsHost): void {
    const html = error.getStatus() === 502;
    host
      .switchToHttp()
      .getResponse<Reply>()
      .status(error.getStatus())
      .type(html ? 'text/html; charset=utf-8' : 'application/xml')
      .send(html ? '<h1>gone & lost</h1>' : `<fault code="404">${error.message}</fault>`);
  }
}

@Controller('answers')
class AnswersController {
  @McpTool('crash') @Get('crash') crash(): never {
    throw new Error('duplicate key users.email');
  }
  @McpTool('crash_late') @Get('crash-late') async crashLate(): Promise<never> {
    await Promise.resolve();
    throw Object.assign(new TypeError('at /srv/app/users.ts:7'), { code: 'E_SECRET' });
  }
  @McpTool('missing') @Get('missing') missing(): never {
    throw new NotFoundException('order 7');
  }
  @McpTool('missing_object') @Get('missing-object') missingObject(): never {
    throw new NotFoundException({ code: 'E_ORDER', order: 7 });
  }
  @McpTool('nothing') @Get('nothing') nothing(): undefined {
    return undefined;
  }
  @McpTool('no_content') @Post('no-content') @HttpCode(204) noContent(): void {}
  @McpTool('no_content_with_body') @Post('no-content-body') @HttpCode(204) body204(): object {
    return { dropped: true };
  }
  @McpTool('null') @Get('null') null(): null {
    return null;
  }
  @McpTool('date') @Get('date') date(): object {
    return { at: new Date(0) };
  }
  @McpTool('user') @Get('user') @UseInterceptors(ClassSerializerInterceptor) user(): User {
    return new User();
  }
  @McpTool('users') @Get('users') @UseInterceptors(ClassSerializerInterceptor) users(): User[] {
    return [new User()];
  }
  @McpTool('content') @Get('content') content(): object {
    return {
      content: [{ type: 'text', text: 'domain data' }],
      isError: true,
      _meta: { 'nestjs-mcp-routes/ref': 'no' },
      structuredContent: { a: 1 },
    };
  }
  @McpTool('unauthorized') @Get('unauthorized') unauthorized(): never {
    throw new UnauthorizedException('log in again');
  }
  @McpTool('xml') @UseFilters(MarkupFilter) @Get('xml') xml(): never {
    throw new NotFoundException('gone');
  }
  @McpTool('html') @UseFilters(MarkupFilter) @Get('html') html(): never {
    throw new BadGatewayException();
  }
}

describe.each(PLATFORMS)('dispatch on $name: what a route answers', (platform) => {
  let app: FixtureApp;
  const logger = new RecordingLogger();
  beforeAll(async () => {
    app = await FixtureApp.start({ platform, controllers: [AnswersController], logger });
  });
  afterAll(() => app.close());

  const both = async (
    tool: string,
    path: string,
    method = 'GET',
  ): Promise<{ http: HttpAnswer; result: CallResult }> => ({
    http: await app.http(method, `/answers/${path}`),
    result: await app.call(tool),
  });

  it.each([
    ['crash', 'crash', 'duplicate key'],
    ['crash_late', 'crash-late', 'users.ts'],
  ])('A1: %s tells no cause, which goes to the log', async (tool, path, cause) => {
    const { http, result } = await both(tool, path);
    expect(result.isError).toBe(true);
    expect(textOf(result)).toBe(http.text);
    expect(http.json()).toEqual({ statusCode: 500, message: 'Internal server error' });
    expect(JSON.stringify(result)).not.toContain(cause);
    expect(logger.all('error').join('\n')).toContain(cause);
  });

  it('A1: the log finds the call by the reference in _meta', async () => {
    const result = await app.call('crash');
    const ref = result._meta?.['nestjs-mcp-routes/ref'];
    expect(ref).toMatch(/^[0-9a-f]{12}$/);
    const record = logger.all('error').find((one) => one.includes(String(ref)));
    expect(record).toMatch(
      `Tool crash: the route answered 500 (ref ${String(ref)}); principal nobody, request 1\n`,
    );
    expect(record).toContain('duplicate key');
  });

  it('A1: an error that is not 500 has no reference', async () => {
    expect((await app.call('missing'))._meta).not.toHaveProperty('nestjs-mcp-routes/ref');
  });

  it.each([
    ['missing', 'missing', '{"message":"order 7","error":"Not Found","statusCode":404}'],
    ['missing_object', 'missing-object', '{"code":"E_ORDER","order":7}'],
  ])('A2: %s keeps its own body', async (tool, path, body) => {
    const { http, result } = await both(tool, path);
    expect(http).toMatchObject({ status: 404, text: body });
    expect(result).toMatchObject({ isError: true, content: [{ type: 'text', text: body }] });
    expect(result).not.toHaveProperty('structuredContent');
  });

  it.each([
    ['nothing', 'nothing', 'GET', 200],
    ['no_content', 'no-content', 'POST', 204],
    ['no_content_with_body', 'no-content-body', 'POST', 204],
  ])('A3: %s is an empty content list, not an error', async (tool, path, method, status) => {
    const { http, result } = await both(tool, path, method);
    expect(http).toMatchObject({ status, text: '' });
    expect(result.content).toEqual([]);
    expect(result).not.toHaveProperty('isError');
    expect(result).not.toHaveProperty('structuredContent');
  });

  it('A3: null is what HTTP sends for it', async () => {
    const { http, result } = await both('null', 'null');
    expect(textOf(result)).toBe(http.text);
    expect(result).not.toHaveProperty('isError');
  });

  it.each([
    ['date', 'date', '{"at":"1970-01-01T00:00:00.000Z"}'],
    ['user', 'user', '{"id":1,"born":"1970-01-01T00:00:00.000Z","full_name":"Ann"}'],
    ['users', 'users', '[{"id":1,"born":"1970-01-01T00:00:00.000Z","full_name":"Ann"}]'],
    [
      'content',
      'content',
      '{"content":[{"type":"text","text":"domain data"}],"isError":true,"_meta":{"nestjs-mcp-routes/ref":"no"},"structuredContent":{"a":1}}',
    ],
  ])('A4: %s is what HTTP would send', async (tool, path, body) => {
    const { http, result } = await both(tool, path);
    expect(http.text).toBe(body);
    expect(result.content).toEqual([{ type: 'text', text: body }]);
    expect(result.structuredContent).toEqual(JSON.parse(body));
    expect(result).not.toHaveProperty('isError');
    expect(result._meta).not.toHaveProperty('nestjs-mcp-routes/ref');
  });

  it('A6: a 401 of the route is an error result, and no challenge of the endpoint', async () => {
    const answer = await app.request('tools/call', { name: 'unauthorized', arguments: {} });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('www-authenticate')).toBeNull();
    const { result } = answer.json() as { result: CallResult };
    expect(result.isError).toBe(true);
    expect(JSON.parse(textOf(result))).toEqual({
      message: 'log in again',
      error: 'Unauthorized',
      statusCode: 401,
    });
  });

  it.each([
    ['xml', 'xml', 404, '<fault code="404">gone</fault>'],
    ['html', 'html', 502, '<h1>gone & lost</h1>'],
  ])('A9: a filter that writes %s is text as written', async (tool, path, status, body) => {
    const { http, result } = await both(tool, path);
    expect(http).toMatchObject({ status, text: body });
    expect(result).toMatchObject({ isError: true, content: [{ type: 'text', text: body }] });
  });
});

class LineDto {
  @IsString() sku!: string;
  @IsInt() amount!: number;
}
class OrderDto {
  @IsString() note!: string;
  @IsArray() @ValidateNested({ each: true }) @Type(() => LineDto) lines!: LineDto[];
  @IsOptional() @ValidateNested() @Type(() => LineDto) gift?: LineDto;
}
class FilterDto {
  @IsString() q!: string;
  @IsOptional() @Type(() => Number) @IsInt() page?: number;
}

@Controller('orders')
class OrdersController {
  @McpTool('create_order') @Post() create(@Body() order: OrderDto): object {
    return { order };
  }
  @McpTool('find_orders') @Get() find(
    @Query() filter: FilterDto,
    @Query('tag') tag?: string,
  ): object {
    return { filter, tag: tag ?? 'absent' };
  }
}

describe.each(PLATFORMS)('dispatch on $name: A7, arguments as models send them', (platform) => {
  let app: FixtureApp;
  beforeAll(async () => {
    app = await FixtureApp.start({
      platform,
      controllers: [OrdersController],
      configure: (nest) =>
        void nest.useGlobalPipes(new ValidationPipe({ transform: true, whitelist: true })),
    });
  });
  afterAll(() => app.close());

  const line = { sku: 'a', amount: 1 };
  const order = { note: '{"not":"parsed"}', lines: [line] };

  it.each<[string, object]>([
    ['the body as a JSON string', { body: JSON.stringify(order) }],
    ['a list as a JSON string', { body: { ...order, lines: JSON.stringify([line]) } }],
    ['an element as a JSON string', { body: { ...order, lines: [JSON.stringify(line)] } }],
    ['body and list both', { body: JSON.stringify({ ...order, lines: JSON.stringify([line]) }) }],
  ])('%s is parsed once', async (_, args) => {
    expect((await app.call('create_order', args)).structuredContent).toEqual({ order });
  });

  it('a string that the schema wants as a string is left alone', async () => {
    const result = await app.call('create_order', { body: order });
    expect(result.structuredContent).toMatchObject({ order: { note: '{"not":"parsed"}' } });
  });

  it('a string that was encoded twice is refused, not parsed twice', async () => {
    const result = await app.call('create_order', { body: JSON.stringify(JSON.stringify(order)) });
    expect(result.isError).toBe(true);
    expect(JSON.parse(textOf(result))).toMatchObject({ statusCode: 400 });
  });

  it('null for an optional member is dropped where the schema does not allow it', async () => {
    const result = await app.call('find_orders', { query: { q: 'x', page: null, tag: null } });
    expect(result.structuredContent).toEqual({ filter: { q: 'x' }, tag: 'absent' });
  });

  it('null stays where the pipe takes it', async () => {
    const result = await app.call('create_order', { body: { ...order, gift: null } });
    expect(result.structuredContent).toEqual({ order: { ...order, gift: null } });
  });

  it('null for a required member is refused', async () => {
    const result = await app.call('find_orders', { query: { q: null } });
    expect(result.isError).toBe(true);
    expect(JSON.parse(textOf(result))).toMatchObject({ statusCode: 400 });
  });
});
