import { All, Get, Render, Sse, type Type } from '@nestjs/common';
import { ApiExcludeController, ApiExcludeEndpoint, ApiOperation, ApiTags } from '@nestjs/swagger';
import { McpHidden } from '../decorators/mcp-hidden.decorator.js';
import { McpTool } from '../decorators/mcp-tool.decorator.js';
import type { Route } from './route.js';
import { readRouteMetadata, readToolOptions } from './tool-metadata.js';

function route(
  methodDecorators: readonly MethodDecorator[],
  classDecorators: readonly ClassDecorator[] = [],
  httpMethod = 'GET',
): Route {
  class OrdersController {
    find(): void {}
  }
  const descriptor = Object.getOwnPropertyDescriptor(OrdersController.prototype, 'find');
  for (const decorate of methodDecorators)
    decorate(OrdersController.prototype, 'find', descriptor as PropertyDescriptor);
  for (const decorate of classDecorators) decorate(OrdersController);
  return {
    controller: OrdersController as Type,
    methodName: 'find',
    handler: OrdersController.prototype.find,
    httpMethod,
    path: '/orders',
    versions: [],
    hosts: [],
  };
}

describe('tool metadata', () => {
  it('a route without decorators of ours and of swagger says nothing', () => {
    expect(readRouteMetadata(route([Get()]))).toEqual({
      tool: undefined,
      tags: [],
      operation: {},
      unfit: undefined,
      isEndpoint: false,
    });
  });

  it.each([
    [[McpTool()], {}],
    [[McpTool('get_order')], { name: 'get_order' }],
    [[McpTool({ title: 'Order', timeoutMs: 5 })], { title: 'Order', timeoutMs: 5 }],
  ])('@McpTool() gives its options (%#)', (decorators, options) => {
    const { handler } = route(decorators);
    expect(readToolOptions(handler)).toEqual(options);
  });

  it('tags are those of the controller and of the method', () => {
    const decorated = route([ApiTags('reports', 'money')], [ApiTags('orders')]);
    expect(readRouteMetadata(decorated).tags).toEqual(['orders', 'reports', 'money']);
  });

  it('the operation is that of @ApiOperation()', () => {
    const { operation } = readRouteMetadata(
      route([ApiOperation({ operationId: 'findOrder', summary: 'Finds', description: 'By id' })]),
    );
    expect(operation).toMatchObject({
      operationId: 'findOrder',
      summary: 'Finds',
      description: 'By id',
    });
  });

  it.each<[string, MethodDecorator[], ClassDecorator[], string, string | undefined]>([
    ['nothing', [], [], 'GET', undefined],
    ['@McpHidden() on the method', [McpHidden()], [], 'GET', 'it is hidden by @McpHidden()'],
    ['@McpHidden() on the class', [], [McpHidden()], 'GET', 'it is hidden by @McpHidden()'],
    [
      '@ApiExcludeEndpoint()',
      [ApiExcludeEndpoint()],
      [],
      'GET',
      'it is excluded from the API documentation by @ApiExcludeEndpoint() or @ApiExcludeController()',
    ],
    ['@ApiExcludeEndpoint(false)', [ApiExcludeEndpoint(false)], [], 'GET', undefined],
    [
      '@ApiExcludeController()',
      [],
      [ApiExcludeController()],
      'GET',
      'it is excluded from the API documentation by @ApiExcludeEndpoint() or @ApiExcludeController()',
    ],
    ['@ApiExcludeController(false)', [], [ApiExcludeController(false)], 'GET', undefined],
    ['@Sse()', [Sse()], [], 'GET', 'it answers with an event stream (@Sse())'],
    ['@Render()', [Render('x')], [], 'GET', 'it renders a page (@Render())'],
    ['@All()', [All()], [], 'ALL', 'a call cannot choose one HTTP method for @All()'],
    ['@Propfind()', [], [], 'PROPFIND', 'a call cannot choose one HTTP method for PROPFIND'],
    ['@Search()', [], [], 'SEARCH', 'a call cannot choose one HTTP method for SEARCH'],
  ])('%s: %#', (_, methodDecorators, classDecorators, httpMethod, unfit) => {
    expect(readRouteMetadata(route(methodDecorators, classDecorators, httpMethod)).unfit).toBe(
      unfit,
    );
  });

  it.each(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])('%s fits', (httpMethod) => {
    expect(readRouteMetadata(route([], [], httpMethod)).unfit).toBeUndefined();
  });
});
