import type { McpCatalogSource } from './catalog-source.js';
import { errorText } from './error-text.js';

/** How long a source may take to load, in ms. */
const LOAD_TIMEOUT_MS = 30_000;

/** What came of a refresh. */
export interface RefreshResult {
  /** Why the catalog was refused, or could not be loaded; none when it is served. */
  readonly problems: readonly string[];
}

const ENDED: RefreshResult = { problems: ['The server has ended.'] };

/** Takes a loaded catalog. @returns why it is refused, nothing when it is served */
export type TakeCatalog = (document: unknown) => Promise<readonly string[]>;

/** Loads a catalog again and again, and at once when its source says that it changed. One load runs at a time. */
export class CatalogRefresher {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<RefreshResult> | undefined;
  private next: Promise<RefreshResult> | undefined;
  private unwatch: (() => void | Promise<void>) | undefined;
  private lastProblems = '';
  private readonly ended = new AbortController();

  constructor(
    private readonly source: McpCatalogSource,
    private readonly refreshMs: number,
    private readonly take: TakeCatalog,
    private readonly warn: (message: string) => void,
  ) {}

  /** Loads for the first time, and watches from then on. */
  async start(): Promise<RefreshResult> {
    const first = await this.load();
    if (first.problems.length > 0) return first;
    this.watch();
    this.schedule();
    // What changed between the load and the watch would be seen at the next turn only.
    void this.refresh();
    return first;
  }

  /** Loads now; where a load runs, once more after it, since that one may have begun before the change. */
  refresh(): Promise<RefreshResult> {
    if (this.ended.signal.aborted) return Promise.resolve(ENDED);
    if (this.running === undefined) return this.begin();
    this.next ??= this.running.then(() => this.begin());
    return this.next;
  }

  async close(): Promise<void> {
    this.ended.abort(new Error('The server has ended.'));
    clearTimeout(this.timer);
    await this.unwatch?.();
    await this.running;
  }

  /** A source that cannot be watched is loaded at each turn all the same. */
  private watch(): void {
    const failed = (error: unknown): void =>
      this.warn(`The watch of the catalog failed: ${errorText(error)}`);
    try {
      this.unwatch = this.source.watch?.(() => void this.refresh(), failed);
    } catch (error) {
      failed(error);
    }
  }

  private begin(): Promise<RefreshResult> {
    this.next = undefined;
    const running = this.load().then((result) => {
      this.running = undefined;
      if (result !== ENDED) this.report(result);
      return result;
    });
    this.running = running;
    return running;
  }

  private async load(): Promise<RefreshResult> {
    const { signal } = this.ended;
    // The next load begins when the one before it ends, and that may be because of the end.
    if (signal.aborted) return ENDED;
    const limit = AbortSignal.any([signal, AbortSignal.timeout(LOAD_TIMEOUT_MS)]);
    try {
      const document = await abortable(this.source.load(limit), limit);
      return signal.aborted ? ENDED : { problems: await this.take(document) };
    } catch (error) {
      return signal.aborted ? ENDED : { problems: [`it could not be loaded: ${errorText(error)}`] };
    }
  }

  private schedule(): void {
    this.timer = setTimeout(() => {
      void this.refresh().then(() => {
        if (!this.ended.signal.aborted) this.schedule();
      });
    }, this.refreshMs);
    this.timer.unref();
  }

  /** The same problems are told once, until they are mended or others. */
  private report({ problems }: RefreshResult): void {
    const told = problems.join('\n  - ');
    if (told === this.lastProblems) return;
    const recovered = this.lastProblems !== '' && told === '';
    this.lastProblems = told;
    if (recovered) this.warn('The catalog is in order again, and is served.');
    else this.warn(`The catalog is refused, and the last good one is served on:\n  - ${told}`);
  }
}

/** A source that does not look at its signal is given up all the same. */
function abortable<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason as Error);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
