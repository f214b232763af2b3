import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { jest } from '@jest/globals';
import { ConflictException, Controller, Post } from '@nestjs/common';
import { McpCall, McpTool, type McpCallContext, type McpModuleOptions } from '../../src/index.js';
import { FixtureApp } from '../support/fixture-app.js';
import { PLATFORMS, type Platform } from '../support/platforms.js';
import { as, UserGuard } from './tools.fixture.js';

const NAME = {
  method: 'elicitation/create',
  params: {
    message: 'Who are you?',
    requestedSchema: {
      type: 'object',
      properties: { name: { type: 'string' } },
      required: ['name'],
    },
  },
} as const;
const CAPITAL = {
  method: 'sampling/createMessage',
  params: {
    messages: [{ role: 'user', content: { type: 'text', text: 'Capital of France?' } }],
    maxTokens: 100,
  },
} as const;

@Controller('input')
class InputController {
  static runs = 0;

  @McpTool('greet') @Post('greet') async greet(@McpCall() call?: McpCallContext): Promise<object> {
    InputController.runs++;
    if (call === undefined) return { greeting: 'Hello, HTTP!' };
    const { name } = await call.requestInput({ name: NAME });
    if (name?.['action'] !== 'accept') throw new ConflictException('declined');
    return { greeting: `Hello, ${(name['content'] as { name: string }).name}!` };
  }

  @McpTool('two_rounds') @Post('two') async twoRounds(
    @McpCall() call?: McpCallContext,
  ): Promise<object> {
    const first = await call?.requestInput({ step1: NAME });
    const second = await call?.requestInput({ step2: NAME });
    return { first: first?.['step1']?.['content'], second: second?.['step2']?.['content'] };
  }

  @McpTool('ask_model') @Post('model') async model(
    @McpCall() call?: McpCallContext,
  ): Promise<object> {
    const { capital } = (await call?.requestInput({ capital: CAPITAL })) ?? {};
    return { answer: capital?.['content'], knows: Object.keys(call?.clientCapabilities ?? {}) };
  }
}

const start = (platform: Platform, mcp: McpModuleOptions = {}): Promise<FixtureApp> =>
  FixtureApp.start({ controllers: [InputController], mcp, platform });

interface Wire {
  status: number;
  result?: {
    resultType?: string;
    inputRequests?: Record<string, unknown>;
    requestState?: string;
    structuredContent?: unknown;
    isError?: boolean;
  };
  error?: { code: number; data?: unknown };
}

async function call(
  app: FixtureApp,
  name: string,
  more: Record<string, unknown> = {},
  capabilities: object = { elicitation: {} },
  headers: Record<string, string> = {},
): Promise<Wire> {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': capabilities,
  };
  const params = { name, arguments: {}, ...more, _meta };
  const answer = await app.post(
    { jsonrpc: '2.0', id: 1, method: 'tools/call', params },
    {
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': name,
      ...headers,
    },
  );
  return { status: answer.status, ...(answer.json() as Omit<Wire, 'status'>) };
}

const accepted = (name: string): object => ({ action: 'accept', content: { name } });

