import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import fastifyCompress from '@fastify/compress';
import fastifyCookie from '@fastify/cookie';
import fastifyCsrf from '@fastify/csrf-protection';
import fastifyHelmet from '@fastify/helmet';
import fastifySession from '@fastify/session';
import { Controller, Cookies, Get, Post, Req, Res, type INestApplication } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { SkipThrottle, Throttle, ThrottlerGuard, ThrottlerModule } from '@nestjs/throttler';
import compression from 'compression';
import cookieParser from 'cookie-parser';
import { csrfSync } from 'csrf-sync';
import session from 'express-session';
import helmet from 'helmet';
import { ClsModule, ClsService } from 'nestjs-cls';
import { McpTool } from '../../src/index.js';
import { FixtureApp } from '../support/fixture-app.js';
import { PLATFORMS, type Platform } from '../support/platforms.js';
import type { ParityCase } from './parity.row.js';
import { judge } from './parity.judge.js';
import { CSRF_CASES, LIBRARY_CASES, THROTTLER_TITLES } from './parity.libraries.cases.js';

jest.setTimeout(60_000);

interface WithSession {
  readonly session: { user?: string };
}

const SECRET = 'a secret that is long enough for everybody';
const csrf = csrfSync();

@Controller('libraries')
class LibrariesController {
  constructor(private readonly cls: ClsService) {}

  @McpTool('plain') @Get('plain') plain(): object {
    return { plain: true };
  }
  @McpTool('lang') @Get('lang') lang(@Req() request: { cookies?: Record<string, string> }): object {
    return { lang: request.cookies?.['lang'] };
  }
  @McpTool('theme') @Get('theme') theme(@Cookies('theme') theme: string): object {
    return { theme };
  }
  @Get('login') login(
    @Req() request: WithSession,
    @Res({ passthrough: true }) reply: unknown,
  ): object {
    request.session.user = 'ann';
    const { generateCsrf } = reply as { generateCsrf?: () => string };
    const token =
      generateCsrf === undefined ? csrf.generateToken(request as never) : generateCsrf.call(reply);
    return { token };
  }
  @McpTool('session') @Get('session') session(@Req() request: WithSession): object {
    return { user: request.session.user ?? null };
  }
  @McpTool('begin_session') @Post('session') begin(@Req() request: WithSession): object {
    request.session.user = 'bob';
    return { begun: true };
  }
  @McpTool('long') @Get('long') long(): object {
    return { text: 'x'.repeat(100_000) };
  }
  @McpTool('protected') @Post('protected') protectedChange(): object {
    return { protected: true };
  }
  @McpTool('change') @Post('change') change(): object {
    return { changed: true };
  }
  @McpTool('cls') @Get('cls') clsOf(): object {
    return { user: this.cls.get<string>('user'), url: this.cls.get<string>('url') };
  }
}

async function configureExpress(app: NestExpressApplication): Promise<void> {
  app.use(helmet());
  app.use(compression());
  app.use(cookieParser());
  app.use(session({ secret: SECRET, resave: false, saveUninitialized: false }));
  app.use('/libraries/protected', csrf.csrfSynchronisedProtection);
}

async function configureFastify(app: NestFastifyApplication): Promise<void> {
  await app.register(fastifyHelmet as never);
  await app.register(fastifyCompress as never);
  await app.register(fastifyCookie as never);
  await app.register(fastifySession, {
    secret: SECRET,
    saveUninitialized: false,
    cookie: { secure: false },
    cookieName: 'connect.sid',
  });
  await app.register(fastifyCsrf as never, { sessionPlugin: '@fastify/session' });
  const instance = app.getHttpAdapter().getInstance() as unknown as {
    csrfProtection(request: unknown, reply: unknown, done: () => void): void;
    addHook(
      name: 'preHandler',
      hook: (request: { url: string }, reply: unknown, done: () => void) => void,
    ): void;
  };
  instance.addHook('preHandler', (request, reply, done) =>
    request.url === '/libraries/protected' ? instance.csrfProtection(request, reply, done) : done(),
  );
}

const configure = (app: INestApplication): Promise<void> =>
  app.getHttpAdapter().getType() === 'express'
    ? configureExpress(app as NestExpressApplication)
    : configureFastify(app as NestFastifyApplication);

interface ClsRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly url: string;
  readonly originalUrl?: string;
}
const cls = ClsModule.forRoot({
  global: true,
  middleware: {
    mount: true,
    setup: (store, request: ClsRequest) => {
      store.set('user', request.headers['x-user']);
      store.set('url', request.originalUrl ?? request.url);
    },
  },
});

