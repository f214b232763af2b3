/** A JSON Schema of dialect 2020-12 (JSON Schema Core, draft 2020-12, section 4.3). */
export type JsonSchema = boolean | JsonSchemaObject;

/** A JSON Schema that is an object. Only the keywords that the module itself reads or writes are typed. */
export interface JsonSchemaObject {
  type?: string | string[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: JsonSchema;
  items?: JsonSchema;
  enum?: unknown[];
  description?: string;
  $ref?: string;
  $defs?: Record<string, JsonSchema>;
  [keyword: string]: unknown;
}
