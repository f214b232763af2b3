import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { callOf, type McpCallContext } from '../dispatch/call.js';

/**
 * A handler parameter: the tool call that runs the handler, `undefined` when an HTTP client does.
 *
 * @example
 * cancel(@Param('id') id: string, @McpCall() call?: McpCallContext) { … }
 */
export const McpCall: () => ParameterDecorator = createParamDecorator(
  (_: unknown, context: ExecutionContext): McpCallContext | undefined =>
    callOf(context.switchToHttp().getRequest<object>()),
);
