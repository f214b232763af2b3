import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { importDocument, type DocumentImport } from '../../../src/openapi/import-document.js';
import { loadDocument } from '../../../src/openapi/load-document.js';
import { callOperation } from '../../../src/upstream/call-operation.js';
import {
  compileOperation,
  type CompiledOperation,
} from '../../../src/upstream/compile-operation.js';
import { UpstreamConnections } from '../../../src/upstream/connections.js';
import type { CredentialUse } from '../../../src/upstream/operation.js';
import { Upstream } from '../upstream/upstream.fixture.js';
import { expectSameRequest, operationAt, sampleArguments, type DocumentOperation } from './wire.js';

type Members = Readonly<Record<string, unknown>>;

interface Case {
  readonly title: string;
  readonly packageName: string;
  readonly file: string;
  /** How many operations the document has: a smaller document would not be the one that was meant. */
  readonly operations: number;
  /** Those that are refused, each with its reason. */
  readonly refused?: Readonly<Record<string, RegExp>>;
}

const DOCUMENTS: readonly Case[] = [
  { title: 'Rclone (3.1)', packageName: 'rclone-openapi', file: 'openapi.json', operations: 101 },
  {
    title: 'ShipEngine (3.0)',
    packageName: 'shipengine-openapi',
    file: 'openapi.yaml',
    operations: 76,
  },
  {
    title: 'Figma (3.1)',
    packageName: '@figma/rest-api-spec',
    file: 'openapi/openapi.yaml',
    operations: 54,
  },
  {
    title: 'GitBook (3.1)',
    packageName: '@gitbook/api',
    file: 'spec/openapi.json',
    operations: 377,
  },
  {
    title: 'Blockfrost (3.0)',
    packageName: '@blockfrost/openapi',
    file: 'openapi.yaml',
    operations: 129,
    refused: {
      'POST /tx/submit': /application\/cbor/,
      'POST /utils/txs/evaluate': /application\/cbor/,
    },
  },
  {
    title: 'ReadMe, parameter styles (3.1)',
    packageName: '@readme/oas-examples',
    file: '3.1/json/parameters-style.json',
    operations: 25,
  },
  {
    title: 'ReadMe, parameter styles (3.0)',
    packageName: '@readme/oas-examples',
    file: '3.0/json/parameters-style.json',
    operations: 25,
  },
];

const upstream = new Upstream();
beforeAll(() => upstream.start());
afterAll(() => upstream.stop());
beforeEach(() => upstream.reset());

const PACKAGES = fileURLToPath(new URL('../../../node_modules', import.meta.url));

describe.each(DOCUMENTS)(
  'agents: the import of $title',
  ({ packageName, file, operations, refused = {} }) => {
    let root: Members;
    let imported: DocumentImport;

    beforeAll(async () => {
      const { document } = await loadDocument(join(PACKAGES, packageName, file));
      ({ root } = document);
      // The same paths at an address of this machine.
      imported = importDocument(document, { server: `${upstream.origin}/base/v1` });
    }, 120_000);

    it('accepts at least 90% of the JSON and form operations, and lists the rest with the reason', () => {
      expect(imported.entries).toHaveLength(operations);
      const meant = imported.entries.filter(({ source }) => operationAt(root, source).isJsonOrForm);
      const accepted = meant.filter(({ name }) => name !== undefined);
      expect(meant.length).toBeGreaterThan(10);
      expect(accepted.length / meant.length).toBeGreaterThanOrEqual(0.9);
      const reasons = imported.entries.filter(({ name }) => name === undefined);
      expect(reasons.map(({ source }) => source).sort()).toEqual(Object.keys(refused).sort());
      for (const { source, notes } of reasons)
        expect(notes.join()).toMatch(refused[source] as RegExp);
    });

    it('gives each a name of its own', () => {
      const names = imported.operations.map(({ name }) => name);
      expect(new Set(names).size).toBe(names.length);
      for (const name of names) expect(name).toMatch(/^[a-z][a-z0-9_]{0,63}$/);
    });

    it('makes the requests that the document describes', async () => {
      // Of their own: the import holds the process up for longer than a connection is kept.
      const connections = new UpstreamConnections();
      const unsampled: string[] = [];
      for (const { source, name } of imported.entries) {
        if (name === undefined) continue;
        const rest = imported.operations.find((one) => one.name === name)?.versions[0].rest;
        const compiled = compileOperation(rest, upstream.policy);
        if ('problems' in compiled) throw new Error(`${source}: ${compiled.problems.join()}`);
        const documented = operationAt(root, source);
        const args = sampleFor(documented, compiled.operation);
        if (args === undefined) {
          unsampled.push(source);
          continue;
        }
        await callAndCompare(compiled.operation, args, documented, connections);
      }
      await connections.close();
      // Each accepted operation was compared.
      expect(unsampled).toEqual([]);
    }, 240_000);
  },
);

/** The first sample that fits the tool's own schema: of alternatives, the document does not say which go together. */
function sampleFor(
  documented: DocumentOperation,
  { operation, checkArguments }: CompiledOperation,
): Members | undefined {
  for (let turn = 0; turn < 16; turn++) {
    const args = sampleArguments(documented, operation, turn);
    if (checkArguments(args).length === 0) return args;
  }
  return undefined;
}

async function callAndCompare(
  compiled: CompiledOperation,
  args: Members,
  documented: DocumentOperation,
  connections: UpstreamConnections,
): Promise<void> {
  upstream.seen.length = 0;
  const secrets = (compiled.operation.credentials ?? []).map(({ ref }: CredentialUse) => ref);
  const outcome = await callOperation(compiled, args, {
    connections,
    workspace: 'acme',
    credentials: {
      resolve: ({ ref }) => ({
        secret: `secret-of-${ref.replace(/\W/g, '')}`,
        origins: [upstream.origin],
      }),
    },
  });
  const said = outcome.kind === 'failure' ? outcome.messages : [];
  expect({ at: documented.source, said }).toEqual({ at: documented.source, said: [] });
  await expectSameRequest(upstream.last, documented, args, secrets);
}
