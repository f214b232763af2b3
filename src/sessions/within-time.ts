/** How long a session store or an event bus may take, in milliseconds. */
const TIME_LIMIT_MS = 5_000;

/** The session store failed or did not answer: the client may come again later. Its cause is for the log only. */
export class SessionStoreFailure extends Error {
  constructor(cause: unknown) {
    super('The session store failed', { cause });
  }
}

/**
 * Waits for something that another process may have to answer.
 *
 * @throws what the work throws or rejects with, an `Error` when it takes too long
 */
export async function withinTime<T>(work: () => T | Promise<T>): Promise<T> {
  const answer = work();
  if (!(answer instanceof Promise)) return answer;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`No answer in ${TIME_LIMIT_MS} ms`)), TIME_LIMIT_MS);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}
