import { compileOperation } from '../upstream/compile-operation.js';
import type { RestOperation } from '../upstream/operation.js';
import type { UpstreamPolicy } from '../upstream/policy.js';
import { Inexpressible, listOf, textOf, type OpenApiDocument } from './document.js';
import { findOperations, importOperation, type FoundOperation } from './import-operation.js';
import { NameGiver } from './names.js';

export interface ImportOptions {
  /** Only operations with one of these tags; all when empty. */
  readonly tags?: readonly string[];
  /** Only operations with one of these ids, or written as `GET /orders/{id}`; all when empty. */
  readonly operations?: readonly string[];
  /** The absolute URL in place of the document's servers. */
  readonly server?: string | undefined;
  /** Output schemas, too. Default false, since many documents get them wrong and a result that does not fit is an error. */
  readonly output?: boolean;
  /** Default `draft`: somebody reads an operation before it is served. */
  readonly status?: 'draft' | 'published';
}

/** An operation in the form that a catalog has it. */
export interface CatalogOperation {
  readonly name: string;
  readonly versions: readonly [
    {
      readonly version: 1;
      readonly status: 'draft' | 'published';
      readonly title?: string;
      readonly description?: string;
      readonly rest: RestOperation;
    },
  ];
}

/** What became of one operation of the document. */
export interface ImportedEntry {
  /** Such as `GET /orders/{id}`. */
  readonly source: string;
  /** The name in the catalog; `undefined` when it was refused. */
  readonly name: string | undefined;
  /** Why it was refused, or what of it was left out. */
  readonly notes: readonly string[];
}

export interface DocumentImport {
  readonly operations: readonly CatalogOperation[];
  /** What the operations need to be allowed. */
  readonly policy: UpstreamPolicy;
  /** One entry for each operation that was chosen. */
  readonly entries: readonly ImportedEntry[];
}

/** A description is read by a model with each list of tools. */
const MAX_DESCRIPTION = 2_000;
const LOOPBACK = /^http:\/\/(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?::\d+)?$/;

/** Makes catalog operations of the chosen operations of a document, and says of each what could not be expressed. */
export function importDocument(
  document: OpenApiDocument,
  options: ImportOptions = {},
): DocumentImport {
  const names = new NameGiver();
  const operations: CatalogOperation[] = [];
  const entries: ImportedEntry[] = [];
  const origins = new Set<string>();
  for (const found of findOperations(document).filter((one) => isChosen(one, options))) {
    const source = `${found.method} ${found.path}`;
    try {
      const { rest, title, description, notes } = importOperation(document, found, {
        server: options.server,
        output: options.output ?? false,
      });
      const origin = new URL(rest.url.replace(/\{[^{}]*\}/g, 'x')).origin;
      refuseBroken(rest, origin);
      const name = names.give(textOf(found.operation['operationId']), found.method, found.path);
      operations.push(catalogOperation(name, rest, { title, description, status: options.status }));
      entries.push({ source, name, notes });
      origins.add(origin);
    } catch (error) {
      if (!(error instanceof Inexpressible)) throw error;
      entries.push({ source, name: undefined, notes: [error.message] });
    }
  }
  return { operations, policy: policyFor([...origins]), entries };
}

function isChosen({ method, path, operation }: FoundOperation, options: ImportOptions): boolean {
  const { tags = [], operations = [] } = options;
  const hasTag =
    tags.length === 0 || listOf(operation['tags']).some((tag) => tags.includes(tag as string));
  const names = [operation['operationId'], `${method} ${path}`];
  return (
    hasTag && (operations.length === 0 || names.some((name) => operations.includes(name as string)))
  );
}

/** Nothing leaves the import that the server would refuse. */
function refuseBroken(rest: RestOperation, origin: string): void {
  const compiled = compileOperation(rest, policyFor([origin]));
  if ('problems' in compiled) throw Inexpressible.create(compiled.problems.join(' '));
}

function policyFor(origins: readonly string[]): UpstreamPolicy {
  const isLoopback = origins.some((origin) => LOOPBACK.test(origin));
  return { origins, ...(isLoopback && { allowLoopback: true }) };
}

function catalogOperation(
  name: string,
  rest: RestOperation,
  texts: {
    title: string | undefined;
    description: string | undefined;
    status: ImportOptions['status'];
  },
): CatalogOperation {
  const { title, description = title, status = 'draft' } = texts;
  return {
    name,
    versions: [
      {
        version: 1,
        status,
        ...(title !== undefined && { title }),
        ...(description !== undefined && { description: cut(description) }),
        rest,
      },
    ],
  };
}

function cut(text: string): string {
  return text.length > MAX_DESCRIPTION ? `${text.slice(0, MAX_DESCRIPTION - 1)}…` : text;
}
