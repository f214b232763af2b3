import { ForbiddenException, type CanActivate } from '@nestjs/common';
import {
  McpResponseGuard,
  McpSetupError,
  type McpModuleOptions,
  type OutgoingAnswer,
  type OutgoingResult,
} from '../../src/index.js';
import { FixtureApp, textOf } from '../support/fixture-app.js';
import { EXPRESS, PLATFORMS, type Platform } from '../support/platforms.js';
import { Directory, RolesGuard, SignedIn, ThingsController } from './policy.fixture.js';
import { PolicyModule } from './policy.module.js';

const start = (platform: Platform, mcp: McpModuleOptions): Promise<FixtureApp> =>
  FixtureApp.start({
    imports: [PolicyModule],
    controllers: [ThingsController],
    mcp: { imports: [PolicyModule], guards: [SignedIn], ...mcp },
    platform,
  });

const ANN = { 'x-user': 'ann' };

/** Does what the test says, and keeps what it was shown. */
class TestGuard extends McpResponseGuard {
  readonly seen: OutgoingAnswer[] = [];
  constructor(private readonly act: (answer: OutgoingAnswer) => unknown = () => undefined) {
    super();
  }
  override check(answer: OutgoingAnswer): Promise<OutgoingResult | undefined> {
    this.seen.push(answer);
    return Promise.resolve(this.act(answer) as OutgoingResult | undefined);
  }
  get tools(): (string | null)[] {
    return this.seen.map(({ tool }) => tool?.name ?? null);
  }
}

const judged = (
  act?: (answer: OutgoingAnswer) => unknown,
): { guard: TestGuard; mcp: McpModuleOptions } => {
  const guard = new TestGuard(act);
  return { guard, mcp: { recheck: true, responseGuard: guard } };
};

/** Runs a slow call, and does something while it runs. */
async function during(app: FixtureApp, act: (directory: Directory) => void): Promise<string> {
  const directory = app.app.get(Directory);
  const started = new Promise<void>((resolve) => (directory.waits = resolve));
  const answer = app.request('tools/call', { name: 'slow', arguments: {} }, ANN);
  await started;
  act(directory);
  directory.release();
  return (await answer).text;
}

describe.each(PLATFORMS)('policy on $name: recheck', (platform) => {
  let app: FixtureApp;
  afterEach(() => app.close());

  it('lets an answer go whose caller still may have it', async () => {
    app = await start(platform, { recheck: true });
    expect(await during(app, () => undefined)).toContain('secret of the slow');
  });

  it("refuses a caller whom the endpoint's guard does not know any more", async () => {
    app = await start(platform, { recheck: true });
    const text = await during(app, (directory) => directory.roles.delete('ann'));
    expect(text).not.toContain('secret of the slow');
    expect(text).toContain('\\"statusCode\\":401');
    expect(text).toContain('"isError":true');
  });

  it('refuses a caller whom a tool guard would not let call any more', async () => {
    const guard: CanActivate & { open: boolean } = {
      open: true,
      canActivate() {
        return this.open;
      },
    };
    app = await start(platform, { recheck: true, toolGuards: [guard] });
    const text = await during(app, () => (guard.open = false));
    expect(text).not.toContain('secret of the slow');
    expect(text).toContain('\\"statusCode\\":403');
  });

  it('without it the answer would go', async () => {
    app = await start(platform, {});
    const text = await during(app, (directory) => directory.roles.delete('ann'));
    expect(text).toContain('secret of the slow');
  });

  it('asks again for error results, and for every tool of a list', async () => {
    const asked: string[] = [];
    const guard: CanActivate = {
      canActivate: (context) => asked.push(context.getHandler().name) > 0,
    };
    app = await start(platform, { recheck: true, toolGuards: [guard] });
    await app.call('fails', {}, ANN);
    expect(asked).toEqual(['fails', 'fails']);
    asked.length = 0;
    await app.request('tools/list', {}, ANN);
    expect(asked.filter((name) => name === 'open')).toHaveLength(2);
    expect(asked).toHaveLength(16);
  });

  it('hides a tool of a list that went away while the list was made', async () => {
    let asked = 0;
    const guard: CanActivate = {
      canActivate: (context) => context.getHandler().name !== 'open' || asked++ === 0,
    };
    app = await start(platform, { recheck: true, toolGuards: [guard] });
    expect((await app.request('tools/list', {}, ANN)).text).not.toContain('"name":"open"');
  });
});

