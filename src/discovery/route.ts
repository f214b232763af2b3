import type { Type } from '@nestjs/common';

/** A controller class method. Its arguments are whatever its parameter decorators say. */
export type ControllerMethod = (this: object, ...args: never[]) => unknown;

/** One route, as the router registered it. */
export interface Route {
  /** The controller class that serves it (the subclass, where the method is inherited). */
  readonly controller: Type;
  readonly methodName: string;
  /** `controller.prototype[methodName]`: where Nest keeps the metadata of the method's decorators. */
  readonly handler: ControllerMethod;
  /** In upper case, `ALL` for a route of every method. */
  readonly httpMethod: string;
  /** The final path with global prefix, URI version and parameters, as the adapter got it: `/v1/orders/:id`. */
  readonly path: string;
  /** The versions that the route answers, none when it is not versioned. */
  readonly versions: readonly (string | symbol)[];
  /** The host or hosts that the controller is bound to. */
  readonly hosts: readonly (string | RegExp)[];
  /** It is there for tool calls alone (`@McpToolOnly()`), under a path that is nobody's business. */
  readonly toolOnly?: true;
}
