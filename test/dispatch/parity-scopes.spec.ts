import { jest } from '@jest/globals';
import { FixtureApp } from '../support/fixture-app.js';
import { PLATFORMS } from '../support/platforms.js';
import { judge } from './parity.judge.js';
import {
  NewController,
  OldController,
  RawController,
  SCOPE_CASES,
  SCOPE_PROVIDERS,
  ScopesController,
  useTenants,
  VERSIONING,
} from './parity.scopes.js';

jest.setTimeout(60_000);

describe.each(PLATFORMS)('dispatch on $name: parity of scopes and raw bodies', (platform) => {
  let app: FixtureApp;
  beforeAll(async () => {
    useTenants();
    app = await FixtureApp.start({
      platform,
      controllers: [ScopesController, RawController],
      providers: SCOPE_PROVIDERS,
      mcp: { forwardHeaders: ['x-tenant'] },
      rawBody: true,
    });
  });
  afterAll(() => app.close());

  it.each(SCOPE_CASES)('$title', async (row) => {
    expect(await judge(app, row)).toEqual([]);
  });
});

describe.each(PLATFORMS)('dispatch on $name: parity of versions', (platform) => {
  describe.each(VERSIONING)('$title', ({ versioning, mcp, rows }) => {
    let app: FixtureApp;
    beforeAll(async () => {
      app = await FixtureApp.start({
        platform,
        controllers: [OldController, NewController],
        mcp,
        configure: (nest) => void nest.enableVersioning(versioning),
      });
    });
    afterAll(() => app.close());

    it.each(rows)('$title', async (row) => {
      expect(await judge(app, row)).toEqual([]);
    });
  });
});
