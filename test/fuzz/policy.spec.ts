import { Controller, Get, HttpException, Res, type CanActivate } from '@nestjs/common';
import fc from 'fast-check';
import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { McpResponseGuard, McpTool, type OutgoingAnswer } from '../../src/index.js';
import { FixtureApp } from '../support/fixture-app.js';
import { PLATFORMS } from '../support/platforms.js';

const RUNS = Math.ceil(Number(process.env['MCP_FUZZ_RUNS'] ?? 400) / 4);
const SEED = Number(process.env['MCP_FUZZ_SEED'] ?? Date.now() % 2 ** 31);
console.info(`policy fuzz: seed ${SEED}, ${RUNS} runs on each platform`);

interface Answer {
  readonly status: number;
  readonly type: string | null;
  readonly before: string;
  readonly after: string;
  readonly cut: boolean;
}

/** Answers whatever it is told, with a marker in the body. */
@Controller('any')
class AnyController {
  static answer: Answer & { readonly marker: string };

  @McpTool({ name: 'any' }) @Get() any(
    @Res() framework: ServerResponse | { raw: ServerResponse; hijack(): void },
  ): void {
    write(framework);
  }
  @McpTool({
    name: 'declared',
    output: { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
  })
  @Get('declared')
  declared(@Res() framework: ServerResponse | { raw: ServerResponse; hijack(): void }): void {
    write(framework);
  }
}

function write(framework: ServerResponse | { raw: ServerResponse; hijack(): void }): void {
  const { status, type, before, after, marker, cut } = AnyController.answer;
  if ('hijack' in framework) framework.hijack();
  const response = 'raw' in framework ? framework.raw : framework;
  response.statusCode = status;
  if (type !== null) response.setHeader('content-type', type);
  response.write(before + marker);
  if (cut) response.destroy();
  else response.end(after);
}

/** What a response guard may do wrong. */
const FAILURES: readonly (() => unknown)[] = [
  () => {
    throw new Error('broken');
  },
  () => {
    throw null as unknown as Error;
  },
  () => {
    throw new HttpException('no', 403);
  },
  () => {
    throw new HttpException('no', 503);
  },
  // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- a guard may reject with nothing
  () => Promise.reject(undefined),
  () => null,
  () => false,
  () => ({ content: [{}] }),
  () => ({ content: 'x', structuredContent: {} }),
];

/** Lets everything pass or does what it is told, and keeps what it saw. */
class Witness extends McpResponseGuard {
  seen = '';
  failure: (() => unknown) | undefined;
  override check({ tool, ...rest }: OutgoingAnswer): undefined {
    if (tool === null) return undefined;
    if ('result' in rest) this.seen += JSON.stringify(rest.result);
    return this.failure?.() as undefined;
  }
}

const allow: CanActivate = { canActivate: () => true };

const answers = fc.record<Answer>({
  status: fc.oneof(
    fc.constantFrom(200, 201, 202, 204, 206, 302, 400, 404, 500),
    fc.integer({ min: 200, max: 599 }),
  ),
  type: fc.constantFrom(
    'application/json',
    'text/plain',
    'text/html; charset=latin1',
    'image/png',
    'application/pdf',
    'nonsense',
    null,
  ),
  before: fc.constantFrom('', '{"a":"', '["', '{"b":"', '"'),
  after: fc.constantFrom('', '"}', '"]', '"'),
  cut: fc.boolean(),
});

/** Base64 and JSON hide a marker from a plain search. */
function holds(text: string, marker: string): boolean {
  const bytes = Buffer.from(text, 'utf8').toString('latin1');
  const decoded = [...text.matchAll(/"(?:data|blob)":"([A-Za-z0-9+/=]+)"/g)].map(([, data = '']) =>
    Buffer.from(data, 'base64').toString('latin1'),
  );
  return [bytes, ...decoded].some((one) => one.includes(marker));
}

describe.each(PLATFORMS)(
  'policy on $name: no body of a 2xx answer leaves that the response guard did not see',
  (platform) => {
    it('for arbitrary answers', async () => {
      const witness = new Witness();
      const app = await FixtureApp.start({
        controllers: [AnyController],
        mcp: { guards: [allow], recheck: true, responseGuard: witness, callTimeoutMs: 2_000 },
        platform,
      });
      try {
        await fc.assert(
          fc.asyncProperty(
            answers,
            fc.constantFrom('any', 'declared'),
            fc.option(fc.constantFrom(...FAILURES), { nil: undefined, freq: 2 }),
            async (answer, tool, failure) => {
              const marker = randomUUID();
              AnyController.answer = { ...answer, marker };
              Object.assign(witness, { seen: '', failure });
              const call = { name: tool, arguments: {} };
              const { text, status } = await app.request('tools/call', call);
              expect(status).toBe(200);
              if (answer.status >= 300 || !holds(text, marker)) return;
              expect(holds(witness.seen, marker)).toBe(true);
              expect(failure).toBeUndefined();
            },
          ),
          { numRuns: RUNS, seed: SEED },
        );
      } finally {
        await app.close();
      }
    });
  },
);
