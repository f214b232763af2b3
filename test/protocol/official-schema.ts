import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';

/** The official suite carries the schema.json of every revision, as object literals of its bundle. */
const BUNDLE = new URL(
  '../../node_modules/@modelcontextprotocol/conformance/dist/index.js',
  import.meta.url,
);
const REVISIONS = ['2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'] as const;
export type SchemaRevision = (typeof REVISIONS)[number];

interface OfficialSchema {
  readonly $schema: string;
  readonly definitions?: object;
  readonly $defs?: object;
}

let schemas: ReadonlyMap<SchemaRevision, OfficialSchema> | undefined;

/**
 * Judges a value by a definition of a revision's official schema.
 *
 * @returns what is wrong with it
 */
export function misfits(revision: SchemaRevision, definition: string, value: unknown): string[] {
  schemas ??= read();
  const schema = schemas.get(revision);
  if (schema === undefined) throw new Error(`No schema of ${revision}`);
  const where = schema.$defs === undefined ? 'definitions' : '$defs';
  const options = { strict: false, allErrors: true, validateFormats: false };
  const ajv = schema.$defs === undefined ? new Ajv(options) : new Ajv2020(options);
  ajv.addSchema(schema, 'mcp');
  const check = ajv.compile({ $ref: `mcp#/${where}/${definition}` });
  if (check(value)) return [];
  return (check.errors ?? []).map(
    ({ instancePath, message }) => `${instancePath} ${message ?? ''}`,
  );
}

function read(): ReadonlyMap<SchemaRevision, OfficialSchema> {
  const bundle = readFileSync(BUNDLE, 'utf8');
  const starts = [
    ...bundle.matchAll(/=(?=\{\$schema:`[^`]+`,(?:definitions|\$defs):\{Annotations:)/g),
  ];
  if (starts.length !== REVISIONS.length) throw new Error(`${starts.length} schemas in the suite`);
  return new Map(
    REVISIONS.map((revision, i) => {
      const literal = literalAt(bundle, (starts[i]?.index ?? 0) + 1);
      return [revision, runInNewContext(`(${literal})`) as OfficialSchema];
    }),
  );
}

/** @returns the object literal that begins there, to its closing brace */
function literalAt(text: string, start: number): string {
  let depth = 0;
  let quote: string | undefined;
  for (let i = start; i < text.length; i++) {
    const char = text[i] as string;
    if (quote !== undefined) {
      if (char === '\\') i++;
      else if (char === quote) quote = undefined;
    } else if ('"\'`'.includes(char)) quote = char;
    else if (char === '{') depth++;
    else if (char === '}' && --depth === 0) return text.slice(start, i + 1);
  }
  throw new Error('The literal has no end');
}
