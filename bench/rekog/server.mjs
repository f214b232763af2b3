/**
 * @file `@rekog/mcp-nest`, with its own route (the fastest that it documents), JSON answers, and one protocol for each
 * variant, so that no request is classified. Guard and interceptor stand before the tool, its own zod check instead of the pipe.
 */
import * as nest from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Payload } from '@nestjs/microservices';
import { McpController, McpStrategy, StreamableHttpTransport, Tool } from '@rekog/mcp-nest';
import * as rxjs from 'rxjs';
import { z } from 'zod';
import { decorateClass, decorateMethod } from '../lib/decorate.mjs';
import { configure, TimingInterceptor, TokenGuard } from '../lib/nest-app.mjs';
import { findOrder, ORDER_ID_PATTERN, TOOL } from '../lib/order.mjs';

class OrdersController {
  find({ id }) {
    return findOrder(id);
  }
}

/**
 * @param options.protocol `modern-only` or `legacy-only`
 * @param options.stateful with sessions
 * @param options.tools how many further tools
 */
export async function start({ protocol, stateful = false, tools = 0 }) {
  const parameters = z.object({ id: z.string().regex(ORDER_ID_PATTERN) });
  const decorators = [
    Tool({ ...TOOL, parameters }),
    nest.UseGuards(new TokenGuard()),
    nest.UseInterceptors(new TimingInterceptor(rxjs.tap)),
  ];
  decorateMethod(OrdersController, 'find', decorators, [[Object, Payload()]]);
  decorateClass(OrdersController, [McpController()]);
  const transport = new StreamableHttpTransport({
    protocol,
    statefulMode: stateful,
    enableJsonResponse: true,
    responseMode: 'json',
  });
  const strategy = new McpStrategy({
    name: 'bench',
    version: '1.0.0',
    transports: [transport],
    logging: false,
  });
  const module = nest.Module({ controllers: [OrdersController] });
  const app = await NestFactory.create(decorateClass(class AppModule {}, [module]), {
    logger: ['error'],
  });
  configure(app, nest, rxjs);
  strategy.setHttpAdapter(app.getHttpAdapter());
  app.connectMicroservice({ strategy });
  await app.startAllMicroservices();
  for (let index = 0; index < tools; index++) strategy.registerTool(fillerTool(index));
  await app.listen(0, '127.0.0.1');
  return app.getHttpServer().address().port;
}

function fillerTool(index) {
  return {
    name: `filler${index}`,
    description: `Tool ${index}: lists, reads or creates what it holds.`,
    parameters: z.object({
      id: z.string(),
      limit: z.int().min(1).max(100).optional(),
      sort: z.enum(['asc', 'desc']).optional(),
    }),
    handler: () => ({ content: [] }),
  };
}
