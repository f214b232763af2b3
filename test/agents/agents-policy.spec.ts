import {
  ForbiddenException,
  Injectable,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common';
import { context, propagation, trace } from '@opentelemetry/api';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { McpRestOperation, type McpAgentsOptions } from '../../src/agents/index.js';
import {
  McpModule,
  McpObserver,
  McpResponseGuard,
  type McpAuditEvent,
  type McpModuleOptions,
  type OutgoingAnswer,
  type OutgoingResult,
} from '../../src/index.js';
import { message, rawExchange, rawRequest, rpc, Stream } from '../protocol/wire.js';
import { PLATFORMS } from '../support/platforms.js';
import { AgentsApp, plainOperation, SUPPORT, supportCatalog, until } from './agents.fixture.js';

const bearer = (key: string): Record<string, string> => ({ authorization: `Bearer ${key}` });

/** Who asked for what, as a tool guard sees it. */
@Injectable()
class ToolGuard implements CanActivate {
  static readonly seen: unknown[] = [];
  canActivate(execution: ExecutionContext): boolean {
    const request = execution.switchToHttp().getRequest<{ auth?: object; body?: unknown }>();
    const isOperation = execution.getClass() === McpRestOperation;
    ToolGuard.seen.push({ auth: request.auth, isOperation });
    return isOperation;
  }
}

/** Lets out what a test says. */
class Censor extends McpResponseGuard {
  readonly seen: (string | null)[] = [];
  override check({ tool, ...answer }: OutgoingAnswer): OutgoingResult | undefined {
    this.seen.push(tool?.name ?? null);
    if (!('result' in answer)) return undefined;
    if (JSON.stringify(answer.result).includes('/things/secret')) throw new ForbiddenException();
    const content = [{ type: 'text', text: 'censored' }];
    return tool?.name === 'read_thing' ? { content, isError: false } : undefined;
  }
}

class Audit extends McpObserver {
  readonly events: McpAuditEvent[] = [];
  override observe(event: McpAuditEvent): void {
    this.events.push(event);
  }
}

describe.each(PLATFORMS)('agents on $name: policy', (platform) => {
  let app: AgentsApp;
  let release = (): void => undefined;
  afterEach(async () => {
    release();
    await app.close();
  });
  const start = async (options: Partial<McpAgentsOptions>): Promise<AgentsApp> => {
    app = await AgentsApp.start({
      platform,
      options,
      document: (origin, keys) =>
        supportCatalog(
          origin,
          keys,
          [
            plainOperation(origin, 'held', '/held'),
            plainOperation(origin, 'credential', '/things', {
              credentials: [{ ref: 'none', in: 'header', name: 'X-Key' }],
            }),
          ],
          {
            ...SUPPORT,
            tools: [...(SUPPORT.tools ?? []), { operation: 'held' }, { operation: 'credential' }],
          },
        ),
    });
    app.upstream.held = new Promise((resolve) => (release = resolve));
    return app;
  };
  const names = async (): Promise<string[]> => {
    const answer = await app.post('acme/support', bearer(app.key));
    const { result } = rpc(answer) as unknown as { result: { tools: { name: string }[] } };
    return result.tools.map(({ name }) => name);
  };

  it('tool guards decide who sees and calls what, and know workspace, agent and key', async () => {
    ToolGuard.seen.length = 0;
    await start({ toolGuards: [ToolGuard] });
    expect(await names()).toEqual(['credential', 'held', 'read_thing']);
    expect((await app.call('read_thing', { id: '1' })).isError).toBe(false);
    expect(await app.call('order', { path: { id: '1' } })).toMatchObject({
      isError: true,
      envelope: { statusCode: 403 },
    });
    const auth = { scheme: 'mcp-agent-key', workspace: 'acme', agent: 'support' };
    expect(ToolGuard.seen).toContainEqual({
      auth: expect.objectContaining(auth) as object,
      isOperation: true,
    });
  });

  it('a tool guard that refuses an operation: 403, and nothing is sent upstream', async () => {
    const refuse = { canActivate: (one: ExecutionContext) => one.getClass() !== McpRestOperation };
    await start({ toolGuards: [refuse] });
    expect(await names()).toEqual(['order']);
    expect((await app.call('read_thing', { id: '1' })).envelope).toMatchObject({ statusCode: 403 });
    expect(app.upstream.seen).toEqual([]);
  });

  it('the response guard sees lists and results of operations and routes, changes and refuses them', async () => {
    const responseGuard = new Censor();
    await start({ responseGuard, requireResponseGuard: true, recheck: true });
    await names();
    expect((await app.call('read_thing', { id: '1' })).text).toBe('censored');
    const refused = await app.call('read_thing', { id: 'secret' });
    expect(refused).toMatchObject({ isError: true, envelope: { statusCode: 403 } });
    expect(refused.text).not.toContain('/things/secret');
    await app.call('order', { path: { id: '1' } });
    expect(responseGuard.seen).toEqual([null, 'read_thing', 'read_thing', 'order']);
  });

  it.each([true, false])('a key that expires while its call runs, recheck: %s', async (recheck) => {
    await start({ recheck });
    const expiresAt = new Date(Date.now() + 1_000);
    const { key } = await app.agents.createKey({
      workspace: 'acme',
      agent: 'support',
      expiresAt,
    });
    const call = app.call('held', {}, key);
    await until(() => app.upstream.last?.url === '/held', 'the call reaches the upstream');
    await until(() => Date.now() > expiresAt.getTime(), 'the key has expired');
    release();
    const { isError, text } = await call;
    expect({ isError, tells: text.includes('/held') }).toEqual({
      isError: recheck,
      tells: !recheck,
    });
  });

  it('a key that is revoked while its call runs: the answer does not go out', async () => {
    await start({ recheck: true });
    const made = await app.agents.createKey({ workspace: 'acme', agent: 'support' });
    const call = app.call('held', {}, made.key).catch((error: unknown) => error);
    await until(() => app.upstream.last?.url === '/held', 'the call reaches the upstream');
    await app.agents.revokeKey(made.record.prefix);
    release();
    expect(await call).toMatchObject({ message: 'fetch failed' });
    expect((await app.post('acme/support', bearer(made.key))).status).toBe(401);
  });

  it('so many calls of a key may run at a time, whatever their tools and catalogs', async () => {
    await start({ maxConcurrentCalls: 1 });
    const running = app.call('held');
    await until(() => app.upstream.last?.url === '/held', 'the call reaches the upstream');
    await app.catalog.publish(supportCatalog(app.upstream.origin, app.records));
    await app.agents.refresh();
    for (const [tool, args] of [
      ['read_thing', { id: '1' }],
      ['order', { path: { id: '1' } }],
    ] as const) {
      expect((await app.call(tool, args)).envelope).toMatchObject({ statusCode: 429 });
    }
    const other = await app.agents.createKey({ workspace: 'acme', agent: 'support' });
    expect((await app.call('read_thing', { id: '1' }, other.key)).isError).toBe(false);
    release();
    expect((await running).isError).toBe(false);
    expect((await app.call('read_thing', { id: '1' })).isError).toBe(false);
  });

  it('beyond the cap of sessions the one that was idle for longest ends', async () => {
    await start({ sessions: { max: 2 } });
    const open = async (): Promise<string> => {
      const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: CLIENT };
      const answer = await app.post('acme/support', bearer(app.key), 'initialize', params);
      return answer.headers.get('mcp-session-id') ?? '';
    };
    const ids = [await open(), await open(), await open()];
    const statuses = [];
    for (const id of ids) {
      const headers = { ...bearer(app.key), 'mcp-session-id': id };
      statuses.push((await app.post('acme/support', headers, 'ping')).status);
    }
    expect(statuses).toEqual([404, 200, 200]);
    const del = await app.fixture.http('DELETE', app.url().pathname, {
      headers: { ...bearer(app.key), 'mcp-session-id': ids[2] ?? '' },
    });
    expect(del.status).toBe(204);
  });

  it('only listed hosts and origins are served, once the key is good', async () => {
    await start({ allowedHosts: ['agents.example'], allowedOrigins: ['https://chat.example'] });
    const body = JSON.stringify(message('tools/list'));
    const ask = async (headers: Record<string, string>): Promise<string> => {
      const sent = {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'content-length': String(body.length),
        ...headers,
      };
      const answer = await rawExchange(
        app.fixture,
        rawRequest(`POST ${app.url().pathname}`, sent, body),
      );
      return answer.slice(9, 12);
    };
    const key = bearer(app.key);
    expect([
      await ask({ ...key, host: 'agents.example' }),
      await ask({ ...key, host: 'agents.example', origin: 'https://chat.example' }),
      await ask({ ...key, host: 'evil.example' }),
      await ask({ ...key, host: 'agents.example', origin: 'https://evil.example' }),
      await ask({ host: 'evil.example' }),
    ]).toEqual(['200', '200', '403', '403', '401']);
  });

  it('the log, an observer and usage name workspace and agent', async () => {
    const observer = new Audit();
    await start({ observer, credentials: { resolve: () => Promise.reject(new Error('vault')) } });
    await names();
    await app.call('read_thing', { id: '1' });
    await app.call('order', { path: { id: '1' } });
    const failed = await app.call('credential');
    expect(failed).toMatchObject({ isError: true, envelope: { statusCode: 500 } });
    expect(failed.text).not.toContain('vault');
    const agent = { workspace: 'acme', agent: 'support' };
    expect(observer.events).toEqual([
      expect.objectContaining({ kind: 'list', tool: undefined, agent, outcome: 'ok' }),
      expect.objectContaining({ kind: 'call', tool: 'read_thing', agent, outcome: 'ok' }),
      expect.objectContaining({ kind: 'call', tool: 'order', agent, outcome: 'ok' }),
      expect.objectContaining({ kind: 'call', tool: 'credential', agent, outcome: 'error' }),
    ]);
    expect(app.logger.of('error', 'McpModule')).toEqual([
      expect.stringMatching(/^Tool credential: agent acme\/support: .*[0-9a-f]{12}/),
    ]);
    expect(app.agents.usage()).toEqual([
      {
        ...agent,
        lists: 1,
        calls: 3,
        errors: 1,
        tools: {
          read_thing: { calls: 1, errors: 0 },
          order: { calls: 1, errors: 0 },
          credential: { calls: 1, errors: 1 },
        },
      },
      { workspace: 'rival', agent: 'support', lists: 0, calls: 0, errors: 0, tools: {} },
    ]);
  });
});

