import { jest } from '@jest/globals';
import {
  Controller,
  Get,
  Header,
  Version,
  VERSION_NEUTRAL,
  VersioningType,
  type INestApplication,
  type VersioningOptions,
} from '@nestjs/common';
import { McpTool, type McpModuleOptions } from '../../src/index.js';
import { FixtureApp, textOf } from '../support/fixture-app.js';
import { PLATFORMS } from '../support/platforms.js';

jest.setTimeout(30_000);

@Controller({ path: 'things', version: '1' })
class FirstController {
  @McpTool('thing_1') @Get() thing(): object {
    return { version: 1 };
  }
  @McpTool('text_1') @Get('text') @Header('content-type', 'text/plain') text(): string {
    return 'one';
  }
}

@Controller({ path: 'things', version: ['2', '2024-05-01'] })
class SecondController {
  @McpTool('thing_2') @Get() thing(): object {
    return { version: 2 };
  }
  @McpTool('text_2') @Get('text') @Header('content-type', 'text/plain') text(): string {
    return 'two';
  }
  @McpTool('thing_3') @Version('3.0-rc.1') @Get() third(): object {
    return { version: 3 };
  }
}

@Controller({ path: 'neutral', version: VERSION_NEUTRAL })
class NeutralController {
  @McpTool('neutral') @Get() neutral(): object {
    return { version: 'any' };
  }
}

interface Incoming {
  readonly headers: Readonly<Record<string, string | undefined>>;
}

/** `X-Api: shop/2` chooses version 2. */
const extractor = ({ headers }: Incoming): string[] => {
  const asked = headers['x-api']?.split('/')[1];
  return asked === undefined ? [] : [asked];
};

const custom = { type: VersioningType.CUSTOM, extractor: extractor as never } as const;
const byHeader: McpModuleOptions = {
  versionHeaders: ({ versions }) => ({ 'X-Api': `shop/${String(versions[0])}` }),
};

const TYPES: readonly [string, VersioningOptions, McpModuleOptions][] = [
  ['header', { type: VersioningType.HEADER, header: 'X-Version' }, {}],
  ['media type', { type: VersioningType.MEDIA_TYPE, key: 'v=' }, {}],
  ['URI', { type: VersioningType.URI }, {}],
  ['custom', custom, byHeader],
];

const controllers = [FirstController, SecondController, NeutralController];

describe.each(PLATFORMS)('dispatch on $name: versions', (platform) => {
  const start = (versioning: VersioningOptions, mcp: McpModuleOptions = {}): Promise<FixtureApp> =>
    FixtureApp.start({
      platform,
      controllers,
      mcp,
      configure: (app) => void app.enableVersioning(versioning),
    });

  describe.each(TYPES)('by %s', (_, versioning, mcp) => {
    let app: FixtureApp;
    beforeAll(async () => {
      app = await start(versioning, mcp);
    });
    afterAll(() => app.close());

    it.each([
      ['thing_1', '{"version":1}'],
      ['thing_2', '{"version":2}'],
      ['thing_3', '{"version":3}'],
      ['text_1', 'one'],
      ['text_2', 'two'],
      ['neutral', '{"version":"any"}'],
    ])('%s reaches its own version', async (tool, text) => {
      const result = await app.call(tool);
      expect(textOf(result)).toBe(text);
      expect(result.isError).not.toBe(true);
    });

    it('the caller does not choose it', async () => {
      const headers = { 'x-version': '1', 'x-api': 'shop/1', accept: 'application/json;v=1, */*' };
      expect(textOf(await app.call('thing_2', {}, headers))).toBe('{"version":2}');
    });
  });

  const refusal = async (versioning: VersioningOptions, mcp: McpModuleOptions): Promise<string> => {
    const app: INestApplication = await FixtureApp.create({
      platform,
      controllers,
      mcp,
      configure: (nest) => void nest.enableVersioning(versioning),
    });
    try {
      await app.init();
      return 'started';
    } catch (error) {
      return (error as Error).message;
    } finally {
      await app.close();
    }
  };

  it.each<[string, McpModuleOptions, string]>([
    ['no option', {}, 'is chosen by a custom extractor. Say in the option versionHeaders'],
    [
      'an option that throws',
      {
        versionHeaders: () => {
          throw new Error('not this one');
        },
      },
      'the option versionHeaders threw Error: not this one',
    ],
    [
      'no headers',
      { versionHeaders: () => undefined as never },
      'the option versionHeaders gave undefined',
    ],
    [
      'a header that frames the request',
      { versionHeaders: () => ({ 'Content-Length': '1' }) },
      'the header "content-length"',
    ],
    ['two lines', { versionHeaders: () => ({ 'x-api': 'a\r\nx-admin: 1' }) }, 'the header "x-api"'],
    ['a name with a space', { versionHeaders: () => ({ 'x api': '1' }) }, 'the header "x api"'],
    [
      'no string',
      { versionHeaders: () => ({ 'x-api': 1 as unknown as string }) },
      'the header "x-api"',
    ],
  ])('%s for a custom extractor is a set-up error', async (_, mcp, message) => {
    const text = await refusal(custom, mcp);
    expect(text).toContain('FirstController.thing (GET /things)');
    expect(text).toContain(message);
    expect(text).not.toContain('NeutralController');
  });

  it('a version that no header can carry is one, too', async () => {
    @Controller({ path: 'odd', version: 'zwei\u2082' })
    class OddController {
      @McpTool('odd') @Get() odd(): object {
        return {};
      }
    }
    const app = await FixtureApp.create({
      platform,
      controllers: [OddController],
      configure: (nest) =>
        void nest.enableVersioning({ type: VersioningType.HEADER, header: 'x-version' }),
    });
    await expect(app.init()).rejects.toThrow(
      'OddController.odd (GET /odd): the header "x-version"',
    );
    await app.close();
  });
});
