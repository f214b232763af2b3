import type { LoggerService } from '@nestjs/common';
import { McpSetupError } from '../../src/index.js';
import { FixtureApp, type Fixture } from '../support/fixture-app.js';
import { OrdersController } from './example/orders.controller.js';
import { BLOCKS, placeOf } from './markdown.js';
import { MISTAKES } from './mistakes.fixture.js';

const EXAMPLE: Fixture = { controllers: [OrdersController], mcp: { name: 'orders' } };

describe('docs: what the log says', () => {
  const said = new Set<string>();
  beforeAll(async () => {
    for (const fixture of [EXAMPLE, ...MISTAKES]) {
      for (const line of await linesOf(fixture)) said.add(line);
    }
  });

  const quoted = BLOCKS.filter(({ words }) => words.has('log')).flatMap((block) =>
    block.text.split('\n').map((line): [string, string] => [placeOf(block), line]),
  );
  it.each(quoted)('%s: %s', (_, line) => {
    // A set compares whole lines; the failure shows those that begin alike.
    const start = line.slice(0, line.indexOf(' '));
    expect([...said].filter((one) => one.startsWith(start))).toContain(line);
  });
});

/** All that an application says at its start: its log, and the problems of a start that fails. */
async function linesOf(fixture: Fixture): Promise<string[]> {
  const lines: string[] = [];
  const keep = (message: unknown): void => void lines.push(String(message));
  const logger: LoggerService = { log: keep, warn: keep, error: keep };
  const app = await FixtureApp.create({ ...fixture, logger });
  try {
    await app.init();
  } catch (error) {
    if (!(error instanceof McpSetupError)) throw error;
    lines.push(...error.message.split('\n').map((line) => line.replace(/^ {2}- /, '')));
  } finally {
    await app.close();
  }
  return lines;
}
