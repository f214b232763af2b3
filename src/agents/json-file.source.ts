import { randomBytes } from 'node:crypto';
import { watch } from 'node:fs';
import { open, readFile, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isObject } from '../protocol/codec.js';
import { describePath } from '../protocol/message.js';
import { readJson } from '../protocol/strict-json.js';
import type { AgentKeyRecord } from './catalog-document.js';
import { McpCatalogSource } from './catalog-source.js';

const MAX_BYTES = 64 * 1024 * 1024;
export const MAX_CATALOG_DEPTH = 200;
/** In a folder that Kubernetes mounts, a file is a link through this one, which is swapped when its ConfigMap changes. */
const MOUNT_LINK = '..data';
/** An editor writes in several steps; a change counts when none has followed for so long, in ms. */
const QUIET_MS = 50;
const LOCK_TRIES = 50;
const LOCK_WAIT_MS = 100;

/** A catalog in one JSON file, which people edit; keys stand in it as well. */
export class JsonFileCatalogSource extends McpCatalogSource {
  private readonly path: string;

  /** @param path of the file, relative to the working directory */
  constructor(path: string) {
    super();
    this.path = resolve(path);
  }

  async load(signal: AbortSignal): Promise<unknown> {
    const { size } = await stat(this.path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
      throw new Error(`There is no file ${this.path}.`, { cause: error });
    });
    if (size > MAX_BYTES) throw new Error(`${this.path} has more than ${MAX_BYTES} bytes.`);
    return parseCatalog(await readFile(this.path, { signal }), this.path);
  }

  /** Watches the folder, since an editor, a deployment and the commands here put a new file in the place of the old one. */
  override watch(changed: () => void, failed: (error: unknown) => void): () => void {
    const name = basename(this.path);
    let timer: NodeJS.Timeout | undefined;
    const watcher = watch(dirname(this.path), { persistent: false }, (_event, file) => {
      if (file !== null && file !== name && file !== MOUNT_LINK) return;
      clearTimeout(timer);
      timer = setTimeout(changed, QUIET_MS);
    });
    watcher.on('error', failed);
    return () => {
      clearTimeout(timer);
      watcher.close();
    };
  }

  override async addKey(key: AgentKeyRecord): Promise<void> {
    await this.edit((keys) => [...keys, key]);
  }

  override async revokeKey(prefix: string, at: Date): Promise<boolean> {
    let found = false;
    await this.edit((keys) =>
      keys.map((key) => {
        if (!isObject(key) || key['prefix'] !== prefix) return key;
        found = true;
        return { ...key, revokedAt: key['revokedAt'] ?? at.toISOString() };
      }),
    );
    return found;
  }

  /** Reads, changes and replaces the file as one step, so that nobody reads half of it and no second command is lost. */
  private async edit(change: (keys: readonly unknown[]) => readonly unknown[]): Promise<void> {
    const lock = `${this.path}.lock`;
    await takeLock(lock);
    try {
      const catalog = parseCatalog(await readFile(this.path), this.path);
      if (!isObject(catalog)) throw new Error(`${this.path} holds no catalog.`);
      const keys = Array.isArray(catalog['keys']) ? (catalog['keys'] as unknown[]) : [];
      const text = `${JSON.stringify({ ...catalog, keys: change(keys) }, undefined, 2)}\n`;
      const { mode } = await stat(this.path);
      const temporary = `${this.path}.${randomBytes(6).toString('hex')}.tmp`;
      const file = await open(temporary, 'wx', mode);
      try {
        await file.writeFile(text);
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(temporary, this.path);
    } finally {
      await rm(lock, { force: true });
    }
  }
}

/**
 * Reads the text of a catalog strictly: no member twice, and no number that would become another one.
 *
 * @param what names it in errors
 */
export function parseCatalog(bytes: Uint8Array, what: string): unknown {
  const json = readJson(bytes, { maxDepth: MAX_CATALOG_DEPTH });
  if (!json.ok) throw new Error(`${what} cannot be read: ${json.message}${placeIn(bytes)}`);
  const [changed] = json.changedNumbers;
  if (changed !== undefined) {
    throw new Error(
      `${what}: ${describePath(changed.path)}: the number ${changed.token} cannot be kept exactly. Write it as a string.`,
    );
  }
  return json.value;
}

/** Where the text stops being JSON, as far as the engine tells. */
function placeIn(bytes: Uint8Array): string {
  const text = Buffer.from(bytes).toString();
  try {
    JSON.parse(text);
    return '';
  } catch (error) {
    const position = /at position (\d+)/.exec((error as Error).message)?.[1];
    const before = text.slice(0, position === undefined ? text.length : Number(position));
    return `, line ${before.split('\n').length}`;
  }
}

async function takeLock(lock: string): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await (await open(lock, 'wx')).close();
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      if (tries === LOCK_TRIES) {
        const message = `Somebody else changes the catalog: ${lock} is there. Remove it when nobody does.`;
        throw new Error(message, { cause: error });
      }
      await sleep(LOCK_WAIT_MS);
    }
  }
}
