import {
  Body,
  CallHandler,
  CanActivate,
  Catch,
  Controller,
  Delete,
  ExceptionFilter,
  ExecutionContext,
  ForbiddenException,
  Get,
  Header,
  HttpCode,
  HttpException,
  Inject,
  Injectable,
  Module,
  NestInterceptor,
  NestMiddleware,
  NotFoundException,
  Param,
  ParseBoolPipe,
  ParseEnumPipe,
  ParseIntPipe,
  ParseUUIDPipe,
  Patch,
  PipeTransform,
  Post,
  Put,
  Query,
  Redirect,
  Req,
  Res,
  Scope,
  SetMetadata,
  StreamableFile,
  UnauthorizedException,
  UseFilters,
  UseGuards,
  UseInterceptors,
  UsePipes,
  ValidationPipe,
  VersioningType,
  type ArgumentsHost,
  type INestApplication,
  type MiddlewareConsumer,
  type NestModule,
} from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR, REQUEST, Reflector } from '@nestjs/core';
import { Type } from 'class-transformer';
import {
  IsEmail,
  IsEnum,
  IsInt,
  IsOptional,
  IsString,
  Length,
  Max,
  Min,
  ValidateNested,
} from 'class-validator';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { map, type Observable } from 'rxjs';
import { McpTool } from '../../src/index.js';

/** What a run of the parity table takes away from the application, to see that rows turn red without it. */
export type Omitted = 'class guard' | 'filter' | 'middleware' | 'global interceptor' | undefined;

export interface Caller extends IncomingMessage {
  user?: { readonly name: string; readonly role: string };
  trace?: string;
  originalUrl?: string;
}

const USERS: Readonly<Record<string, { name: string; role: string }>> = {
  'Bearer ann': { name: 'ann', role: 'admin' },
  'Bearer bob': { name: 'bob', role: 'user' },
};

const raw = (request: Caller | { raw: Caller }): Caller =>
  'raw' in request ? request.raw : request;
const requestOf = (context: ExecutionContext | ArgumentsHost): Caller =>
  raw(context.switchToHttp().getRequest<Caller | { raw: Caller }>());

export const Public = (): MethodDecorator & ClassDecorator => SetMetadata('public', true);
export const Roles = (...roles: string[]): MethodDecorator & ClassDecorator =>
  SetMetadata('roles', roles);

@Injectable()
class AuthGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    const request = requestOf(context);
    const user = USERS[request.headers.authorization ?? ''];
    if (user !== undefined) request.user = user;
    const isPublic = this.reflector.getAllAndOverride<boolean>('public', [
      context.getHandler(),
      context.getClass(),
    ]);
    if (user === undefined && !isPublic) throw new UnauthorizedException('who are you?');
    return true;
  }
}

@Injectable()
export class AdminGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    return requestOf(context).user?.role === 'admin';
  }
}

/** R3: needs the parameters and the body of the call. */
@Injectable()
class OwnerGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context
      .switchToHttp()
      .getRequest<{ params: { owner: string }; body: { note: string } }>();
    if (request.params.owner !== requestOf(context).user?.name)
      throw new ForbiddenException('not yours');
    if (request.body.note === 'forbidden') throw new ForbiddenException('not that');
    return true;
  }
}

/** R2: a guard built by DI from a provider of the controller's own module. */
@Injectable()
class Ledger {
  open(): boolean {
    return false;
  }
}
@Injectable()
class LedgerGuard implements CanActivate {
  constructor(private readonly ledger: Ledger) {}
  canActivate(): boolean {
    return this.ledger.open();
  }
}

@Injectable()
class StampInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    if (context.getClass() !== ItemsController) return next.handle();
    return next
      .handle()
      .pipe(map((value: unknown) => (isRecord(value) ? { ...value, stamped: true } : value)));
  }
}

