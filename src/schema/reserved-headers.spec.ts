import 'reflect-metadata';
import { Controller, Get, Headers } from '@nestjs/common';
import { describeInput, type InputContext } from './describe-input.js';

/** Describes the method `handle` of a controller. */
function inputOf(
  controller: new () => { handle: (header: string) => unknown },
  context: Partial<InputContext> = {},
) {
  const { handle: handler } = controller.prototype as { handle: () => unknown };
  const route = {
    controller,
    methodName: 'handle',
    handler,
    httpMethod: 'GET',
    path: '/',
    versions: [],
    hosts: [],
  };
  return describeInput(route, { layout: 'grouped', pipes: [], optional: {}, ...context });
}

describe('the headers that are no argument', () => {
  it.each([
    'Authorization',
    'host',
    'content-type',
    'X-Forwarded-For',
    'proxy-authorization',
    'cookie',
    'expect',
  ])('has a problem with the header %s (R10)', (name) => {
    @Controller()
    class Things {
      @Get() handle(@Headers(name) header: string) {
        return header;
      }
    }
    expect(inputOf(Things).problems).toEqual([
      expect.stringContaining(`the header "${name.toLowerCase()}"`),
    ]);
    const input = { type: 'object', properties: {} };
    expect(inputOf(Things, { input }).problems).toEqual([]);
  });
});
