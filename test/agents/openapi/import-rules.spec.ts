import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommand } from '../../../src/cli/command.js';
import { OpenApiDocument } from '../../../src/openapi/document.js';
import {
  importDocument,
  type DocumentImport,
  type ImportOptions,
} from '../../../src/openapi/import-document.js';
import { compileOperation } from '../../../src/upstream/compile-operation.js';
import type { JsonSchemaObject } from '../../../src/schema/json-schema.js';
import type { RestOperation } from '../../../src/upstream/operation.js';

type Members = Record<string, unknown>;

/** A document of one operation. */
function documentOf(operation: Members, more: Members = {}, version = '3.1.0'): Members {
  return {
    openapi: version,
    info: { title: 'Shop', version: '1' },
    servers: [{ url: 'https://api.example.com/v1/' }],
    paths: {
      '/orders/{id}': {
        post: {
          operationId: 'updateOrder',
          responses: {},
          parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
          ...operation,
        },
      },
    },
    ...more,
  };
}

function imported(document: Members, options: ImportOptions = {}): DocumentImport {
  return importDocument(new OpenApiDocument(document), options);
}

/** The only operation of a document, and what was left out of it. */
function onlyOne(
  operation: Members,
  more?: Members,
  version?: string,
): { rest: RestOperation; notes: readonly string[] } {
  const { operations, entries } = imported(documentOf(operation, more, version));
  const rest = operations[0]?.versions[0].rest;
  if (rest === undefined) throw new Error(entries[0]?.notes.join());
  return { rest, notes: entries[0]?.notes ?? [] };
}

const body = (schema: unknown, type = 'application/json', encoding?: Members) => ({
  requestBody: { required: true, content: { [type]: { schema, encoding } } },
});
const group = ({ input }: RestOperation, name: string) =>
  input.properties?.[name] as JsonSchemaObject;

