import { withParamHeaders } from '../catalog/param-headers.js';
import type { Tool } from '../catalog/tool.js';
import { MODERN_REVISION, type Revision } from './revision.js';

/** The JSON text of a tool as a listing of that revision carries it (schema `Tool` of each revision). */
export function toolJson(tool: Tool, revision: Revision): string {
  const { name, title, description, input, headers = [], annotations, icons, meta } = tool;
  const since = (first: Revision): boolean => revision >= first;
  return JSON.stringify({
    name,
    ...(title !== undefined && since('2025-06-18') ? { title } : {}),
    ...(description === undefined ? {} : { description }),
    inputSchema:
      revision === MODERN_REVISION && headers.length > 0
        ? withParamHeaders(input.schema, headers)
        : (input.clientNames?.schema ?? input.schema),
    ...(declaresOutput(tool, revision) ? { outputSchema: tool.outputSchema } : {}),
    ...(Object.keys(annotations).length > 0 ? { annotations } : {}),
    ...(icons !== undefined && since('2025-11-25') ? { icons } : {}),
    ...(meta !== undefined && since('2025-06-18') ? { _meta: meta } : {}),
  });
}

/** Before 2026-07-28 an output schema must be that of an object; clients drop every tool of a list that breaks it. */
export function declaresOutput({ outputSchema }: Tool, revision: Revision): boolean {
  if (outputSchema === undefined || revision < '2025-06-18') return false;
  return revision === MODERN_REVISION || outputSchema.type === 'object';
}
