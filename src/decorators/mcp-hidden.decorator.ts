import { SetMetadata } from '@nestjs/common';
import { MCP_HIDDEN_METADATA } from '../mcp.constants.js';

/** Keeps a route, or every route of a controller, from being a tool, whatever `tags` and `include` say. */
export function McpHidden(): ClassDecorator & MethodDecorator {
  return SetMetadata(MCP_HIDDEN_METADATA, true);
}
