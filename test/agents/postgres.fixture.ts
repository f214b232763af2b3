import { execFile } from 'node:child_process';
import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { PostgresCatalogSource } from '../../src/agents/index.js';
import { freePort } from '../auth/free-port.js';
import { has } from '../support/needs.js';
import type { TestCatalog } from './agents.fixture.js';

const run = promisify(execFile);
const REMEDY =
  'apt-get install postgresql (.ci/run does). Suites on PostgreSQL are skipped: agents on PostgreSQL';

/** The folder of the newest server that Debian's package has put here. */
async function binaries(): Promise<string> {
  const root = '/usr/lib/postgresql';
  const versions = await readdir(root).catch(() => []);
  const newest = versions.map(Number).sort((a, b) => b - a)[0];
  return join(root, String(newest ?? 'none'), 'bin');
}

const BIN = await binaries();

/** Whether there is a PostgreSQL. Says loudly what is skipped without it; where CI runs, it has to be there. */
export const HAS_POSTGRES = has([join(BIN, 'initdb')], REMEDY);

/** The server refuses to run as root, as which containers mostly run: there it is the package's own user. */
const AS = process.getuid?.() === 0 ? ['runuser', '-u', 'postgres', '--'] : ['env'];

function asUser(command: string, args: readonly string[]): Promise<unknown> {
  const [program = '', ...first] = AS;
  // The server keeps the pipes of what started it, which would never end.
  return run(program, [...first, command, ...args], { cwd: tmpdir() });
}

/** A database server of the test's own, on a port of its own, with its data in a folder of its own. */
export class PostgresServer {
  private constructor(
    private readonly folder: string,
    readonly port: number,
  ) {}

  static async start(): Promise<PostgresServer> {
    const folder = await mkdtemp(join(tmpdir(), 'mcp-postgres-'));
    await chmod(folder, 0o777);
    const server = new PostgresServer(folder, await freePort());
    const data = ['-D', server.data, '-U', 'mcp', '-A', 'trust', '-E', 'UTF8', '--no-sync'];
    await asUser(join(BIN, 'initdb'), data);
    await server.up();
    return server;
  }

  get data(): string {
    return join(this.folder, 'data');
  }

  url(database = 'postgres'): string {
    return `postgres://mcp@127.0.0.1:${this.port}/${database}`;
  }

  async up(): Promise<void> {
    const options = `-p ${this.port} -k ${this.folder} -c listen_addresses=127.0.0.1 -c fsync=off`;
    const log = join(this.folder, 'log');
    await asUser(join(BIN, 'pg_ctl'), ['-D', this.data, '-l', log, '-w', '-o', options, 'start']);
  }

  async down(): Promise<void> {
    await asUser(join(BIN, 'pg_ctl'), ['-D', this.data, '-w', '-m', 'immediate', 'stop']);
  }

  async close(): Promise<void> {
    await this.down().catch(() => undefined);
    await rm(this.folder, { recursive: true, force: true });
  }
}

let count = 0;

/** A catalog in a schema of its own. */
export function postgresCatalog(server: PostgresServer): TestCatalog & PostgresParts {
  count += 1;
  const schema = `mcp_${process.pid}_${count}`;
  const source = new PostgresCatalogSource({ connectionString: server.url(), schema });
  // The application closes its source, so that tests publish through one of their own.
  const publisher = new PostgresCatalogSource({ connectionString: server.url(), schema });
  return {
    name: 'PostgreSQL',
    schema,
    source,
    publisher,
    publish: (document) => publisher.replaceCatalog(document),
    close: () => publisher.close(),
  };
}

export interface PostgresParts {
  readonly schema: string;
  readonly publisher: PostgresCatalogSource;
}
