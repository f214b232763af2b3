import { Body, Controller, Post, type Type } from '@nestjs/common';
import { ApiExtraModels } from '@nestjs/swagger';
import type { Route } from '../../src/discovery/route.js';

/**
 * A route that takes a body of a class.
 *
 * @param models the classes that the route makes known by their names
 */
export function bodyRoute(dto: object, models: readonly Type[] = []): Route {
  @Controller()
  @ApiExtraModels(...models)
  class Things {
    create(body: object) {
      return body;
    }
  }
  const method = Object.getOwnPropertyDescriptor(Things.prototype, 'create') ?? {};
  Body()(Things.prototype, 'create', 0);
  Reflect.defineMetadata('design:paramtypes', [dto], Things.prototype, 'create');
  Post()(Things.prototype, 'create', method);
  return {
    controller: Things,
    methodName: 'create',
    handler: Things.prototype.create,
    httpMethod: 'POST',
    path: '/',
    versions: [],
    hosts: [],
  };
}
