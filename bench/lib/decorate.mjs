/** @file Decorators without a compiler. */
import 'reflect-metadata';

/** Decorates a class. `inject` are the types of its constructor's parameters. */
export function decorateClass(target, decorators, inject = []) {
  Reflect.defineMetadata('design:paramtypes', inject, target);
  for (const decorator of decorators) decorator(target);
  return target;
}

/**
 * Decorates a method.
 *
 * @param parameters for each parameter its type and its decorator
 */
export function decorateMethod({ prototype }, name, decorators, parameters = []) {
  const types = parameters.map(([type]) => type);
  Reflect.defineMetadata('design:paramtypes', types, prototype, name);
  parameters.forEach(([, decorator], index) => decorator(prototype, name, index));
  const descriptor = Object.getOwnPropertyDescriptor(prototype, name);
  for (const decorator of decorators) decorator(prototype, name, descriptor);
}

/** Decorates a property. */
export function decorateProperty({ prototype }, name, type, decorators) {
  Reflect.defineMetadata('design:type', type, prototype, name);
  for (const decorator of decorators) decorator(prototype, name);
}