describe.each(PLATFORMS)('policy on $name: response guard', (platform) => {
  let app: FixtureApp;
  afterEach(() => app.close());

  it('sees every result with the body of a 2xx answer, the misfit too, and no other', async () => {
    const { guard, mcp } = judged();
    app = await start(platform, mcp);
    for (const tool of ['open', 'person', 'misfit', 'fails']) await app.call(tool, {}, ANN);
    expect(guard.tools).toEqual(['open', 'person', 'misfit']);
    expect(guard.seen[1]).toMatchObject({
      result: { isError: false, structuredContent: { name: 'Ann', email: 'ann@example.com' } },
    });
    const misfit = guard.seen[2];
    expect(misfit?.tool === null ? '' : JSON.stringify(misfit?.result)).toContain(
      'leak@example.com',
    );
  });

  it('sees a list, before it leaves', async () => {
    const { guard, mcp } = judged();
    app = await start(platform, mcp);
    await app.request('tools/list', {}, ANN);
    expect(guard.tools).toEqual([null]);
    expect(
      (guard.seen[0] as unknown as { tools: { name: string }[] }).tools.map(({ name }) => name),
    ).toContain('person');
  });

  it('is not asked for a caller who has lost the right to ask', async () => {
    const { guard, mcp } = judged();
    app = await start(platform, mcp);
    await during(app, (directory) => directory.roles.delete('ann'));
    expect(guard.tools).toEqual([]);
  });

  it('refuses in its own words', async () => {
    const { mcp } = judged(({ tool }) => {
      if (tool !== null) throw new ForbiddenException('personal data');
    });
    app = await start(platform, mcp);
    const result = await app.call('person', {}, ANN);
    expect(result).toMatchObject({ isError: true });
    expect(textOf(result)).toContain('personal data');
    expect(JSON.stringify(result)).not.toContain('ann@example.com');
  });

  it.each<[string, () => unknown]>([
    [
      'throws an error',
      () => {
        throw new Error('password of the vault');
      },
    ],
    [
      'throws null',
      () => {
        throw null as unknown as Error;
      },
    ],
    ['returns a string', () => 'garbage'],
    ['returns a result without content', () => ({})],
    ['returns content that is no list', () => ({ content: 'x' })],
    ['returns blocks that are none', () => ({ content: [1] })],
  ])('refuses as internal when it %s', async (_title, act) => {
    const { mcp } = judged(({ tool }) => (tool === null ? undefined : act()));
    app = await start(platform, mcp);
    const result = await app.call('person', {}, ANN);
    expect(JSON.parse(textOf(result))).toMatchObject({
      statusCode: 500,
      message: 'Internal server error',
    });
    expect(result._meta?.['nestjs-mcp-routes/ref']).toMatch(/^[0-9a-f]{12}$/);
    expect(JSON.stringify(result)).not.toMatch(/vault|ann@example/);
  });

  it('replaces a result, which is held to the output schema again', async () => {
    const redacted = { name: 'Ann', email: 'removed' };
    const { mcp } = judged(({ tool }) =>
      tool?.name === 'person'
        ? {
            content: [{ type: 'text', text: JSON.stringify(redacted) }],
            structuredContent: redacted,
            isError: false,
          }
        : undefined,
    );
    app = await start(platform, mcp);
    expect(await app.call('person', {}, ANN)).toMatchObject({
      structuredContent: redacted,
      content: [{ type: 'text', text: JSON.stringify(redacted) }],
    });
  });

  it('may not replace a result by one that does not fit', async () => {
    const { mcp } = judged(({ tool }) =>
      tool === null
        ? undefined
        : { content: [], structuredContent: { name: 'Ann' }, isError: false },
    );
    app = await start(platform, mcp);
    const result = await app.call('person', {}, ANN);
    expect(result.isError).toBe(true);
    expect(textOf(result)).toContain('does not fit the declared output schema any more');
  });

  it('that hangs is bounded by the call timeout', async () => {
    const { mcp } = judged(({ tool }) =>
      tool === null ? undefined : new Promise(() => undefined),
    );
    app = await start(platform, { ...mcp, callTimeoutMs: 50 });
    const result = await app.call('person', {}, ANN);
    expect(result.isError).toBe(true);
    expect(JSON.stringify(result)).not.toContain('ann@example.com');
  });

  it('that refuses a list fails the list', async () => {
    const { mcp } = judged(() => {
      throw new Error('no');
    });
    app = await start(platform, mcp);
    expect((await app.request('tools/list', {}, ANN)).json()).toMatchObject({
      error: { code: -32603 },
    });
  });
});

describe('policy: set-up', () => {
  const guard = new TestGuard();
  it.each<[string, McpModuleOptions, RegExp]>([
    [
      'a required response guard that is missing',
      { requireResponseGuard: true },
      /option requireResponseGuard/,
    ],
    [
      'a response guard without recheck',
      { responseGuard: guard, guards: [SignedIn] },
      /option responseGuard: it needs recheck/,
    ],
    [
      'recheck with nothing to ask again',
      { recheck: true, guards: [] },
      /option recheck: it is true, but/,
    ],
    [
      'a public list that depends on the caller',
      { toolGuards: [RolesGuard], listScope: 'public' },
      /option listScope/,
    ],
    [
      'a response guard that is none',
      { responseGuard: {} as McpResponseGuard },
      /option responseGuard: \{\}/,
    ],
    [
      'recheck that is no boolean',
      { recheck: 'yes' as unknown as boolean },
      /option recheck: "yes"/,
    ],
  ])('refuses %s', async (_title, mcp, message) => {
    const app = await FixtureApp.create({
      imports: [PolicyModule],
      mcp: { imports: [PolicyModule], ...mcp },
      platform: EXPRESS,
    });
    const error: unknown = await app.init().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(McpSetupError);
    expect((error as McpSetupError).message).toMatch(message);
    await app.close();
  });
});
