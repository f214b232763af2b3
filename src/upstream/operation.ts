import type { JsonSchemaObject } from '../schema/json-schema.js';

/** The methods that an operation may have. `CONNECT` and `TRACE` are for proxies and debuggers. */
export const REST_METHODS = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

export type RestMethod = (typeof REST_METHODS)[number];

/**
 * A REST operation as a catalog holds it: plain JSON, no code. `REST_OPERATION_SCHEMA` is its JSON Schema.
 *
 * @example
 * {
 *   "method": "GET",
 *   "url": "https://api.example.com/orders/{orderId}",
 *   "parameters": [{ "name": "orderId", "in": "path", "from": "/orderId" }],
 *   "input": {
 *     "type": "object",
 *     "properties": { "orderId": { "type": "string" } },
 *     "required": ["orderId"]
 *   }
 * }
 */
export interface RestOperation {
  readonly method: RestMethod;
  /**
   * Origin and path. `{name}` in the path stands for the path parameter of that name; the origin holds none, and there
   * is neither a query nor a fragment.
   */
  readonly url: string;
  readonly parameters?: readonly RestParameter[];
  readonly body?: RestBody;
  /** The tool's input schema: JSON Schema 2020-12 (or draft-07, when `$schema` says so) of an object. */
  readonly input: JsonSchemaObject;
  /** What the result is made of; the body as the upstream sent it when left out. */
  readonly response?: ResponseMapping;
  /** How long a call may take, in ms, from 1 to 600 000. The policy's `timeoutMs` when left out. */
  readonly timeoutMs?: number;
  readonly credentials?: readonly CredentialUse[];
}

export type ParameterPlace = 'path' | 'query' | 'header' | 'cookie';

/** The styles of OpenAPI 3 (section "Style Values"). */
export type ParameterStyle =
  'simple' | 'label' | 'matrix' | 'form' | 'spaceDelimited' | 'pipeDelimited' | 'deepObject';

/** How a value becomes text in a URL, a header or a form, as in OpenAPI 3. */
export interface Serialization {
  /** `simple` in path and header, `form` in query, cookie and forms when left out. */
  readonly style?: ParameterStyle;
  /** Whether each element or member stands for itself. True for `form` and `deepObject`, else false, when left out. */
  readonly explode?: boolean;
  /** In a query: `:/?@!$'()*,;` stay as they are. False when left out. */
  readonly allowReserved?: boolean;
  /** The value is written as JSON, whatever the style. */
  readonly json?: boolean;
}

/** A parameter of the request, and where its value comes from. */
export type RestParameter = Serialization &
  ValueSource & {
    readonly name: string;
    readonly in: ParameterPlace;
  };

/** Exactly one of the two. */
export type ValueSource =
  /** A JSON Pointer (RFC 6901) into the arguments. What is not there is left out, unless it is `required`. */
  | { readonly from: string; readonly required?: boolean }
  /** A constant. */
  | { readonly value: unknown };

/** A value made of others: the one form of mapping, for bodies and for results. */
export type Mapping =
  | ValueSource
  /** An object of these members; one whose value is not there is left out. */
  | { readonly object: Readonly<Record<string, Mapping>> }
  /** A list of these elements; one whose value is not there is left out. */
  | { readonly list: readonly Mapping[] };

/** The body of the request. */
export interface RestBody {
  /**
   * `application/json` or another `+json` type, `application/x-www-form-urlencoded`, `multipart/form-data`, or `text/*`
   * of a string.
   */
  readonly contentType: string;
  /** Without a value of its own the body is left out. */
  readonly content: Mapping;
  /** For forms: how each member is written. */
  readonly encoding?: Readonly<Record<string, FieldEncoding>>;
}

export interface FieldEncoding extends Serialization {
  /** Of a multipart field: its media type. `application/json` for objects and lists of them when left out, else none. */
  readonly contentType?: string;
  /** Of a multipart field: the value is a file, `{ filename, contentType, data }` with `data` in base64, or a list of them. */
  readonly file?: boolean;
}

/** What of an answer becomes the result. */
export interface ResponseMapping {
  /** The source of its pointers is `{ "status": 200, "headers": { "etag": "…" }, "body": … }`; the body must be JSON. */
  readonly content?: Mapping;
  /** The schema of the result, for the tool's `outputSchema`. */
  readonly output?: JsonSchemaObject;
}

/** A secret that the request needs. The catalog holds its reference only; a `CredentialSource` knows the secret. */
export interface CredentialUse {
  readonly ref: string;
  readonly in: 'header' | 'query' | 'cookie';
  /** The name of the header, the query parameter or the cookie, such as `Authorization`. */
  readonly name: string;
  /** What stands before the secret, such as `Bearer `. */
  readonly prefix?: string;
  /** The secret is `user:password` and is written in base64 (RFC 7617). */
  readonly base64?: boolean;
  /** The request goes out without it when the source does not have it. False when left out. */
  readonly optional?: boolean;
}
