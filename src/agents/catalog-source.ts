import type { AgentKeyRecord } from './catalog-document.js';

/** Where a catalog is kept. Only `load` must be there; a source that keeps no keys cannot create any. */
export abstract class McpCatalogSource {
  /**
   * Loads the whole catalog, as one consistent state of it. What it gives is checked by whoever asked.
   *
   * @param signal aborted when nobody waits any more
   */
  abstract load(signal: AbortSignal): Promise<unknown>;

  /**
   * Calls back when the catalog may have changed, as soon as that is known.
   *
   * @param failed is told of what ends or troubles the watch, for the log
   * @returns ends the watch
   */
  watch?(changed: () => void, failed: (error: unknown) => void): () => void | Promise<void>;

  /** Keeps a new key. */
  addKey?(key: AgentKeyRecord): Promise<void>;

  /** @returns whether there is a key of that prefix. A key that was revoked before stays as it is */
  revokeKey?(prefix: string, at: Date): Promise<boolean>;

  /** Releases what the source holds. */
  close?(): void | Promise<void>;
}
