import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { callOf, type McpCallContext } from '../dispatch/call.js';

/** What `@McpCall()` gives a handler. Exported so that start-up can tell the module's own decorator from the application's. */
export function mcpCallOf(_: unknown, context: ExecutionContext): McpCallContext | undefined {
  return callOf(context.switchToHttp().getRequest<object>());
}

/**
 * A handler parameter: the tool call that runs the handler, `undefined` when an HTTP client does.
 *
 * @example
 * cancel(@Param('id') id: string, @McpCall() call?: McpCallContext) { … }
 */
export const McpCall: () => ParameterDecorator = createParamDecorator(mcpCallOf);
