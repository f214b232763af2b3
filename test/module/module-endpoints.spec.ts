import { Controller, Get, type CanActivate, type LoggerService } from '@nestjs/common';
import { McpModule, McpSetupError, McpTool, type McpModuleAsyncOptions } from '../../src/index.js';
import { FixtureApp, textOf } from '../support/fixture-app.js';
import { PLATFORMS } from '../support/platforms.js';

@Controller('things')
class ThingsController {
  @McpTool('get_thing') @Get(':id') get(): object {
    return {};
  }
}
const deny: CanActivate = { canActivate: () => false };

async function setupError(
  app: Promise<{ init(): Promise<unknown>; close(): Promise<void> }>,
): Promise<string> {
  const made = await app;
  const thrown: unknown = await made.init().catch((error: unknown) => error);
  await made.close();
  expect(thrown).toBeInstanceOf(McpSetupError);
  return (thrown as McpSetupError).message;
}

describe.each(PLATFORMS)('module on $name: endpoints', (platform) => {
  it('a guard that a factory makes too late is a set-up error, not an open endpoint', async () => {
    const late = {
      useFactory: () => ({ guards: [deny], isGlobal: true }),
    } as McpModuleAsyncOptions;
    const message = await setupError(
      FixtureApp.create({ mcp: { module: McpModule.forRootAsync(late) }, platform }),
    );
    expect(message).toContain('option guards: a factory makes it too late');
    expect(message).toContain('option isGlobal: a factory makes it too late');
  });

  it('a path that a factory makes is a set-up error', async () => {
    const late = { useFactory: () => ({ path: 'elsewhere' }) } as McpModuleAsyncOptions;
    expect(
      await setupError(
        FixtureApp.create({ mcp: { module: McpModule.forRootAsync(late) }, platform }),
      ),
    ).toContain('option path: a factory makes it too late');
  });

  it('two endpoints at one path are a set-up error', async () => {
    const imports = [McpModule.forFeature({ path: 'mcp', tags: ['x'] })];
    expect(await setupError(FixtureApp.create({ imports, platform }))).toContain(
      'option path: "mcp" is the path of two endpoints',
    );
  });

  it('an endpoint without tools is a warning that says what to do', async () => {
    const warnings: string[] = [];
    const logger: LoggerService = {
      log: () => undefined,
      error: () => undefined,
      warn: (message: string) => void warnings.push(message),
    };
    const app = await FixtureApp.start({ mcp: {}, platform, logger });
    await app.close();
    expect(warnings.join('\n')).toContain(
      'The MCP endpoint "mcp" serves no tools. Put @McpTool() on a route',
    );
  });

  it('arguments in the wrong place are told where they stand', async () => {
    const app = await FixtureApp.start({ controllers: [ThingsController], platform });
    const result = await app.call('get_thing', { id: 1 });
    await app.close();
    const { message } = JSON.parse(textOf(result)) as { message: string[] };
    expect(message.join('\n')).toMatch(/path\.id is required/);
    expect(message.join('\n')).toMatch(/id is not a member of the arguments; known members: path/);
  });
});