describe('agents: what the import makes of a document', () => {
  it('names, url, server and drafts', () => {
    const { operations, policy } = imported(documentOf({ summary: 'Update', description: 'Long' }));
    expect(policy).toEqual({ origins: ['https://api.example.com'] });
    expect(operations).toMatchObject([
      {
        name: 'update_order',
        versions: [
          {
            version: 1,
            status: 'draft',
            title: 'Update',
            description: 'Long',
            rest: { method: 'POST', url: 'https://api.example.com/v1/orders/{id}' },
          },
        ],
      },
    ]);
    const local = imported(documentOf({}), {
      server: 'http://localhost:3000/',
      status: 'published',
    });
    expect(local.policy).toEqual({ origins: ['http://localhost:3000'], allowLoopback: true });
    expect(local.operations[0]?.versions[0]).toMatchObject({ status: 'published' });
    const variables = {
      servers: [{ url: '{host}/v1', variables: { host: { default: 'https://x.example' } } }],
    };
    expect(imported(documentOf({}, variables)).policy.origins).toEqual(['https://x.example']);
    const relative = imported(documentOf({}, { servers: [{ url: '/v1' }] }));
    expect(relative.entries[0]?.notes.join()).toMatch(/--server/);
  });

  it('chooses by tag, by id and by method and path', () => {
    const document = documentOf({ tags: ['a'] });
    const count = (options: ImportOptions) => imported(document, options).entries.length;
    expect([count({}), count({ tags: ['a'] }), count({ tags: ['b'] })]).toEqual([1, 1, 0]);
    expect([
      count({ operations: ['updateOrder'] }),
      count({ operations: ['POST /orders/{id}'] }),
      count({ operations: ['x'] }),
    ]).toEqual([1, 1, 0]);
  });

  it('no readOnly member in the arguments, wherever it is required', () => {
    const components = {
      schemas: {
        Base: {
          type: 'object',
          required: ['id'],
          properties: { id: { type: 'string', readOnly: true }, name: { type: 'string' } },
        },
      },
    };
    const schema = { allOf: [{ $ref: '#/components/schemas/Base' }, { required: ['id', 'name'] }] };
    const { rest } = onlyOne(body(schema), { components });
    const text = JSON.stringify(rest.input);
    expect(text).not.toContain('readOnly');
    const compiled = compileOperation(rest, { origins: ['https://api.example.com'] });
    if ('problems' in compiled) throw new Error(compiled.problems.join());
    expect(compiled.operation.checkArguments({ path: { id: '7' }, body: { name: 'x' } })).toEqual(
      [],
    );
    expect(compiled.operation.checkArguments({ path: { id: '7' }, body: {} })).toEqual([
      'body.name is required',
    ]);
  });

  it('no writeOnly member in an output schema, which is there when asked for', () => {
    const schema = {
      type: 'object',
      properties: { name: {}, password: { type: 'string', writeOnly: true } },
      required: ['password'],
    };
    const responses = { 201: { content: { 'application/json': { schema } } } };
    const { operations } = imported(documentOf({ responses }), { output: true });
    expect(operations[0]?.versions[0].rest.response).toEqual({
      output: { type: 'object', properties: { name: {} } },
    });
    expect(onlyOne({ responses }).rest).not.toHaveProperty('response');
  });

  it('references to $defs, circles too, and none out of the document', () => {
    const components = {
      schemas: {
        Node: { type: 'object', properties: { next: { $ref: '#/components/schemas/Node' } } },
      },
    };
    const { rest } = onlyOne(body({ $ref: '#/components/schemas/Node' }), { components });
    expect(rest.input.$defs).toEqual({
      Node: { type: 'object', properties: { next: { $ref: '#/$defs/Node' } } },
    });
    for (const ref of [
      'other.yaml#/A',
      'https://evil.example/a.json',
      'file:///etc/passwd',
      '#/components/schemas/None',
      '#foo',
      '#/%',
    ]) {
      const { entries } = imported(documentOf(body({ $ref: ref }), { components }));
      expect(entries).toEqual([
        {
          source: 'POST /orders/{id}',
          name: undefined,
          notes: [expect.stringMatching(/leads (?:out of the document|nowhere)/)],
        },
      ]);
    }
    const loop = {
      schemas: { A: { $ref: '#/components/schemas/B' }, B: { $ref: '#/components/schemas/A' } },
    };
    const parameters = [{ name: 'q', in: 'query', schema: { $ref: '#/components/schemas/A' } }];
    expect(
      imported(documentOf({ parameters }, { components: loop })).entries[0]?.name,
    ).toBeUndefined();
  });

  it('the schemas of 3.0 as those of 2020-12', () => {
    const schema = {
      type: 'object',
      properties: {
        a: { type: 'integer', nullable: true, minimum: 1, exclusiveMinimum: true },
        b: { type: 'string', enum: ['x'], nullable: true, example: 'x' },
        c: { $ref: '#/components/schemas/C', description: 'ignored' },
      },
    };
    const components = { schemas: { C: { type: 'string' } } };
    const { rest } = onlyOne(body(schema), { components }, '3.0.3');
    expect(group(rest, 'body').properties).toEqual({
      a: { type: ['integer', 'null'], exclusiveMinimum: 1 },
      b: { type: ['string', 'null'], enum: ['x', null], examples: ['x'] },
      c: { $ref: '#/$defs/C' },
    });
  });

  it('schemas that are never stricter than the API', () => {
    const schema = {
      allOf: [
        { type: 'object', properties: { a: {} }, additionalProperties: false },
        {
          type: 'object',
          properties: { b: { type: 'string', pattern: '^(?=x)' } },
          additionalProperties: false,
        },
      ],
      oneOf: [{ required: ['a'] }, { required: ['b'] }],
    };
    const { rest, notes } = onlyOne(body(schema));
    const compiled = compileOperation(rest, { origins: ['https://api.example.com'] });
    if ('problems' in compiled) throw new Error(compiled.problems.join());
    expect(
      compiled.operation.checkArguments({ path: { id: '7' }, body: { a: 1, b: 'y' } }),
    ).toEqual([]);
    expect(notes).toEqual([expect.stringMatching(/pattern .* is left out/)]);
  });

  it('forms, by the encoding of their members', () => {
    const schema = {
      type: 'object',
      required: ['a'],
      properties: {
        a: { type: 'string' },
        list: { type: 'array', items: { type: 'string' } },
        object: { type: 'object', properties: { x: {} } },
        deep: { type: 'object', properties: { x: {} } },
        csv: { type: 'array', items: {} },
        hard: { type: 'array', items: { type: 'object' } },
      },
    };
    const encoding = { deep: { style: 'deepObject' }, csv: { explode: false } };
    const { rest, notes } = onlyOne(body(schema, 'application/x-www-form-urlencoded', encoding));
    expect(rest.body).toEqual({
      contentType: 'application/x-www-form-urlencoded',
      content: { from: '/form', required: true },
      encoding: { object: { json: true }, deep: { style: 'deepObject' }, csv: { explode: false } },
    });
    expect(notes).toEqual([expect.stringMatching(/the form member hard .* is left out/)]);
    expect(group(rest, 'form').required).toEqual(['a']);
    const multipart = {
      type: 'object',
      properties: {
        file: { type: 'string', format: 'binary' },
        files: { type: 'array', items: { type: 'string', contentMediaType: 'image/png' } },
        meta: { type: 'object' },
      },
    };
    const parts = onlyOne(body(multipart, 'multipart/form-data')).rest;
    expect(parts.body?.encoding).toEqual({ file: { file: true }, files: { file: true } });
    expect(group(parts, 'form').properties?.['files']).toMatchObject({
      type: 'array',
      items: { required: ['filename', 'data'] },
    });
  });

  it('bodies: JSON first, refused where none can be written', () => {
    const content = {
      'application/xml': {},
      'application/x-www-form-urlencoded': { schema: { type: 'object' } },
      'application/merge-patch+json': { schema: {} },
    };
    expect(onlyOne({ requestBody: { content } }).rest.body?.contentType).toBe(
      'application/merge-patch+json',
    );
    expect(onlyOne(body({ type: 'object' }, '*/*')).rest.body?.contentType).toBe(
      'application/json',
    );
    const binary = imported(documentOf(body({}, 'application/octet-stream'))).entries[0];
    expect(binary).toMatchObject({
      name: undefined,
      notes: ['its body is application/octet-stream'],
    });
  });

  it('security schemes as references to credentials', () => {
    const securitySchemes = {
      key: { type: 'apiKey', in: 'query', name: 'k' },
      jwt: { type: 'http', scheme: 'Bearer' },
      basic: { type: 'http', scheme: 'basic' },
      oauth: { type: 'oauth2', flows: {} },
      tls: { type: 'mutualTLS' },
      digest: { type: 'http', scheme: 'digest' },
    };
    const uses = (security: unknown) =>
      onlyOne({ security }, { components: { securitySchemes } }).rest.credentials;
    expect(uses([{ key: [], jwt: [] }])).toEqual([
      { ref: 'key', in: 'query', name: 'k' },
      { ref: 'jwt', in: 'header', name: 'Authorization', prefix: 'Bearer ' },
    ]);
    expect(uses([{ tls: [] }, { basic: [] }])).toEqual([
      { ref: 'basic', in: 'header', name: 'Authorization', prefix: 'Basic ', base64: true },
    ]);
    expect(uses([{}, { oauth: [] }])).toMatchObject([{ ref: 'oauth', optional: true }]);
    expect(uses([])).toBeUndefined();
    for (const scheme of ['tls', 'digest', 'none', '__proto__'])
      expect(() => uses([JSON.parse(`{"${scheme}":[]}`)])).toThrow(scheme);
  });

  it('parameters: what no style defines is left out, or refuses the operation where it is required', () => {
    const nested = { type: 'array', items: { type: 'object' } };
    const at = (parameter: Members) => {
      const id = { name: 'id', in: 'path', required: true, schema: {} };
      return documentOf({
        parameters: [id, { name: 'q', in: 'query', schema: nested, ...parameter }],
      });
    };
    for (const parameter of [
      {},
      { style: 'deepObject' },
      { in: 'cookie' },
      { style: 'simple' },
      { content: { 'text/csv': {} } },
      { in: 'header', name: 'Host' },
    ]) {
      const optional = imported(at(parameter)).entries[0];
      expect(optional).toMatchObject({
        name: 'update_order',
        notes: [expect.stringMatching(/is left out$/)],
      });
      expect(imported(at({ ...parameter, required: true })).entries[0]).toMatchObject({
        name: undefined,
      });
    }
    const json = imported(at({ content: { 'application/json': { schema: nested } } }));
    expect(json.operations[0]?.versions[0].rest.parameters?.[1]).toEqual({
      name: 'q',
      in: 'query',
      from: '/query/q',
      json: true,
    });
    const ignored = imported(at({ in: 'header', name: 'Authorization', required: true }));
    expect(ignored.entries[0]).toMatchObject({ name: 'update_order', notes: [] });
  });

  it('refuses what is no OpenAPI 3', () => {
    for (const root of [{}, { swagger: '2.0' }, { openapi: '4.0.0' }, { openapi: 3 }]) {
      expect(() => new OpenApiDocument(root)).toThrow(/OpenAPI 3\.0 and 3\.1 can be imported/);
    }
  });
});

