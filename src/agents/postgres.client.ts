import { errorText } from './error-text.js';

/** What is used of `pg`, so that its types stay out of ours: it is an optional peer. */
export interface PostgresClient {
  connect(): Promise<unknown>;
  query(
    text: string,
    values?: readonly unknown[],
  ): Promise<{ rows: Record<string, unknown>[]; rowCount: number | null }>;
  on(event: 'notification' | 'error' | 'end', listener: (argument: unknown) => void): unknown;
  end(): Promise<void>;
}

export interface PostgresPool {
  connect(): Promise<PostgresClient & { release(error?: boolean): void }>;
  on(event: 'error', listener: (error: unknown) => void): unknown;
  end(): Promise<void>;
}

export interface Postgres {
  readonly Pool: new (config: object) => PostgresPool;
  readonly Client: new (config: object) => PostgresClient;
}

const ABSENT = ['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND'];

/** @throws Error that says what to install, where `pg` is not */
export async function loadPostgres(): Promise<Postgres> {
  try {
    const loaded = (await import('pg')) as unknown as Postgres & { readonly default: Postgres };
    return loaded.default;
  } catch (error) {
    if (!ABSENT.includes(String((error as { code?: unknown } | null)?.code))) throw error;
    throw new Error('PostgresCatalogSource needs the package pg: npm install pg.', {
      cause: error,
    });
  }
}

/** Runs work in a transaction, which is undone when it throws. */
export async function transaction<T>(
  pool: PostgresPool,
  begin: string,
  work: (client: PostgresClient) => Promise<T>,
): Promise<T> {
  const client = await pool.connect().catch((error: unknown) => {
    throw new Error(`no connection to PostgreSQL: ${errorText(error)}`, { cause: error });
  });
  let broken = false;
  try {
    await client.query(begin);
    const result = await work(client);
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback').catch(() => (broken = true));
    throw error;
  } finally {
    client.release(broken);
  }
}
