import type { AgentCatalogDocument, AgentKeyRecord } from './catalog-document.js';
import { McpCatalogSource } from './catalog-source.js';
import {
  loadPostgres,
  transaction,
  type Postgres,
  type PostgresClient,
  type PostgresPool,
} from './postgres.client.js';
import { CatalogListener } from './postgres.listener.js';
import { MIGRATIONS } from './postgres.migrations.js';
import { readTables, writeTables } from './postgres.rows.js';

export interface PostgresCatalogOptions {
  /** `postgres://user:password@host:5432/database`, special characters in percent-encoding. */
  readonly connectionString: string;
  /** The schema that holds the tables, made when it is not there. Default `'mcp'`. */
  readonly schema?: string;
  /** Whether the first use brings the tables up to date. Default `true`; otherwise call `migrate()`. */
  readonly migrate?: boolean;
}

/** How long a statement may take, in ms. */
const STATEMENT_TIMEOUT_MS = 30_000;
/** A number of our own for the advisory lock, so that two servers do not migrate at once. */
const LOCK = 7_294_301;
/** A schema, a table or a column is not there (PostgreSQL, appendix A). */
const NO_SUCH: ReadonlySet<string> = new Set(['3F000', '42P01', '42703']);
const SNAPSHOT = 'begin isolation level repeatable read, read only';

/** A catalog in PostgreSQL. Every change of its tables is a change notice. */
export class PostgresCatalogSource extends McpCatalogSource {
  private readonly schema: string;
  private opened: Promise<{ postgres: Postgres; pool: PostgresPool }> | undefined;
  private migrated: Promise<void> | undefined;

  /** @throws TypeError when the connection string is none, or the schema is no plain name */
  constructor(private readonly options: PostgresCatalogOptions) {
    super();
    const { schema = 'mcp', connectionString } = options;
    if (!isConnectionString(connectionString)) {
      // Without its text, which may hold a password.
      throw new TypeError(
        'connectionString: it is not of the form postgres://user:password@host:5432/database. Write special characters in percent-encoding.',
      );
    }
    if (!/^[a-z_][a-z0-9_]{0,50}$/.test(schema)) {
      throw new TypeError(
        `schema: ${JSON.stringify(schema)} is not a name of a-z 0-9 and _, 51 at most, that begins with no digit.`,
      );
    }
    this.schema = schema;
  }

  async load(): Promise<unknown> {
    const pool = await this.ready();
    return transaction(pool, SNAPSHOT, (client) => readTables(client, this.schema)).catch(
      (error: unknown) => {
        const isOutdated = NO_SUCH.has(String((error as { code?: unknown } | null)?.code));
        if (!isOutdated) throw error;
        const message = `The tables of the schema ${this.schema} are not there, or of an earlier version: call migrate(), or leave the option migrate out.`;
        throw new Error(message, { cause: error });
      },
    );
  }

  override watch(changed: () => void, failed: (error: unknown) => void): () => Promise<void> {
    const connect = async (): Promise<PostgresClient> => {
      const { postgres } = await this.open();
      return new postgres.Client({ ...this.config(), keepAlive: true });
    };
    const listener = new CatalogListener(connect, `${this.schema}_catalog`, changed, failed);
    listener.start();
    return () => listener.close();
  }

  override async addKey(key: AgentKeyRecord): Promise<void> {
    const { prefix, hash, workspace, agent, createdAt, expiresAt, label } = key;
    await this.change((client) =>
      client.query(
        `insert into ${this.schema}.api_keys
           (prefix, hash, workspace, agent, created_at, expires_at, label)
         values ($1, $2, $3, $4, $5, $6, $7)`,
        [prefix, hash, workspace, agent, createdAt, expiresAt ?? null, label ?? null],
      ),
    );
  }

  override async revokeKey(prefix: string, at: Date): Promise<boolean> {
    const { rowCount } = await this.change((client) =>
      client.query(
        `update ${this.schema}.api_keys set revoked_at = coalesce(revoked_at, $2) where prefix = $1`,
        [prefix, at.toISOString()],
      ),
    );
    return rowCount === 1;
  }

  /**
   * Puts a catalog in the place of the one that is kept, as one step. Keys stay, and those of the document are added. What
   * the catalog says is checked by those who load it.
   */
  async replaceCatalog(document: AgentCatalogDocument): Promise<void> {
    await this.change((client) => writeTables(client, this.schema, document));
  }

  /** Brings the tables up to date. Servers that start at once do it one after the other. */
  async migrate(): Promise<void> {
    const { pool } = await this.open();
    const { schema } = this;
    await transaction(pool, 'begin', async (client) => {
      await client.query('select pg_advisory_xact_lock($1)', [LOCK]);
      await client.query(`create schema if not exists ${schema}`);
      await client.query(
        `create table if not exists ${schema}.migrations
           (version integer primary key, applied_at timestamptz not null default now())`,
      );
      const { rows } = await client.query(
        `select coalesce(max(version), 0)::integer as version from ${schema}.migrations`,
      );
      const version = Number(rows[0]?.['version']);
      if (version > MIGRATIONS.length) {
        throw new Error(
          `The schema ${schema} is of a later version (${version}) than this one knows (${MIGRATIONS.length}). Update the package.`,
        );
      }
      for (const [index, step] of [...MIGRATIONS.entries()].slice(version)) {
        await client.query(step.replaceAll('$schema', schema));
        await client.query(`insert into ${schema}.migrations (version) values ($1)`, [index + 1]);
      }
    });
  }

  override async close(): Promise<void> {
    const { opened } = this;
    this.opened = undefined;
    const open = await opened?.catch(() => undefined);
    await open?.pool.end();
  }

  private async change<T>(work: (client: PostgresClient) => Promise<T>): Promise<T> {
    return transaction(await this.ready(), 'begin', work);
  }

  private async ready(): Promise<PostgresPool> {
    const { pool } = await this.open();
    if (this.options.migrate !== false) {
      this.migrated ??= this.migrate();
      // A database that was not there may be there next time.
      await this.migrated.catch((error: unknown) => {
        this.migrated = undefined;
        throw error;
      });
    }
    return pool;
  }

  private open(): Promise<{ postgres: Postgres; pool: PostgresPool }> {
    this.opened ??= loadPostgres().then((postgres) => {
      const pool = new postgres.Pool({ ...this.config(), max: 4 });
      // Of an idle connection: the next query opens another one, or says what is wrong.
      pool.on('error', () => undefined);
      return { postgres, pool };
    });
    return this.opened;
  }

  private config(): object {
    return {
      connectionString: this.options.connectionString,
      connectionTimeoutMillis: 10_000,
      statement_timeout: STATEMENT_TIMEOUT_MS,
      application_name: 'nestjs-mcp-routes',
    };
  }
}

function isConnectionString(text: unknown): boolean {
  if (typeof text !== 'string' || text === '') return false;
  // What is no URL is the path of a socket. An empty host is allowed, where URLs have none beside a user.
  return !/^postgres(?:ql)?:/i.test(text) || URL.canParse(text.replace('@/', '@host/'));
}
