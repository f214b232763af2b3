import type { ClientNames } from './client-names.js';
import type { JsonSchema, JsonSchemaObject } from './json-schema.js';

/** Where a request carries an argument: one group of a tool's `inputSchema` each. */
export type ArgumentPlace = 'path' | 'query' | 'header' | 'cookie' | 'body' | 'form';

/** The places whose members are parameters with a name of their own. */
export type ParameterPlace = Exclude<ArgumentPlace, 'body' | 'form'>;

/** How a tool's arguments are laid out: one group a place, or all members side by side. */
export type ArgumentLayout = 'grouped' | 'flat';

/** A media type that the writer can make a request body of. */
export type BodyMediaType =
  'application/json' | 'application/x-www-form-urlencoded' | 'multipart/form-data' | 'text/plain';

/** One named parameter of a route. */
export interface RouteParameter {
  readonly place: ParameterPlace;
  /** The name on the wire; header names in lower case. */
  readonly name: string;
  readonly schema: JsonSchema;
  readonly required: boolean;
}

/** What a route reads from a request, and the schema that a model sees of it. */
export interface RouteInput {
  readonly layout: ArgumentLayout;
  /** The tool's `inputSchema`: dialect 2020-12, `type: 'object'` at the root, `properties` always present. */
  readonly schema: JsonSchemaObject;
  /**
   * What arguments are checked against, every spelling that the route takes; `schema` where it is missing. See `SchemaView`.
   */
  readonly check?: JsonSchemaObject;
  /** What clients see in place of `schema`, where some of its members have names that not all of them take. */
  readonly clientNames?: ClientNames;
  readonly parameters: readonly RouteParameter[];
  /** The body that the route reads, if it reads one. `form` media types stand under `form`, the others under `body`. */
  readonly body?: { readonly mediaType: BodyMediaType; readonly required: boolean };
}
