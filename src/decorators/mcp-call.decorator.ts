import { createParamDecorator, type ArgumentsHost } from '@nestjs/common';
import { callOf, type McpCallContext } from '../dispatch/call.js';

/** What `@McpCall()` gives a handler. Exported so that start-up can tell the module's own decorator from the application's. */
export function mcpCallOf(_: unknown, context: ArgumentsHost): McpCallContext | undefined {
  return callOf(context.switchToHttp().getRequest<object>());
}

/**
 * A handler parameter: the tool call that runs the handler, `undefined` when an HTTP client does. `McpCall.of(context)` is the
 * same for a guard, an interceptor or an exception filter. Nothing that a client sends makes a call of a request.
 *
 * @example
 * cancel(@Param('id') id: string, @McpCall() call?: McpCallContext) { … }
 * @example
 * canActivate(context: ExecutionContext) { return McpCall.of(context) === undefined; }
 */
export const McpCall: (() => ParameterDecorator) & {
  of(context: ArgumentsHost): McpCallContext | undefined;
} = Object.assign(createParamDecorator(mcpCallOf), {
  of: (context: ArgumentsHost): McpCallContext | undefined => mcpCallOf(undefined, context),
});
