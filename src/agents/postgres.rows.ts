import type { AgentCatalogDocument } from './catalog-document.js';
import { parseCatalog } from './json-file.source.js';
import type { PostgresClient } from './postgres.client.js';

type Row = Readonly<Record<string, unknown>>;

/** The tables of a catalog, their columns as the document names them. JSON is read as text, so that numbers stay exact. */
const QUERIES = {
  workspaces: 'select slug, policy::text from $schema.workspaces order by slug',
  versions: `select workspace, operation, version, status, title, description,
    annotations::text, rest::text from $schema.operation_versions order by operation, version`,
  agents: `select workspace, slug, status, title, instructions from $schema.agents order by slug`,
  bindings: `select workspace, agent, operation, version, route, name, title, description,
    annotations::text from $schema.bindings order by id`,
  keys: `select prefix, hash, workspace, agent, created_at as "createdAt", expires_at as "expiresAt",
    revoked_at as "revokedAt", label from $schema.api_keys order by created_at, prefix`,
} as const;
const JSON_COLUMNS = new Set(['policy', 'annotations', 'rest']);

/** Reads a catalog as the tables have it at one moment: the transaction must see one state of them. */
export async function readTables(client: PostgresClient, schema: string): Promise<object> {
  const read = async (table: keyof typeof QUERIES): Promise<readonly Row[]> => {
    const { rows } = await client.query(QUERIES[table].replaceAll('$schema', schema));
    return rows.map((row) => memberOf(row, table));
  };
  const workspaces = await read('workspaces');
  const versions = groupBy(await read('versions'), ['workspace', 'operation']);
  const agents = groupBy(await read('agents'), ['workspace']);
  const bindings = groupBy(await read('bindings'), ['workspace', 'agent']);
  const operations = [...versions].map(([key, group]) => {
    const [workspace, name] = JSON.parse(key) as [string, string];
    return { workspace, name, versions: group.map(({ rest }) => rest) };
  });
  return {
    workspaces: workspaces.map((workspace) => ({
      ...workspace,
      operations: operations
        .filter((operation) => operation.workspace === workspace['slug'])
        .map(({ name, versions: all }) => ({ name, versions: all })),
      agents: (agents.get(JSON.stringify([workspace['slug']])) ?? []).map(({ rest }) => ({
        ...rest,
        tools: (bindings.get(JSON.stringify([workspace['slug'], rest['slug']])) ?? []).map(
          (binding) => binding.rest,
        ),
      })),
    })),
    keys: await read('keys'),
  };
}

/** Puts a catalog in the place of the one in the tables. Keys stay, and those of the document are added. */
export async function writeTables(
  client: PostgresClient,
  schema: string,
  { workspaces, keys = [] }: AgentCatalogDocument,
): Promise<void> {
  const insert = async (table: string, row: Row): Promise<void> => {
    const columns = Object.keys(row).filter((name) => row[name] !== undefined);
    const values = columns.map((name) => {
      const value = row[name];
      return typeof value === 'object' ? JSON.stringify(value) : value;
    });
    const places = columns.map((_, index) => `$${index + 1}`).join(', ');
    const conflict = table === 'api_keys' ? ' on conflict (prefix) do nothing' : '';
    const into = `insert into ${schema}.${table} (${columns.join(', ')})`;
    await client.query(`${into} values (${places})${conflict}`, values);
  };
  // One after the other: two that delete what they both see would then both write the same rows.
  await client.query(`lock table ${schema}.workspaces in share row exclusive mode`);
  await client.query(`delete from ${schema}.workspaces`);
  for (const { slug: workspace, policy, operations = [], agents = [] } of workspaces) {
    await insert('workspaces', { slug: workspace, policy });
    for (const { name: operation, versions } of operations) {
      for (const version of versions) {
        await insert('operation_versions', { workspace, operation, ...version });
      }
    }
    for (const { tools = [], ...agent } of agents) {
      await insert('agents', { workspace, ...agent });
      for (const tool of tools) {
        await insert('bindings', { workspace, agent: agent.slug, ...tool });
      }
    }
  }
  for (const { createdAt, expiresAt, revokedAt, ...key } of keys) {
    const times = { created_at: createdAt, expires_at: expiresAt, revoked_at: revokedAt };
    await insert('api_keys', { ...key, ...times });
  }
}

/** What the database has no value for is left out, as in a document. */
function memberOf(row: Row, table: string): Row {
  return Object.fromEntries(
    Object.entries(row)
      .filter(([, value]) => value !== null)
      .map(([name, value]) => {
        if (value instanceof Date) return [name, value.toISOString()];
        if (!JSON_COLUMNS.has(name)) return [name, value];
        return [name, parseCatalog(Buffer.from(String(value)), `${table}.${name}`)];
      }),
  );
}

/** Rows by the values of some columns, which are then left out of them. */
function groupBy(
  rows: readonly Row[],
  columns: readonly string[],
): ReadonlyMap<string, readonly { readonly rest: Row }[]> {
  const groups = new Map<string, { rest: Row }[]>();
  for (const row of rows) {
    const key = JSON.stringify(columns.map((name) => row[name]));
    const rest = Object.fromEntries(
      Object.entries(row).filter(([name]) => !columns.includes(name)),
    );
    groups.set(key, [...(groups.get(key) ?? []), { rest }]);
  }
  return groups;
}
