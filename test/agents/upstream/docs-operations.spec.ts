import { describe, expect, it } from '@jest/globals';
import { REST_OPERATION_SCHEMA } from 'nestjs-mcp-routes/agents';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { compileOperation } from '../../../src/upstream/compile-operation.js';
import { UPSTREAM_DEFAULTS, type UpstreamPolicy } from '../../../src/upstream/policy.js';
import { BLOCKS, tableAfter } from '../../docs/markdown.js';

function shown(word: string): unknown {
  const block = BLOCKS.find(
    ({ document, words }) => document === 'docs/operations.md' && words.has(word),
  );
  return JSON.parse(block?.text ?? '');
}

describe('agents: docs/operations.md', () => {
  const operation = shown('operation');
  const policy = shown('policy') as UpstreamPolicy;

  it('shows an operation and a policy that fit together', () => {
    const compiled = compileOperation(operation, policy);
    expect(compiled).not.toHaveProperty('problems');
  });

  it('shows an operation that fits the schema, which is a schema', () => {
    const ajv = new Ajv2020({ strict: false, allErrors: true });
    expect(ajv.validateSchema(REST_OPERATION_SCHEMA)).toBe(true);
    const validate = ajv.compile(REST_OPERATION_SCHEMA);
    expect(validate(operation)).toBe(true);
    // Each member that is documented is one, and no other is.
    expect(validate({ ...(operation as object), script: 'x' })).toBe(false);
    for (const content of [
      {},
      { from: 'a' },
      { from: '/a', value: 1 },
      { value: 1, required: true },
      { object: {}, list: [] },
      { template: '{x}' },
    ]) {
      const body = { contentType: 'application/json', content };
      expect({ content, fits: validate({ ...(operation as object), body }) }).toEqual({
        content,
        fits: false,
      });
    }
  });

  it('has every member of an operation and of a policy in its tables', () => {
    const members = tableAfter('docs/operations.md', '## The request').map(([name = '']) =>
      name.replaceAll('`', ''),
    );
    expect(members.sort()).toEqual(Object.keys(REST_OPERATION_SCHEMA.properties ?? {}).sort());
    const rows = tableAfter('docs/operations.md', '## What may be reached').map(([name = '']) =>
      name.replaceAll('`', ''),
    );
    expect(rows.sort()).toEqual(['origins', ...Object.keys(UPSTREAM_DEFAULTS)].sort());
  });
});