const start = (
  platform: Platform,
  own: (app: INestApplication) => void | Promise<void>,
): Promise<FixtureApp> =>
  FixtureApp.start({
    platform,
    imports: [cls],
    controllers: [LibrariesController],
    mcp: {
      forwardHeaders: ['x-user', 'x-csrf-token'],
      forwardCookies: ['lang', 'connect.sid'],
    },
    configure: own,
  });

describe.each(PLATFORMS)('dispatch on $name: parity behind libraries', (platform) => {
  let app: FixtureApp;
  beforeAll(async () => {
    app = await start(platform, configure);
  });
  afterAll(() => app.close());

  /** The row with a real session and token where it asks for them. */
  async function withSession(row: ParityCase): Promise<ParityCase> {
    if (row.headers?.['x-with-session'] === undefined) return row;
    const login = await app.http('GET', '/libraries/login');
    const [cookie = ''] = (login.headers.get('set-cookie') ?? '').split(';');
    const { token } = login.json() as { token: string };
    const tokens: Record<string, string> =
      row.headers['x-with-token'] === undefined ? {} : { 'x-csrf-token': token };
    return { ...row, headers: { cookie, ...tokens } };
  }

  it.each(LIBRARY_CASES)('$title', async (row) => {
    expect(await judge(app, await withSession(row))).toEqual([]);
  });

  it('no header of an answer reaches the MCP client', async () => {
    const http = await app.http('POST', '/libraries/session');
    expect(http.headers.get('set-cookie')).toContain('connect.sid');
    const call = await app.request('tools/call', { name: 'begin_session', arguments: {} });
    expect(call.headers.get('set-cookie')).toBeNull();
    expect(call.text).not.toContain('connect.sid');
  });
});

describe.each(PLATFORMS)("dispatch on $name: parity behind Nest's CSRF protection", (platform) => {
  let app: FixtureApp;
  beforeAll(async () => {
    app = await start(platform, (nest) => {
      nest.enableCsrfProtection();
      nest.useSecurityHeaders();
    });
  });
  afterAll(() => app.close());

  it.each(CSRF_CASES)('$title', async (row) => {
    expect(await judge(app, row)).toEqual([]);
  });
});

@Controller('scarce')
class ScarceController {
  @McpTool('scarce')
  @Get()
  @Throttle({ default: { limit: 4, ttl: 3_600_000 } })
  scarce(): object {
    return { served: true };
  }
}

describe.each(PLATFORMS)('dispatch on $name: parity behind a throttler', (platform) => {
  const trusting = (trust: boolean): Platform =>
    platform.name === 'fastify' && trust
      ? {
          name: 'fastify',
          create: (module, options) =>
            module.createNestApplication(new FastifyAdapter({ trustProxy: true }), {
              ...options,
              logger: false,
            }),
        }
      : platform;

  it.each([false, true])('trust proxy: %s', async (trust) => {
    expect(THROTTLER_TITLES[trust ? 1 : 0]).toContain(trust ? 'with trust' : 'without');
    const app = await FixtureApp.start({
      platform: trusting(trust),
      imports: [ThrottlerModule.forRoot([{ ttl: 3_600_000, limit: 1000 }])],
      controllers: [ScarceController],
      providers: [{ provide: APP_GUARD, useClass: ThrottlerGuard }],
      mcp: { decorators: [SkipThrottle()] },
      configure: (nest) => {
        if (platform.name === 'express' && trust) {
          (nest as NestExpressApplication).set('trust proxy', true);
        }
      },
    });
    try {
      // Each row counts twice, once over HTTP and once as a call: both in the bucket of the same client.
      const row = (client: string, status: number): ParityCase => ({
        title: client,
        tool: 'scarce',
        args: {},
        http: ['GET', '/scarce'],
        headers: { 'x-forwarded-for': client },
        status,
        holds: status === 200 ? 'served' : 'Too Many Requests',
      });
      expect(await judge(app, row('10.0.0.1', 200))).toEqual([]);
      expect(await judge(app, row('10.0.0.1', 200))).toEqual([]);
      expect(await judge(app, row('10.0.0.1', 429))).toEqual([]);
      expect(await judge(app, row('10.0.0.2', trust ? 200 : 429))).toEqual([]);
    } finally {
      await app.close();
    }
  });
});
