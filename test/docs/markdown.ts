import { readdirSync, readFileSync } from 'node:fs';

/** A fenced code block of a document. */
export interface Block {
  readonly document: string;
  /** Of the opening fence, counted from 1. */
  readonly line: number;
  readonly language: string;
  /** What stands behind the language: `file=main.ts` is an entry, `response` one without a value. */
  readonly words: ReadonlyMap<string, string>;
  readonly text: string;
}

const ROOT = new URL('../../', import.meta.url);

export function readDocument(path: string): string {
  return readFileSync(new URL(path, ROOT), 'utf8');
}

/** The documents that this folder's tests answer for. */
export const DOCUMENTS: readonly string[] = [
  'README.md',
  ...readdirSync(new URL('docs/', ROOT))
    .filter((name) => name.endsWith('.md'))
    .sort()
    .map((name) => `docs/${name}`),
];

export function blocksOf(document: string): Block[] {
  const lines = readDocument(document).split('\n');
  const blocks: Block[] = [];
  for (let start = 0; start < lines.length; start++) {
    const fence = /^```(\S+)?\s*(.*)$/.exec(lines[start] as string);
    if (fence === null) continue;
    const end = lines.indexOf('```', start + 1);
    if (end < 0) throw new Error(`${document}:${start + 1}: the block has no end`);
    const words = (fence[2] ?? '').split(' ').filter((word) => word !== '');
    blocks.push({
      document,
      line: start + 1,
      language: fence[1] ?? '',
      words: new Map(words.map((word) => word.split('=', 2) as [string, string])),
      text: lines.slice(start + 1, end).join('\n'),
    });
    start = end;
  }
  return blocks;
}

export const BLOCKS: readonly Block[] = DOCUMENTS.flatMap(blocksOf);

export function placeOf({ document, line }: Block): string {
  return `${document}:${line}`;
}

/** The rows of the first table after a text, without its head. */
export function tableAfter(document: string, text: string): string[][] {
  const lines = readDocument(document).split('\n');
  const from = lines.findIndex((line) => line.startsWith(text));
  if (from < 0) throw new Error(`${document} has no line "${text}"`);
  const first = lines.findIndex((line, index) => index > from && line.startsWith('|'));
  const rest = lines.slice(first);
  const end = rest.findIndex((line) => !line.startsWith('|'));
  return rest.slice(2, end < 0 ? undefined : end).map(cellsOf);
}

function cellsOf(line: string): string[] {
  return line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());
}

/** The code spans of a cell. */
export function codeIn(cell: string): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, code]) => code as string);
}
