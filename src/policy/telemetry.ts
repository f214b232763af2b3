import type { Watcher } from './watch.js';

/** What is used of `@opentelemetry/api`, so that its types stay out of ours: it is an optional peer. */
export interface TelemetryApi {
  readonly trace: {
    getTracerProvider(): TracerProvider;
    getSpan(context: unknown): unknown;
    setSpan(context: unknown, span: Span): unknown;
  };
  readonly context: { active(): unknown };
  readonly propagation: {
    extract(context: unknown, carrier: unknown): unknown;
    inject(context: unknown, carrier: Record<string, string>): void;
  };
}

interface Tracer {
  startSpan(name: string, options: object, context: unknown): Span;
}

interface TracerProvider {
  getTracer(name: string): Tracer;
  /** Of the API's own provider: `undefined` while no SDK stands behind it. */
  getDelegateTracer?(name: string): Tracer | undefined;
}

interface Span {
  setAttributes(attributes: Record<string, string | number>): unknown;
  setStatus(status: { code: number }): unknown;
  end(): void;
}

/** `SpanKind.SERVER` and `SpanStatusCode.ERROR` of the OpenTelemetry API. */
const SERVER = 1;
const ERROR = 2;
const TRACER = 'nestjs-mcp-routes';

const ABSENT = ['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND'];

/** @returns the API, `undefined` where it is not installed */
export async function loadTelemetry(
  load: () => Promise<unknown> = () => import('@opentelemetry/api'),
): Promise<TelemetryApi | undefined> {
  try {
    return (await load()) as TelemetryApi;
  } catch (error) {
    if (ABSENT.includes(String((error as { code?: unknown } | null)?.code))) return undefined;
    throw error;
  }
}

/**
 * Makes a span of each call and list, by OpenTelemetry's semantic conventions for MCP. It is a child of the caller's trace,
 * and the parent of what the call's own request starts.
 */
export function telemetryWatcher(api: TelemetryApi): Watcher {
  return {
    isWatching: () => tracerOf(api) !== undefined,
    begin: ({ method, tool, requestId, revision, outer, agent }) => {
      const tracer = tracerOf(api);
      if (tracer === undefined) return { end: () => undefined };
      const active = api.context.active();
      // Where the HTTP server is instrumented, its span is the child of the caller's, and ours is a child of that.
      const parent =
        api.trace.getSpan(active) === undefined
          ? api.propagation.extract(active, outer.headers)
          : active;
      const session = outer.headers['mcp-session-id'];
      const attributes = {
        'mcp.method.name': method,
        'mcp.protocol.version': revision,
        'jsonrpc.request.id': String(requestId),
        ...(tool === undefined
          ? {}
          : { 'gen_ai.tool.name': tool, 'gen_ai.operation.name': 'execute_tool' }),
        ...(agent === undefined
          ? {}
          : { 'mcp.workspace.slug': agent.workspace, 'mcp.agent.slug': agent.agent }),
        ...(typeof session === 'string' ? { 'mcp.session.id': session } : {}),
      };
      const name = tool === undefined ? method : `${method} ${tool}`;
      const span = tracer.startSpan(name, { kind: SERVER, attributes }, parent);
      const carrier: Record<string, string> = {};
      api.propagation.inject(api.trace.setSpan(parent, span), carrier);
      const traceHeaders = Object.entries(carrier).flat();
      return {
        ...(traceHeaders.length > 0 ? { traceHeaders } : {}),
        end: ({ outcome, status }) => {
          span.setAttributes({ 'http.response.status_code': status });
          if (outcome === 'error') {
            span.setAttributes({
              'error.type': tool === undefined ? String(status) : 'tool_error',
            });
            span.setStatus({ code: ERROR });
          }
          span.end();
        },
      };
    },
  };
}

/** Asked for each call, since an SDK may be started late. Without one, spans would cost and go nowhere. */
function tracerOf({ trace }: TelemetryApi): Tracer | undefined {
  const provider = trace.getTracerProvider();
  return provider.getDelegateTracer === undefined
    ? provider.getTracer(TRACER)
    : provider.getDelegateTracer(TRACER);
}
