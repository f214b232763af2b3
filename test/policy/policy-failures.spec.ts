import {
  Body,
  Controller,
  Get,
  Injectable,
  Module,
  Param,
  Post,
  Scope,
  SetMetadata,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common';
import { Reflector, REQUEST } from '@nestjs/core';
import { Inject } from '@nestjs/common';
import { IsString } from 'class-validator';
import { EMPTY, NEVER, type Observable } from 'rxjs';
import {
  McpCall,
  McpModule,
  McpResponseGuard,
  McpTool,
  type McpCallContext,
  type McpModuleOptions,
  type OutgoingAnswer,
} from '../../src/index.js';
import { RecordingLogger } from '../module/recording-logger.js';
import { FixtureApp, textOf, type Fixture } from '../support/fixture-app.js';
import { PLATFORMS } from '../support/platforms.js';
import { Directory, requestOf, SignedIn } from './policy.fixture.js';
import { PolicyModule } from './policy.module.js';

class NoteDto {
  @IsString() tenant!: string;
}

const Public = (): MethodDecorator => SetMetadata('public', true);

@Controller('odd')
class OddController {
  static ran: string[] = [];

  @McpTool('note') @Post(':id') note(@Param('id') id: string, @Body() body: NoteDto): object {
    OddController.ran.push('note');
    return { id, tenant: body.tenant };
  }
  @McpTool('crash') @Get('crash') crash(): never {
    throw new Error('the database is at 10.0.0.7');
  }
  @McpTool('catalog') @Public() @Get('catalog') catalog(): object {
    return { items: [] };
  }
  @McpTool('ask') @Post('ask/me') async ask(@McpCall() call?: McpCallContext): Promise<object> {
    OddController.ran.push('ask');
    await OddController.before();
    const params = { message: 'secret question', requestedSchema: { type: 'object' } };
    await call?.requestInput({ q: { method: 'elicitation/create', params } });
    return {};
  }
  static before: () => void | Promise<void> = () => undefined;
}

const ANN = { 'x-user': 'ann' };

describe.each(PLATFORMS)('policy on $name: whatever goes wrong', (platform) => {
  let app: FixtureApp;
  beforeEach(() => {
    OddController.ran.length = 0;
    OddController.before = () => undefined;
  });
  afterEach(() => app.close());

  const start = async (mcp: McpModuleOptions, more: Partial<Fixture> = {}): Promise<void> => {
    app = await FixtureApp.start({
      imports: [PolicyModule],
      controllers: [OddController],
      mcp: { imports: [PolicyModule], guards: [SignedIn], ...mcp },
      platform,
      ...more,
    });
  };
  const guard = (canActivate: CanActivate['canActivate']): CanActivate => ({ canActivate });

  it('a tool guard sees the arguments that the route gets, not the ones that a model misspelt', async () => {
    const own = guard((context) => {
      const { tenant } = (requestOf(context).body ?? {}) as { tenant?: string };
      return tenant === undefined || tenant === 'acme';
    });
    await start({ toolGuards: [own], recheck: true });
    const spelt = { path: { id: '1' }, body: '{"tenant":"acme"}' };
    expect(textOf(await app.call('note', spelt, ANN))).toContain('acme');
    OddController.ran.length = 0;
    const foreign = { path: { id: '1' }, body: '{"tenant":"globex"}' };
    expect(textOf(await app.call('note', foreign, ANN))).toContain('403');
    expect(OddController.ran).toEqual([]);
  });

  it.each<[string, () => Observable<boolean>]>([
    ['ends without a word', () => EMPTY],
    ['never ends', () => NEVER],
  ])('a tool guard whose observable %s refuses', async (_title, answer) => {
    await start({ toolGuards: [guard(answer)], callTimeoutMs: 100 });
    const list = await app.request('tools/list', {}, ANN);
    expect(list.json()).toMatchObject({ error: { code: -32603 } });
    expect((await app.call('note', { path: { id: '1' }, body: {} }, ANN)).isError).toBe(true);
    expect(OddController.ran).toEqual([]);
  });

  it('a tool guard that allows too late lets nothing run', async () => {
    let decide: (allowed: boolean) => void = () => undefined;
    const slow = guard(() => new Promise<boolean>((resolve) => (decide = resolve)));
    await start({ toolGuards: [slow], callTimeoutMs: 50 });
    const result = await app.call('note', { path: { id: '1' }, body: { tenant: 'acme' } }, ANN);
    expect(textOf(result)).toContain('no answer within 50 ms');
    decide(true);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(OddController.ran).toEqual([]);
  });

  it.each<[string, McpModuleOptions, string, object, RegExp]>([
    ['a route that crashes', {}, 'crash', {}, /10\.0\.0\.7/],
    [
      'a tool guard that crashes',
      {
        toolGuards: [
          guard(() => {
            throw new Error('at 10.0.0.7');
          }),
        ],
      },
      'note',
      { path: { id: '1' }, body: { tenant: 'acme' } },
      /10\.0\.0\.7/,
    ],
    [
      'a response guard that throws null',
      {
        recheck: true,
        responseGuard: {
          check: () => {
            throw null as unknown as Error;
          },
        },
      },
      'catalog',
      {},
      /no reason given/,
    ],
  ])(
    'one record of the log has all of an internal failure: %s',
    async (_title, mcp, tool, args, cause) => {
      const logger = new RecordingLogger();
      await start(mcp, { logger });
      const result = await app.call(tool, args, ANN);
      const ref = String(result._meta?.['nestjs-mcp-routes/ref']);
      expect(ref).toMatch(/^[0-9a-f]{12}$/);
      expect(JSON.stringify(result)).not.toContain('10.0.0.7');
      const records = [...logger.all('error'), ...logger.all('warn')].filter((one) =>
        one.includes(ref),
      );
      expect(records).toHaveLength(1);
      expect(records[0]).toMatch(cause);
      expect(records[0]).toContain(`Tool ${tool}: `);
      expect(records[0]).toContain('principal ["","","sub","ann"], request 1');
    },
  );

  it('one record of the log has all of a list that failed', async () => {
    const logger = new RecordingLogger();
    const failing = guard(() => {
      throw new Error('at 10.0.0.7');
    });
    await start({ toolGuards: [failing] }, { logger });
    const list = await app.request('tools/list', {}, ANN);
    const { ref } = (list.json() as { error: { data: { ref: string } } }).error.data;
    expect(list.text).not.toContain('10.0.0.7');
    const records = logger.all('error').filter((one) => one.includes(ref));
    expect(records).toHaveLength(1);
    expect(records[0]).toMatch(
      /tools\/list failed .*principal \["","","sub","ann"\], request 1[^]*at 10\.0\.0\.7/,
    );
  });

  it('a response guard that changes a result and says nothing refuses', async () => {
    class InPlace extends McpResponseGuard {
      override check(answer: OutgoingAnswer): void {
        if (answer.tool === null) return;
        (answer.result.structuredContent as { tenant?: string }).tenant = 'removed';
      }
    }
    await start({ recheck: true, responseGuard: InPlace });
    const result = await app.call('note', { path: { id: '1' }, body: { tenant: 'acme' } }, ANN);
    expect(JSON.stringify(result)).not.toContain('acme');
    expect(result.isError).toBe(true);
  });

  it('a response guard that answers a list with something fails it', async () => {
    await start({
      recheck: true,
      responseGuard: { check: () => ({ content: [], isError: false }) },
    });
    const list = await app.request('tools/list', {}, ANN);
    expect(list.json()).toMatchObject({ error: { code: -32603 } });
  });

  it("recheck of a list asks the endpoint's guards for each tool, not for one of them", async () => {
    @Injectable()
    class Door implements CanActivate {
      static open = true;
      constructor(private readonly reflector: Reflector) {}
      canActivate(context: ExecutionContext): boolean {
        return this.reflector.get<boolean>('public', context.getHandler()) || Door.open;
      }
    }
    const closing = guard(() => {
      Door.open = false;
      return true;
    });
    await start({ guards: [Door], toolGuards: [closing], recheck: true });
    const { result } = (await app.request('tools/list', {}, ANN)).json() as {
      result: { tools: { name: string }[] };
    };
    expect(result.tools.map(({ name }) => name)).toEqual(['catalog']);
  });

  it('a client is not asked for input, either, once its caller may not call', async () => {
    await start({ recheck: true });
    const directory = app.app.get(Directory);
    directory.roles.set('ann', 'admin');
    const capable = {
      name: 'ask',
      arguments: {},
      _meta: {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientCapabilities': { elicitation: {} },
      },
    };
    const ask = (): Promise<string> =>
      app
        .post(
          { jsonrpc: '2.0', id: 1, method: 'tools/call', params: capable },
          {
            'mcp-protocol-version': '2026-07-28',
            'mcp-method': 'tools/call',
            'mcp-name': 'ask',
            ...ANN,
          },
        )
        .then(({ text }) => text);
    expect(await ask()).toContain('secret question');
    OddController.before = () => void directory.roles.delete('ann');
    const refused = await ask();
    expect(OddController.ran).toEqual(['ask', 'ask']);
    expect(refused).not.toContain('secret question');
    expect(refused).toContain('"isError":true');
    expect(refused).toContain('\\"statusCode\\":401');
  });
});

describe.each(PLATFORMS)('policy on $name: guards that are built', (platform) => {
  let app: FixtureApp;
  afterEach(() => app.close());

  it('for the endpoint that names them, with its own imports', async () => {
    @Injectable()
    class Wanted {
      name = 'nobody';
    }
    @Injectable()
    class OnlyWanted implements CanActivate {
      constructor(private readonly wanted: Wanted) {}
      canActivate(context: ExecutionContext): boolean {
        return requestOf(context).headers['x-user'] === this.wanted.name;
      }
    }
    const moduleOf = (name: string): NonNullable<McpModuleOptions['imports']>[number] => {
      @Module({ providers: [{ provide: Wanted, useValue: { name } }], exports: [Wanted] })
      class WantedModule {}
      return WantedModule;
    };
    const common = { include: () => true, toolGuards: [OnlyWanted] };
    app = await FixtureApp.start({
      controllers: [OddController],
      imports: [McpModule.forFeature({ path: 'bobs', imports: [moduleOf('bob')], ...common })],
      mcp: { imports: [moduleOf('ann')], ...common },
      platform,
    });
    const seen = async (path: string, user: string): Promise<boolean> => {
      const message = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
      return (await app.post(message, { 'x-user': user }, path)).text.includes('catalog');
    };
    expect(await seen('/mcp', 'ann')).toBe(true);
    expect(await seen('/mcp', 'bob')).toBe(false);
    expect(await seen('/bobs', 'bob')).toBe(true);
    expect(await seen('/bobs', 'ann')).toBe(false);
  });

  it('for each request, also where a factory names them', async () => {
    @Injectable({ scope: Scope.REQUEST })
    class Scoped implements CanActivate {
      constructor(@Inject(REQUEST) private readonly request: { headers: Record<string, string> }) {}
      canActivate(): boolean {
        return this.request.headers['x-user'] === 'ann';
      }
    }
    const module = McpModule.forRootAsync({ useFactory: () => ({ toolGuards: [Scoped] }) });
    app = await FixtureApp.start({ controllers: [OddController], mcp: { module }, platform });
    const list = async (user: string): Promise<string> =>
      (await app.request('tools/list', {}, { 'x-user': user })).text;
    expect(await list('ann')).toContain('"name":"catalog"');
    expect(await list('bob')).toContain('"tools":[]');
  });
});
