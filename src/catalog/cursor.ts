import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

const MAC_BYTES = 16;

/**
 * Opaque, authenticated list cursors (specification, server/utilities/pagination). A cursor says after which tool the page
 * begins, so that it stays right when tools come and go; the signature covers what the list belongs to, so that a cursor of
 * another endpoint or another caller is refused like an altered one.
 */
export class CursorCodec {
  private readonly key: Buffer;

  /** @param secret shared by all instances; without one, cursors are good for this process only */
  constructor(secret?: string) {
    this.key =
      secret === undefined
        ? randomBytes(32)
        : createHmac('sha256', 'mcp:cursor').update(secret).digest();
  }

  /**
   * @param after the name of the last tool of the page before
   * @param scope what the list belongs to
   */
  write(after: string, scope: string): string {
    return Buffer.concat([this.mac(after, scope), Buffer.from(after)]).toString('base64url');
  }

  /** @returns the name that `write` was given, `undefined` for anything that it did not write for that scope */
  read(cursor: string, scope: string): string | undefined {
    const bytes = Buffer.from(cursor, 'base64url');
    // The decoder is lenient: only the exact spelling that `write` gives counts.
    if (bytes.length <= MAC_BYTES || bytes.toString('base64url') !== cursor) return undefined;
    const after = bytes.subarray(MAC_BYTES).toString('utf8');
    return timingSafeEqual(bytes.subarray(0, MAC_BYTES), this.mac(after, scope))
      ? after
      : undefined;
  }

  private mac(after: string, scope: string): Buffer {
    return createHmac('sha256', this.key)
      .update(`${scope.length}:${scope}${after}`)
      .digest()
      .subarray(0, MAC_BYTES);
  }
}
