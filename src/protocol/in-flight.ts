/**
 * Work that has begun and not ended, so that a server that shuts down can wait for it.
 *
 * Kept in places of one array, which are used again. A `Set` makes a table anew whenever it grows or shrinks, each old table
 * keeps the next one alive, and so the garbage of one call holds that of the next, until a full collection: a third of the
 * time of a call went there.
 */
export class InFlight<T> {
  private readonly places: (T | undefined)[] = [];
  private readonly free: number[] = [];
  private readonly waiting: (() => void)[] = [];

  /** @returns the item's place, for `remove` */
  add(item: T): number {
    const place = this.free.pop() ?? this.places.length;
    this.places[place] = item;
    return place;
  }

  /** To be called once for each item. */
  remove(place: number): void {
    this.places[place] = undefined;
    this.free.push(place);
    if (!this.isIdle()) return;
    for (const resolve of this.waiting.splice(0)) resolve();
  }

  /** What is in flight now. */
  all(): T[] {
    return this.places.filter((item) => item !== undefined);
  }

  /** Resolves once nothing is in flight. */
  async idle(): Promise<void> {
    while (!this.isIdle()) await new Promise<void>((resolve) => this.waiting.push(resolve));
  }

  private isIdle(): boolean {
    return this.free.length === this.places.length;
  }
}
