import {
  applyDecorators,
  NotFoundException,
  SetMetadata,
  UseGuards,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common';
import { callOf } from '../dispatch/call.js';
import { MCP_TOOL_ONLY_METADATA } from '../mcp.constants.js';

/** Behind the refusal of the router: no request from outside may ever run the method. */
const onlyCalls: CanActivate = {
  canActivate(context: ExecutionContext): boolean {
    if (callOf(context.switchToHttp().getRequest<object>()) !== undefined) return true;
    throw new NotFoundException();
  },
};

/**
 * Serves a controller method as a tool and as nothing else: it stands in place of an HTTP method decorator, beside
 * `@McpTool()`. A call of it runs through the middleware, guards, interceptors, pipes and filters of its controller, as a POST
 * that answers 200. Over HTTP there is no such route.
 *
 * @example
 * @McpTool('summarize_order')
 * @McpToolOnly()
 * summarize(@Body() request: SummaryRequest): Summary { … }
 */
export function McpToolOnly(): MethodDecorator {
  return applyDecorators(SetMetadata(MCP_TOOL_ONLY_METADATA, true), UseGuards(onlyCalls));
}
