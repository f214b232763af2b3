import type { Channel } from './channel.js';
import { isObject } from './codec.js';

/** Tells the client how far a call is: `progress` out of `total`, in whatever unit, and a word about it. */
export type ReportProgress = (progress: number, total?: number, message?: string) => void;

/**
 * The progress of one call (2025-11-25, basic/utilities/progress). Without a token in the request nothing is sent; a value
 * that is not greater than the one before is left out, since progress must increase, and so is one for a client that has not
 * read the ones before.
 */
export function progressReporter(
  params: Readonly<Record<string, unknown>> | undefined,
  channel: Channel,
): ReportProgress {
  const meta = params?.['_meta'];
  const progressToken = isObject(meta) ? meta['progressToken'] : undefined;
  if (
    !channel.canStream ||
    !(typeof progressToken === 'string' || Number.isInteger(progressToken))
  ) {
    return () => undefined;
  }
  let last = -Infinity;
  return (progress, total, message) => {
    if (!Number.isFinite(progress) || progress <= last) return;
    last = progress;
    const known = total !== undefined && Number.isFinite(total) ? { total } : {};
    const told = message === undefined ? {} : { message };
    const params = { progressToken, progress, ...known, ...told };
    channel.sendIfFree(
      JSON.stringify({ jsonrpc: '2.0', method: 'notifications/progress', params }),
    );
  };
}
