import { beforeAll, describe, expect, it } from '@jest/globals';
import { readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { FOLDERS } from '../../scripts/lint/folders.mjs';
import { type Finding, lintProject } from './lint-project.js';

const DIRECTION = 'import-x/no-restricted-paths';
const IMPORTS = '@typescript-eslint/no-restricted-imports';
const DESCRIPTION = '@eslint-community/eslint-comments/require-description';

/** What each folder of the linted project offers for import: a value and a type. */
const TARGET = 'export const value = 1;\nexport interface Shape {\n  readonly a: number;\n}\n';
const TARGETS = [
  ...Object.keys(FOLDERS).map((folder) => `${folder}/target`),
  ...['mcp.constants', 'mcp.errors', 'mcp.module', 'mcp.options', 'mcp.providers', 'index'],
  'schema/json-schema',
  'dispatch/call',
  'protocol/json-rpc-error',
];

const importValue = (from: string) =>
  `import { value } from '${from}';\nexport const used = value;\n`;
const importType = (from: string) =>
  `import type { Shape } from '${from}';\nexport const used: Shape = { a: 1 };\n`;

interface Case {
  readonly says: string;
  readonly path: string;
  readonly content: string;
  /** The rule that reports it; none: it is allowed. */
  readonly rule?: string;
}

/** `folder → target` as values or types, refused by `rule` or allowed. The design's picture, arrow by arrow. */
function arrow(folder: string, target: string, kind: 'value' | 'type', rule?: string): Case {
  const says = `src/${folder} → ${target} (${kind})`;
  const content = (kind === 'value' ? importValue : importType)(`../${target}.js`);
  const path = `src/${folder}/imports-${kind}-of-${target.replace(/\W/g, '-')}.ts`;
  return { says, path, content, ...(rule !== undefined && { rule }) };
}

const REFUSED_ARROWS: Case[] = [
  arrow('decorators', 'discovery/target', 'value', IMPORTS),
  arrow('decorators', 'catalog/target', 'type', DIRECTION),
  arrow('discovery', 'schema/target', 'value', DIRECTION),
  arrow('discovery', 'catalog/target', 'type', DIRECTION),
  arrow('schema', 'discovery/target', 'value', IMPORTS),
  arrow('schema', 'catalog/target', 'value', DIRECTION),
  arrow('schema', 'mcp.module', 'value', DIRECTION),
  arrow('catalog', 'dispatch/target', 'value', DIRECTION),
  arrow('catalog', 'protocol/target', 'value', IMPORTS),
  arrow('result', 'dispatch/target', 'type', DIRECTION),
  arrow('result', 'policy/target', 'value', DIRECTION),
  arrow('result', 'schema/target', 'type', DIRECTION),
  arrow('policy', 'dispatch/target', 'value', IMPORTS),
  arrow('policy', 'protocol/target', 'value', DIRECTION),
  arrow('dispatch', 'protocol/target', 'type', DIRECTION),
  arrow('dispatch', 'endpoint/target', 'value', DIRECTION),
  arrow('dispatch', 'protocol/json-rpc-error', 'value', IMPORTS),
  arrow('decorators', 'dispatch/target', 'value', IMPORTS),
  arrow('dispatch', 'result/target', 'value', IMPORTS),
  arrow('protocol', 'endpoint/target', 'value', DIRECTION),
  arrow('protocol', 'dispatch/target', 'value', IMPORTS),
  arrow('endpoint', 'dispatch/target', 'value', IMPORTS),
  arrow('endpoint', 'catalog/target', 'value', DIRECTION),
  arrow('endpoint', 'index', 'value', DIRECTION),
  arrow('sessions', 'protocol/target', 'value', IMPORTS),
  arrow('redis', 'endpoint/target', 'value', DIRECTION),
  arrow('auth', 'dispatch/target', 'value', IMPORTS),
  arrow('client', 'dispatch/target', 'value', DIRECTION),
  arrow('catalog', 'agents/target', 'value', DIRECTION),
  arrow('agents', 'client/target', 'value', DIRECTION),
  arrow('testing', 'protocol/target', 'value', DIRECTION),
  arrow('testing', 'mcp.module', 'value', DIRECTION),
];

const ALLOWED_ARROWS: Case[] = [
  arrow('decorators', 'mcp.constants', 'value'),
  arrow('decorators', 'schema/target', 'type'),
  arrow('decorators', 'dispatch/call', 'value'),
  arrow('discovery', 'decorators/target', 'type'),
  arrow('schema', 'discovery/target', 'type'),
  arrow('schema', 'mcp.errors', 'value'),
  arrow('catalog', 'schema/target', 'value'),
  arrow('result', 'schema/json-schema', 'type'),
  arrow('policy', 'result/target', 'type'),
  arrow('dispatch', 'catalog/target', 'value'),
  arrow('dispatch', 'protocol/json-rpc-error', 'type'),
  arrow('protocol', 'result/target', 'value'),
  arrow('protocol', 'dispatch/target', 'type'),
  arrow('endpoint', 'protocol/target', 'value'),
  arrow('redis', 'sessions/target', 'value'),
  arrow('agents', 'mcp.providers', 'value'),
  arrow('testing', 'index', 'value'),
  arrow('testing', 'dispatch/target', 'value'),
];

const importPackage = (name: string) =>
  `import * as peer from '${name}';\nexport const used = peer;\n`;
const lines = (count: number, line: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => line(index)).join('\n');

const REFUSED_CODE: Case[] = [
  {
    says: 'an import cycle',
    path: 'src/catalog/cycle-a.ts',
    content: "import { b } from './cycle-b.js';\nexport const a = (): number => b();\n",
    rule: 'import-x/no-cycle',
  },
  {
    says: 'the other end of that cycle',
    path: 'src/catalog/cycle-b.ts',
    content: "import { a } from './cycle-a.js';\nexport const b = (): number => a();\n",
    rule: 'import-x/no-cycle',
  },
  {
    says: 'any',
    path: 'src/catalog/any.ts',
    content: 'export function f(value: any): number {\n  return Number(value);\n}\n',
    rule: '@typescript-eslint/no-explicit-any',
  },
  {
    says: 'any in a test',
    path: 'test/any.spec.ts',
    content: 'export const value: any = 1;\n',
    rule: '@typescript-eslint/no-explicit-any',
  },
  {
    says: 'an any that a library hands over (type-aware)',
    path: 'src/catalog/unsafe.ts',
    content: "export const name: string = JSON.parse('{}').name;\n",
    rule: '@typescript-eslint/no-unsafe-member-access',
  },
  {
    says: 'a promise that nobody awaits (type-aware)',
    path: 'src/catalog/floating.ts',
    content: 'export function f(): void {\n  Promise.resolve();\n}\n',
    rule: '@typescript-eslint/no-floating-promises',
  },
  {
    says: 'export *',
    path: 'src/catalog/barrel.ts',
    content: "export * from './target.js';\n",
    rule: 'no-restricted-syntax',
  },
  {
    says: 'export * as',
    path: 'test/barrel.ts',
    content: "export * as target from '../src/catalog/target.js';\n",
    rule: 'no-restricted-syntax',
  },
  {
    says: 'a default export',
    path: 'src/catalog/default.ts',
    content: 'export default 1;\n',
    rule: 'import-x/no-default-export',
  },
  {
    says: 'an eslint-disable without a reason',
    path: 'src/catalog/reasonless.ts',
    content:
      '// eslint-disable-next-line @typescript-eslint/no-explicit-any\nexport const value: any = 1;\n',
    rule: DESCRIPTION,
  },
  {
    says: 'an eslint-disable of every rule',
    path: 'src/catalog/unlimited.ts',
    content: '// eslint-disable-next-line -- because\nexport const value: any = 1;\n',
    rule: '@eslint-community/eslint-comments/no-unlimited-disable',
  },
  {
    says: 'a file of more than 250 lines',
    path: 'src/catalog/long.ts',
    content: `${lines(251, (index) => `export const v${index} = ${index};`)}\n`,
    rule: 'max-lines',
  },
  {
    says: 'a function of more than 50 lines',
    path: 'src/catalog/long-function.ts',
    content: `export function f(log: string[]): void {\n${lines(50, () => "  log.push('');")}\n}\n`,
    rule: 'max-lines-per-function',
  },
  {
    says: 'a function with too many ways through it',
    path: 'src/catalog/complex.ts',
    content: `export function f(n: number): number {\n${lines(15, (index) => `  if (n === ${index}) return ${index + 1};`)}\n  return 0;\n}\n`,
    rule: 'complexity',
  },
  {
    says: 'an optional peer in src',
    path: 'src/schema/peer.ts',
    content: importPackage('class-validator'),
    rule: IMPORTS,
  },
  {
    says: 'a sub-path of an optional peer in a root file',
    path: 'src/mcp.peer.ts',
    content: importPackage('@modelcontextprotocol/sdk/server/mcp.js'),
    rule: IMPORTS,
  },
  {
    says: 'an optional peer in src/testing that is not its own',
    path: 'src/testing/peer.ts',
    content: importPackage('@nestjs/platform-express'),
    rule: IMPORTS,
  },
  {
    says: 'a development dependency in src',
    path: 'src/catalog/development.ts',
    content: importPackage('fast-check'),
    rule: 'import-x/no-extraneous-dependencies',
  },
  {
    says: 'the network in a pure stage',
    path: 'src/result/network.ts',
    content: importPackage('node:http'),
    rule: IMPORTS,
  },
  {
    says: "Nest's container in a pure stage",
    path: 'src/schema/container.ts',
    content:
      "import { Injectable } from '@nestjs/common';\n@Injectable()\nexport class Converter {}\n",
    rule: IMPORTS,
  },
  {
    says: 'the network in the argument writer',
    path: 'src/dispatch/write-request.ts',
    content: importPackage('node:net'),
    rule: IMPORTS,
  },
  {
    says: 'a stage in a root file that all stages read',
    path: 'src/mcp.constants.ts',
    content: `import type { Shape } from './catalog/target.js';\n${TARGET.replace('1', '{} as Shape')}`,
    rule: DIRECTION,
  },
  {
    says: 'a test helper in src',
    path: 'src/catalog/helped.ts',
    content: importValue('../../test/target.js'),
    rule: DIRECTION,
  },
  {
    says: 'src in a sample',
    path: 'sample/shop/src/inside.ts',
    content: importValue('../../../src/index.js'),
    rule: DIRECTION,
  },
];

const ALLOWED_CODE: Case[] = [
  {
    says: 'an eslint-disable with its reason',
    path: 'src/catalog/reasoned.ts',
    content:
      '// eslint-disable-next-line @typescript-eslint/no-explicit-any -- the library says so\nexport const value: any = 1;\n',
  },
  {
    says: 'a type of an optional peer',
    path: 'src/schema/peer-type.ts',
    content:
      "import type { ValidationError } from 'class-validator';\nexport type Property = ValidationError['property'];\n",
  },
  {
    says: 'the official client in src/testing',
    path: 'src/testing/client.ts',
    content: importPackage('@modelcontextprotocol/client'),
  },
  {
    says: 'the network in dispatch beside the writer',
    path: 'src/dispatch/transport.ts',
    content: importPackage('node:http'),
  },
  {
    says: 'a cycle of types alone',
    path: 'src/catalog/type-cycle-a.ts',
    content:
      "import type { B } from './type-cycle-b.js';\nexport interface A {\n  readonly b?: B;\n}\n",
  },
  {
    says: 'the other end of that cycle',
    path: 'src/catalog/type-cycle-b.ts',
    content:
      "import type { A } from './type-cycle-a.js';\nexport interface B {\n  readonly a?: A;\n}\n",
  },
  {
    says: 'a stage in the spec of another',
    path: 'src/result/result.spec.ts',
    content: importValue('node:http').replace('value }', 'createServer as value }'),
  },
];

const CASES = [...REFUSED_ARROWS, ...ALLOWED_ARROWS, ...REFUSED_CODE, ...ALLOWED_CODE];

describe('the lint rules', () => {
  let findings: ReadonlyMap<string, readonly Finding[]>;
  const of = (path: string): readonly Finding[] => findings.get(path) ?? [];

  beforeAll(async () => {
    const targets = TARGETS.map((path) => [`src/${path}.ts`, TARGET]);
    findings = await lintProject({
      ...(Object.fromEntries(targets) as Record<string, string>),
      'test/target.ts': TARGET,
      ...Object.fromEntries(CASES.map(({ path, content }) => [path, content])),
    });
  }, 60_000);

  it.each(CASES.filter(({ rule }) => rule !== undefined))('refuse $says', ({ path, rule }) => {
    expect(of(path).map((finding) => finding.rule)).toEqual(expect.arrayContaining([rule]));
  });

  it.each(CASES.filter(({ rule }) => rule === undefined))('allow $says', ({ path }) => {
    expect(findings.has(path)).toBe(true);
    expect(of(path)).toEqual([]);
  });

  it('give the reason for a direction', () => {
    const [finding] = of('src/result/imports-value-of-policy-target.ts');
    expect(finding?.message).toContain(FOLDERS['result']?.reason);
  });

  it('have a row for each folder of src', async () => {
    const src = fileURLToPath(new URL('../../src', import.meta.url));
    const entries = await readdir(src, { withFileTypes: true });
    const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
    expect(Object.keys(FOLDERS)).toEqual(expect.arrayContaining(folders));
  });
});
