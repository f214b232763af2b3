import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { parse, validate } from '@readme/openapi-parser';
import { membersOf, OpenApiDocument } from './document.js';

export interface LoadedDocument {
  readonly document: OpenApiDocument;
  /** What the document itself breaks of OpenAPI: the first lines of it. */
  readonly warnings: readonly string[];
}

const MAX_BYTES = 64 * 1024 * 1024;
const MAX_WARNINGS = 5;
/** No other file and no host is read, whatever a `$ref` names. */
const LOCAL_ONLY = { resolve: { external: false } };

/**
 * Reads an OpenAPI document, JSON or YAML, from a file.
 *
 * A document that is not valid is read all the same, with warnings: most large ones break a rule somewhere, and each operation
 * is checked for itself.
 *
 * @throws Error when the file cannot be read or holds no OpenAPI 3.0 or 3.1
 */
export async function loadDocument(file: string): Promise<LoadedDocument> {
  const path = resolve(file);
  const found = await stat(path).catch(() => undefined);
  if (found?.isFile() !== true) throw new Error(`There is no file ${path}.`);
  if (found.size > MAX_BYTES) throw new Error(`${path} is larger than ${MAX_BYTES} bytes.`);
  const root = await parse(path, LOCAL_ONLY);
  const document = new OpenApiDocument(membersOf(root));
  return { document, warnings: await warningsOf(root) };
}

async function warningsOf(root: Parameters<typeof validate>[0]): Promise<readonly string[]> {
  try {
    // It follows references in place.
    const result = await validate(structuredClone(root), LOCAL_ONLY);
    const problems = result.valid ? [] : result.errors;
    return problems.slice(0, MAX_WARNINGS).map(({ message }) => firstLine(message));
  } catch (error) {
    return [firstLine(error instanceof Error ? error.message : String(error))];
  }
}

function firstLine(message: string): string {
  return message.split('\n', 1)[0] ?? '';
}
