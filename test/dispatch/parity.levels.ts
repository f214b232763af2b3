import {
  Catch,
  Controller,
  Get,
  HttpException,
  Inject,
  Injectable,
  Module,
  Query,
  Req,
  Scope,
  UseFilters,
  UseGuards,
  UseInterceptors,
  UsePipes,
  type ArgumentsHost,
  type CallHandler,
  type CanActivate,
  type ExceptionFilter,
  type ExecutionContext,
  type INestApplication,
  type MiddlewareConsumer,
  type NestInterceptor,
  type NestMiddleware,
  type NestModule,
  type PipeTransform,
  type Type,
} from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR, APP_PIPE, REQUEST } from '@nestjs/core';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { from, map, of, type Observable } from 'rxjs';
import { McpTool } from '../../src/index.js';
import type { ParityCase } from './parity.row.js';

/**
 * @file One route behind every kind of enhancer at every level at which Nest has it. Each leaves its name on the request, and
 * refuses when the query asks it to: a row for each compares who ran, in which order, and what the refusal looks like.
 */

type Traced = IncomingMessage & { trail?: string[]; originalUrl?: string };
type Raw = Traced | { raw: Traced };
const rawOf = (request: Raw): Traced => ('raw' in request ? request.raw : request);
const requestOf = (host: ArgumentsHost): Traced => rawOf(host.switchToHttp().getRequest<Raw>());

/** Thrown by whoever is asked to stop the request. */
class Stopped extends HttpException {
  constructor(name: string, trail: readonly string[] = []) {
    super({ stoppedBy: name, trail }, 418);
  }
}

/** For each level of filters, the error that the filter there catches. */
class FilteredError extends Error {}
class MethodError extends FilteredError {}
class ClassError extends FilteredError {}
class AppError extends FilteredError {}
class ScopedError extends FilteredError {}
class GlobalError extends FilteredError {}
const ERRORS: Readonly<Record<string, new () => Error>> = {
  method: MethodError,
  class: ClassError,
  APP_FILTER: AppError,
  'APP_FILTER, request scope': ScopedError,
  useGlobalFilters: GlobalError,
};

function pass(request: Traced, name: string): void {
  const url = new URL(request.originalUrl ?? request.url ?? '/', 'http://localhost');
  (request.trail ??= []).push(name);
  if (url.searchParams.get('stop') === name) throw new Stopped(name, request.trail);
}

function guard(name: string, result: boolean | Promise<boolean> | Observable<boolean> = true) {
  @Injectable()
  class NamedGuard implements CanActivate {
    canActivate(context: ExecutionContext): typeof result {
      pass(requestOf(context), name);
      return result;
    }
  }
  return NamedGuard;
}

function interceptor(name: string) {
  @Injectable()
  class NamedInterceptor implements NestInterceptor {
    intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
      const request = requestOf(context);
      pass(request, name);
      return next.handle().pipe(
        map((body: unknown) => {
          (request.trail ??= []).push(`after ${name}`);
          return body;
        }),
      );
    }
  }
  return NamedInterceptor;
}

function pipe(name: string) {
  @Injectable()
  class NamedPipe implements PipeTransform {
    transform(value: unknown): unknown {
      if (value === name) throw new Stopped(name);
      return value;
    }
  }
  return NamedPipe;
}

function filter(name: string, error: new () => Error): Type<ExceptionFilter> {
  @Catch(error)
  class NamedFilter implements ExceptionFilter {
    catch(_error: Error, host: ArgumentsHost): void {
      const response = host
        .switchToHttp()
        .getResponse<{ status(code: number): { send(body: unknown): void } }>();
      response.status(409).send({ filteredBy: name, trail: requestOf(host).trail });
    }
  }
  return NamedFilter;
}

@Injectable({ scope: Scope.REQUEST })
class ScopedGuard implements CanActivate {
  constructor(@Inject(REQUEST) private readonly request: Raw) {}
  canActivate(): boolean {
    pass(rawOf(this.request), 'APP_GUARD, request scope');
    return true;
  }
}
@Injectable({ scope: Scope.REQUEST })
class ScopedInterceptor implements NestInterceptor {
  constructor(@Inject(REQUEST) private readonly request: Raw) {}
  intercept(_context: ExecutionContext, next: CallHandler): Observable<unknown> {
    pass(rawOf(this.request), 'APP_INTERCEPTOR, request scope');
    return next.handle();
  }
}
@Injectable({ scope: Scope.REQUEST })
class ScopedPipe implements PipeTransform {
  constructor(@Inject(REQUEST) private readonly request: Raw) {}
  transform(value: unknown): unknown {
    pass(rawOf(this.request), 'APP_PIPE, request scope');
    return value;
  }
}
@Injectable({ scope: Scope.REQUEST })
@Catch(ScopedError)
class ScopedFilter implements ExceptionFilter {
  constructor(@Inject(REQUEST) private readonly request: Raw) {}
  catch(_error: Error, host: ArgumentsHost): void {
    const response = host
      .switchToHttp()
      .getResponse<{ status(code: number): { send(body: unknown): void } }>();
    const { trail } = rawOf(this.request);
    response.status(409).send({ filteredBy: 'APP_FILTER, request scope', trail });
  }
}

