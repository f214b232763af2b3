import { Injectable, Module, Controller, Get, Post, Body, Req } from '@nestjs/common';
import { context, propagation, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import {
  McpObserver,
  McpTool,
  type McpAuditEvent,
  type McpModuleOptions,
} from '../../src/index.js';
import { FixtureApp, textOf } from '../support/fixture-app.js';
import { PLATFORMS, type Platform } from '../support/platforms.js';
import { Directory, SignedIn, ThingsController } from './policy.fixture.js';
import { PolicyModule } from './policy.module.js';

class Audit extends McpObserver {
  readonly events: McpAuditEvent[] = [];
  override observe(event: McpAuditEvent): void {
    this.events.push(event);
  }
}

@Controller('trace')
class TraceController {
  @McpTool('trace') @Get() trace(@Req() request: { headers: Record<string, string> }): object {
    return { traceparent: request.headers['traceparent'] ?? null };
  }
  @McpTool('crash') @Get('crash') crash(): never {
    throw new Error('cause that nobody is told');
  }
  @McpTool('login') @Post() login(@Body() body: object): object {
    return { members: Object.keys(body).length };
  }
}

const start = (platform: Platform, mcp: McpModuleOptions): Promise<FixtureApp> =>
  FixtureApp.start({
    imports: [PolicyModule],
    controllers: [ThingsController, TraceController],
    mcp: { imports: [PolicyModule], guards: [SignedIn], ...mcp },
    platform,
  });

const ANN = { 'x-user': 'ann' };

describe.each(PLATFORMS)('policy on $name: audit', (platform) => {
  let app: FixtureApp;
  afterEach(() => app.close());

  it('is one event for each call and list', async () => {
    const audit = new Audit();
    app = await start(platform, { observer: audit });
    await app.call('open', {}, ANN);
    await app.call('fails', {}, ANN);
    await app.request('tools/list', {}, ANN);
    expect(audit.events).toHaveLength(3);
    const [opened, failed, listed] = audit.events;
    expect(opened).toEqual({
      kind: 'call',
      tool: 'open',
      principal: JSON.stringify(['', '', 'sub', 'ann']),
      requestId: 1,
      outcome: 'ok',
      status: 200,
      durationMs: expect.any(Number) as number,
      bytesIn: expect.any(Number) as number,
      bytesOut: expect.any(Number) as number,
      ref: undefined,
      arguments: undefined,
    });
    expect(opened?.bytesIn).toBeGreaterThan(100);
    expect(failed).toMatchObject({ kind: 'call', tool: 'fails', outcome: 'error', status: 404 });
    expect(listed).toMatchObject({ kind: 'list', tool: undefined, outcome: 'ok', status: 200 });
    expect(listed?.bytesOut).toBeGreaterThan(500);
  });

  it('has the reference of an internal failure', async () => {
    const audit = new Audit();
    app = await start(platform, { observer: audit });
    const result = await app.call('crash', {}, ANN);
    const ref = result._meta?.['nestjs-mcp-routes/ref'];
    expect(ref).toMatch(/^[0-9a-f]{12}$/);
    expect(audit.events[0]).toMatchObject({ status: 500, outcome: 'error', ref });
  });

  it('sees arguments only when asked for, with the named members blackened at any depth', async () => {
    const audit = new Audit();
    app = await start(platform, { observer: audit, observeArguments: { redact: ['password'] } });
    const body = { name: 'ann', Password: 'p1', nested: [{ password: { deep: 'p2' } }] };
    await app.call('login', { body }, ANN);
    expect(audit.events[0]?.arguments).toEqual({
      body: { name: 'ann', Password: '[redacted]', nested: [{ password: '[redacted]' }] },
    });
  });

  it.each<[string, () => void | Promise<void>]>([
    [
      'throws',
      () => {
        throw new Error('audit is down');
      },
    ],
    ['rejects', () => Promise.reject(new Error('audit is down'))],
    [
      'throws null',
      () => {
        throw null as unknown as Error;
      },
    ],
  ])('costs nothing but its event when the observer %s', async (_title, observe) => {
    app = await start(platform, { observer: { observe } });
    expect((await app.call('open', {}, ANN)).structuredContent).toEqual({ open: true });
    expect((await app.request('tools/list', {}, ANN)).status).toBe(200);
  });

  it('may be a class that is built by injection', async () => {
    @Injectable()
    class Injected extends McpObserver {
      static seen: (string | undefined)[] = [];
      constructor(private readonly directory: Directory) {
        super();
      }
      override observe({ tool }: McpAuditEvent): void {
        Injected.seen.push(`${tool} ${this.directory.roles.size}`);
      }
    }
    @Module({})
    class Nothing {}
    app = await start(platform, { observer: Injected, imports: [PolicyModule, Nothing] });
    await app.call('open', {}, ANN);
    expect(Injected.seen).toEqual(['open 2']);
  });
});

describe.each(PLATFORMS)('policy on $name: traces', (platform) => {
  const exporter = new InMemorySpanExporter();
  let app: FixtureApp;
  beforeAll(() => {
    trace.setGlobalTracerProvider(
      new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }),
    );
    context.setGlobalContextManager(new AsyncLocalStorageContextManager());
    propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  });
  afterAll(() => {
    trace.disable();
    context.disable();
    propagation.disable();
  });
  beforeEach(() => exporter.reset());
  afterEach(() => app.close());

  const TRACE = '0af7651916cd43dd8448eb211c80319c';
  const PARENT = 'b7ad6b7169203331';

  it('have a span for a call, child of the caller and parent of the inner request', async () => {
    app = await start(platform, {});
    const result = await app.call('trace', {}, { ...ANN, traceparent: `00-${TRACE}-${PARENT}-01` });
    const [span] = exporter.getFinishedSpans();
    expect(span?.name).toBe('tools/call trace');
    expect(span?.spanContext().traceId).toBe(TRACE);
    expect(span?.parentSpanContext?.spanId).toBe(PARENT);
    expect(span?.attributes).toMatchObject({
      'mcp.method.name': 'tools/call',
      'mcp.protocol.version': '2026-07-28',
      'gen_ai.tool.name': 'trace',
      'jsonrpc.request.id': '1',
    });
    expect(JSON.parse(textOf(result))).toEqual({
      traceparent: `00-${TRACE}-${span?.spanContext().spanId}-01`,
    });
  });

  it('tell an error', async () => {
    app = await start(platform, {});
    await app.call('fails', {}, ANN);
    await app.request('tools/list', {}, ANN);
    const [failed, listed] = exporter.getFinishedSpans();
    expect(failed?.attributes).toMatchObject({
      'error.type': 'tool_error',
      'http.response.status_code': 404,
    });
    expect(failed?.status.code).toBe(2);
    expect(listed?.name).toBe('tools/list');
    expect(listed?.status.code).toBe(0);
  });
});
