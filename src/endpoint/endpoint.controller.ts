import {
  All,
  applyDecorators,
  Controller,
  Inject,
  Req,
  Res,
  UseGuards,
  VERSION_NEUTRAL,
  type Type,
} from '@nestjs/common';
import type { ServerResponse } from 'node:http';
import { MCP_ENDPOINT, MCP_ENDPOINT_METADATA } from '../mcp.constants.js';
import type { McpMountOptions } from '../mcp.options.js';
import type { FrameworkRequest, McpEndpoint } from './endpoint.js';

/** The key and value with which `@ApiExcludeController()` keeps a controller out of the swagger document. */
const SWAGGER_EXCLUDE = ['swagger/apiExcludeController', [true]] as const;

interface FastifyReply {
  readonly raw: ServerResponse;
  hijack(): void;
  getHeaders(): Record<string, number | string | string[] | undefined>;
}

/** Makes the controller of one endpoint: a route like any other, with the application's global guards and its own. */
export function createEndpointController(
  path: string,
  { guards = [], decorators = [] }: Pick<McpMountOptions, 'guards' | 'decorators'>,
): Type {
  class McpEndpointController {
    constructor(readonly endpoint: McpEndpoint) {}

    serve(request: FrameworkRequest, response: ServerResponse | FastifyReply): Promise<void> {
      return this.endpoint.serve(request, response, rawResponse(response));
    }
  }
  const { prototype } = McpEndpointController;
  const method = Object.getOwnPropertyDescriptor(
    prototype,
    'serve',
  ) as TypedPropertyDescriptor<unknown>;
  Inject(MCP_ENDPOINT)(McpEndpointController, undefined, 0);
  Req()(prototype, 'serve', 0);
  Res()(prototype, 'serve', 1);
  All()(prototype, 'serve', method);
  Reflect.defineMetadata(SWAGGER_EXCLUDE[0], SWAGGER_EXCLUDE[1], McpEndpointController);
  Reflect.defineMetadata(MCP_ENDPOINT_METADATA, true, McpEndpointController);
  Controller({ path, version: VERSION_NEUTRAL })(McpEndpointController);
  if (guards.length > 0) UseGuards(...guards)(McpEndpointController);
  applyDecorators(...decorators)(McpEndpointController);
  return McpEndpointController;
}

/** The endpoint writes to Node's response: a returned value would be wrapped by interceptors. */
function rawResponse(response: ServerResponse | FastifyReply): ServerResponse {
  if (!('raw' in response)) return response;
  const { raw } = response;
  for (const [name, value] of Object.entries(response.getHeaders())) {
    if (value !== undefined && !raw.hasHeader(name)) raw.setHeader(name, value);
  }
  response.hijack();
  return raw;
}
