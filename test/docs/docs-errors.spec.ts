import { readdirSync } from 'node:fs';
import { JsonRpcErrorCode } from '../../src/protocol/json-rpc-error.js';
import type { CallOutcome } from '../../src/result/call-outcome.js';
import { toToolResult } from '../../src/result/to-tool-result.js';
import { BLOCKS, codeIn, readDocument, tableAfter } from './markdown.js';

const DOCUMENT = 'docs/errors.md';
const CODES = tableAfter(DOCUMENT, '## JSON-RPC error codes');
const STATUSES = tableAfter(DOCUMENT, '## HTTP statuses of the endpoint');
const ENVELOPES = tableAfter(DOCUMENT, 'Where no request could be written');

describe('docs: the errors', () => {
  it('has every JSON-RPC code, and no other', () => {
    const documented = CODES.map(([code = '']) => Number(codeIn(code)[0]));
    expect(documented.sort()).toEqual(Object.values(JsonRpcErrorCode).sort());
  });

  it('has every HTTP status that the endpoint writes, and no other', () => {
    const documented = STATUSES.map(([status]) => Number(status));
    expect(documented).toEqual([...writtenStatuses()].sort());
  });

  it.each(OUTCOMES())('has the envelope of a call that is %s', (_, outcome) => {
    const { result } = toToolResult(outcome, { checkOutput: undefined, newRef: () => 'ref' });
    const [{ text } = { text: '' }] = JSON.parse(result.content) as { text: string }[];
    const { statusCode, message } = JSON.parse(text) as { statusCode: number; message: unknown };
    const row = ENVELOPES.find(
      ([status, told = '']) =>
        Number(status) === statusCode &&
        (typeof message !== 'string' || codeIn(told)[0] === message),
    );
    expect({ statusCode, message, isDocumented: row !== undefined }).toEqual({
      statusCode,
      message,
      isDocumented: true,
    });
  });

  it('has every status that an envelope can have', () => {
    const source = readDocument('src/result/to-tool-result.ts');
    const written = new Set([...source.matchAll(/refusal\(\s*(\d{3})/g)].map(([, code]) => code));
    const documented = new Set(ENVELOPES.map(([status]) => status));
    expect([...written].filter((status) => !documented.has(status))).toEqual([]);
  });

  it('shows an envelope as it is', () => {
    const [block] = BLOCKS.filter(({ words }) => words.has('envelope'));
    const outcome: CallOutcome = { kind: 'timed-out', afterMs: 60_000 };
    const { result } = toToolResult(outcome, { checkOutput: undefined, newRef: () => 'ref' });
    const [content] = JSON.parse(result.content) as { text: string }[];
    expect(JSON.parse(block?.text ?? '{}')).toEqual(JSON.parse(content?.text ?? ''));
  });
});

/** One of each kind of outcome whose envelope the module writes itself. */
function OUTCOMES(): [string, CallOutcome][] {
  const answer = { status: 200, contentType: 'application/json', location: undefined, url: '/' };
  const outcomes: CallOutcome[] = [
    { kind: 'unwritable', problems: ['path.id is required'] },
    { kind: 'request-too-large', limit: 1024 * 1024 },
    { kind: 'too-many-calls', limit: 2, retryAfterMs: 60_000 },
    { kind: 'other-route' },
    { kind: 'result-too-large', limit: 2 * 1024 * 1024 },
    { kind: 'timed-out', afterMs: 60_000 },
    { kind: 'aborted', by: 'caller' },
    { kind: 'aborted', by: 'application' },
    { kind: 'closed' },
    { kind: 'failed', error: new Error('cause') },
    { kind: 'answered', answer: { ...answer, body: Buffer.from('{') } },
  ];
  return outcomes.map((outcome) => [outcome.kind, outcome]);
}

/** Any number from 200 to 599 in the endpoint; in the protocol those that an answer is given with. */
const STATUS_IN: Readonly<Record<string, RegExp>> = {
  'src/endpoint': /(?<![\w.])([2-5]\d\d)(?![\w.]| \*)/g,
  'src/protocol': /(?:(?:fail|refuse)\([^;]*?,|[{,] status:)\s*([2-5]\d\d)(?=\)|, body| \};)/g,
};

function writtenStatuses(): Set<number> {
  const statuses = new Set<number>();
  for (const [folder, pattern] of Object.entries(STATUS_IN)) {
    for (const name of readdirSync(new URL(`../../${folder}/`, import.meta.url))) {
      if (!name.endsWith('.ts') || name.endsWith('.spec.ts')) continue;
      const code = readDocument(`${folder}/${name}`).replace(/\/\*[^]*?\*\/|\/\/.*$/gm, '');
      for (const [, number] of code.matchAll(pattern)) statuses.add(Number(number));
    }
  }
  return statuses;
}
