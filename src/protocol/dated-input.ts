import { randomUUID } from 'node:crypto';
import type { LiveSessions } from '../sessions/live-sessions.js';
import type { McpSession } from '../sessions/session-store.js';
import { isObject } from './codec.js';
import type { RequestExchange } from './exchange.js';
import {
  McpInputUnavailable,
  missingCapabilities,
  type InputPort,
  type McpInputRequest,
  type McpInputRequests,
  type McpInputResponses,
} from './input-port.js';

/** Input where there is no session: nobody could say which call an answer belongs to. */
export const NO_INPUT: InputPort = {
  capabilities: {},
  ask: () => Promise.reject(new McpInputUnavailable('it has no session')),
  concludes: false,
  conclude: () => undefined,
};

/**
 * Input in the 2025 revisions: a request of the server's on the stream of the call, which the client answers with a POST of its
 * own, to whatever instance. The call waits, within its time.
 */
export class DatedInput implements InputPort {
  readonly capabilities: Readonly<Record<string, unknown>>;

  constructor(
    private readonly exchange: RequestExchange,
    private readonly session: McpSession,
    private readonly live: LiveSessions,
  ) {
    this.capabilities = session.capabilities;
  }

  async ask(requests: McpInputRequests): Promise<McpInputResponses> {
    const missing = missingCapabilities(requests, this.capabilities);
    if (missing !== undefined) {
      throw new McpInputUnavailable(`it did not declare ${Object.keys(missing).join(', ')}`);
    }
    if (!this.exchange.channel.canStream) {
      throw new McpInputUnavailable('it takes no event stream');
    }
    const entries = Object.entries(requests).map(
      async ([key, request]): Promise<[string, Record<string, unknown>]> => [
        key,
        await this.send(request),
      ],
    );
    return Object.fromEntries(await Promise.all(entries));
  }

  readonly concludes = false;
  conclude(): void {}

  private async send({ method, params }: McpInputRequest): Promise<Record<string, unknown>> {
    const id = randomUUID();
    const answer = this.live.expect(this.session, id, (forget) =>
      this.exchange.channel.onOver(forget),
    );
    this.exchange.channel.send(
      JSON.stringify({ jsonrpc: '2.0', id, method, params: params ?? {} }),
    );
    const result = await answer;
    if (!isObject(result)) throw new McpInputUnavailable('it answered with an error');
    return result;
  }
}
