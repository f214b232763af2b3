import fc from 'fast-check';
import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import { TOOLS } from '../protocol/tools.fixture.js';
import { message, Session } from '../protocol/wire.js';
import { FixtureApp } from '../support/fixture-app.js';
import { PLATFORMS } from '../support/platforms.js';
import { request, type FuzzRequest } from './protocol.generators.js';

const SETUPS = PLATFORMS.flatMap((platform) =>
  ([false, {}] as const).map((sessions) => ({
    title: `${platform.name}, ${sessions === false ? 'without' : 'with'} sessions`,
    platform,
    sessions,
  })),
);
const numRuns = Math.ceil(Number(process.env['MCP_FUZZ_RUNS'] ?? 2000) / SETUPS.length);
const seed = Number(process.env['MCP_FUZZ_SEED'] ?? Date.now() & 0x7fffffff);
/** A generous bound on one exchange: what takes longer hangs. */
const HANG_MS = 20_000;
const LEAK = /node_modules|\.[cm]?[jt]s:\d+|\bat [\w.<>]+ \(|\/work\/|\/home\//;

interface Exchange {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

/** Sends a request and reads all of the answer; of a stream that stays open, its first message. */
function exchange(app: FixtureApp, agent: Agent, sent: FuzzRequest): Promise<Exchange> {
  return new Promise((resolve, reject) => {
    const { method, headers, body } = sent;
    const url = new URL(app.path, app.url);
    const length = { 'content-length': String(body.length) };
    const outgoing = httpRequest(url, { method, agent, headers: { ...headers, ...length } });
    const timer = setTimeout(() => outgoing.destroy(new Error('hangs')), HANG_MS);
    const done = (response: IncomingMessage, text: string): void => {
      clearTimeout(timer);
      const type = String(response.headers['content-type'] ?? '');
      resolve({ status: response.statusCode ?? 0, type, text });
    };
    outgoing.on('error', (error) => {
      clearTimeout(timer);
      reject(error);
    });
    outgoing.on('response', (response) => {
      let text = '';
      const stays = (): boolean =>
        String(response.headers['content-type']).startsWith('text/event-stream') &&
        (method === 'GET' || text.includes('subscriptions/acknowledged'));
      const leave = (): void => {
        done(response, text);
        outgoing.destroy();
      };
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        text += chunk;
        if (stays()) leave();
      });
      response.on('end', () => done(response, text));
      response.on('error', () => done(response, text));
      if (stays()) leave();
    });
    outgoing.end(body);
  });
}

/** The messages of an answer, of a JSON body or a stream. */
function messagesOf({ type, text }: Exchange): Record<string, unknown>[] {
  if (text === '') return [];
  const texts = type.startsWith('text/event-stream')
    ? [...text.matchAll(/^data: (.*)$/gm)].map(([, data]) => data ?? '')
    : [text];
  return texts.map((one) => JSON.parse(one) as Record<string, unknown>);
}

function idOf(body: Buffer): { id?: unknown } {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'));
    return typeof value === 'object' && value !== null && 'id' in value ? { id: value.id } : {};
  } catch {
    return {};
  }
}

/** @returns what is wrong with an answer */
function faults(sent: FuzzRequest, answer: Exchange): string[] {
  const wrong: string[] = [];
  if (answer.status >= 500 || answer.status < 200) wrong.push(`status ${answer.status}`);
  if (LEAK.test(answer.text) && !LEAK.test(sent.body.toString())) wrong.push('a stack or a path');
  for (const one of messagesOf(answer)) {
    if (one['jsonrpc'] !== '2.0') wrong.push('no JSON-RPC');
    if (!('id' in one)) continue;
    const { id } = one;
    const expected = idOf(sent.body);
    if (!Object.is(id, expected.id)) wrong.push(`the id ${JSON.stringify(id)}`);
    // As it was written, not as JSON.parse makes of it.
    if (typeof id === 'number' && !new RegExp(`"\\s*:\\s*${id}\\s*[,}]`).test(sent.body.toString()))
      wrong.push(`the id ${id}, which was written in another way`);
  }
  return wrong;
}

beforeAll(() => {
  console.info(
    `fuzz of the endpoint: MCP_FUZZ_SEED=${seed}, ${numRuns} runs on each of ${SETUPS.length}`,
  );
});

describe.each(SETUPS)('fuzz of the protocol on $title', ({ platform, sessions }) => {
  let app: FixtureApp;
  let session: Session | undefined;
  const agent = new Agent({ keepAlive: true, maxSockets: 4 });
  beforeAll(async () => {
    app = await FixtureApp.start({ ...TOOLS, platform, mcp: { sessions, streamAfterMs: 60_000 } });
  });
  afterAll(async () => {
    agent.destroy();
    await app.close();
  });

  /** Half of the requests are of an open session, where there are any. */
  const ofSession = async (sent: FuzzRequest, inside: boolean): Promise<FuzzRequest> => {
    if (!inside || sessions === false || 'mcp-session-id' in sent.headers) return sent;
    session ??= await Session.open(app);
    const { id } = session;
    // It may be ended by this one.
    if (sent.method === 'DELETE') session = undefined;
    return { ...sent, headers: { 'mcp-session-id': id, ...sent.headers } };
  };

  const isWell = async (): Promise<void> => {
    const good = await app.call('echo', { path: { text: 'well' } });
    expect(good.structuredContent).toEqual({ text: 'well' });
    const dated = await Promise.resolve(sessions === false ? undefined : Session.open(app));
    const ping = await (dated?.request('ping') ?? app.post(message('ping')));
    expect(ping.json()).toEqual({ jsonrpc: '2.0', id: 1, result: {} });
  };

  it(
    'never a 5xx, a hang, a wrong id, a stack or a path, and it stays well',
    async () => {
      let runs = 0;
      await fc.assert(
        fc.asyncProperty(request, fc.boolean(), async (generated, inside) => {
          const sent = await ofSession(generated, inside);
          expect(faults(sent, await exchange(app, agent, sent))).toEqual([]);
          if (++runs % 100 === 0) await isWell();
        }),
        { numRuns, seed, endOnFailure: false },
      );
      await isWell();
    },
    // Far more than it takes: a hang is found by the bound on each exchange.
    numRuns * 1000,
  );
});
