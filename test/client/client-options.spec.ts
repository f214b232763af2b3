import { readFileSync } from 'node:fs';
import { Injectable, Module } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { McpSetupError } from 'nestjs-mcp-routes';
import {
  McpClientModule,
  McpToolClient,
  type McpClientModuleOptions,
  type McpClientServer,
} from 'nestjs-mcp-routes/client';
import { CLIENT_RANGES } from '../../src/client/check-client-options.js';
import { CLIENT_INFO } from '../../src/client/client-info.js';
import { CLIENT_DEFAULTS } from '../../src/client/client-options.js';
import { serverAt } from './client.fixture.js';

const GOOD = serverAt('https://bank.example/mcp');
const DIGEST = GOOD.tools[0]?.inputSchemaDigest ?? '';

async function problemsOf(options: unknown): Promise<readonly string[]> {
  const module = McpClientModule.forRoot(options as McpClientModuleOptions);
  try {
    await (await Test.createTestingModule({ imports: [module] }).compile()).close();
    return [];
  } catch (error) {
    if (!(error instanceof McpSetupError)) throw error;
    expect(error.message).toMatch(/^McpClientModule cannot start, \d+ problems?:/);
    return error.problems;
  }
}

const withServer = (more: object): Promise<readonly string[]> =>
  problemsOf({ servers: [{ ...GOOD, ...more }] });
const withTool = (more: object): Promise<readonly string[]> =>
  withServer({ tools: [{ ...GOOD.tools[0], ...more }] });

