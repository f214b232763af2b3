import { SECTIONS } from './parity.cases.js';
import { DIFFERENCES, type ParityCase, type ParitySection } from './parity.row.js';
import { LEVEL_CASES } from './parity.levels.js';
import { CSRF_CASES, LIBRARY_CASES, THROTTLER_TITLES } from './parity.libraries.cases.js';
import { SCOPE_CASES, VERSIONING } from './parity.scopes.js';

type Difference = keyof typeof DIFFERENCES;

const HEAD = `# Parity: what a call has in common with a request

<!-- Generated from the suite: MCP_WRITE_DOCS=1 npm test -- test/dispatch/parity-document -->

A tool call is a request of its own through the application. Each row below is a test that makes the same request twice, over
HTTP and as a tool call, and compares the two: the status, whether the result is an error, and the text byte for byte. Each row
runs on Express and on Fastify; the suite is \`npm test -- dispatch\`.

The first number is what HTTP answers. \`=\` says that the tool call has the same body, as an error result where the status
is 400 or more.
`;

/** The page `docs/parity.md`, of the very rows that the suite runs. */
export function parityDocument(): string {
  const sections: readonly ParitySection[] = [
    ...SECTIONS.slice(0, -1),
    { title: 'Every kind of enhancer, at every level', rows: LEVEL_CASES },
    { title: 'Scopes and raw bodies', rows: SCOPE_CASES },
    ...VERSIONING,
    { title: 'Libraries', rows: [...LIBRARY_CASES, ...CSRF_CASES] },
  ];
  const last = SECTIONS.slice(-1);
  const numbers = numberDifferences([...sections, ...last]);
  return [
    HEAD,
    ...sections.map((section) => table(section, numbers)),
    throttler(),
    ...last.map((section) => table(section, numbers)),
    differences(numbers),
  ].join('\n');
}

function table({ title, rows }: ParitySection, numbers: ReadonlyMap<Difference, number>): string {
  const lines = rows.map((row) => {
    const cell = toolCell(row, numbers);
    return `| ${escape(row.title)} | ${row.status} | ${cell} | ${row.status} | ${cell} |`;
  });
  return `## ${title}\n\n${HEADER}\n${lines.join('\n')}\n`;
}

function throttler(): string {
  const lines = THROTTLER_TITLES.map(
    (title) => `| ${escape(title)} | 200, then 429 | = | 200, then 429 | = |`,
  );
  return `## Throttling\n\n${HEADER}\n${lines.join('\n')}\n`;
}

const HEADER =
  '| what Nest does | Express: HTTP | Express: call | Fastify: HTTP | Fastify: call |\n| --- | --- | --- | --- | --- |';

function toolCell(
  { differs, alsoDiffers }: ParityCase,
  numbers: ReadonlyMap<Difference, number>,
): string {
  if (differs !== undefined) return `differs [${numbers.get(differs)}]`;
  return alsoDiffers === undefined ? '=' : `= [${numbers.get(alsoDiffers)}]`;
}

function numberDifferences(sections: readonly ParitySection[]): ReadonlyMap<Difference, number> {
  const used = sections.flatMap(({ rows }) =>
    rows.flatMap(({ differs, alsoDiffers }) => [differs, alsoDiffers]),
  );
  const found = [...new Set(used.filter((one) => one !== undefined))];
  return new Map(found.map((difference, i) => [difference, i + 1]));
}

function differences(numbers: ReadonlyMap<Difference, number>): string {
  const lines = [...numbers].map(
    ([difference, number]) => `${number}. **${difference}**: ${DIFFERENCES[difference]}`,
  );
  return `## The differences, and why\n\nA row may differ for one of these reasons alone; any other difference fails the suite.\n\n${lines.join('\n')}\n`;
}

function escape(title: string): string {
  return title.replace(/\|/g, '\\|');
}
