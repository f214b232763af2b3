import { readDocument, tableAfter } from './markdown.js';

const PARITY = 'test/dispatch/parity.cases.ts';

/** A row of "What runs on a call": each quoted title is a test of the file named before it, else of the parity table. */
function proofsIn(cell: string): [file: string, title: string][] {
  const proofs: [string, string][] = [];
  let file = PARITY;
  for (const [, named, title] of cell.matchAll(/`(test\/[^`]+\.ts)`|"((?:[^"\\]|\\.)+)"/g)) {
    if (named !== undefined) file = named;
    else if (title !== undefined) proofs.push([file, title]);
  }
  return proofs;
}

const ROWS = tableAfter('README.md', '<!-- promises:start -->').map(
  ([what = '', , , proof = '']): [string, [string, string][]] => [what, proofsIn(proof)],
);

describe('docs: what the README promises of a call', () => {
  it('is a table of some length', () => {
    expect(ROWS.length).toBeGreaterThan(12);
  });

  it.each(ROWS)('%s: is proven by tests that there are', (_, proofs) => {
    expect(proofs.length).toBeGreaterThan(0);
    for (const [file, title] of proofs) {
      const found = titlesOf(file).some((one) => one.includes(title));
      expect({ file, title, found }).toEqual({ file, title, found: true });
    }
  });
});

/** The string literals that stand where a test's or a case's title does. */
function titlesOf(file: string): string[] {
  const titles = /(?:\bit|\btest|describe|\])\(\s*|\btitle:\s*|\)\(\s*/.source;
  const literal = /(['"])((?:(?!\1)[^\\\n]|\\.)*)\1/.source;
  const pattern = new RegExp(`(?:${titles})${literal}`, 'g');
  return [...readDocument(file).matchAll(pattern)].map(([, , text]) =>
    (text as string).replace(/\\(.)/g, '$1'),
  );
}
