import 'reflect-metadata';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { Server } from 'node:http';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  JsonFileCatalogSource,
  McpAgents,
  McpAgentsModule,
  PostgresCatalogSource,
  type AgentCatalogDocument,
} from 'nestjs-mcp-routes/agents';
import { startUpstream } from './upstream.js';

const CATALOG = new URL('../agents.json', import.meta.url);
/** The upstream as the file names it. */
const WRITTEN_ORIGIN = 'http://127.0.0.1:4010';
const { DATABASE_URL, PORT = '3010', UPSTREAM_PORT = '4010' } = process.env;

const upstream = await startUpstream(Number(UPSTREAM_PORT));
const { source, place } = await openCatalog();

@Module({
  imports: [
    McpAgentsModule.forRoot({ name: 'mcp-server', version: '1.0.0', sessions: {}, source }),
  ],
})
class McpServerModule {}

const app = await NestFactory.create(McpServerModule, { logger: ['warn', 'error'] });
// An end on SIGTERM is an orderly one: exit code 0, rather than dying of the signal.
app.enableShutdownHooks(undefined, { useProcessExit: true });
await app.listen(Number(PORT), '127.0.0.1');
(app.getHttpServer() as Server).once('close', () => upstream.close());

const grant = { workspace: 'shop', agent: 'support', label: 'demo' };
const expiresAt = new Date(Date.now() + 24 * 3_600_000);
const { key } = await app.get(McpAgents).createKey({ ...grant, expiresAt });
console.log(`Endpoint: ${await app.getUrl()}/mcp/v1/shop/support`);
console.log(`Demo key: ${key} (good for a day)`);
console.log(`Catalog:  ${place}`);

/** A copy of the sample's file, since keys are written into it; or the database, filled when it is empty. */
async function openCatalog() {
  const text = await readFile(CATALOG, 'utf8');
  const catalog = text.replaceAll(WRITTEN_ORIGIN, `http://127.0.0.1:${UPSTREAM_PORT}`);
  if (DATABASE_URL === undefined) {
    const path = join(await mkdtemp(join(tmpdir(), 'mcp-server-')), 'agents.json');
    await writeFile(path, catalog);
    return { source: new JsonFileCatalogSource(path), place: path };
  }
  const database = new PostgresCatalogSource({ connectionString: DATABASE_URL });
  const { workspaces } = (await database.load()) as AgentCatalogDocument;
  if (workspaces.length === 0) {
    await database.replaceCatalog(JSON.parse(catalog) as AgentCatalogDocument);
  }
  return { source: database, place: 'the database of DATABASE_URL, schema mcp' };
}
