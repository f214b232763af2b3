/**
 * @file Nest 11: the direct route, and `@nestjs-mcp/server` with JSON answers and without its older transport. It has sessions
 * only. The guard and the interceptor are the application's global ones, before its endpoint.
 */
import { McpModule, Resolver, Tool } from '@nestjs-mcp/server';
import * as nest from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import * as validator from 'class-validator';
import * as rxjs from 'rxjs';
import { z } from 'zod';
import { decorateClass, decorateMethod } from '../lib/decorate.mjs';
import { configure, ordersController } from '../lib/nest-app.mjs';
import { findOrder, ORDER_ID_PATTERN, TOOL } from '../lib/order.mjs';

class OrdersResolver {
  find({ id }) {
    return { content: [{ type: 'text', text: JSON.stringify(findOrder(id)) }] };
  }
}

/** @param options.mcp serves the tool as well */
export async function start({ mcp }) {
  const paramsSchema = { id: z.string().regex(ORDER_ID_PATTERN) };
  decorateMethod(OrdersResolver, 'find', [Tool({ ...TOOL, paramsSchema })]);
  decorateClass(OrdersResolver, [Resolver()]);
  const module = {
    controllers: [ordersController(nest, validator)],
    ...(mcp ? { imports: [mcpModule()], providers: [OrdersResolver] } : {}),
  };
  const AppModule = decorateClass(class AppModule {}, [nest.Module(module)]);
  const app = await NestFactory.create(AppModule, { logger: ['error'] });
  configure(app, nest, rxjs);
  await app.listen(0, '127.0.0.1');
  return app.getHttpServer().address().port;
}

function mcpModule() {
  return McpModule.forRoot({
    name: 'bench',
    version: '1.0.0',
    logging: { enabled: false },
    transports: {
      streamable: { enabled: true, options: { enableJsonResponse: true } },
      sse: { enabled: false },
    },
  });
}