describe('agents: the command import-openapi', () => {
  let folder: string;
  beforeAll(async () => (folder = await mkdtemp(join(tmpdir(), 'mcp-openapi-'))));
  afterAll(() => rm(folder, { recursive: true }));

  it('prints a catalog, and says what it could not express', async () => {
    const file = join(folder, 'shop.yaml');
    const text = await readFile(new URL('./shop.fixture.yaml', import.meta.url), 'utf8');
    await writeFile(file, text);
    const { code, output, errors } = await runCommand([
      'import-openapi',
      file,
      '--workspace',
      'acme',
      '--tag',
      'orders',
    ]);
    expect(code).toBe(0);
    expect(JSON.parse(output)).toMatchObject({
      workspaces: [
        {
          slug: 'acme',
          policy: { origins: ['https://shop.example'] },
          operations: [{ name: 'list_orders' }],
        },
      ],
    });
    expect(errors).toMatch(
      /Refused:\n {2}PUT \/orders\/\{id\}\/label\n {4}- its body is image\/png/,
    );
    expect(errors).toMatch(/1 of 2 operations imported\.$/);
  });

  it('says what is wrong with a call', async () => {
    expect(await runCommand(['import-openapi'])).toMatchObject({ code: 2 });
    expect(await runCommand(['import-openapi', 'x.yaml'])).toMatchObject({
      code: 2,
      errors: expect.stringMatching(/--workspace/),
    });
    expect(await runCommand(['import-openapi', 'x.yaml', '--workspace', 'A b'])).toMatchObject({
      code: 2,
    });
    expect(
      await runCommand(['import-openapi', 'x.yaml', '--workspace', 'a', '--foo']),
    ).toMatchObject({ code: 2 });
    expect(
      await runCommand(['import-openapi', join(folder, 'none.yaml'), '--workspace', 'a']),
    ).toMatchObject({ code: 1, errors: expect.stringMatching(/There is no file/) });
    expect(await runCommand(['import-openapi', '--help'])).toMatchObject({
      code: 0,
      output: expect.stringMatching(/--server/),
    });
  });
});