@Injectable()
class WrapInterceptor implements NestInterceptor {
  intercept(_context: ExecutionContext, next: CallHandler): Observable<unknown> {
    return next.handle().pipe(map((data: unknown) => ({ data })));
  }
}

class TeapotError extends Error {}

@Catch(TeapotError)
class TeapotFilter implements ExceptionFilter {
  catch(_error: TeapotError, host: ArgumentsHost): void {
    reply(host, 418, { teapot: true });
  }
}

/** The application's own envelope, for everything but what reaches the default filter on purpose. */
@Catch(HttpException)
class EnvelopeFilter implements ExceptionFilter {
  catch(error: HttpException, host: ArgumentsHost): void {
    reply(host, error.getStatus(), { fault: error.getResponse() });
  }
}

@Catch(NotFoundException)
class XmlFilter implements ExceptionFilter {
  catch(error: NotFoundException, host: ArgumentsHost): void {
    const response = host.switchToHttp().getResponse<AnyResponse>();
    header(response, 'content-type', 'application/xml');
    response.status(404).send(`<fault>${error.message}</fault>`);
  }
}

interface AnyResponse {
  status(code: number): AnyResponse;
  send(body: unknown): void;
  header?(name: string, value: string): void;
  setHeader?(name: string, value: string): void;
}
function header(response: AnyResponse, name: string, value: string): void {
  if (response.setHeader) response.setHeader(name, value);
  else response.header?.(name, value);
}
function reply(host: ArgumentsHost, status: number, body: object): void {
  host.switchToHttp().getResponse<AnyResponse>().status(status).send(body);
}

@Injectable()
class DoublePipe implements PipeTransform {
  transform(value: unknown): unknown {
    return typeof value === 'string' ? value + value : value;
  }
}

@Injectable()
class RefusePipe implements PipeTransform {
  transform(value: unknown): unknown {
    if (value === 'no') throw new HttpException('pipe says no', 422);
    return value;
  }
}

@Injectable()
class TraceMiddleware implements NestMiddleware {
  use(request: Caller, response: ServerResponse, next: () => void): void {
    request.trace = 'traced';
    if ((request.originalUrl ?? request.url ?? '').endsWith('/blocked')) {
      response.statusCode = 409;
      response.setHeader('content-type', 'application/json');
      response.end('{"blocked":true}');
      return;
    }
    next();
  }
}

@Injectable({ scope: Scope.REQUEST })
class RequestScopedService {
  constructor(@Inject(REQUEST) private readonly request: Caller | { raw: Caller }) {}
  path(): string {
    return raw(this.request).url ?? '';
  }
}

enum Colour {
  Red = 'red',
  Blue = 'blue',
}

class AddressDto {
  @IsString() @Length(2, 40) street!: string;
  @IsInt() @Min(1) @Max(99999) zip!: number;
}
class CreateItemDto {
  @IsString() @Length(1, 20) name!: string;
  @IsInt() @Min(1) amount!: number;
  @IsOptional() @IsEnum(Colour) colour?: Colour;
  @IsOptional() @IsEmail() contact?: string;
  @IsOptional() @ValidateNested() @Type(() => AddressDto) address?: AddressDto;
}
class ListDto {
  @IsOptional() @Type(() => Number) @IsInt() @Min(1) page = 1;
  @IsOptional() @IsEnum(Colour) colour?: Colour;
}
class NoteDto {
  @IsString() note!: string;
}