@Injectable()
class ClassMiddleware implements NestMiddleware {
  use(request: Traced, _response: ServerResponse, next: (error?: unknown) => void): void {
    step('middleware class for every path')(request, _response, next);
  }
}

function step(name: string) {
  return (request: Traced, _response: ServerResponse, next: (error?: unknown) => void): void => {
    try {
      pass(request, name);
      next();
    } catch (error) {
      next(error);
    }
  };
}

@Controller('levels')
@UseGuards(guard('guard of the class'))
@UseInterceptors(interceptor('interceptor of the class'))
@UsePipes(pipe('pipe of the class'))
@UseFilters(filter('class', ClassError))
class LevelsController {
  @McpTool('trail')
  @Get('trail')
  @UseGuards(
    guard('guard of the method'),
    guard('guard that gives a promise', Promise.resolve(true)),
    guard('guard that gives an observable', of(true)),
  )
  @UseInterceptors(interceptor('interceptor of the method'))
  @UsePipes(pipe('pipe of the method'))
  @UseFilters(filter('method', MethodError))
  trail(@Query('stop', pipe('pipe of the parameter')) stop: string, @Req() request: Raw): object {
    const ErrorOf = ERRORS[stop];
    if (ErrorOf !== undefined) throw new ErrorOf();
    const { trail } = rawOf(request);
    return { trail };
  }

  @McpTool('late_trail')
  @Get('late-trail')
  @UseInterceptors(interceptor('interceptor of the method'))
  lateTrail(@Req() request: Raw): Observable<object> {
    return from(Promise.resolve({ trail: rawOf(request).trail }));
  }
}

@Module({
  controllers: [LevelsController],
  providers: [
    { provide: APP_GUARD, useClass: guard('APP_GUARD') },
    { provide: APP_GUARD, useClass: ScopedGuard },
    { provide: APP_INTERCEPTOR, useClass: interceptor('APP_INTERCEPTOR') },
    { provide: APP_INTERCEPTOR, useClass: ScopedInterceptor },
    { provide: APP_PIPE, useClass: pipe('APP_PIPE') },
    { provide: APP_PIPE, useClass: ScopedPipe },
    { provide: APP_FILTER, useClass: filter('APP_FILTER', AppError) },
    { provide: APP_FILTER, useClass: ScopedFilter },
  ],
})
export class LevelsModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    consumer.apply(ClassMiddleware).forRoutes('{*all}');
    consumer.apply(step('middleware of the controller')).forRoutes(LevelsController);
    consumer
      .apply(step('middleware of another path'))
      .exclude('levels/trail')
      .forRoutes('levels/*all');
  }
}

export function configureLevels(app: INestApplication): void {
  app.use(step('middleware of app.use()'));
  app.useGlobalGuards(new (guard('useGlobalGuards'))());
  app.useGlobalInterceptors(new (interceptor('useGlobalInterceptors'))());
  app.useGlobalPipes(new (pipe('useGlobalPipes'))());
  app.useGlobalFilters(new (filter('useGlobalFilters', GlobalError))());
}

const STOPS = [
  'middleware of app.use()',
  'middleware class for every path',
  'middleware of the controller',
  'useGlobalGuards',
  'APP_GUARD',
  'APP_GUARD, request scope',
  'guard of the class',
  'guard of the method',
  'guard that gives a promise',
  'guard that gives an observable',
  'useGlobalInterceptors',
  'APP_INTERCEPTOR',
  'APP_INTERCEPTOR, request scope',
  'interceptor of the class',
  'interceptor of the method',
  'useGlobalPipes',
  'APP_PIPE',
  'APP_PIPE, request scope',
  'pipe of the class',
  'pipe of the method',
  'pipe of the parameter',
];

const path = (stop: string): string => `/levels/trail?stop=${encodeURIComponent(stop)}`;

export const LEVEL_CASES: readonly ParityCase[] = [
  {
    title: 'all of them run, in the same order',
    tool: 'trail',
    args: { query: { stop: 'nobody' } },
    http: ['GET', path('nobody')],
    status: 200,
    holds: '"trail":["middleware of app.use()"',
  },
  {
    title: 'a handler that gives an observable, and a middleware that is excluded',
    tool: 'late_trail',
    args: {},
    http: ['GET', '/levels/late-trail'],
    status: 200,
    holds: '"middleware of another path"',
  },
  ...STOPS.map((stop) => ({
    title: `${stop} refuses`,
    tool: 'trail',
    args: { query: { stop } },
    http: ['GET', path(stop)] as const,
    status: 418,
    holds: `"stoppedBy":${JSON.stringify(stop)}`,
  })),
  ...Object.keys(ERRORS).map((level) => ({
    title: `exception filter: ${level}`,
    tool: 'trail',
    args: { query: { stop: level } },
    http: ['GET', path(level)] as const,
    status: 409,
    holds: `"filteredBy":${JSON.stringify(level)}`,
  })),
];