const CLIENT = { name: 'test', version: '1.0.0' };

describe.each(PLATFORMS)('agents on $name: traces', (platform) => {
  const exporter = new InMemorySpanExporter();
  beforeAll(() => {
    trace.setGlobalTracerProvider(
      new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }),
    );
  });
  afterAll(() => {
    trace.disable();
    context.disable();
    propagation.disable();
  });

  it('have a span of each list and call, with workspace and agent', async () => {
    const app = await AgentsApp.start({ platform });
    await app.post('acme/support', bearer(app.key));
    await app.call('read_thing', { id: '1' });
    await app.close();
    const spans = exporter.getFinishedSpans();
    expect(spans.map(({ name }) => name)).toEqual(['tools/list', 'tools/call read_thing']);
    for (const { attributes } of spans) {
      expect(attributes).toMatchObject({
        'mcp.workspace.slug': 'acme',
        'mcp.agent.slug': 'support',
      });
    }
  });
});

describe.each(PLATFORMS)('agents on $name: the same limits as the main endpoint', (platform) => {
  const LIMITS: Partial<McpModuleOptions> = {
    maxRequestBytes: 2048,
    maxDepth: 16,
    pageSize: 1,
    listTtlMs: 7_000,
    listScope: 'private',
    sessions: {},
    streamAfterMs: 0,
  };
  let app: AgentsApp;
  beforeAll(async () => {
    app = await AgentsApp.start({
      platform,
      imports: [McpModule.forRoot(LIMITS)],
      options: LIMITS,
      document: (origin, keys) =>
        supportCatalog(origin, keys, [], {
          slug: 'support',
          status: 'published',
          tools: [{ route: 'find_order' }, { route: 'secret_route' }],
        }),
    });
  });
  afterAll(() => app.close());

  const initialize = message('initialize', {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: CLIENT,
  });
  const deep = `${'['.repeat(40)}${']'.repeat(40)}`;
  const MODERN = {
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'tools/list',
  };
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  it.each<[string, string, Record<string, string>, object | string]>([
    ['a message that is too large', 'POST', {}, message('ping', { text: 'x'.repeat(3_000) })],
    [
      'one that is nested too deep',
      'POST',
      {},
      `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":${deep}}}`,
    ],
    ['a member twice', 'POST', {}, '{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}'],
    ['no JSON', 'POST', {}, '{'],
    ['a batch', 'POST', {}, [message('ping')]],
    ['another content type', 'POST', { 'content-type': 'text/plain' }, 'ping'],
    ['a client that takes no stream', 'POST', { accept: 'text/html' }, initialize],
    ['an unknown revision', 'POST', { 'mcp-protocol-version': '1999-01-01' }, message('ping')],
    ['a session that is missing', 'POST', {}, message('tools/list')],
    ['a session that is unknown', 'POST', { 'mcp-session-id': 'x'.repeat(32) }, message('ping')],
    ['a stream without a session', 'GET', { accept: 'text/event-stream' }, ''],
    ['another method', 'PUT', {}, message('ping')],
    ['an origin that is not listed', 'POST', { origin: 'https://evil.example' }, initialize],
    ['a page of a list', 'POST', MODERN, message('tools/list', { _meta: meta })],
  ])('%s', async (_, method, headers, body) => {
    const ask = async (path: string, more: Record<string, string>): Promise<object> => {
      const sent = {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...headers,
        ...more,
      };
      const answer = await app.fixture.http(method, path, {
        headers: sent,
        ...(method === 'GET' ? {} : { body }),
      });
      // A cursor is signed with a key of its endpoint.
      const text = answer.text.replace(/"nextCursor":"[^"]+"/, '"nextCursor":""');
      const kept = ['allow', 'cache-control', 'content-type', 'vary'];
      return {
        status: answer.status,
        text,
        headers: kept.map((name) => answer.headers.get(name)),
      };
    };
    const own = await ask(app.url().pathname, bearer(app.key));
    expect(own).toEqual(await ask('/mcp', {}));
    expect(JSON.stringify(own)).toContain('"status"');
  });

  it('so many streams of a principal, and no more', async () => {
    const client = await app.connect('legacy');
    const id = (client.transport as { sessionId?: string }).sessionId ?? '';
    const streams: Stream[] = [];
    const open = (): Promise<Stream> =>
      Stream.open(
        app.fixture,
        'GET',
        { ...bearer(app.key), 'mcp-session-id': id },
        undefined,
        app.url().pathname,
      );
    for (let count = 0; count < 16; count += 1) streams.push(await open());
    const statuses = streams.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(15);
    const beyond = await open();
    expect(beyond.status).toBe(429);
    for (const stream of [...streams, beyond]) stream.close();
    await client.close();
  });
});
