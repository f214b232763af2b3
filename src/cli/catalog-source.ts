import { JsonFileCatalogSource } from '../agents/json-file.source.js';
import { PostgresCatalogSource } from '../agents/postgres.source.js';
import { WrongCall } from './cli-command.js';

/** The options that name a catalog, for `parseArgs`. */
export const SOURCE_OPTIONS = {
  catalog: { type: 'string' },
  database: { type: 'boolean', default: false },
  schema: { type: 'string' },
} as const;

export const SOURCE_USAGE = `  --catalog <file>     the catalog's JSON file
  --database           the catalog in the database that DATABASE_URL names, in place of a file
  --schema <name>      the schema of that database; mcp when left out`;

interface GivenSource {
  readonly catalog?: string | undefined;
  readonly database: boolean;
  readonly schema?: string | undefined;
}

/** Opens the catalog that the arguments name. A URL has a password in it, so it comes from the environment. */
export function openSource({
  catalog,
  database,
  schema,
}: GivenSource): JsonFileCatalogSource | PostgresCatalogSource {
  if ((catalog !== undefined) === database)
    throw WrongCall.create('Give either --catalog <file> or --database.');
  if (catalog !== undefined) return new JsonFileCatalogSource(catalog);
  const connectionString = process.env['DATABASE_URL'];
  if (connectionString === undefined) {
    throw WrongCall.create('--database needs DATABASE_URL in the environment.');
  }
  return new PostgresCatalogSource({
    connectionString,
    ...(schema === undefined ? {} : { schema }),
  });
}
