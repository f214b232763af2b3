import { loadTelemetry, telemetryWatcher, type TelemetryApi } from './telemetry.js';
import type { Ended, Started } from './watch.js';

const ENDED: Ended = { outcome: 'ok', status: 200, bytesOut: 1, ref: undefined };

interface FakeSpan {
  name: string;
  options: { kind: number; attributes: object };
  parent: unknown;
  attributes: object;
  status: object | undefined;
  ended: boolean;
}

/** The API as far as it is used: contexts are plain values that can be compared. */
class FakeApi {
  readonly spans: FakeSpan[] = [];
  tracer: string | undefined;
  active: object = { active: true };
  hasActiveSpan = false;
  injects = true;

  readonly trace: TelemetryApi['trace'] = {
    getTracerProvider: () => ({
      getTracer: (tracer) => {
        this.tracer = tracer;
        return { startSpan: (name, options, parent) => this.start(name, options, parent) };
      },
    }),
    getSpan: (context) => (context === this.active && this.hasActiveSpan ? {} : undefined),
    setSpan: (context, span) => ({ context, span }),
  };
  readonly context = { active: (): unknown => this.active };
  readonly propagation: TelemetryApi['propagation'] = {
    extract: (context, carrier) => ({ extractedFrom: carrier, context }),
    inject: (context, carrier) => {
      const { span } = context as { span: FakeSpan };
      if (this.injects)
        carrier['traceparent'] = `of ${(span as unknown as { of: FakeSpan }).of.name}`;
    },
  };

  private start(name: string, options: object, parent: unknown): never {
    const span: FakeSpan = {
      name,
      options: options as FakeSpan['options'],
      parent,
      attributes: {},
      status: undefined,
      ended: false,
    };
    this.spans.push(span);
    return {
      of: span,
      setAttributes: (attributes: object) => Object.assign(span.attributes, attributes),
      setStatus: (status: object) => (span.status = status),
      end: () => (span.ended = true),
    } as never;
  }
}

const started = (more: Partial<Started> = {}, headers: object = {}): Started =>
  ({
    method: 'tools/call',
    tool: 'get_order',
    requestId: 7,
    revision: '2025-11-25',
    outer: { headers },
    ...more,
  }) as Started;

function spanOf(api: FakeApi, start = started(), end: Ended = ENDED): FakeSpan {
  telemetryWatcher(api).begin(start).end(end);
  return api.spans[0] as FakeSpan;
}

describe('telemetryWatcher', () => {
  it('makes a server span of a call, by the semantic conventions', () => {
    const api = new FakeApi();
    const span = spanOf(api);
    expect(api.tracer).toBe('nestjs-mcp-routes');
    expect(span.name).toBe('tools/call get_order');
    expect(span.options).toEqual({
      kind: 1,
      attributes: {
        'mcp.method.name': 'tools/call',
        'mcp.protocol.version': '2025-11-25',
        'jsonrpc.request.id': '7',
        'gen_ai.tool.name': 'get_order',
        'gen_ai.operation.name': 'execute_tool',
      },
    });
  });

  it('makes a span of a list, without a tool', () => {
    const span = spanOf(new FakeApi(), started({ method: 'tools/list', tool: undefined }));
    expect(span.name).toBe('tools/list');
    expect(Object.keys(span.options.attributes)).toEqual([
      'mcp.method.name',
      'mcp.protocol.version',
      'jsonrpc.request.id',
    ]);
  });

  it.each<[string, object, string | undefined]>([
    ['with a session', { 'mcp-session-id': 's1' }, 's1'],
    ['without one', {}, undefined],
    ['with a header twice', { 'mcp-session-id': ['s1', 's2'] }, undefined],
  ])('names the session of a request %s', (_title, headers, session) => {
    const { attributes } = spanOf(new FakeApi(), started({}, headers)).options;
    expect('mcp.session.id' in attributes).toBe(session !== undefined);
    expect((attributes as Record<string, unknown>)['mcp.session.id']).toBe(session);
  });

  it("is a child of the caller's span, or of the server's own where that is traced", () => {
    const headers = { traceparent: 'caller' };
    const untraced = new FakeApi();
    expect(spanOf(untraced, started({}, headers)).parent).toEqual({
      extractedFrom: headers,
      context: untraced.active,
    });
    const traced = new FakeApi();
    traced.hasActiveSpan = true;
    expect(spanOf(traced, started({}, headers)).parent).toBe(traced.active);
  });

  it('gives the call headers of its own span, where there is a propagator', () => {
    const api = new FakeApi();
    expect(telemetryWatcher(api).begin(started()).traceHeaders).toEqual([
      'traceparent',
      'of tools/call get_order',
    ]);
    api.injects = false;
    expect(telemetryWatcher(api).begin(started())).not.toHaveProperty('traceHeaders');
  });

  it('ends with the status, when the answer goes out', () => {
    const api = new FakeApi();
    const watched = telemetryWatcher(api).begin(started());
    expect(api.spans[0]?.ended).toBe(false);
    watched.end({ ...ENDED, status: 201 });
    expect(api.spans[0]).toMatchObject({ ended: true, status: undefined });
    expect(api.spans[0]?.attributes).toEqual({ 'http.response.status_code': 201 });
  });

  it.each<[string, Partial<Started>, string]>([
    ['a call', {}, 'tool_error'],
    ['a list', { method: 'tools/list', tool: undefined }, '500'],
  ])('tells an error of %s', (_title, more, type) => {
    const span = spanOf(new FakeApi(), started(more), { ...ENDED, outcome: 'error', status: 500 });
    expect(span.status).toEqual({ code: 2 });
    expect(span.ended).toBe(true);
    expect(span.attributes).toEqual({ 'http.response.status_code': 500, 'error.type': type });
  });
});

describe('loadTelemetry', () => {
  const load = (code: string): Promise<TelemetryApi | undefined> =>
    loadTelemetry(() => Promise.reject(Object.assign(new Error('cannot load'), { code })));

  it('gives the API that is installed', async () => {
    expect(await loadTelemetry()).toHaveProperty('trace.getTracer');
  });

  it.each(['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND'])(
    'gives nothing where it is not: %s',
    async (code) => {
      expect(await load(code)).toBeUndefined();
    },
  );

  it('fails where it is there and broken', async () => {
    await expect(load('ERR_DLOPEN_FAILED')).rejects.toThrow('cannot load');
    // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- a module may throw anything
    await expect(loadTelemetry(() => Promise.reject(null))).rejects.toBeNull();
  });
});