describe.each(PLATFORMS)('protocol on $name: input of the client in 2026-07-28', (platform) => {
  let app: FixtureApp;
  beforeEach(async () => {
    app = await start(platform);
  });
  afterEach(() => app.close());

  it('is asked for by an input_required result, and given with another call', async () => {
    const asked = await call(app, 'greet');
    expect(asked.result).toMatchObject({
      resultType: 'input_required',
      inputRequests: { name: NAME },
    });
    const requestState = asked.result?.requestState;
    expect(requestState).toEqual(expect.any(String));
    const done = await call(app, 'greet', {
      requestState,
      inputResponses: { name: accepted('Ann') },
    });
    expect(done.result).toMatchObject({
      resultType: 'complete',
      structuredContent: { greeting: 'Hello, Ann!' },
    });
  });

  it.each<[string, unknown]>([
    ['another key', { other: accepted('Ann') }],
    ['a number', { name: 7 }],
    ['null', { name: null }],
    ['no object at all', 'name'],
  ])('is asked for again when the client answers with %s', async (_title, inputResponses) => {
    const { result } = await call(app, 'greet');
    const again = await call(app, 'greet', { requestState: result?.requestState, inputResponses });
    expect(again.result).toMatchObject({
      resultType: 'input_required',
      inputRequests: { name: NAME },
    });
  });

  it('ignores answers that nobody asked for', async () => {
    const { result } = await call(app, 'greet');
    const inputResponses = { name: accepted('Ann'), more: accepted('Bob') };
    const done = await call(app, 'greet', { requestState: result?.requestState, inputResponses });
    expect(done.result?.structuredContent).toEqual({ greeting: 'Hello, Ann!' });
  });

  it('keeps the answers of earlier rounds in a state that changes', async () => {
    const one = await call(app, 'two_rounds');
    const two = await call(app, 'two_rounds', {
      requestState: one.result?.requestState,
      inputResponses: { step1: accepted('A') },
    });
    expect(two.result?.inputRequests).toEqual({ step2: NAME });
    expect(two.result?.requestState).not.toBe(one.result?.requestState);
    const three = await call(app, 'two_rounds', {
      requestState: two.result?.requestState,
      inputResponses: { step2: accepted('B') },
    });
    expect(three.result?.structuredContent).toEqual({
      first: { name: 'A' },
      second: { name: 'B' },
    });
  });

  it.each<[string, (state: string) => Record<string, unknown>]>([
    ['is altered', (state) => ({ requestState: `${state}-TAMPERED` })],
    ['is no string', () => ({ requestState: 5 })],
    ['belongs to other arguments', (state) => ({ requestState: state, arguments: { x: 1 } })],
  ])('refuses a state that %s', async (_title, alter) => {
    const { result } = await call(app, 'greet');
    const answer = await call(app, 'greet', {
      ...alter(result?.requestState ?? ''),
      inputResponses: { name: accepted('x') },
    });
    expect(answer.error?.code).toBe(-32602);
  });

  it('refuses the state of another tool', async () => {
    const { result } = await call(app, 'greet');
    expect(
      (await call(app, 'two_rounds', { requestState: result?.requestState })).error?.code,
    ).toBe(-32602);
  });

  it('refuses the state of another caller', async () => {
    await app.close();
    app = await start(platform, { guards: [UserGuard] });
    const { result } = await call(app, 'greet', {}, undefined, as('ann'));
    const more = {
      requestState: result?.requestState,
      inputResponses: { name: accepted('Ann') },
    };
    for (const other of [as('bob'), {}]) {
      expect((await call(app, 'greet', more, undefined, other)).error?.code).toBe(-32602);
    }
    expect((await call(app, 'greet', more, undefined, as('ann'))).result).toMatchObject({
      structuredContent: { greeting: 'Hello, Ann!' },
    });
  });

  it('refuses a state that has run out, after an hour', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
    try {
      const { result } = await call(app, 'greet');
      const more = {
        requestState: result?.requestState,
        inputResponses: { name: accepted('Ann') },
      };
      jest.setSystemTime(Date.now() + 3_600_000);
      expect((await call(app, 'greet', more)).result).toMatchObject({ resultType: 'complete' });
      jest.setSystemTime(Date.now() + 1);
      expect((await call(app, 'greet', more)).error?.code).toBe(-32602);
    } finally {
      jest.useRealTimers();
    }
  });

  it('names the capability that the client did not declare', async () => {
    const answer = await call(app, 'ask_model', {}, { elicitation: {} });
    expect(answer.status).toBe(400);
    expect(answer.error).toMatchObject({
      code: -32021,
      data: { requiredCapabilities: { sampling: {} } },
    });
    expect((await call(app, 'ask_model', {}, { sampling: {} })).result?.inputRequests).toEqual({
      capital: CAPITAL,
    });
  });

  it('is fulfilled by the official client on its own', async () => {
    const client = new Client(
      { name: 'test', version: '1' },
      { capabilities: { elicitation: {} }, versionNegotiation: { mode: { pin: '2026-07-28' } } },
    );
    client.setRequestHandler('elicitation/create', () => ({
      action: 'accept',
      content: { name: 'Ann' },
    }));
    await client.connect(new StreamableHTTPClientTransport(new URL(app.path, app.url)));
    const result = await client.callTool({ name: 'greet', arguments: {} });
    expect(result.structuredContent).toEqual({ greeting: 'Hello, Ann!' });
    await client.close();
  });

  it('is not there over HTTP', async () => {
    expect((await app.http('POST', '/input/greet')).json()).toEqual({ greeting: 'Hello, HTTP!' });
  });
});

describe.each(PLATFORMS)('protocol on $name: input of the client in a session', (platform) => {
  let app: FixtureApp;
  let client: Client;
  const connect = async (
    capabilities: object,
    mcp: McpModuleOptions = { sessions: {} },
  ): Promise<void> => {
    app = await start(platform, mcp);
    client = new Client({ name: 'test', version: '1' }, { capabilities });
    if ('elicitation' in capabilities) {
      client.setRequestHandler('elicitation/create', () => ({
        action: 'accept',
        content: { name: 'Ann' },
      }));
    }
    await client.connect(new StreamableHTTPClientTransport(new URL(app.path, app.url)));
  };
  afterEach(async () => {
    await client.close();
    await app.close();
  });

  it('is a request of the server on the stream of the call', async () => {
    await connect({ elicitation: {} });
    InputController.runs = 0;
    const result = await client.callTool({ name: 'greet', arguments: {} });
    expect(result.structuredContent).toEqual({ greeting: 'Hello, Ann!' });
    expect(InputController.runs).toBe(1);
  });

  it('several times', async () => {
    await connect({ elicitation: {} });
    const result = await client.callTool({ name: 'two_rounds', arguments: {} });
    expect(result.structuredContent).toEqual({ first: { name: 'Ann' }, second: { name: 'Ann' } });
  });

  it('is refused to the route when the client did not declare it', async () => {
    await connect({});
    const result = await client.callTool({ name: 'greet', arguments: {} });
    expect(result.isError).toBe(true);
    expect(JSON.stringify(result.content)).toContain('it did not declare elicitation');
  });

  it('is refused to the route without sessions', async () => {
    await connect({ elicitation: {} }, {});
    const result = await client.callTool({ name: 'greet', arguments: {} });
    expect(result.isError).toBe(true);
    expect(JSON.stringify(result.content)).toContain('it has no session');
  });

  it('ends with the call: an answer that never comes is bounded by the call timeout', async () => {
    await connect({ elicitation: {} }, { sessions: {}, callTimeoutMs: 100 });
    client.setRequestHandler('elicitation/create', () => new Promise(() => undefined));
    const result = await client.callTool({ name: 'greet', arguments: {} });
    expect(result.isError).toBe(true);
    expect(JSON.stringify(result.content)).toContain('no answer within 100 ms');
  });
});
