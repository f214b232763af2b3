import type { Route } from '../discovery/route.js';

/** Specification 2025-11-25, server/tools, section "Tool Names". */
const EXPLICIT = /^[A-Za-z0-9_.-]{1,128}$/;
/** Narrower, since model providers refuse more than the specification does. */
const DERIVED = /^[a-z][a-z0-9_]{0,63}$/;

/** The final name of a tool, or why there is none. */
export type ToolName = { readonly name: string } | { readonly problem: string };

/**
 * Names a tool: by its decorator, else by its swagger operation id, else by controller and method in snake_case.
 *
 * @param explicit the decorator's name
 * @param operationId the operation id of `@ApiOperation()`; dots in it become underscores
 */
export function toolName(route: Route, explicit?: string, operationId?: string): ToolName {
  if (explicit !== undefined) {
    if (EXPLICIT.test(explicit)) return { name: explicit };
    return {
      problem: `the tool name ${JSON.stringify(explicit)} is not 1 to 128 of the characters A-Z a-z 0-9 _ - . Give another in @McpTool().`,
    };
  }
  const name = operationId === undefined ? defaultName(route) : snakeCase(operationId);
  if (DERIVED.test(name)) return { name };
  const source = operationId === undefined ? 'class and method' : `the operation id ${operationId}`;
  return {
    problem: `the name ${JSON.stringify(name)}, derived from ${source}, is not a lower-case letter and up to 63 of a-z 0-9 _. Give one in @McpTool('…').`,
  };
}

/** `OrdersController.findOne` → `orders_find_one`. */
function defaultName({ controller, methodName }: Route): string {
  const subject = controller.name.replace(/Controller$/, '');
  return snakeCase(subject === '' ? methodName : `${subject}_${methodName}`);
}

function snakeCase(text: string): string {
  return text
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1_$2')
    .replace(/[.\-\s]+/g, '_')
    .toLowerCase();
}
