/**
 * @file What a plain design would do: an endpoint that parses the message with Nest's own parser and calls the route over a
 * kept-alive HTTP connection to itself.
 */
import * as nest from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import * as validator from 'class-validator';
import { Agent, request } from 'node:http';
import * as rxjs from 'rxjs';
import { decorateClass, decorateMethod } from '../lib/decorate.mjs';
import { configure, ordersController } from '../lib/nest-app.mjs';

const agent = new Agent({ keepAlive: true });
let port;

class LoopbackController {
  async serve({ id, params }, authorization) {
    const text = await get(`/orders/${params.arguments.id}`, authorization);
    return { jsonrpc: '2.0', id, result: { content: [{ type: 'text', text }] } };
  }
}

function get(path, authorization) {
  return new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port, path, agent, headers: { authorization } };
    const sent = request(options, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk) => (text += chunk));
      response.on('end', () => resolve(text));
    });
    sent.on('error', reject);
    sent.end();
  });
}

export async function start() {
  const { Body, Controller, Headers, HttpCode, Module, Post } = nest;
  const parameters = [
    [Object, Body()],
    [String, Headers('authorization')],
  ];
  decorateMethod(LoopbackController, 'serve', [Post(), HttpCode(200)], parameters);
  decorateClass(LoopbackController, [Controller('mcp')]);
  const controllers = [ordersController(nest, validator), LoopbackController];
  const AppModule = decorateClass(class AppModule {}, [Module({ controllers })]);
  const app = await NestFactory.create(AppModule, { logger: ['error'] });
  configure(app, nest, rxjs);
  await app.listen(0, '127.0.0.1');
  port = app.getHttpServer().address().port;
  return port;
}
