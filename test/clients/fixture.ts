import type { Server } from 'node:http';
import { FixtureApp } from '../support/fixture-app.js';
import { PLATFORMS, type Platform } from '../support/platforms.js';
import { TOOLS } from '../protocol/tools.fixture.js';

/** Both ways to serve the 2025 revisions. */
export interface Setup {
  readonly title: string;
  readonly platform: Platform;
  readonly sessions: false | object;
}

export const SETUPS: readonly Setup[] = PLATFORMS.flatMap((platform) => [
  { title: `${platform.name} without sessions`, platform, sessions: false },
  { title: `${platform.name} with sessions`, platform, sessions: {} },
]);

/** A listening application with the tools of the protocol tests. */
export function startFixture({ platform, sessions }: Setup): Promise<FixtureApp> {
  return FixtureApp.start({ ...TOOLS, platform, mcp: { sessions, pageSize: 4 } });
}

/** A client may have opened a connection that it never used, for which a server would wait long. */
export async function stopFixture(fixture: FixtureApp): Promise<void> {
  const server = fixture.app.getHttpServer() as Server;
  const closed = fixture.close();
  setImmediate(() => server.closeAllConnections());
  await closed;
}

export const endpointOf = ({ url, path }: FixtureApp): string => `${url}${path}`;

/** The names of the fixture's tools. */
export const NAMES = [
  'described',
  'echo',
  'empty',
  'large',
  'missing',
  'numbers',
  'picture',
  'progress',
  'rejects_undefined',
  'report',
  'slow',
  'throws_null',
];
