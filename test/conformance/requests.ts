import type { McpInputRequest } from 'nestjs-mcp-routes';

/** Asks the client's user. */
export function elicitation(
  message: string,
  properties: object,
  required: string[] = [],
): McpInputRequest {
  const requestedSchema = {
    type: 'object',
    properties,
    ...(required.length > 0 ? { required } : {}),
  };
  return { method: 'elicitation/create', params: { message, requestedSchema } };
}

/** Asks the client's model. */
export function sampling(text: string): McpInputRequest {
  const messages = [{ role: 'user', content: { type: 'text', text } }];
  return { method: 'sampling/createMessage', params: { messages, maxTokens: 100 } };
}

export const ROOTS: McpInputRequest = { method: 'roots/list' };

export const DEFAULTS = {
  name: { type: 'string', default: 'John Doe' },
  age: { type: 'integer', default: 30 },
  score: { type: 'number', default: 95.5 },
  status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
  verified: { type: 'boolean', default: true },
};

const titled = ['value1', 'value2', 'value3'].map((value, i) => ({
  const: value,
  title: `Option ${i + 1}`,
}));

export const ENUMS = {
  untitledSingle: { type: 'string', enum: ['option1', 'option2', 'option3'] },
  titledSingle: { type: 'string', oneOf: titled },
  legacyEnum: { type: 'string', enum: ['opt1', 'opt2'], enumNames: ['Option One', 'Option Two'] },
  untitledMulti: { type: 'array', items: { type: 'string', enum: ['option1', 'option2'] } },
  titledMulti: { type: 'array', items: { anyOf: titled } },
};