describe('client options', () => {
  it.each<[string, Partial<McpClientServer>]>([
    ['an https endpoint', {}],
    ['a port and a path', { endpoint: 'https://bank.example:8443/a/b' }],
    ['each revision', { revision: '2025-03-26' }],
    ['a credential source', { credentials: { authorization: () => 'Bearer a' } }],
    [
      'a place deep in the arguments',
      { tools: [{ name: 'pay', inputSchemaDigest: DIGEST, operationId: '/body/id' }] },
    ],
  ])('take %s', async (_, more) => {
    expect(await withServer(more)).toEqual([]);
  });

  it.each(['http://127.0.0.1:3000/mcp', 'http://[::1]:3000/mcp', 'http://localhost/mcp'])(
    '%s needs allowInsecureLoopback',
    async (endpoint) => {
      const [problem] = await withServer({ endpoint });
      expect(problem).toMatch(
        /^option servers\[0\]\.endpoint: ".*" is http\. .* allowInsecureLoopback/,
      );
      expect(
        await problemsOf({ servers: [{ ...GOOD, endpoint }], allowInsecureLoopback: true }),
      ).toEqual([]);
    },
  );

  it.each([
    'http://bank.example/mcp',
    'http://127.0.0.1.evil.example/mcp',
    'http://127.0.0.2/mcp',
    'http://0.0.0.0/mcp',
    'http://localhost.evil.example/mcp',
    'ftp://localhost/mcp',
    'ws://localhost/mcp',
    'https://user:pass@bank.example/mcp',
    'https://user@bank.example/mcp',
    'https://bank.example/mcp?tenant=1',
    'https://bank.example/mcp?',
    'https://bank.example/mcp#top',
    'https://bank.example/mcp#',
    'bank.example/mcp',
    '//bank.example/mcp',
    '',
    7,
    undefined,
  ])('%j is no endpoint', async (endpoint) => {
    const problems = await problemsOf({
      servers: [{ ...GOOD, endpoint }],
      allowInsecureLoopback: true,
    });
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(/^option servers\[0\]\.endpoint: /);
    expect(problems[0]).not.toContain('pass');
  });

  it.each([
    ['servers', {}],
    ['servers', { servers: [] }],
    ['servers', { servers: {} }],
    ['servers[0]', { servers: [null] }],
    ['tokens', { servers: [GOOD], tokens: 1 }],
    ['fetch', { servers: [GOOD], fetch: 'fetch' }],
    ['allowInsecureLoopback', { servers: [GOOD], allowInsecureLoopback: 'yes' }],
    ['servers[1].id', { servers: [GOOD, GOOD] }],
  ])('a problem with %s: %j', async (name, options) => {
    const problems = await problemsOf(options);
    expect(problems[0]).toContain(`option ${name}`);
  });

  it.each([
    ['id', { id: 'a b' }],
    ['id', { id: '' }],
    ['id', { id: undefined }],
    ['revision', { revision: '2024-11-05' }],
    ['credentials', { credentials: 'Bearer a' }],
    ['credentials', { credentials: null }],
    ['input', { input: {} }],
    ['url', { url: 'https://bank.example' }],
    ['tools', { tools: [] }],
    ['tools', { tools: undefined }],
    ['tools[1].name', { tools: [GOOD.tools[0], GOOD.tools[0]] }],
    ['reconcile', { reconcile: undefined }],
    ['reconcile', { reconcile: 'status' }],
    ['reconcile.name', { reconcile: { ...GOOD.reconcile, name: 'pay' } }],
    ['reconcile.operationId', { reconcile: { ...GOOD.reconcile, operationId: undefined } }],
    [
      'reconcile.inputSchemaDigest',
      { reconcile: { ...GOOD.reconcile, inputSchemaDigest: undefined } },
    ],
    ['reconcile.readOnly', { reconcile: { ...GOOD.reconcile, readOnly: true } }],
  ])('a problem with %s of a server', async (name, more) => {
    const problems = await withServer(more);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(`option servers[0].${name}: `);
  });

  it.each([
    ['name', { name: '' }],
    ['name', { name: 7 }],
    ['inputSchemaDigest', { inputSchemaDigest: DIGEST.slice(7) }],
    ['inputSchemaDigest', { inputSchemaDigest: DIGEST.toUpperCase() }],
    ['inputSchemaDigest', { inputSchemaDigest: `${DIGEST}0` }],
    ['inputSchemaDigest', { inputSchemaDigest: undefined }],
    ['operationId', { operationId: undefined }],
    ['operationId', { operationId: 'operation_id' }],
    ['operationId', { operationId: '' }],
    ['operationId', { operationId: '/__proto__' }],
    ['operationId', { operationId: 'no pointer', readOnly: true }],
    ['readOnly', { readOnly: 'yes' }],
    ['digest', { digest: DIGEST }],
  ])('a problem with %s of a tool: %j', async (name, more) => {
    const problems = await withTool(more);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(`option servers[0].tools[0].${name}: `);
  });

  it.each(Object.entries(CLIENT_RANGES))(
    '%s has a range, and its default is in it',
    async (name, [least, most]) => {
      const initial = CLIENT_DEFAULTS[name as keyof typeof CLIENT_RANGES];
      expect(initial >= least && initial <= most).toBe(true);
      for (const good of [least, most])
        expect(await problemsOf({ servers: [GOOD], [name]: good })).toEqual([]);
      for (const bad of [least - 1, most + 1, 1.5, '5', NaN, null]) {
        const problems = await problemsOf({ servers: [GOOD], [name]: bad });
        expect(problems[0]).toContain(`option ${name}: `);
      }
    },
  );

  it('are reported together', async () => {
    const problems = await problemsOf({
      servers: [{ id: '', endpoint: 'x', tools: [{}] }],
      maxPages: 0,
      more: 1,
    });
    expect(problems.length).toBeGreaterThanOrEqual(7);
  });

  it('come from a factory that injects what it needs', async () => {
    @Injectable()
    class Credentials {
      authorization(): string {
        return 'Bearer a';
      }
    }
    @Module({ providers: [Credentials], exports: [Credentials] })
    class CredentialsModule {}
    const make = (servers: unknown) =>
      McpClientModule.forRootAsync({
        imports: [CredentialsModule],
        inject: [Credentials],
        useFactory: async (credentials: Credentials) => ({
          servers: [{ ...GOOD, ...(servers as object), credentials }],
        }),
        isGlobal: true,
      });
    const module = await Test.createTestingModule({ imports: [make({})] }).compile();
    expect(module.get(McpToolClient)).toBeInstanceOf(McpToolClient);
    await module.close();
    const bad = Test.createTestingModule({ imports: [make({ id: '' })] }).compile();
    await expect(bad).rejects.toThrow('McpClientModule cannot start, 1 problem');
  });

  it('the client says which version of the package it is', () => {
    const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
    const { name, version } = JSON.parse(text) as { name: string; version: string };
    expect(CLIENT_INFO).toEqual({ name, version });
  });
});
