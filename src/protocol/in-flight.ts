/** Work that has begun and not ended, so that a server that shuts down can wait for it. */
export class InFlight<T> {
  private readonly items = new Set<T>();
  private readonly waiting: (() => void)[] = [];

  add(item: T): void {
    this.items.add(item);
  }

  delete(item: T): void {
    this.items.delete(item);
    if (this.items.size > 0) return;
    for (const resolve of this.waiting.splice(0)) resolve();
  }

  /** What is in flight now. */
  all(): T[] {
    return [...this.items];
  }

  /** Resolves once nothing is in flight. */
  async idle(): Promise<void> {
    while (this.items.size > 0) await new Promise<void>((resolve) => this.waiting.push(resolve));
  }
}
