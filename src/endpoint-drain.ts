import type { McpEndpoint } from './endpoint/endpoint.js';
import type { MessageHandler } from './protocol/message-handler.js';

/** How long the answers to calls that were ended may take to go out, in milliseconds. */
const LAST_ANSWERS_MS = 1_000;

/**
 * Lets an endpoint that takes no more messages finish: its streams end, its calls run to their end.
 *
 * @param graceMs after which calls that still run are ended, in milliseconds
 */
export async function drain(
  endpoint: Pick<McpEndpoint, 'idle'>,
  handler: Pick<MessageHandler, 'close' | 'idle' | 'abortCalls'>,
  graceMs: number,
): Promise<void> {
  handler.close();
  const idle = Promise.all([endpoint.idle(), handler.idle()]);
  if (await comesWithin(idle, graceMs)) return;
  handler.abortCalls();
  await comesWithin(idle, LAST_ANSWERS_MS);
}

async function comesWithin(event: Promise<unknown>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), ms);
  });
  const came = await Promise.race([event.then(() => true), late]);
  clearTimeout(timer);
  return came;
}
