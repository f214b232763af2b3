import type { Type } from '@nestjs/common';
import type { Route } from '../discovery/route.js';
import { toolName } from './tool-name.js';

function route(className: string, methodName: string): Route {
  const controller = { [className]: class {} }[className] as Type;
  return {
    controller,
    methodName,
    handler: () => undefined,
    httpMethod: 'GET',
    path: '/',
    versions: [],
    hosts: [],
  };
}

describe('tool name: of the decorator', () => {
  it.each(['get_order', 'orders.create', 'GET-order', '1', '_', '.', '-', 'a'.repeat(128)])(
    '%j is taken as it is',
    (name) => {
      expect(toolName(route('OrdersController', 'find'), name, 'operation')).toEqual({ name });
    },
  );

  it.each([
    '',
    ' ',
    'a b',
    ' a',
    'a ',
    'a\n',
    'a/b',
    'a:b',
    'a,b',
    'ä',
    'a"',
    '😀',
    'a'.repeat(129),
  ])('%j is a problem that says what a name is', (name) => {
    expect(toolName(route('OrdersController', 'find'), name)).toEqual({
      problem: `the tool name ${JSON.stringify(name)} is not 1 to 128 of the characters A-Z a-z 0-9 _ - . Give another in @McpTool().`,
    });
  });
});

describe('tool name: of the operation id', () => {
  it.each([
    ['findOrder', 'find_order'],
    ['orders.find', 'orders_find'],
    ['Orders-Find', 'orders_find'],
    ['find the order', 'find_the_order'],
    ['OrdersController_findOne', 'orders_controller_find_one'],
    ['get..order', 'get_order'],
    ['a', 'a'],
  ])('%j becomes %j', (operationId, name) => {
    expect(toolName(route('OrdersController', 'find'), undefined, operationId)).toEqual({ name });
  });

  it.each(['', '7up', '_x', 'größe', 'a/b', '{id}', 'b'.repeat(65)])(
    '%j is a problem',
    (operationId) => {
      expect(toolName(route('OrdersController', 'find'), undefined, operationId)).toEqual({
        problem: `the name ${JSON.stringify(operationId.toLowerCase())}, derived from the operation id ${operationId}, is not a lower-case letter and up to 63 of a-z 0-9 _. Give one in @McpTool('…').`,
      });
    },
  );
});

describe('tool name: of class and method', () => {
  it.each([
    ['OrdersController', 'find', 'orders_find'],
    ['OrdersController', 'findOne', 'orders_find_one'],
    ['OrdersController', 'find_one', 'orders_find_one'],
    ['OrdersV2Controller', 'find', 'orders_v2_find'],
    ['HTTPProxyController', 'getURL', 'http_proxy_get_url'],
    ['Orders', 'find', 'orders_find'],
    ['Controller', 'find', 'find'],
    ['', 'find', 'find'],
    ['ControllerOfOrders', 'find', 'controller_of_orders_find'],
    ['A', 'b'.repeat(62), `a_${'b'.repeat(62)}`],
  ])('%s.%s becomes %s', (className, methodName, name) => {
    expect(toolName(route(className, methodName))).toEqual({ name });
  });

  it.each([
    ['ÄrzteController', 'find', 'ärzte_find'],
    ['OrdersController', '$find', 'orders_$find'],
    ['_Controller', 'x', '__x'],
    ['A', 'b'.repeat(63), `a_${'b'.repeat(63)}`],
  ])('%s.%s is a problem', (className, methodName, name) => {
    expect(toolName(route(className, methodName))).toEqual({
      problem: `the name ${JSON.stringify(name)}, derived from class and method, is not a lower-case letter and up to 63 of a-z 0-9 _. Give one in @McpTool('…').`,
    });
  });
});
