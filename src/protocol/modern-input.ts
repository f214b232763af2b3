import { createHash } from 'node:crypto';
import type { CursorCodec } from '../catalog/cursor.js';
import { isObject } from './codec.js';
import { fail, invalidParams, succeed, type RequestExchange } from './exchange.js';
import {
  McpInputPending,
  McpInputUnavailable,
  missingCapabilities,
  type InputPort,
  type McpInputRequests,
  type McpInputResponses,
} from './input-port.js';
import { JsonRpcErrorCode } from './json-rpc-error.js';
import { clientCapabilitiesOf } from './modern.js';

/** How long a client may take to answer, in milliseconds. */
const STATE_TTL_MS = 3_600_000;

interface State {
  readonly expires: number;
  readonly answers: McpInputResponses;
}

/**
 * Input in 2026-07-28 (basic/patterns/mrtr): a call that needs some ends with an `input_required` result, and the client calls
 * again with the answers. What was answered before travels in `requestState`, which is signed, bound to caller, tool and
 * arguments, and runs out.
 */
export class ModernInput implements InputPort {
  readonly capabilities: Readonly<Record<string, unknown>>;
  private readonly answers: McpInputResponses;
  private needed: McpInputRequests | undefined;
  private missing: Record<string, object> | undefined;

  private constructor(
    exchange: RequestExchange,
    earlier: McpInputResponses,
    private readonly seal: (state: State) => string,
    private readonly serverInfo: string,
  ) {
    const { params } = exchange.message;
    this.capabilities = clientCapabilitiesOf(params);
    const given = params?.['inputResponses'];
    this.answers = { ...earlier, ...(isObject(given) ? objectsOf(given) : {}) };
  }

  /**
   * @param serverInfo the member of `_meta` that every result carries, as JSON text
   * @returns `undefined` for a state that this server did not give to this caller for this call, after answering so
   */
  static open(
    exchange: RequestExchange,
    endpoint: string,
    seals: CursorCodec,
    serverInfo: string,
  ): ModernInput | undefined {
    const { params } = exchange.message;
    const sealed = params?.['requestState'];
    // Made when it is needed: most calls ask for nothing.
    const scope = (): string =>
      JSON.stringify([
        'requestState',
        endpoint,
        exchange.request.principal(),
        params?.['name'],
        createHash('sha256')
          .update(JSON.stringify(params?.['arguments'] ?? {}))
          .digest('base64url'),
      ]);
    const seal = (state: State): string => seals.write(JSON.stringify(state), scope());
    if (sealed === undefined) return new ModernInput(exchange, {}, seal, serverInfo);
    const text = typeof sealed === 'string' ? seals.read(sealed, scope()) : undefined;
    const state = text === undefined ? undefined : (JSON.parse(text) as State);
    if (state === undefined || state.expires < Date.now()) {
      fail(
        exchange,
        invalidParams('params.requestState is not the state of this call, or has run out'),
        200,
      );
      return undefined;
    }
    return new ModernInput(exchange, state.answers, seal, serverInfo);
  }

  ask(requests: McpInputRequests): Promise<McpInputResponses> {
    const open = Object.entries(requests).filter(([key]) => !Object.hasOwn(this.answers, key));
    if (open.length === 0) {
      const answered = Object.keys(requests).map((key) => [key, this.answers[key]]);
      return Promise.resolve(Object.fromEntries(answered) as McpInputResponses);
    }
    this.missing = missingCapabilities(requests, this.capabilities);
    if (this.missing !== undefined) {
      const kinds = Object.keys(this.missing).join(', ');
      return Promise.reject(new McpInputUnavailable(`it did not declare ${kinds}`));
    }
    this.needed = Object.fromEntries(open);
    return Promise.reject(new McpInputPending());
  }

  get concludes(): boolean {
    return this.missing !== undefined || this.needed !== undefined;
  }

  conclude(exchange: RequestExchange): void {
    if (this.missing !== undefined) {
      const error = {
        code: JsonRpcErrorCode.MissingClientCapability,
        message: 'The client did not declare a capability that this call needs',
        data: { requiredCapabilities: this.missing },
      };
      return fail(exchange, error, 400);
    }
    const requestState = this.seal({ expires: Date.now() + STATE_TTL_MS, answers: this.answers });
    const members = `"inputRequests":${JSON.stringify(this.needed)},"requestState":"${requestState}"`;
    succeed(exchange, [`{"resultType":"input_required",${members},"_meta":{${this.serverInfo}}}`]);
  }
}

/** Only objects are answers; anything else is asked for again. */
function objectsOf(given: Record<string, unknown>): McpInputResponses {
  return Object.fromEntries(
    Object.entries(given).filter(([, value]) => isObject(value)),
  ) as McpInputResponses;
}
