import { annotationsOf, saysNothing } from './combine-schemas.js';
import type { JsonSchemaObject } from './json-schema.js';

/**
 * Lays what the application declares under what its validators say, where these leave it open: any value, any list, any
 * object.
 */
export function described(
  checked: JsonSchemaObject,
  declared: JsonSchemaObject,
  isEmptied: boolean,
): JsonSchemaObject {
  if (saysNothing(checked)) return { ...declared, ...checked };
  const isOpenList = checked.type === 'array' && checked.items === undefined;
  if (isOpenList && declared.type === 'array' && declared.items !== undefined) {
    return { ...checked, items: declared.items };
  }
  const isOpenObject = checked.type === 'object' && checked.properties === undefined;
  if (isOpenObject && declared.type === 'object' && !isEmptied) return { ...declared, ...checked };
  return { ...annotationsOf(declared), ...checked };
}

/** A value that JSON writes as it is. */
export function isShown(value: unknown): boolean {
  if (Array.isArray(value)) return value.every((item) => item !== undefined && isShown(item));
  return ['string', 'number', 'boolean'].includes(typeof value);
}

/** Whether a class has members that a schema can name. */
export function hasKnownMembers(schema: JsonSchemaObject): boolean {
  return schema.type === 'object' && Object.keys(schema.properties ?? {}).length > 0;
}
