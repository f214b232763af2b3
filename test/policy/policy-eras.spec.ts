import {
  Controller,
  Param,
  Post,
  ServiceUnavailableException,
  UnauthorizedException,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common';
import {
  McpResponseGuard,
  McpTool,
  type OutgoingAnswer,
  type OutgoingResult,
} from '../../src/index.js';
import { FixtureApp } from '../support/fixture-app.js';
import { CASES, type Answer } from './policy-cases.js';
import {
  Directory,
  requestOf,
  Roles,
  RolesGuard,
  SignedIn,
  ThingsController,
} from './policy.fixture.js';
import { PolicyModule } from './policy.module.js';

/** Takes e-mail addresses out. */
class Redact extends McpResponseGuard {
  override check(answer: OutgoingAnswer): OutgoingResult | undefined {
    if (answer.tool === null) return undefined;
    const clean = JSON.stringify(answer.result).replaceAll(/[a-z]+@example\.com/g, 'removed');
    return JSON.parse(clean) as OutgoingResult;
  }
}

/** The endpoint's guard answers as a header says. */
class Door implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const refusals: Readonly<Record<string, () => never>> = {
      throw401: () => {
        throw new UnauthorizedException();
      },
      throw503: () => {
        throw new ServiceUnavailableException();
      },
    };
    const { headers } = requestOf(context);
    refusals[headers['x-door'] ?? '']?.();
    return headers['x-door'] !== 'false';
  }
}

@Controller('admin-notes')
class NotesController {
  @McpTool('admin_note') @Roles('admin') @Post(':secretId') note(
    @Param('secretId') id: string,
  ): object {
    return { id };
  }
}

const ALL = [
  'add_note',
  'admin_note',
  'admin_only',
  'fails',
  'misfit',
  'nothing',
  'open',
  'person',
  'slow',
];

describe.each(CASES)('policy on $name', ({ platform, era }) => {
  let app: FixtureApp;
  let directory: Directory;
  beforeAll(async () => {
    app = await FixtureApp.start({
      imports: [PolicyModule],
      controllers: [ThingsController, NotesController],
      mcp: {
        imports: [PolicyModule],
        guards: [Door, SignedIn],
        toolGuards: [RolesGuard],
        recheck: true,
        responseGuard: Redact,
      },
      platform,
    });
    directory = app.app.get(Directory);
  });
  afterAll(() => app.close());
  beforeEach(() => {
    directory.ran.length = 0;
    directory.roles.set('ann', 'admin').set('bob', 'user');
  });

  const as = (user: string): Record<string, string> => ({ 'x-user': user });
  const call = (name: string, user = 'ann'): Promise<Answer> =>
    era.request(app, 'tools/call', { name, arguments: {} }, as(user));

  it.each([
    ['ann', ALL],
    ['bob', ALL.filter((name) => !name.startsWith('admin'))],
  ])('who sees: %s has a list of their own', async (user, names) => {
    const { result } = await era.request(app, 'tools/list', {}, as(user));
    expect(result?.tools?.map(({ name }) => name)).toEqual(names);
  });

  it('who calls: a tool that is hidden is refused by name, and does not run', async () => {
    const { result, status } = await call('admin_only', 'bob');
    expect(status).toBe(200);
    expect(result?.isError).toBe(true);
    expect(result?.content[0]?.text).toContain('"statusCode":403');
    expect(directory.ran).toEqual([]);
    expect((await call('admin_only', 'ann')).text).toContain('of the admin');
  });

  it('who calls: what is wrong with arguments is told only to who may call', async () => {
    const misspelt = (user: string): Promise<Answer> =>
      era.request(app, 'tools/call', { name: 'admin_note', arguments: {} }, as(user));
    expect((await misspelt('ann')).text).toContain('path.secretId');
    const refused = await misspelt('bob');
    expect(refused.text).not.toContain('secretId');
    expect(refused.result?.content[0]?.text).toContain('"statusCode":403');
  });

  it.each([
    ['loses the role', () => directory.roles.set('ann', 'guest'), 403],
    ['is not known any more', () => directory.roles.delete('ann'), 401],
  ])('who still may: a caller who %s while the call runs is refused', async (_, act, status) => {
    const running = new Promise<void>((resolve) => (directory.waits = resolve));
    const answer = call('slow');
    await running;
    act();
    directory.release();
    const { text, result } = await answer;
    expect(text).not.toContain('secret of the slow');
    expect(result?.isError).toBe(true);
    expect(result?.content[0]?.text).toContain(`"statusCode":${status}`);
  });

  it.each(['person', 'misfit'])('what may leave: %s without addresses', async (name) => {
    const { text } = await call(name);
    expect(text).not.toContain('example.com');
    expect(text).toContain('removed');
  });

  it.each([
    ['throw401', 401],
    ['false', 403],
    ['throw503', 503],
  ])(
    'who gets in: the endpoint refuses (%s) by its status, never by a result',
    async (door, status) => {
      for (const method of ['tools/list', 'tools/call']) {
        const params = method === 'tools/call' ? { name: 'open', arguments: {} } : {};
        const answer = await era.request(app, method, params, { ...as('ann'), 'x-door': door });
        expect(answer.status).toBe(status);
        expect(answer).not.toHaveProperty('result');
      }
      expect(directory.ran).toEqual([]);
    },
  );
});
