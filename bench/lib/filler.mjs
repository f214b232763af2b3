/** @file Controllers that make an application large: ten routes each, of the kind that every application has. */
import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { Type } from 'class-transformer';
import { IsIn, IsInt, IsOptional, IsString, Length, Max, Min } from 'class-validator';
import { decorateClass, decorateMethod, decorateProperty } from './decorate.mjs';

const ROUTES_EACH = 10;

/**
 * @param routes how many routes to make, a multiple of ten
 * @param tools how many of them are tools
 */
export function fillerControllers({ routes, tools, McpTool }) {
  return Array.from({ length: routes / ROUTES_EACH }, (_, index) => {
    const name = `filler${index}`;
    const isTool = (route) => McpTool !== undefined && index * ROUTES_EACH + route < tools;
    return fillerController(name, (route) => (isTool(route) ? [toolOf(McpTool, name, route)] : []));
  });
}

function toolOf(McpTool, name, route) {
  return McpTool({
    name: `${name}_route${route}`,
    description: `Route ${route} of ${name}: lists, reads or creates what it holds.`,
  });
}

function fillerController(path, decoratorsOf) {
  const { Filter, Item } = dataTypes();
  class FillerController {}
  const { prototype } = FillerController;
  for (let route = 0; route < ROUTES_EACH; route++) {
    const name = `route${route}`;
    const value = { [name]: (...values) => values }[name];
    Object.defineProperty(prototype, name, { value, writable: true, configurable: true });
    if (route % 2 === 0) {
      const decorators = [Get(`${name}/:id`), ...decoratorsOf(route)];
      const parameters = [
        [String, Param('id')],
        [Filter, Query()],
      ];
      decorateMethod(FillerController, name, decorators, parameters);
    } else {
      const decorators = [Post(name), ...decoratorsOf(route)];
      decorateMethod(FillerController, name, decorators, [[Item, Body()]]);
    }
  }
  return decorateClass(FillerController, [Controller(path)]);
}

function dataTypes() {
  class Filter {}
  const number = [IsOptional(), IsInt(), Type(() => Number)];
  decorateProperty(Filter, 'limit', Number, [...number, Min(1), Max(100)]);
  decorateProperty(Filter, 'sort', String, [IsOptional(), IsIn(['asc', 'desc'])]);
  class Item {}
  decorateProperty(Item, 'name', String, [IsString(), Length(1, 80)]);
  decorateProperty(Item, 'quantity', Number, [IsInt(), Min(0)]);
  return { Filter, Item };
}
