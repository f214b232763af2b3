import type { Route } from '../discovery/route.js';

/** What a parameter of a handler is bound to. */
export type ParameterBinding =
  | 'request'
  | 'body'
  | 'query'
  | 'path'
  | 'header'
  | 'cookie'
  | 'signed-cookie'
  | 'file'
  | 'raw-body'
  | 'custom'
  /** The server's own: the response, the session, the caller's address and so on. */
  | 'server';

/** One decorated parameter of a handler. */
export interface HandlerParameter {
  readonly index: number;
  readonly binding: ParameterBinding;
  /** `@Query('name')`; missing for the whole object. */
  readonly name?: string;
  /** The pipes on the parameter itself. */
  readonly pipes: readonly unknown[];
  /** Whether Nest runs any pipe on it. */
  readonly isPiped: boolean;
  /** A Standard Schema (`@Body({ schema })`). */
  readonly schema?: unknown;
  /** The parameter's `design:type`. */
  readonly type: unknown;
  /** The factory of a custom decorator. */
  readonly factory?: unknown;
}

const ROUTE_ARGUMENTS = '__routeArguments__';
const CUSTOM = '__customRouteArgs__';

/** Nest's `RouteParamtypes`, by value; the enum is not exported from the package's entry. */
const BINDINGS: readonly ParameterBinding[] = [
  'request',
  'server', // response
  'server', // next
  'body',
  'query',
  'path',
  'header',
  'server', // session
  'file',
  'file', // files
  'server', // host
  'server', // ip
  'raw-body',
  'server', // ack
  'cookie',
  'signed-cookie',
];

/** Headers are the one place of arguments on which Nest runs no pipe. */
const PIPED: readonly ParameterBinding[] = [
  'body',
  'raw-body',
  'query',
  'path',
  'file',
  'cookie',
  'signed-cookie',
  'custom',
];

interface ArgumentMetadata {
  readonly index: number;
  readonly data?: unknown;
  readonly pipes?: readonly unknown[];
  readonly schema?: unknown;
  readonly factory?: unknown;
}

/** The decorated parameters of a route's handler, in the order of the signature. */
export function handlerParameters({ controller, methodName }: Route): readonly HandlerParameter[] {
  const prototype = controller.prototype as object;
  const host = parametersHost(controller, methodName);
  const metadata = Reflect.getMetadata(ROUTE_ARGUMENTS, host, methodName) as
    Readonly<Record<string, ArgumentMetadata>> | undefined;
  const types = Reflect.getMetadata('design:paramtypes', prototype, methodName) as
    readonly unknown[] | undefined;
  return Object.entries(metadata ?? {})
    .map(([key, argument]) => parameterOf(key, argument, types?.[argument.index]))
    .sort((one, other) => one.index - other.index);
}

/** Nest reads the decorators where the method was declared, which is not the controller for a mixin's methods. */
function parametersHost(controller: object, methodName: string): object {
  const { prototype } = controller as { prototype: Record<string, unknown> };
  const declaring = prototype.constructor as { prototype?: Record<string, unknown> } | undefined;
  const isSame = declaring?.prototype?.[methodName] === prototype[methodName];
  return declaring !== undefined && isSame ? declaring : controller;
}

function parameterOf(key: string, argument: ArgumentMetadata, type: unknown): HandlerParameter {
  const kind = Number(key.split(':')[0]);
  const binding = key.includes(CUSTOM) ? 'custom' : (BINDINGS[kind] ?? 'custom');
  return {
    index: argument.index,
    binding,
    ...(typeof argument.data === 'string' && argument.data !== '' ? { name: argument.data } : {}),
    pipes: argument.pipes ?? [],
    isPiped: PIPED.includes(binding),
    schema: argument.schema,
    type,
    factory: argument.factory,
  };
}
