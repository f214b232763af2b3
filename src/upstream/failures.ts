import { readMediaType } from '../result/media-type.js';
import type { UpstreamAnswer } from './map-answer.js';
import type { UpstreamFailure } from './outcome.js';
import { blotTellingNames } from './redact.js';

/** How much of the body of an error is shown, in characters. */
const MAX_SHOWN_BODY = 2_048;

/** The time and the caller's patience of one call. */
export class CallClock {
  /** Aborted by the caller, or when the time is over. */
  readonly signal: AbortSignal;
  private readonly timer = new AbortController();
  private readonly timeout: NodeJS.Timeout;

  constructor(
    readonly timeoutMs: number,
    private readonly caller: AbortSignal | undefined,
  ) {
    this.timeout = setTimeout(() => this.timer.abort(new Error('time is over')), timeoutMs);
    const { signal } = this.timer;
    this.signal = caller === undefined ? signal : AbortSignal.any([caller, signal]);
  }

  get isCancelled(): boolean {
    return this.caller?.aborted === true;
  }

  /** Gives up waiting for what does not look at the signal itself. */
  race<T>(work: Promise<T>): Promise<T> {
    const { signal } = this;
    return new Promise((resolve, reject) => {
      const abort = () => reject(signal.reason as Error);
      if (signal.aborted) abort();
      signal.addEventListener('abort', abort, { once: true });
      work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
    });
  }

  stop(): void {
    clearTimeout(this.timeout);
  }
}

/** The failure of a call whose signal was aborted; `undefined` while it was not. */
export function cancelledOrLate(clock: CallClock, sent: boolean): UpstreamFailure | undefined {
  if (!clock.signal.aborted) return undefined;
  const outcome = sent
    ? 'The operation may have completed: check before you repeat it.'
    : 'Nothing was sent.';
  return clock.isCancelled
    ? failure('cancelled', `The call was cancelled. ${outcome}`, sent)
    : failure(
        'timeout',
        `The upstream gave no answer within ${clock.timeoutMs} ms. ${outcome}`,
        sent,
      );
}

export function internalFailure(cause: unknown, sent: boolean): UpstreamFailure {
  return { ...failure('internal', 'Internal server error', sent), cause };
}

export function failure(
  code: UpstreamFailure['code'],
  message: string,
  sent: boolean,
): UpstreamFailure {
  return { kind: 'failure', code, messages: [message], sent };
}

/** The failure that an answer outside 2xx is. */
export function statusFailure({ status, headers, body }: UpstreamAnswer): UpstreamFailure {
  const isRedirect = status >= 300 && status < 400;
  const message = isRedirect
    ? `The upstream answered ${status}, a redirect, which is not followed.`
    : `The upstream answered ${status}.`;
  const text = shownBody(headers['content-type'], body);
  return {
    ...failure('upstream', message, true),
    status,
    ...(text !== undefined && { body: text }),
  };
}

function shownBody(contentType: string | undefined, body: Buffer): string | undefined {
  const { kind } = readMediaType(contentType);
  if (body.length === 0 || (kind !== 'json' && kind !== 'text')) return undefined;
  // Blotted before it is cut, so that no half of a secret is left at the end.
  const text = blotTellingNames(body.subarray(0, 8 * MAX_SHOWN_BODY).toString('utf8'));
  return text.length > MAX_SHOWN_BODY ? `${text.slice(0, MAX_SHOWN_BODY)}…` : text;
}
