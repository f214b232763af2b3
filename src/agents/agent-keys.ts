import type { AgentCatalogDocument, AgentKeyRecord } from './catalog-document.js';
import { readCatalog } from './catalog-schema.js';
import type { McpCatalogSource } from './catalog-source.js';
import { readKey, type HeldKey } from './key-ring.js';
import { newAgentKey, type KeyGrant, type NewAgentKey } from './key.js';

const LOAD_TIMEOUT_MS = 30_000;

/** A key as lists show it. */
export type ListedKey = Omit<AgentKeyRecord, 'hash'> & {
  readonly state: 'valid' | 'expired' | 'revoked';
};

/** Which keys are meant; all of them when left out. */
export interface KeyFilter {
  readonly workspace?: string;
  readonly agent?: string;
}

/** Creates, revokes and lists the API keys of agents in a source. */
export class AgentKeys {
  constructor(private readonly source: McpCatalogSource) {}

  /**
   * @returns the key, to be shown once: only its hash is kept
   * @throws Error when there is no such agent, or when `expiresAt` is over
   */
  async create(grant: KeyGrant): Promise<NewAgentKey> {
    const { workspace, agent, expiresAt } = grant;
    const { workspaces } = await this.load();
    const agents = workspaces.find(({ slug }) => slug === workspace)?.agents ?? [];
    if (!agents.some(({ slug }) => slug === agent)) {
      throw new Error(`There is no agent "${agent}" in a workspace "${workspace}".`);
    }
    if (expiresAt !== undefined && !(expiresAt.getTime() > Date.now())) {
      throw new Error('The time at which the key expires must be in the future.');
    }
    if (this.source.addKey === undefined) throw keepsNoKeys();
    const made = newAgentKey(grant);
    await this.source.addKey(made.record);
    return made;
  }

  /** @throws Error when there is no key of that prefix */
  async revoke(prefix: string): Promise<void> {
    if (this.source.revokeKey === undefined) throw keepsNoKeys();
    if (await this.source.revokeKey(prefix, new Date())) return;
    throw new Error(`There is no key with the prefix "${prefix}".`);
  }

  async list({ workspace, agent }: KeyFilter = {}): Promise<readonly ListedKey[]> {
    const { keys } = await this.load();
    // What cannot be read opens nothing; `catalog check` tells of it.
    const read = (Array.isArray(keys) ? keys : []).map(readKey);
    return read
      .filter((key) => typeof key !== 'string')
      .filter(({ record }) => workspace === undefined || record.workspace === workspace)
      .filter(({ record }) => agent === undefined || record.agent === agent)
      .map(listed);
  }

  private async load(): Promise<AgentCatalogDocument> {
    const read = readCatalog(await this.source.load(AbortSignal.timeout(LOAD_TIMEOUT_MS)));
    if ('catalog' in read) return read.catalog;
    throw new Error(`The catalog is not in order: ${read.problems.join('; ')}`);
  }
}

function keepsNoKeys(): Error {
  return new Error('The source keeps no keys: add or revoke them where it has them from.');
}

function listed({ record: { hash: _hash, ...shown }, endsAt }: HeldKey): ListedKey {
  const isRevoked = (shown.revokedAt ?? null) !== null;
  const unrevoked = Date.now() < endsAt ? 'valid' : 'expired';
  return { ...shown, state: isRevoked ? 'revoked' : unrevoked };
}
