import type { Tool } from '../catalog/tool.js';
import type { McpToolAnnotations } from '../decorators/mcp-tool.decorator.js';
import type { Route } from '../discovery/route.js';
import { clientNames } from '../schema/client-names.js';
import type { CompiledOperation } from '../upstream/compile-operation.js';
import type { OperationVersionDocument } from './catalog-document.js';

/**
 * Stands for the class of a published operation, which has none: tool guards find it where they find a route's controller,
 * so that `context.getClass() === McpRestOperation` tells the one from the other.
 */
export class McpRestOperation {
  /** Stands for the route's method. Nobody calls it. */
  call(): void {}
}

/** Describes an operation as a tool, under its own name. Its arguments are as its input schema says, side by side. */
export function operationTool(
  name: string,
  { title, description }: OperationVersionDocument,
  { operation, timeoutMs }: CompiledOperation,
  annotations: McpToolAnnotations,
): Tool {
  // Clients refuse the schema of an object without `properties`.
  const schema = { properties: {}, ...operation.input };
  const names = clientNames(schema);
  return {
    name,
    title,
    description,
    route: routeOf(operation.method, operation.url),
    input: {
      layout: 'flat',
      schema,
      parameters: [],
      ...(names === undefined ? {} : { clientNames: names }),
    },
    outputSchema: operation.response?.output,
    annotations,
    icons: undefined,
    meta: undefined,
    timeoutMs,
  };
}

function routeOf(httpMethod: string, path: string): Route {
  return {
    controller: McpRestOperation,
    methodName: 'call',
    // eslint-disable-next-line @typescript-eslint/unbound-method -- the function itself is the mark
    handler: McpRestOperation.prototype.call,
    httpMethod,
    path,
    versions: [],
    hosts: [],
  };
}
