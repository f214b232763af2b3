import { jest } from '@jest/globals';
import type { ExecutionContext } from '@nestjs/common';
import { callOf } from '../../src/dispatch/call.js';
import { McpCallGuard } from '../../src/dispatch/call.guard.js';
import { FixtureApp, textOf, type CallResult } from '../support/fixture-app.js';
import { EXPRESS, PLATFORMS, type Platform } from '../support/platforms.js';
import { CASES } from './parity.cases.js';
import { configureParity, parityModule, Public, type Omitted } from './parity.fixture.js';
import { judge } from './parity.judge.js';
import { configureLevels, LEVEL_CASES, LevelsModule } from './parity.levels.js';

jest.setTimeout(60_000);

const start = (platform: Platform, omitted?: Omitted): Promise<FixtureApp> =>
  FixtureApp.start({
    imports: [parityModule(omitted)],
    mcp: { decorators: [Public()] },
    configure: configureParity,
    platform,
  });

describe.each(PLATFORMS)('dispatch on $name: a call is what a request is', (platform) => {
  let app: FixtureApp;
  beforeAll(async () => {
    app = await start(platform);
  });
  afterAll(() => app.close());

  it('has at least 40 cases', () => {
    expect(CASES.length).toBeGreaterThanOrEqual(40);
  });

  it.each(CASES)('$title ($tool: $status)', async (row) => {
    expect(await judge(app, row)).toEqual([]);
  });
});

describe.each(PLATFORMS)(
  'dispatch on $name: every kind of enhancer, at every level',
  (platform) => {
    let app: FixtureApp;
    beforeAll(async () => {
      app = await FixtureApp.start({
        platform,
        imports: [LevelsModule],
        configure: configureLevels,
      });
    });
    afterAll(() => app.close());

    it.each(LEVEL_CASES)('$title', async (row) => {
      expect(await judge(app, row)).toEqual([]);
    });
  },
);

describe('dispatch: the table notices what is missing', () => {
  const red = async (app: FixtureApp): Promise<string[]> => {
    const titles: string[] = [];
    for (const row of CASES) if ((await judge(app, row)).length > 0) titles.push(row.title);
    return titles;
  };

  it.each<[Omitted, string[]]>([
    ['class guard', ['class guard refuses', 'R12: forbidden before the body is judged']],
    ['filter', ['global filter writes the envelope']],
    ['middleware', ['middleware sees the request', 'middleware that answers with a refusal']],
    ['global interceptor', ['global interceptor']],
  ])('without the %s', async (omitted, titles) => {
    const app = await start(EXPRESS, omitted);
    try {
      expect(await red(app)).toEqual(expect.arrayContaining(titles));
    } finally {
      await app.close();
    }
  });
});

describe.each(PLATFORMS)(
  'dispatch on $name: R7, a call reaches no route but its own',
  (platform) => {
    const callAdmin = async (as: string): Promise<CallResult> => {
      const app = await start(platform);
      try {
        return await app.call(
          'get_u',
          { path: { id: 'admin' } },
          { authorization: `Bearer ${as}` },
        );
      } finally {
        await app.close();
      }
    };

    it.each(['ann', 'bob'])('for %s', async (as) => {
      const result = await callAdmin(as);
      expect(result.isError).toBe(true);
      expect(textOf(result)).toContain("another resource than this tool's own");
    });

    it('and without the own-route guard it would', async () => {
      const guard = jest
        .spyOn(McpCallGuard.prototype, 'canActivate')
        .mockImplementation((context: ExecutionContext) => {
          const call = callOf(context.switchToHttp().getRequest<object>());
          if (call !== undefined) call.reached = true;
          return true;
        });
      try {
        expect(textOf(await callAdmin('ann'))).toContain('of the admin');
      } finally {
        guard.mockRestore();
      }
    });
  },
);
