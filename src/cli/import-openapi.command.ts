import { parseArgs } from 'node:util';
import {
  importDocument,
  type DocumentImport,
  type ImportedEntry,
} from '../openapi/import-document.js';
import { loadDocument } from '../openapi/load-document.js';
import { readArguments, WrongCall, type CliCommand } from './cli-command.js';

/** As the catalog has it. */
const SLUG = /^[a-z0-9][a-z0-9-]{0,63}$/;

export const importOpenApiCommand: CliCommand = {
  usage: `import-openapi <file> --workspace <slug> [options]

Turns operations of an OpenAPI 3.0 or 3.1 document into a catalog of REST operations, printed as JSON. What could not be
expressed goes to standard error, with the reason.

  <file>               the document, JSON or YAML
  --workspace <slug>   the workspace that the operations are for
  --tag <tag>          only operations with this tag; may be repeated
  --operation <id>     only this operation, by its operationId or as "GET /orders/{id}"; may be repeated
  --server <url>       the URL of the API, in place of the document's servers
  --output-schemas     the schemas of results, too
  --publish            as published versions, in place of drafts`,
  run: async (args) => {
    const { file, workspace, options } = parse(args);
    const { document, warnings } = await loadDocument(file);
    const imported = importDocument(document, options);
    const { operations, policy } = imported;
    const catalog = { workspaces: [{ slug: workspace, policy, operations }] };
    return {
      code: operations.length > 0 ? 0 : 1,
      output: operations.length > 0 ? JSON.stringify(catalog, undefined, 2) : '',
      errors: report(imported, warnings),
    };
  },
};

function parse(args: readonly string[]) {
  const { values, positionals } = readArguments(() =>
    parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        workspace: { type: 'string' },
        tag: { type: 'string', multiple: true, default: [] },
        operation: { type: 'string', multiple: true, default: [] },
        server: { type: 'string' },
        'output-schemas': { type: 'boolean', default: false },
        publish: { type: 'boolean', default: false },
      },
    }),
  );
  const [file, ...rest] = positionals;
  if (file === undefined) throw WrongCall.create('The file is missing.');
  if (rest.length > 0) throw WrongCall.create(`What is "${rest.join(' ')}" for?`);
  const { workspace, tag, operation, server, publish } = values;
  if (workspace === undefined || !SLUG.test(workspace)) {
    throw WrongCall.create(
      '--workspace must be a slug: lower-case letters, digits and -, 64 at most.',
    );
  }
  const options = {
    tags: tag,
    operations: operation,
    server,
    output: values['output-schemas'],
    status: publish ? ('published' as const) : ('draft' as const),
  };
  return { file, workspace, options };
}

/** For people: what was refused, what was left out, and how much of it there is. */
function report({ entries }: DocumentImport, warnings: readonly string[]): string {
  const refused = entries.filter(({ name }) => name === undefined);
  const cut = entries.filter(({ name, notes }) => name !== undefined && notes.length > 0);
  return [
    ...(warnings.length > 0 ? [`The document is not valid OpenAPI:\n${bullets(warnings)}`] : []),
    ...(refused.length > 0 ? [`Refused:\n${refused.map(entryText).join('\n')}`] : []),
    ...(cut.length > 0 ? [`Imported without a part:\n${cut.map(entryText).join('\n')}`] : []),
    entries.length === 0
      ? 'No operation of the document was chosen.'
      : `${entries.length - refused.length} of ${entries.length} operations imported.`,
  ].join('\n\n');
}

function entryText({ source, name, notes }: ImportedEntry): string {
  return `  ${source}${name === undefined ? '' : ` (${name})`}\n${notes.map((note) => `    - ${note}`).join('\n')}`;
}

function bullets(lines: readonly string[]): string {
  return lines.map((line) => `  - ${line}`).join('\n');
}