@Controller('items')
export class ItemsController {
  @McpTool('list_items') @Get() list(@Query() query: ListDto): object {
    return { page: query.page, colour: query.colour ?? null, type: typeof query.page };
  }
  @McpTool('get_item') @Get(':id') get(@Param('id', ParseIntPipe) id: number): object {
    if (id === 404) throw new NotFoundException('item 404');
    return { id, twice: id * 2 };
  }
  @McpTool('create_item') @Post() create(@Body() item: CreateItemDto): object {
    return { created: item, isDto: item instanceof CreateItemDto };
  }
  @McpTool('replace_item') @Put(':id') replace(
    @Param('id') id: string,
    @Body() body: CreateItemDto,
  ): object {
    return { id, body };
  }
  @McpTool('rename_item') @Patch(':id') rename(
    @Param('id') id: string,
    @Body('name') name: string,
  ): object {
    return { id, name };
  }
  @McpTool('remove_item') @Delete(':id') @HttpCode(204) remove(): void {}
  @McpTool('accept_item') @Post(':id/accept') @HttpCode(202) accept(
    @Param('id') id: string,
  ): object {
    return { accepted: id };
  }
}

@Controller('who')
export class WhoController {
  @McpTool('who_am_i') @Get() who(@Req() request: Caller | { raw: Caller }): object {
    return { user: raw(request).user, trace: raw(request).trace };
  }
  @McpTool('who_public') @Public() @Get('public') anybody(
    @Req() request: Caller | { raw: Caller },
  ): object {
    return { user: raw(request).user?.name ?? 'nobody' };
  }
  @McpTool('blocked') @Get('blocked') blocked(): object {
    return { blocked: false };
  }
  @McpTool('user_by_name') @Get('users/:name') user(@Param('name') name: string): object {
    return { name };
  }
  @UseGuards(AdminGuard) @Get('users/admin/secret') secret(): object {
    return { secret: 'of the admin' };
  }
}

/** R7: beside a parameter, a static sibling with a guard of its own. */
@Controller('u')
export class SiblingsController {
  @UseGuards(AdminGuard) @Get('admin') admin(): object {
    return { secret: 'of the admin' };
  }
  @McpTool('get_u') @Get(':id') one(@Param('id') id: string): object {
    return { id };
  }
}

export function adminController(omitted: Omitted): new () => object {
  @Controller('admin')
  class AdminController {
    @McpTool('admin_report') @Get('report') report(): object {
      return { report: 'all is well' };
    }
    @McpTool('admin_change') @Post('change') change(@Body() body: CreateItemDto): object {
      return { changed: body };
    }
  }
  if (omitted !== 'class guard') UseGuards(AdminGuard)(AdminController);
  return AdminController;
}

@Controller('docs/:owner')
export class DocsController {
  @McpTool('write_doc') @UseGuards(OwnerGuard) @Put() write(
    @Param('owner') owner: string,
    @Body() body: NoteDto,
  ): object {
    return { owner, body };
  }
}

@Controller('answers')
@UseFilters(TeapotFilter)
export class AnswersController {
  @McpTool('text') @Get('text') @Header('content-type', 'text/plain') text(): string {
    return 'plain text';
  }
  @McpTool('nothing') @Get('nothing') nothing(): undefined {
    return undefined;
  }
  @McpTool('elsewhere')
  @Get('elsewhere')
  @Redirect('https://example.com/there', 302)
  elsewhere(): void {}
  @McpTool('teapot') @Get('teapot') teapot(): never {
    throw new TeapotError();
  }
  @McpTool('crash') @Get('crash') crash(): never {
    throw new Error('duplicate key users.email');
  }
  @McpTool('crash_null') @Get('crash-null') crashNull(): Promise<never> {
    // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- what P8 is about
    return Promise.reject(null);
  }
  @McpTool('xml') @UseFilters(XmlFilter) @Get('xml') xml(): never {
    throw new NotFoundException('gone');
  }
  @McpTool('conflict') @Get('conflict') conflict(): never {
    throw new HttpException({ code: 'E_CONFLICT', hint: 'wait' }, 409);
  }
  @McpTool('date') @Get('date') date(): object {
    return { at: new Date(0), content: [{ type: 'text', text: 'domain data' }] };
  }
  @McpTool('array') @Get('array') array(): number[] {
    return [1, 2, 3];
  }
  @McpTool('big_id') @Get('big-id') @Header('content-type', 'application/json') bigId(): string {
    return '{"id":9007199254740993}';
  }
  @McpTool('file') @Get('file') file(): StreamableFile {
    return new StreamableFile(Buffer.from('streamed text'), { type: 'text/plain' });
  }
  @McpTool('raw_response') @Get('raw') rawResponse(@Res() response: AnyResponse): void {
    response.status(203).send({ raw: true });
  }
  @McpTool('unauthorized') @Get('unauthorized') unauthorized(): never {
    throw new UnauthorizedException('log in again');
  }
}

