/** @file The application over HTTP; with `mcp`, its routes are tools as well. */
import * as nest from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import * as validator from 'class-validator';
import * as rxjs from 'rxjs';
import { decorateClass } from '../lib/decorate.mjs';
import { configure, ordersController } from '../lib/nest-app.mjs';

const DIST = new URL('../../dist/', import.meta.url);

/**
 * @param options.platform `express` or `fastify`
 * @param options.mcp options of the module; without them it is not imported
 * @param options.routes how many further routes, after the order lookup
 * @param options.tools how many of these are tools
 * @param options.extra of `lib/extras.mjs`
 * @param options.staticFile answers `GET /static` with its bytes
 */
export async function start(options) {
  const app = await createApp(options);
  return app.getHttpServer().address().port;
}

/** As `start()`. @returns the application, which listens */
export async function createApp({
  platform = 'express',
  mcp,
  routes = 0,
  tools = 0,
  extra,
  staticFile,
}) {
  const added = extra === undefined ? {} : (await import('../lib/extras.mjs')).EXTRAS[extra];
  const { McpTool, McpModule } = mcp === undefined ? {} : await loadPackage();
  const controllers = [ordersController(nest, validator, McpTool, added.controller)];
  if (staticFile !== undefined) {
    const { staticController } = await import('../lib/static-answer.mjs');
    controllers.push(staticController(staticFile));
  }
  if (routes > 0) {
    const { fillerControllers } = await import('../lib/filler.mjs');
    controllers.push(...fillerControllers({ routes, tools, McpTool }));
  }
  const options = { name: 'bench', ...mcp, ...added.mcp };
  const imports = McpModule === undefined ? [] : [McpModule.forRoot(options)];
  const AppModule = decorateClass(class AppModule {}, [nest.Module({ imports, controllers })]);
  const app = await NestFactory.create(AppModule, await adapterOf(platform), { logger: ['error'] });
  configure(app, nest, rxjs);
  added.configure?.(app);
  await app.listen(0, '127.0.0.1');
  return app;
}

/** `BENCH_DIST` names another build of the package, to compare two of them. */
function loadPackage() {
  const directory = process.env.BENCH_DIST ? `file://${process.env.BENCH_DIST}/` : DIST;
  return import(new URL('index.js', directory).href);
}

async function adapterOf(platform) {
  if (platform === 'fastify') {
    const { FastifyAdapter } = await import('@nestjs/platform-fastify');
    return new FastifyAdapter();
  }
  const { ExpressAdapter } = await import('@nestjs/platform-express');
  return new ExpressAdapter();
}
