import { readFile, writeFile } from 'node:fs/promises';
import { format, resolveConfig } from 'prettier';
import { SECTIONS } from './parity.cases.js';
import { DIFFERENCES, type ParityCase } from './parity.row.js';
import { parityDocument } from './parity.document.js';
import { LEVEL_CASES } from './parity.levels.js';
import { CSRF_CASES, LIBRARY_CASES } from './parity.libraries.cases.js';
import { SCOPE_CASES, VERSIONING } from './parity.scopes.js';

const PAGE = 'docs/parity.md';
const ROWS: readonly ParityCase[] = [
  ...SECTIONS.flatMap(({ rows }) => rows),
  ...LEVEL_CASES,
  ...SCOPE_CASES,
  ...VERSIONING.flatMap(({ rows }) => rows),
  ...LIBRARY_CASES,
  ...CSRF_CASES,
];

describe('dispatch: the page of the parity table', () => {
  it('is what the rows say: write it anew with MCP_WRITE_DOCS=1', async () => {
    const page = await format(parityDocument(), {
      ...(await resolveConfig(PAGE)),
      parser: 'markdown',
    });
    if (process.env['MCP_WRITE_DOCS'] !== undefined) await writeFile(PAGE, page);
    expect(await readFile(PAGE, 'utf8')).toBe(page);
  });

  it('gives a reason for each difference, and no reason that nothing needs', () => {
    const used = ROWS.flatMap(({ differs, alsoDiffers }) => [differs, alsoDiffers]);
    expect(new Set(used.filter((one) => one !== undefined))).toEqual(
      new Set(Object.keys(DIFFERENCES)),
    );
  });

  it('has no row twice', () => {
    const versions = VERSIONING.flatMap(({ title, rows }) => rows.map((row) => ({ title, row })));
    const others = ROWS.filter((row) => !versions.some((version) => version.row === row));
    const keys = [...versions, ...others].map((row) => JSON.stringify(row));
    expect(new Set(keys).size).toBe(keys.length);
  });
});
