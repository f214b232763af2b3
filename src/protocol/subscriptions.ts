import { isObject } from './codec.js';
import { fail, idText, invalidParams, succeed, type RequestExchange } from './exchange.js';
import { JsonRpcErrorCode } from './json-rpc-error.js';

/** How many listen streams one principal may hold open on an instance. */
const MAX_STREAMS = 16;

interface Subscription {
  readonly exchange: RequestExchange;
  readonly toolsListChanged: boolean;
  /** The member of `_meta` that every message of the stream carries. */
  readonly tag: string;
}

/** `subscriptions/listen` (2026-07-28, basic/patterns/subscriptions): streams that tell of changes of the tool list. */
export class Subscriptions {
  private readonly open = new Set<Subscription>();
  private readonly counts = new Map<string, number>();

  /** @param serverInfo gives the member of `_meta` that every result carries, as JSON text */
  constructor(private readonly serverInfo: () => string) {}

  /** Acknowledges with the part of the wish that is served, and keeps the stream. */
  listen(exchange: RequestExchange): void {
    const { message, request, channel } = exchange;
    const wanted = message.params?.['notifications'];
    if (!isObject(wanted))
      return fail(exchange, invalidParams('params.notifications must be an object'), 200);
    if (!channel.canStream)
      return fail(exchange, noStream('Accept must allow text/event-stream'), 406);
    const principal = JSON.stringify(request.principal());
    const count = this.counts.get(principal) ?? 0;
    if (count >= MAX_STREAMS)
      return fail(exchange, noStream(`No more than ${MAX_STREAMS} streams`), 429);
    const toolsListChanged = wanted['toolsListChanged'] === true;
    const tag = `"io.modelcontextprotocol/subscriptionId":${idText(message.id)}`;
    const subscription: Subscription = { exchange, toolsListChanged, tag };
    this.counts.set(principal, count + 1);
    this.open.add(subscription);
    channel.onOver(() => this.forget(subscription, principal));
    const honoured = toolsListChanged ? '{"toolsListChanged":true}' : '{}';
    channel.send(
      notification('subscriptions/acknowledged', `"notifications":${honoured},"_meta":{${tag}}`),
    );
  }

  /** Tells every stream that asked for it. */
  listChanged(): void {
    for (const { exchange, toolsListChanged, tag } of this.open) {
      if (toolsListChanged)
        exchange.channel.send(notification('tools/list_changed', `"_meta":{${tag}}`));
    }
  }

  /** Ends every stream as the specification says: with the answer to its request. */
  close(): void {
    for (const { exchange, tag } of [...this.open]) {
      succeed(exchange, [`{"resultType":"complete","_meta":{${tag},${this.serverInfo()}}}`]);
    }
  }

  private forget(subscription: Subscription, principal: string): void {
    this.open.delete(subscription);
    const count = (this.counts.get(principal) ?? 1) - 1;
    if (count > 0) this.counts.set(principal, count);
    else this.counts.delete(principal);
  }
}

/** What a session's stream tells of a changed list (2025 revisions). */
export const LIST_CHANGED = '{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}';

function notification(method: string, members: string): string {
  return `{"jsonrpc":"2.0","method":"notifications/${method}","params":{${members}}}`;
}

function noStream(message: string): {
  code: typeof JsonRpcErrorCode.InvalidRequest;
  message: string;
} {
  return { code: JsonRpcErrorCode.InvalidRequest, message };
}
