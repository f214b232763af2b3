import { DEFAULTS } from '../../src/mcp.options.js';
import { resolveOptions } from '../../src/mcp.options.check.js';
import { codeIn, readDocument, tableAfter } from './markdown.js';

const ROWS = tableAfter('README.md', '<!-- options:start -->').map(
  ([option = '', initial = '', range = '', text = '']) => ({
    name: codeIn(option)[0] ?? '',
    initial,
    range,
    text,
  }),
);

/** The error on an option that does not exist lists all that do. */
const NAMES = (resolveOptions({ nowhere: 1 } as object).problems[0] ?? '')
  .replace(/^.*The options are: /, '')
  .replace(/\.$/, '')
  .split(', ');

const rows = ROWS.map((row): [string, (typeof ROWS)[number]] => [row.name, row]);

describe('docs: the options of the README', () => {
  it('are all there are', () => {
    expect(ROWS.map(({ name }) => name).sort()).toEqual([...NAMES].sort());
  });

  it.each(rows)('%s has its default', (name, { initial }) => {
    const value =
      name === 'isGlobal' ? false : (DEFAULTS as unknown as Record<string, unknown>)[name];
    expect(initial).toBe(value === undefined ? '' : `\`${show(value)}\``);
  });

  it.each(rows)('%s has its range', (name, { range }) => {
    // The mounting options go to Nest as they are.
    if (!(name in DEFAULTS)) return;
    expect(range).toBe(rangeOf(name));
  });

  it.each(rows)('%s says what it does', (_, { text }) => {
    expect(text.length).toBeGreaterThan(10);
  });
});

describe('docs: the dependencies of the README', () => {
  const manifest = JSON.parse(readDocument('package.json')) as Record<
    'dependencies' | 'peerDependencies',
    Record<string, string>
  >;

  it('are all there are, with a reason each', () => {
    const table = tableAfter('README.md', '## Dependencies').map(([name = '']) => codeIn(name)[0]);
    expect(table).toEqual(Object.keys(manifest.dependencies).sort());
  });

  it('names every peer', () => {
    const readme = readDocument('README.md');
    const missing = Object.keys(manifest.peerDependencies).filter(
      (name) => !readme.includes(`\`${name}\``),
    );
    expect(missing).toEqual([]);
  });
});

function show(value: unknown): string {
  return typeof value === 'string' ? `'${value}'` : JSON.stringify(value);
}

/** What the error on a value of no type says of the right ones. */
function rangeOf(name: string): string {
  const [problem = ''] = resolveOptions({ [name]: -1.5 }).problems;
  const numbers = /an integer from (\d+) to (\d+)/.exec(problem);
  if (numbers !== null) return `${numbers[1]} to ${numbers[2]}`;
  const words = /is none of ([^.]+)\./.exec(problem)?.[1];
  if (words !== undefined) return words.replace(/'[^']+'/g, (word) => `\`${word}\``);
  if (name === 'path') return 'plain segments';
  const least = /a string of at least (\d+ characters)/.exec(problem)?.[1];
  return least === undefined ? '' : `${least} or more`;
}
