import { MODERN_REVISION } from '../protocol/revision.js';
import type { Connection } from './connection.js';
import { openDated } from './dated-connection.js';
import { discover, openModern } from './modern-connection.js';
import type { Wire } from './wire.js';

/**
 * Opens what the server's configuration says, or what the server speaks: 2026-07-28 where it knows it, else a session (2026-07-28,
 * basic/versioning, section Backward Compatibility with Initialization-Based Versions).
 *
 * @throws ExchangeError when the server refuses
 */
export async function openConnection(wire: Wire): Promise<Connection> {
  const { revision } = wire.server;
  const spoken = revision === 'auto' ? await discover(wire) : revision;
  if (spoken === MODERN_REVISION) return openModern(wire);
  return openDated(wire, spoken);
}
