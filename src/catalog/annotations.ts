import type { McpToolAnnotations } from '../decorators/mcp-tool.decorator.js';

/**
 * What the HTTP methods promise (RFC 9110, sections 9.2.1 safe and 9.2.2 idempotent). POST and PATCH promise nothing, and a
 * client takes a tool that says nothing for a destructive one.
 */
const BY_METHOD: Readonly<Record<string, McpToolAnnotations>> = {
  GET: { readOnlyHint: true },
  HEAD: { readOnlyHint: true },
  OPTIONS: { readOnlyHint: true },
  PUT: { idempotentHint: true },
  DELETE: { destructiveHint: true, idempotentHint: true },
};

/** The hints of an HTTP method, with the decorator's laid over them. */
export function annotationsOf(httpMethod: string, own?: McpToolAnnotations): McpToolAnnotations {
  return { ...BY_METHOD[httpMethod], ...own };
}
