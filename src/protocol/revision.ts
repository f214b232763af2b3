/** The revision without sessions and handshakes: each request says all of itself. */
export const MODERN_REVISION = '2026-07-28';

/** The revisions that begin with `initialize`, oldest first. */
export const DATED_REVISIONS = ['2025-03-26', '2025-06-18', '2025-11-25'] as const;

export type DatedRevision = (typeof DATED_REVISIONS)[number];
export type Revision = DatedRevision | typeof MODERN_REVISION;

/** What a request without any word on its revision speaks (2025-11-25, basic/transports, "Protocol Version Header"). */
export const ASSUMED_REVISION: DatedRevision = '2025-03-26';

/** What `initialize` answers to a revision that it does not know. */
export const LATEST_DATED_REVISION: DatedRevision = '2025-11-25';

export function isDatedRevision(value: unknown): value is DatedRevision {
  return (DATED_REVISIONS as readonly unknown[]).includes(value);
}
