const INITIAL_BYTES = 4096;

/** Bytes that arrive in parts, kept in one piece of memory: a server that sends one at a time costs no more than another. */
export class ByteBuffer {
  private memory = Buffer.alloc(INITIAL_BYTES);
  private used = 0;

  get length(): number {
    return this.used;
  }

  append(part: Uint8Array): void {
    const length = this.used + part.length;
    if (length > this.memory.length) {
      const larger = Buffer.alloc(Math.max(length, this.memory.length * 2));
      this.memory.copy(larger, 0, 0, this.used);
      this.memory = larger;
    }
    this.memory.set(part, this.used);
    this.used = length;
  }

  /** A copy of what was collected, which is then forgotten. */
  take(): Buffer {
    const bytes = Buffer.from(this.memory.subarray(0, this.used));
    this.used = 0;
    return bytes;
  }
}