@Controller('pipes')
@UsePipes(DoublePipe)
export class PipesController {
  @McpTool('pipe_class') @Get('class/:text') byClass(@Param('text') text: string): object {
    return { text };
  }
  @McpTool('pipe_parameter') @Get('parameter/:text') byParameter(
    @Param('text', RefusePipe) text: string,
  ): object {
    return { text };
  }
  @McpTool('pipe_refuses') @Get('refuses/:text') refuses(
    @Query('word', RefusePipe) word: string,
  ): object {
    return { word };
  }
}

@Controller('parse')
export class ParseController {
  @McpTool('parse_bool') @Get('bool/:flag') bool(
    @Param('flag', ParseBoolPipe) flag: boolean,
  ): object {
    return { flag };
  }
  @McpTool('parse_enum') @Get('enum/:colour') enum(
    @Param('colour', new ParseEnumPipe(Colour)) colour: Colour,
  ): object {
    return { colour };
  }
  @McpTool('parse_uuid') @Get('uuid/:id') uuid(@Param('id', ParseUUIDPipe) id: string): object {
    return { id };
  }
}

@Controller('scoped')
export class ScopedController {
  constructor(private readonly service: RequestScopedService) {}
  @McpTool('scoped') @Get(':id') scoped(@Param('id') id: string): object {
    return { id, path: this.service.path() };
  }
}

@Controller({ path: 'versioned', version: '2' })
export class VersionedController {
  @McpTool('versioned') @Get() versioned(): object {
    return { version: 2 };
  }
}

@Controller('wrapped')
@UseInterceptors(WrapInterceptor)
export class WrappedController {
  @McpTool('wrapped') @Get() wrapped(): object {
    return { value: 1 };
  }
}

@Controller('ledger')
@UseGuards(LedgerGuard)
export class LedgerController {
  @McpTool('ledger') @Get() ledger(): object {
    return { entries: 1 };
  }
}
@Module({ controllers: [LedgerController], providers: [Ledger] })
class LedgerModule {}

/** The application under the table, with the parts that a control run leaves out. */
export function parityModule(omitted: Omitted): new () => object {
  @Module({
    imports: [LedgerModule],
    controllers: [
      ItemsController,
      WhoController,
      SiblingsController,
      adminController(omitted),
      DocsController,
      AnswersController,
      PipesController,
      ParseController,
      ScopedController,
      VersionedController,
      WrappedController,
    ],
    providers: [
      RequestScopedService,
      { provide: APP_GUARD, useClass: AuthGuard },
      ...(omitted === 'global interceptor'
        ? []
        : [{ provide: APP_INTERCEPTOR, useClass: StampInterceptor }]),
      ...(omitted === 'filter' ? [] : [{ provide: APP_FILTER, useClass: EnvelopeFilter }]),
    ],
  })
  class ParityModule implements NestModule {
    configure(consumer: MiddlewareConsumer): void {
      if (omitted !== 'middleware') consumer.apply(TraceMiddleware).forRoutes('{*all}');
    }
  }
  return ParityModule;
}

export function configureParity(app: INestApplication): void {
  app.setGlobalPrefix('api');
  app.enableVersioning({ type: VersioningType.URI });
  app.useGlobalPipes(
    new ValidationPipe({ whitelist: true, forbidNonWhitelisted: true, transform: true }),
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
