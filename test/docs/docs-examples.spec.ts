import { ValidationPipe, type INestApplication } from '@nestjs/common';
import type { Tool } from '@modelcontextprotocol/client';
import { FixtureApp } from '../support/fixture-app.js';
import { OrdersController } from './example/orders.controller.js';
import { BLOCKS, placeOf, type Block } from './markdown.js';

/** The application of `example/`, which the README builds. */
function startExample(): Promise<FixtureApp> {
  return FixtureApp.start({
    controllers: [OrdersController],
    mcp: { name: 'orders', version: '1.0.0' },
    configure: (app: INestApplication) =>
      void app.useGlobalPipes(new ValidationPipe({ whitelist: true, transform: true })),
  });
}

interface Sent {
  readonly message: string;
  readonly headers: Readonly<Record<string, string>>;
}

describe('docs: examples are what the application answers', () => {
  let app: FixtureApp;
  beforeAll(async () => {
    app = await startExample();
  });
  afterAll(() => app.close());

  const tools = BLOCKS.filter(({ words }) => words.has('tool'));
  it.each(tools.map((block): [string, Block] => [placeOf(block), block]))(
    '%s is the entry of that tool, in every revision',
    async (_, { words, text }) => {
      for (const revision of ['2025-11-25', '2026-07-28'] as const) {
        const client = await app.client({ revision });
        const tool = (await client.listTools()).find(({ name }) => name === words.get('tool'));
        expect(tool).toEqual(JSON.parse(text) as Tool);
      }
    },
  );

  const answers = BLOCKS.flatMap((block, index): [string, Block, Block][] => {
    const asked = BLOCKS[index - 1];
    return block.words.has('response') && asked !== undefined
      ? [[placeOf(block), asked, block]]
      : [];
  });
  it.each(answers)('%s answers the block before it', async (_, asked, { text }) => {
    const { message, headers } = sentIn(asked);
    const answer = await app.post(message, headers);
    expect(answer.json()).toEqual(JSON.parse(text));
  });

  it('has examples of both kinds', () => {
    expect({ tools: tools.length > 0, answers: answers.length > 5 }).toEqual({
      tools: true,
      answers: true,
    });
  });

  it('asks no question without an answer', () => {
    const asked = BLOCKS.filter(
      (block, index) =>
        block.words.has('request') && BLOCKS[index + 1]?.words.has('response') !== true,
    );
    expect(asked.map(placeOf)).toEqual([]);
  });
});

/** A message is a JSON block, sent as 2025-11-25, or what a `curl` command sends. */
function sentIn(block: Block): Sent {
  if (block.words.has('request')) {
    return { message: block.text, headers: { 'mcp-protocol-version': '2025-11-25' } };
  }
  const words = shellWords(block.text);
  const after = (option: string): string[] =>
    words.flatMap((word, index) => (word === option ? [words[index + 1] as string] : []));
  if (words[0] !== 'curl') throw new Error(`${placeOf(block)} sends no message`);
  const headers = after('-H').map((header) => header.split(/:\s*/, 2) as [string, string]);
  return { message: after('-d')[0] as string, headers: Object.fromEntries(headers) };
}

/** The words of a shell command: plain, or in single quotes. */
function shellWords(command: string): string[] {
  const joined = command.replace(/\\\n\s*/g, ' ');
  return [...joined.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
}
