import type { JsonSchema, JsonSchemaObject } from '../schema/json-schema.js';

/**
 * The schema at a reference into the same document, `#` or `#/$defs/Order` (RFC 6901, section 6); `undefined` when there is
 * none, or when the reference is of another kind.
 */
export function resolvePointer(root: JsonSchemaObject, reference: string): JsonSchema | undefined {
  if (reference === '#') return root;
  if (!reference.startsWith('#/')) return undefined;
  let value: unknown = root;
  for (const token of reference.slice(2).split('/')) {
    const name = decodeToken(token);
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name))
      return undefined;
    value = (value as Record<string, unknown>)[name];
  }
  return isSchema(value) ? value : undefined;
}

export function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'boolean' || (typeof value === 'object' && value !== null);
}

function decodeToken(token: string): string {
  return unescapePercent(token).replaceAll('~1', '/').replaceAll('~0', '~');
}

function unescapePercent(token: string): string {
  try {
    return decodeURIComponent(token);
  } catch {
    return token;
  }
}
