import type { JsonSchemaObject } from '../schema/json-schema.js';
import { REST_METHODS } from './operation.js';

const SERIALIZATION = {
  style: {
    description: 'A style of OpenAPI 3. simple in path and header, else form, when left out.',
    enum: ['simple', 'label', 'matrix', 'form', 'spaceDelimited', 'pipeDelimited', 'deepObject'],
  },
  explode: {
    description:
      'Each element or member stands for itself. True for form and deepObject when left out.',
    type: 'boolean',
  },
  allowReserved: {
    description: "In a query: :/?@!$'()*,; stay as they are.",
    type: 'boolean',
  },
  json: { description: 'The value is written as JSON, whatever the style.', type: 'boolean' },
};

const SOURCE = {
  from: {
    description: 'A JSON Pointer (RFC 6901) into the source: the arguments, or the answer.',
    type: 'string',
    maxLength: 1000,
    pattern: '^(?:/(?:[^~/]|~[01])*)*$',
  },
  required: {
    description: 'With from: the call fails where the source has no such value.',
    type: 'boolean',
  },
  value: { description: 'A constant, in place of from.' },
};

const FROM_OR_VALUE = [
  { required: ['from'], properties: { value: false } },
  { required: ['value'], properties: { from: false, required: false } },
];

/** The name of a header or cookie (RFC 9110, section 5.6.2: `token`). */
const TOKEN = "^[!#$%&'*+.^_`|~0-9A-Za-z-]+$";
const MEDIA_TYPE = { type: 'string', minLength: 3, maxLength: 200 };
const SCHEMA = { $ref: '#/$defs/schema' };
const MAPPING = { $ref: '#/$defs/mapping' };

/** The JSON Schema (2020-12) of a REST operation in a catalog: the whole of the declarative form. */
export const REST_OPERATION_SCHEMA: JsonSchemaObject = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'REST operation',
  type: 'object',
  required: ['method', 'url', 'input'],
  additionalProperties: false,
  properties: {
    method: { enum: [...REST_METHODS] },
    url: {
      description:
        'Origin and path, such as https://api.example.com/orders/{orderId}. {name} stands for the path parameter of that name.',
      type: 'string',
      maxLength: 4000,
      pattern: '^https?://',
    },
    parameters: { type: 'array', maxItems: 500, items: { $ref: '#/$defs/parameter' } },
    body: { $ref: '#/$defs/body' },
    input: { ...SCHEMA, description: "The tool's input schema: an object's." },
    response: {
      type: 'object',
      additionalProperties: false,
      properties: {
        content: {
          ...MAPPING,
          description: 'What the result is made of. The source is { status, headers, body }.',
        },
        output: { ...SCHEMA, description: "The tool's output schema." },
      },
    },
    timeoutMs: { type: 'integer', minimum: 1, maximum: 600_000 },
    credentials: { type: 'array', maxItems: 10, items: { $ref: '#/$defs/credential' } },
  },
  $defs: {
    schema: { type: 'object' },
    parameter: {
      type: 'object',
      required: ['name', 'in'],
      additionalProperties: false,
      oneOf: FROM_OR_VALUE,
      properties: {
        name: { type: 'string', minLength: 1, maxLength: 200 },
        in: { enum: ['path', 'query', 'header', 'cookie'] },
        ...SOURCE,
        ...SERIALIZATION,
      },
    },
    mapping: {
      description:
        'Exactly one of: a source, a constant, an object of mappings, a list of mappings.',
      oneOf: [
        {
          type: 'object',
          additionalProperties: false,
          oneOf: FROM_OR_VALUE,
          properties: SOURCE,
        },
        {
          type: 'object',
          required: ['object'],
          additionalProperties: false,
          properties: { object: { type: 'object', additionalProperties: MAPPING } },
        },
        {
          type: 'object',
          required: ['list'],
          additionalProperties: false,
          properties: { list: { type: 'array', items: MAPPING } },
        },
      ],
    },
    body: {
      type: 'object',
      required: ['contentType', 'content'],
      additionalProperties: false,
      properties: {
        contentType: {
          ...MEDIA_TYPE,
          description:
            'application/json or +json, application/x-www-form-urlencoded, multipart/form-data, or text/*.',
        },
        content: MAPPING,
        encoding: {
          description: 'For forms: how each member is written.',
          type: 'object',
          additionalProperties: {
            type: 'object',
            additionalProperties: false,
            properties: {
              contentType: MEDIA_TYPE,
              file: {
                description:
                  'The value is a file, { filename, contentType, data }, or a list of them.',
                type: 'boolean',
              },
              ...SERIALIZATION,
            },
          },
        },
      },
    },
    credential: {
      description: 'A secret that the request needs. The secret itself stands in no catalog.',
      type: 'object',
      required: ['ref', 'in', 'name'],
      additionalProperties: false,
      properties: {
        ref: { type: 'string', minLength: 1, maxLength: 200 },
        in: { enum: ['header', 'query', 'cookie'] },
        name: { type: 'string', maxLength: 200, pattern: TOKEN },
        prefix: {
          description: 'What stands before the secret, such as "Bearer ".',
          type: 'string',
          maxLength: 100,
          pattern: '^[\\x20-\\x7e]*$',
        },
        base64: {
          description: 'The secret is user:password, and is written in base64 (RFC 7617).',
          type: 'boolean',
        },
        optional: { description: 'The request may go out without it.', type: 'boolean' },
      },
    },
  },
};
