import { jsonCatalog, type TestCatalog } from './agents.fixture.js';
import { HAS_POSTGRES, PostgresServer, postgresCatalog } from './postgres.fixture.js';

let server: Promise<PostgresServer> | undefined;

/** The server of this suite, started when the first test wants one. */
export function postgresServer(): Promise<PostgresServer> {
  server ??= PostgresServer.start();
  return server;
}

/** Every kind of source that tests run on. */
export const CATALOGS: readonly { title: string; start: () => Promise<TestCatalog> }[] = [
  { title: 'JSON file', start: jsonCatalog },
  ...(HAS_POSTGRES
    ? [
        {
          title: 'PostgreSQL',
          start: async () => postgresCatalog(await postgresServer()),
        },
      ]
    : []),
];

/** To be called after all tests of a suite. */
export async function stopPostgres(): Promise<void> {
  await (await server)?.close();
  server = undefined;
}
